//! Proposes what is left of an entry when all parts of it that are known are taken out.

use crate::chart::given::{Given, Options, Said};
use crate::settings::{FEW, TRIED};
use crate::theory::entry::{Entry, In, Out, Piece, occurrences};
use crate::theory::{EntryId, Theory};

/// A known part of an entry: a span of its pattern, and a part of what it says.
struct Part {
    saves: f64,
    span: (usize, usize),
    says: (usize, usize),
}

/// The smaller entries that are left when sets of known parts are taken out.
pub fn residues(entry: &Entry, id: Option<EntryId>, theory: &Theory) -> Vec<Entry> {
    let bits = theory.prices.entry(entry);
    let options = Options { without: id, below: Some(bits), ..Options::default() };
    let chart = Given::new(&*entry.pattern, &entry.says, theory, options);
    let parts = known_parts(entry, &chart, theory);
    let mut found: Vec<Entry> = Vec::new();
    for beginning in 0..parts.len().min(FEW) {
        let chosen = apart_from_each_other(entry, &parts, beginning);
        if let Some(residue) = without_parts(entry, &chosen)
            && !residue.is_bare()
            && theory.prices.entry(&residue) < bits
            && !found.contains(&residue)
        {
            found.push(residue);
        }
    }
    found
}

fn known_parts(entry: &Entry, chart: &Given<'_>, theory: &Theory) -> Vec<Part> {
    let long = entry.pattern.len();
    let mut parts = Vec::new();
    for from in 0..long {
        for to in from + 1..=long {
            if to - from == long {
                continue;
            }
            let span = &entry.pattern[from..to];
            for item in chart.items(from, to).iter().filter(|item| item.entry.is_some()) {
                let Said::Part(begin, end) = item.says else { continue };
                let says = (usize::from(begin), usize::from(end));
                let part = &entry.says[says.0..says.1];
                if part.is_empty() {
                    continue;
                }
                let inside = |piece: &&Out| piece.slot().is_some_and(|slot| span.contains(&In::Slot(slot)));
                let count = |pieces: &[Out]| pieces.iter().filter(inside).count();
                let times = occurrences(&entry.says, part).len();
                if count(part) * times != count(&entry.says) || (count(part) == 0 && times > 1) {
                    continue;
                }
                let saves = theory.prices.pattern(span) + theory.prices.says(part) * times as f64
                    - theory.prices.pattern(&[In::Slot(0)])
                    - theory.prices.says(&[Out::Slot(0)]) * times as f64;
                if saves > 0.0 {
                    parts.push(Part { saves, span: (from, to), says });
                }
            }
        }
    }
    parts.sort_by(|a, b| b.saves.total_cmp(&a.saves).then((a.span, a.says).cmp(&(b.span, b.says))));
    parts.truncate(TRIED);
    parts
}

/// The part of this number and all others, in order, that do not overlap those before.
fn apart_from_each_other<'p>(entry: &Entry, parts: &'p [Part], beginning: usize) -> Vec<&'p Part> {
    let places = |part: &Part| occurrences(&entry.says, &entry.says[part.says.0..part.says.1]);
    let apart = |a: &Part, b: &Part| {
        let (long, other) = (a.says.1 - a.says.0, b.says.1 - b.says.0);
        let (here, there) = (places(a), places(b));
        (a.span.1 <= b.span.0 || b.span.1 <= a.span.0)
            && here.iter().all(|&at| there.iter().all(|&to| at + long <= to || to + other <= at))
    };
    let mut chosen = vec![&parts[beginning]];
    for (number, part) in parts.iter().enumerate() {
        if number != beginning && chosen.iter().all(|other| apart(part, other)) {
            chosen.push(part);
        }
    }
    chosen
}

fn without_parts(entry: &Entry, parts: &[&Part]) -> Option<Entry> {
    let mut pattern: Vec<Option<In>> = entry.pattern.iter().copied().map(Some).collect();
    let mut says: Vec<Option<Out>> = entry.says.iter().copied().map(Some).collect();
    for (number, part) in parts.iter().enumerate() {
        let slot = u8::MAX.checked_sub(u8::try_from(number).ok()?)?;
        pattern[part.span.0..part.span.1].fill(None);
        pattern[part.span.0] = Some(In::Slot(slot));
        let said = &entry.says[part.says.0..part.says.1];
        for place in occurrences(&entry.says, said) {
            says[place..place + said.len()].fill(None);
            says[place] = Some(Out::Slot(slot));
        }
    }
    let pattern: Vec<In> = pattern.into_iter().flatten().collect();
    let says: Vec<Out> = says.into_iter().flatten().collect();
    let known = |piece: &Out| piece.slot().is_none_or(|slot| pattern.contains(&In::Slot(slot)));
    says.iter().all(known).then(|| Entry::new(&pattern, &says))
}
