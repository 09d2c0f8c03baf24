//! Word classes: words that the parser may treat alike.
//!
//! A word is kin to another if (nearly) everywhere it stands in the trees, the other stands too: the same
//! heads on the same side with as many children, the same children. That one of the two is also found
//! elsewhere proves nothing, for examples may be missing; so a word seen in few places is parsed like its kin
//! everywhere. Kin are merged as long as the parser's transitions stay (but for a small share) a function of
//! its features.

use crate::semantics::lexicon::{Lexicon, Sense};
use crate::syntax::{ArcOrder, Row, Rows, Transition};
use crate::tree::Tree;
use rustc_hash::{FxHashMap, FxHashSet};

/// The share of a word's surroundings that its kin must have too.
const COVERED: f64 = 0.9;
/// A place that a word has so many times more rarely than its kin is none.
const MISTAKEN: f64 = 0.02;
/// So many other places a word may have that were not seen: a word seen rarely proves little.
const UNSEEN: f64 = 500.0;
/// The share of common parser states in which two words of a class may want different transitions: room for
/// wrong trees.
const CONFLICT: f64 = 0.02;
/// The same for words that mean the same up to their constants.
const CONFLICT_OF_KIND: f64 = 0.2;

/// The class of each word, numbered by first appearance, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// The class of each word.
    pub of: Vec<u32>,
    /// How many there are.
    pub count: u32,
}

impl Classes {
    /// Numbers classes by first appearance, given anything that tells them apart.
    fn number<K: std::hash::Hash + Eq>(keys: impl IntoIterator<Item = K>) -> Classes {
        let mut numbers: FxHashMap<K, u32> = FxHashMap::default();
        let of = keys
            .into_iter()
            .map(|key| {
                let next = numbers.len() as u32;
                *numbers.entry(key).or_insert(next)
            })
            .collect();
        Classes { of, count: numbers.len() as u32 }
    }

    /// Words that mean the same up to their constants.
    pub(super) fn by_meaning(lexicon: &Lexicon) -> Classes {
        Classes::number(lexicon.senses.iter().map(|senses| {
            let mut programs: Vec<Option<u32>> = senses.iter().map(|sense| sense.program).collect();
            programs.sort_unstable();
            programs
        }))
    }

    /// Each word for itself, but for words that do the same with their children and bring other constants: these
    /// may be hundreds, each seen in few places.
    fn at_first(lexicon: &Lexicon) -> Classes {
        let joins = |sense: &Sense| {
            let program = sense.program.and_then(|program| lexicon.programs.get(program as usize));
            program.is_some_and(|program| program.arity > 0 && program.body.uses_me())
        };
        let meanings = Classes::by_meaning(lexicon);
        let words = lexicon.senses.iter().enumerate();
        Classes::number(words.map(|(word, senses)| match senses.iter().any(joins) {
            true => (Some(meanings.of[word]), 0),
            false => (None, word),
        }))
    }

    /// The classes of a sentence's words.
    pub fn of_words(&self, words: &[u32]) -> Vec<u32> {
        words.iter().map(|&word| self.of[word as usize]).collect()
    }

    /// Finds the classes of all words of the lexicon from trees.
    pub fn find(trees: &[(&[u32], &Tree)], lexicon: &Lexicon, order: ArcOrder) -> Classes {
        let mut rows = Rows::default();
        for (sentence, tree) in trees {
            rows.add(tree, sentence, order, 1.0);
        }
        let rows = rows.into_rows();
        let mut classes = Classes::at_first(lexicon);
        // Before any kin are known, words of the same meaning count as the same surroundings.
        let meanings = Classes::by_meaning(lexicon);
        let mut labels = meanings.clone();
        let is_empty = |senses: &Vec<Sense>| senses.iter().all(|sense| sense.program.is_none());
        let empty: Vec<bool> = lexicon.senses.iter().map(is_empty).collect();
        loop {
            let places = Surroundings::collect(trees, &classes, &labels, &empty);
            let pairs = kin(&places);
            let Some(merged) = merge(&classes, &pairs, &rows, &meanings) else { return classes };
            classes = merged;
            labels = classes.clone();
        }
    }
}

/// One thing about where a word stands: its head, its side, its number of children and whether it contributes
/// nothing; or one child.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Place {
    Under { head: Option<u32>, left: bool, children: u8, empty: bool },
    Over { child: u32, left: bool },
}

/// The surroundings of each class with how often they occur.
struct Surroundings {
    of: Vec<FxHashMap<Place, f64>>,
}

impl Surroundings {
    fn collect(
        trees: &[(&[u32], &Tree)],
        classes: &Classes,
        labels: &Classes,
        empty: &[bool],
    ) -> Surroundings {
        let mut of: Vec<FxHashMap<Place, f64>> = vec![FxHashMap::default(); classes.count as usize];
        for (sentence, tree) in trees {
            let mut children = vec![0u8; sentence.len()];
            for head in tree.heads().iter().flatten() {
                children[*head as usize] = children[*head as usize].saturating_add(1);
            }
            for (position, head) in tree.heads().iter().enumerate() {
                let class = classes.of[sentence[position] as usize] as usize;
                let left = head.is_some_and(|head| position < head as usize);
                let label = |position: usize| labels.of[sentence[position] as usize];
                let under = Place::Under {
                    head: head.map(|head| label(head as usize)),
                    left,
                    children: children[position],
                    empty: empty[sentence[position] as usize],
                };
                *of[class].entry(under).or_default() += 1.0;
                if let Some(head) = head {
                    let above = classes.of[sentence[*head as usize] as usize] as usize;
                    *of[above].entry(Place::Over { child: label(position), left }).or_default() += 1.0;
                }
            }
        }
        Surroundings { of }
    }

    /// The share of `a`'s surroundings that `b` has too.
    fn covered(&self, a: usize, b: usize) -> f64 {
        // The sums are of whole numbers: their order does not matter.
        let total: f64 = self.of[a].values().sum();
        let other: f64 = self.of[b].values().sum();
        // What is rare there beyond measure is there by mistake.
        let is_shared = |place: &Place, count: f64| {
            self.of[b].get(place).is_some_and(|seen| seen / other > MISTAKEN * count / (total + UNSEEN))
        };
        let shared: f64 = self.of[a]
            .iter()
            .filter(|(place, count)| is_shared(place, **count))
            .map(|(_, count)| count)
            .sum();
        shared / total
    }
}

/// Pairs of classes of which one is covered by the other, the best covered first.
fn kin(places: &Surroundings) -> Vec<(u32, u32)> {
    let seen: Vec<usize> = (0..places.of.len()).filter(|&class| !places.of[class].is_empty()).collect();
    let mut pairs: Vec<(f64, f64, u32, u32)> = Vec::new();
    for (index, &a) in seen.iter().enumerate() {
        for &b in &seen[index + 1..] {
            let (one, other) = (places.covered(a, b), places.covered(b, a));
            if one.max(other) >= COVERED {
                pairs.push((one.max(other), one.min(other), a as u32, b as u32));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then((a.2, a.3).cmp(&(b.2, b.3))));
    pairs.into_iter().map(|(_, _, a, b)| (a, b)).collect()
}

/// Merges the pairs that do not make the parser's transitions contradict each other, each class once.
fn merge(classes: &Classes, pairs: &[(u32, u32)], rows: &[Row], meanings: &Classes) -> Option<Classes> {
    let rows = relabel(rows, classes);
    let mut means: Vec<FxHashSet<u32>> = vec![FxHashSet::default(); classes.count as usize];
    for (&class, &meaning) in classes.of.iter().zip(&meanings.of) {
        means[class as usize].insert(meaning);
    }
    let conflict = |a: u32, b: u32| match means[a as usize] == means[b as usize] {
        true => CONFLICT_OF_KIND,
        false => CONFLICT,
    };
    let mut taken: FxHashSet<u32> = FxHashSet::default();
    let mut merged: Option<Classes> = None;
    let mut partner: Vec<u32> = (0..classes.count).collect();
    for &(a, b) in pairs {
        if !taken.contains(&a) && !taken.contains(&b) && agree(&rows, a, b, conflict(a, b)) {
            taken.extend([a, b]);
            partner[b as usize] = a;
            merged = Some(Classes::number(classes.of.iter().map(|&class| partner[class as usize])));
        }
    }
    merged
}

/// Ids below this are not words.
const SPECIAL: u32 = crate::syntax::features::SPECIAL;

/// Whether the transitions stay a function of the features if the classes `a` and `b` are one.
fn agree(rows: &[Row], a: u32, b: u32, conflict: f64) -> bool {
    let mut wants: FxHashMap<[u32; 18], [[bool; 3]; 2]> = FxHashMap::default();
    let (a, b) = (a + SPECIAL, b + SPECIAL);
    for row in rows.iter().filter(|row| row.features.contains(&a) || row.features.contains(&b)) {
        let with_b = usize::from(row.features.contains(&b));
        let features = row.features.map(|id| if id == b { a } else { id });
        wants.entry(features).or_default()[with_b][row.transition.index()] = true;
    }
    let both = wants.values().filter(|[one, other]| one.contains(&true) && other.contains(&true));
    let (mut common, mut differ) = (0.0, 0.0);
    for [one, other] in both {
        common += 1.0;
        differ += f64::from(u8::from(one != other));
    }
    differ <= conflict * common
}

fn relabel(rows: &[Row], classes: &Classes) -> Vec<Row> {
    let mut seen: FxHashSet<([u32; 18], Transition)> = FxHashSet::default();
    rows.iter()
        .map(|row| {
            let features = row
                .features
                .map(|id| if id >= SPECIAL { classes.of[(id - SPECIAL) as usize] + SPECIAL } else { id });
            Row { features, ..*row }
        })
        .filter(|row| seen.insert((row.features, row.transition)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::Vocabulary;

    /// Trees as rows of words and heads (counted from 1, 0 for the root); words that mean the same up to
    /// their constants; then pairs of words that should be one class, and pairs that should not.
    #[track_caller]
    fn check(trees: &[(&str, &str)], alike: &[&str], kin: &[(&str, &str)], strangers: &[(&str, &str)]) {
        let mut names = Vocabulary::default();
        let read = |(words, heads): &(&str, &str)| {
            let words: Vec<u32> = words.split(' ').map(|word| names.intern(word).0).collect();
            let heads = heads.split(' ').map(|head| head.parse::<u32>().unwrap().checked_sub(1)).collect();
            (words, Tree::new(heads).unwrap())
        };
        let trees: Vec<(Vec<u32>, Tree)> = trees.iter().map(read).collect();
        let meaning = |(number, name): (usize, &String)| {
            let shared = alike.iter().position(|words| words.split(' ').any(|word| word == name));
            Some(shared.unwrap_or(alike.len() + number) as u32)
        };
        let sense = |program| vec![Sense { program, me: None, probability: 1.0 }];
        let senses = names.names().iter().enumerate().map(meaning).map(sense).collect();
        let lexicon = Lexicon { senses, ..Lexicon::default() };
        let trees: Vec<(&[u32], &Tree)> = trees.iter().map(|(words, tree)| (&words[..], tree)).collect();
        let classes = Classes::find(&trees, &lexicon, ArcOrder::RightFirst);
        let of = |word: &str| classes.of[names.get(word).unwrap().index()];
        for (a, b) in kin {
            assert_eq!(of(a), of(b), "{a} and {b} are kin: {:?} {classes:?}", names.names());
        }
        for (a, b) in strangers {
            assert_ne!(of(a), of(b), "{a} and {b} are not: {:?} {classes:?}", names.names());
        }
        assert_eq!(classes.count, classes.of.iter().max().unwrap() + 1);
    }

    #[test]
    fn a_word_seen_only_alone_joins_its_kin() {
        let trees = [("walk", "0"), ("run", "0"), ("jump", "0"), ("walk twice", "2 0"), ("run twice", "2 0")];
        let kin = [("walk", "run"), ("walk", "jump")];
        check(&trees, &["walk run jump"], &kin, &[("walk", "twice"), ("jump", "twice")]);
    }

    #[test]
    fn a_word_seen_in_fewer_places_joins_its_kin() {
        // `right` never stands directly after a verb.
        let trees = [
            ("turn left", "2 0"),
            ("turn right", "2 0"),
            ("walk", "0"),
            ("walk left", "2 0"),
            ("walk opposite left", "2 0 2"),
            ("walk opposite right", "2 0 2"),
            ("turn opposite left", "2 0 2"),
            ("turn opposite right", "2 0 2"),
        ];
        check(&trees, &["left right"], &[("left", "right")], &[("left", "opposite"), ("walk", "left")]);
    }

    #[test]
    fn kin_whose_trees_differ_in_the_same_state_are_kept_apart() {
        // Where p and q stand, p stands too; but between p and r, x goes to p, and between q and r to r.
        let agreeing = [("p x r", "3 1 0"), ("p r", "2 0"), ("q r", "2 0")];
        check(&agreeing, &["p q"], &[("p", "q")], &[("p", "x"), ("p", "r")]);
        let differing = [("p x r", "3 1 0"), ("p r", "2 0"), ("q x r", "3 3 0")];
        check(&differing, &["p q"], &[], &[("p", "q")]);
    }

    #[test]
    fn one_wrong_tree_does_not_part_kin() {
        let mut trees: Vec<(String, &str)> = Vec::new();
        for word in ["walk", "run"] {
            for other in 0..40 {
                trees.push((format!("{word} after v{other}"), "2 0 2"));
            }
        }
        trees.push(("run after v7".to_owned(), "0 1 2"));
        let alike = (0..40).map(|other| format!("v{other}")).collect::<Vec<_>>().join(" ");
        let trees: Vec<(&str, &str)> = trees.iter().map(|(words, heads)| (&words[..], *heads)).collect();
        check(&trees, &["walk run", &alike], &[("walk", "run")], &[("walk", "after")]);
    }

    #[test]
    fn classes_do_not_depend_on_the_order_of_trees() {
        let sentences = [
            (vec![0u32], "0"),
            (vec![1], "0"),
            (vec![0, 2], "2 0"),
            (vec![1, 2], "2 0"),
            (vec![0, 3, 1], "2 0 2"),
            (vec![4], "0"),
        ];
        let senses = |program| vec![Sense { program: Some(program), me: None, probability: 1.0 }];
        let lexicon = Lexicon { senses: [0, 0, 1, 2, 0].map(senses).to_vec(), ..Lexicon::default() };
        let trees: Vec<(Vec<u32>, Tree)> = sentences
            .iter()
            .map(|(words, heads)| {
                let heads = heads.split(' ').map(|head| head.parse::<u32>().unwrap().checked_sub(1));
                (words.clone(), Tree::new(heads.collect()).unwrap())
            })
            .collect();
        let mut trees: Vec<(&[u32], &Tree)> = trees.iter().map(|(words, tree)| (&words[..], tree)).collect();
        let classes = Classes::find(&trees, &lexicon, ArcOrder::RightFirst);
        trees.reverse();
        assert_eq!(Classes::find(&trees, &lexicon, ArcOrder::RightFirst), classes);
    }

    #[test]
    fn words_that_join_what_they_bring_to_their_children_are_one_class_at_once() {
        let join = "(++ x me)".parse().expect("it is an expression");
        let mut lexicon = Lexicon::default();
        let joins = lexicon.intern(&crate::semantics::program::Program { arity: 1, body: join });
        let sense = |program| Sense { program: Some(program), me: None, probability: 1.0 };
        lexicon.senses = vec![vec![sense(joins)], vec![], vec![sense(joins)]];
        assert_eq!(Classes::at_first(&lexicon).of, [0, 1, 0]);
    }

    #[test]
    fn no_trees_give_every_word_a_class_of_its_own() {
        let lexicon = Lexicon { senses: vec![Vec::new(); 3], ..Lexicon::default() };
        let classes = Classes::find(&[], &lexicon, ArcOrder::RightFirst);
        assert_eq!(classes, Classes { of: vec![0, 1, 2], count: 3 });
    }
}
