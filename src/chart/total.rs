//! The probability of all trees of an input, whatever they say.
//!
//! What of a pattern was matched from one place on up to another does not depend on where the pattern is to end. So spans are covered from the last
//! beginning to the first, each time from the nearest end to the last, and every pattern goes on from what it came to so far. What a span is worth in a
//! slot is summed once, for all patterns with that slot and all their beginnings.

use super::free::is_said;
use crate::settings::LONGEST;
use crate::theory::entry::In;
use crate::theory::tree::ROOT;
use crate::theory::tree_model::{Row, TreeModel};
use crate::theory::{EntryId, Theory};

/// A pattern, and what of it was matched.
struct Rule<'t> {
    pattern: &'t [In],
    /// The number of the place that its first slot is.
    places: usize,
    /// For each number of pieces and each end the probability of having matched them up to there.
    matched: Vec<f64>,
}

/// The probability of all trees of an input.
pub fn probability(input: &[In], theory: &Theory, model: &TreeModel) -> f64 {
    let length = input.len();
    if length == 0 || length > LONGEST {
        return 0.0;
    }
    let mut ids = theory.candidates(input);
    ids.retain(|&id| theory.entry(id).slots() > 0 || is_said(&theory.entry(id).pattern, input));
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut rules: Vec<Rule<'_>> = Vec::with_capacity(ids.len());
    for &id in &ids {
        let entry = theory.entry(id);
        let places = rows.len();
        rows.extend((0..entry.slots() as u8).map(|slot| model.row((id, slot))));
        let matched = vec![0.0; (entry.pattern.len() + 1) * (length + 1)];
        rules.push(Rule { pattern: &entry.pattern, places, matched });
    }
    let fillers = Fillers::new(&ids, &rows);
    let mut spans = Spans { length, width: rows.len(), worth: vec![0.0; length * length * rows.len()] };
    let root = model.row(ROOT);
    let mut all = 0.0;
    for from in (0..length).rev() {
        let mut begun: Vec<(usize, &mut Rule<'_>)> = rules.iter_mut().enumerate().collect();
        begun.retain_mut(|(_, rule)| rule.begins(input, from));
        for to in from + 1..=length {
            for (number, rule) in &mut begun {
                let sum = rule.go_on(input, (from, to), &spans);
                if sum > 0.0 {
                    spans.add((from, to), sum, fillers.of(*number));
                    if (from, to) == (0, length) {
                        all += sum * root.likely(ids[*number]);
                    }
                }
            }
            for (_, rule) in &mut begun {
                if let In::Slot(_) = rule.pattern[0] {
                    rule.matched[length + 1 + to] = spans.worth((from, to), rule.places);
                }
            }
        }
    }
    all
}

impl Rule<'_> {
    /// Whether the pattern may begin at a place; then nothing of it is matched yet.
    fn begins(&mut self, input: &[In], from: usize) -> bool {
        let begins = from + self.pattern.len() <= input.len()
            && match self.pattern[0] {
                In::Word(_) => self.pattern[0] == input[from],
                In::Slot(_) => true,
            };
        if begins {
            self.matched.fill(0.0);
            self.matched[from] = 1.0;
        }
        begins
    }

    /// Goes on up to an end, but for a slot that the pattern begins with; the probability of all of it.
    fn go_on(&mut self, input: &[In], (from, to): (usize, usize), spans: &Spans) -> f64 {
        let width = input.len() + 1;
        let mut slots = 0;
        let most = self.pattern.len().min(to - from);
        for (number, piece) in self.pattern[..most].iter().enumerate() {
            let (before, after) = self.matched.split_at_mut((number + 1) * width);
            let before = &before[number * width..];
            after[to] = match piece {
                In::Word(_) if *piece == input[to - 1] => before[to - 1],
                In::Word(_) => 0.0,
                In::Slot(_) => {
                    let place = self.places + slots;
                    slots += 1;
                    if number == 0 {
                        continue;
                    }
                    let reached = (from + number..to).filter(|&at| before[at] > 0.0);
                    reached.map(|at| before[at] * spans.worth((at, to), place)).sum()
                }
            };
        }
        self.matched[self.pattern.len() * width + to]
    }
}

/// How likely each entry is to fill each place.
struct Fillers {
    width: usize,
    likely: Vec<f64>,
}

impl Fillers {
    fn new(ids: &[EntryId], rows: &[Row<'_>]) -> Fillers {
        let likely = ids.iter().flat_map(|&id| rows.iter().map(move |row| row.likely(id))).collect();
        Fillers { width: rows.len(), likely }
    }

    fn of(&self, number: usize) -> &[f64] {
        &self.likely[number * self.width..(number + 1) * self.width]
    }
}

/// What each span is worth in each place.
struct Spans {
    length: usize,
    width: usize,
    worth: Vec<f64>,
}

impl Spans {
    fn at(&self, (from, to): (usize, usize)) -> usize {
        (from * self.length + to - 1) * self.width
    }

    fn worth(&self, span: (usize, usize), place: usize) -> f64 {
        self.worth[self.at(span) + place]
    }

    fn add(&mut self, span: (usize, usize), sum: f64, likely: &[f64]) {
        let at = self.at(span);
        let there = self.worth[at..at + self.width].iter_mut();
        there.zip(likely).for_each(|(worth, likely)| *worth += sum * likely);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::free;
    use crate::objective::Prices;
    use crate::theory::counts::Counts;
    use crate::theory::entry::tests::entry;

    #[test]
    fn all_trees_are_those_under_each_root() {
        let entries = [
            ("w", "W"),
            ("r", "R"),
            ("0 t", "0 0"),
            ("0 a 1", "0 1"),
            ("0 1", "0 1"),
            ("p 0", "0"),
            ("0 a 1 b 2", "0 1 2"),
            ("w t", "T"),
        ];
        let mut theory = Theory::new(Prices::new(9, 9));
        entries.iter().for_each(|(pattern, says)| _ = theory.add(&entry(pattern, says)));
        let model = TreeModel::new(&Counts::default(), &theory);
        for input in ["p w t a r b w w t", "p w", "w a"] {
            let whole = entry(input, "");
            let derivations = free::derivations(&*whole.pattern, &theory, &model);
            let each: f64 = derivations.iter().map(|derivation| derivation.probability).sum();
            let all = probability(&whole.pattern, &theory, &model);
            assert!((all - each).abs() <= 1e-6 * each, "{all} {each}");
        }
    }
}
