//! What was learned about values, ready to answer, and as it is stored.

use super::chart::{Bounds, Chart, Root, Runs, chart};
use super::entry::{Entry, Pattern, constant_bits};
use super::open::{Open, WithRuns};
use super::preference::Counts;
use super::program::Program;
use super::value::Value;
use super::weigh::Believed;
use crate::chart::{Kid, Looks};
use crate::symbol::{Token, Word};
use crate::syntax::Grammar;
use crate::theory::EntryId;
use crate::theory::tree::{Node, ROOT, Shape, spelled};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;

/// Entries of values with what fills them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Knowledge {
    stored: Stored,
    believed: Believed,
    /// The patterns as the parser sees them; made when it is first asked.
    grammar: OnceLock<Grammar>,
}

impl PartialEq for Knowledge {
    fn eq(&self, other: &Knowledge) -> bool {
        self.stored == other.stored
    }
}

/// What results are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Results {
    /// Whole numbers.
    Numbers,
    /// One of two, with the tokens for false and true.
    Truths([Token; 2]),
    /// Lists of tokens, some of which words of an open class stand for.
    Lists(Open),
    /// Rows of numbers.
    Rows(Frame),
}

/// The tokens that stand around and between the numbers of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// Before the first number.
    pub before: Vec<Token>,
    /// Between two.
    pub between: Vec<Token>,
    /// Behind the last one.
    pub after: Vec<Token>,
}

impl Frame {
    /// All its tokens.
    pub fn tokens(&self) -> impl Iterator<Item = Token> + '_ {
        self.before.iter().chain(&self.between).chain(&self.after).copied()
    }

    /// Numbers with these tokens around and between them.
    pub fn written(&self, numbers: &[Token]) -> Vec<Token> {
        let mut tokens = self.before.clone();
        for (place, number) in numbers.iter().enumerate() {
            tokens.extend(self.between.iter().filter(|_| place > 0));
            tokens.push(*number);
        }
        tokens.extend(&self.after);
        tokens
    }

    /// The tokens that are numbers in such an output.
    pub fn numbers(&self, output: &[Token]) -> Option<Vec<Token>> {
        let inner = output.strip_prefix(&self.before[..])?.strip_suffix(&self.after[..])?;
        let numbers: Vec<Token> = inner.iter().step_by(1 + self.between.len()).copied().collect();
        (self.written(&numbers) == output).then_some(numbers)
    }
}

impl Results {
    /// Whether a value is of this type.
    pub(super) fn has(&self, value: &Value) -> bool {
        match self {
            Results::Numbers => matches!(value, Value::Number(_)),
            Results::Truths(_) => matches!(value, Value::Truth(_)),
            Results::Lists(_) => matches!(value, Value::List(_)),
            Results::Rows(_) => matches!(value, Value::Row(_)),
        }
    }

    /// An input with its runs as single words.
    pub fn read(&self, words: Vec<Word>) -> WithRuns {
        match self {
            Results::Lists(open) => open.read(&words),
            Results::Numbers | Results::Truths(_) | Results::Rows(_) => WithRuns::of_words(words),
        }
    }
}

/// What all that is made anew from when a model is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Stored {
    words: u32,
    results: Results,
    entries: Vec<Known>,
    /// What fills them.
    counts: Counts,
}

/// An entry with its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// The entry.
    pub entry: Entry,
    /// Its price.
    pub bits: f64,
    /// How many nodes of the trees of examples it is.
    pub uses: f64,
}

/// A result with its tree; the first node is the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The value.
    pub value: Value,
    /// How it came about.
    pub nodes: Vec<Node>,
    /// What each node comes to.
    pub values: Vec<Value>,
    /// The part of the input that each covers.
    pub spans: Vec<(usize, usize)>,
    /// Its share of the weight of all trees.
    pub probability: f64,
}

/// Longer inputs have no chart.
pub const LONGEST: usize = 300;

impl Knowledge {
    /// What was learned, with the uses of each entry.
    pub fn new(believed: &Believed, uses: &[usize], words: usize, results: Results) -> Knowledge {
        let numbers: BTreeMap<EntryId, EntryId> = believed.lexicon.live().zip(0..).collect();
        let known = |id: EntryId| Known {
            entry: believed.lexicon.entry(id).clone(),
            bits: believed.lexicon.bits(id),
            uses: uses.get(id as usize).map_or(0.0, |&uses| uses as f64),
        };
        Knowledge::made(Stored {
            words: words as u32,
            results,
            entries: believed.lexicon.live().map(known).collect(),
            counts: believed.counts.renumbered(|id| numbers.get(&id).copied()),
        })
    }

    fn made(stored: Stored) -> Knowledge {
        let mut believed = Believed::nothing();
        for known in &stored.entries {
            believed.lexicon.push(known.entry.clone(), known.bits, true);
        }
        believed.set_counts(stored.counts.clone());
        Knowledge { stored, believed, grammar: OnceLock::new() }
    }

    /// The patterns as the parser sees them.
    pub fn grammar(&self) -> &Grammar {
        self.grammar.get_or_init(|| super::parsed::grammar(self))
    }

    /// What it believes, to learn more.
    pub fn believed(&self) -> &Believed {
        &self.believed
    }

    /// The entries.
    pub fn entries(&self) -> &[Known] {
        &self.stored.entries
    }

    /// How many words there are to refer to.
    pub fn words(&self) -> usize {
        self.stored.words as usize
    }

    /// What results are.
    pub fn results(&self) -> &Results {
        &self.stored.results
    }

    /// Whether all tokens that entries say are some of so many.
    pub fn has_tokens_below(&self, tokens: usize) -> bool {
        let is_there = |token: Token| (token.0 as usize) < tokens;
        self.stored.entries.iter().all(|known| known.entry.program.tokens().into_iter().all(is_there))
    }

    /// The open class, where results are lists.
    pub fn open(&self) -> Option<&Open> {
        match &self.stored.results {
            Results::Lists(open) => Some(open),
            Results::Numbers | Results::Truths(_) | Results::Rows(_) => None,
        }
    }

    /// Takes in a word that comes after all others, with its token, as a member of the open class.
    pub fn take_in(&mut self, token: Token) {
        if let Results::Lists(open) = &mut self.stored.results {
            open.extend([Some(token)]);
            self.stored.words += 1;
        }
    }

    /// The results of an input, the most probable first; none where a word is not known or it is too long.
    pub fn answers(&self, input: &[Option<Word>]) -> Vec<Answer> {
        let words: Option<Vec<Word>> = input.iter().copied().collect();
        let input = words.map(|words| self.stored.results.read(words));
        let Some(input) = input.filter(|input| !input.is_empty() && input.len() <= LONGEST) else {
            return Vec::new();
        };
        let chart = self.chart(&input, &Bounds::for_answers());
        let roots = chart.roots(&self.believed.preference).into_iter();
        let whole = 0..input.len();
        roots
            .filter(|root| self.stored.results.has(&root.value))
            .map(|root| answer(&chart, &whole, root))
            .collect()
    }

    /// What each span of an input comes to; nothing of one that is too long.
    pub fn chart_of(&self, input: &WithRuns) -> Chart {
        let nothing = WithRuns::default();
        self.chart(if input.len() <= LONGEST { input } else { &nothing }, &Bounds::for_answers())
    }

    /// The most probable result of a span of a chart, with what its tree costs in bits: which patterns, and which of all constants.
    pub fn answer_within(&self, chart: &Chart, span: &Range<usize>) -> Option<(Answer, f64)> {
        let roots = if span.end > chart.length {
            Vec::new()
        } else {
            chart.roots_within(span.start, span.end, &self.believed.preference)
        };
        let root = roots.into_iter().find(|root| self.stored.results.has(&root.value))?;
        let bits = f64::from(root.bits);
        let answer = answer(chart, span, root);
        let leaves = answer.nodes.iter().filter(|node| node.kids.is_empty()).count();
        let constants = self.entries().iter().filter(|known| known.entry.constant().is_some()).count();
        Some((answer, bits + leaves as f64 * (constants.max(1) as f64).log2()))
    }

    fn chart<I: Runs + ?Sized>(&self, input: &I, bounds: &Bounds) -> Chart {
        chart(input, &self.believed.lexicon, &self.believed.preference, bounds)
    }

    /// The most probable result of what a row of pictures may show, or else how the wanted one may come about.
    pub fn read(&self, row: &Looks, wanted: Option<&Value>) -> Option<Answer> {
        if row.is_empty() || row.len() > LONGEST {
            return None;
        }
        let is_meant =
            |value: &Value| wanted.map_or(self.stored.results.has(value), |wanted| value == wanted);
        let within = |bounds: Bounds| {
            let chart = self.chart(row, &bounds);
            let root =
                chart.roots(&self.believed.preference).into_iter().find(|root| is_meant(&root.value))?;
            Some(answer(&chart, &(0..row.len()), root))
        };
        match wanted {
            Some(_) => Bounds::for_wanted().into_iter().find_map(within),
            None => within(Bounds::for_answers()),
        }
    }

    /// The words of an answer's input, as its tree has them.
    pub fn words_of(&self, answer: &Answer) -> Vec<Word> {
        let spelled = spelled(&answer.nodes, |id| self.shape(id));
        spelled.into_iter().map(|(word, _)| word).collect()
    }

    /// How the pattern of an entry is laid over an input.
    pub fn shape(&self, id: EntryId) -> Shape<'_> {
        self.entries()[id as usize].entry.pattern.shape()
    }

    /// The share of each word in all that was counted; constants are of one kind, and each of their words has the share of all.
    pub fn shares(&self) -> Vec<f64> {
        let is_word = |known: &Known| known.entry.pattern.pieces.len() == 1;
        let constants: f64 =
            self.entries().iter().filter(|known| is_word(known)).map(|known| known.uses).sum();
        let mut most = vec![(0.0, 0.0); self.words()];
        let mut total = 0.0;
        for known in self.entries() {
            let kind = if is_word(known) { constants } else { known.uses };
            for word in known.entry.pattern.words() {
                total += known.uses;
                let Some(most) = most.get_mut(word.0 as usize) else { continue };
                if known.uses > most.0 {
                    *most = (known.uses, kind);
                }
            }
        }
        most.into_iter().map(|(_, kind)| f64::max(kind, 1.0) / f64::max(total, 1.0)).collect()
    }

    /// The same with what single words mean that it has no answer to: they may stand alone so often. A token costs `token_bits`.
    pub fn with_words(&self, alone: &[(Word, Value, f64)], token_bits: f64) -> Knowledge {
        let mut believed = self.believed.clone();
        let mut uses: Vec<usize> = self.entries().iter().map(|known| known.uses as usize).collect();
        for (word, value, count) in alone {
            if self.answer(&[Some(*word)]).is_none() {
                let pattern = Pattern::word(*word);
                let bits = pattern.bits(self.words()) + constant_bits(value, token_bits);
                believed.add(Entry { pattern, program: Program::Constant(value.clone()) }, bits);
                uses.push(*count as usize);
                *believed.counts.fillings.entry((ROOT, None)).or_default() += count;
            }
        }
        Knowledge::new(&believed, &uses, self.words(), self.stored.results.clone())
    }

    /// The same without these entries.
    pub fn without(&self, dropped: &BTreeSet<usize>) -> Knowledge {
        let mut believed = self.believed.clone();
        dropped.iter().for_each(|&id| believed.set_live(id as EntryId, false));
        let uses: Vec<usize> = self.entries().iter().map(|known| known.uses as usize).collect();
        Knowledge::new(&believed, &uses, self.words(), self.stored.results.clone())
    }

    /// The most probable result of an input.
    pub fn answer(&self, input: &[Option<Word>]) -> Option<Answer> {
        self.answers(input).into_iter().next()
    }
}

/// The result of a span with its cheapest tree.
fn answer(chart: &Chart, span: &Range<usize>, root: Root) -> Answer {
    let root_of_tree = Kid { from: span.start as u16, to: span.end as u16, item: root.item as u16 };
    let (nodes, values, spans) = (Vec::new(), Vec::new(), Vec::new());
    let mut answer = Answer { value: root.value, nodes, values, spans, probability: root.probability };
    answer.copy(chart, root_of_tree);
    answer
}

impl Answer {
    fn copy(&mut self, chart: &Chart, kid: Kid) -> u32 {
        let item = chart.item(kid);
        let number = self.nodes.len();
        self.nodes.push(Node { entry: item.entry, kids: Vec::new() });
        self.values.push(item.value.clone());
        self.spans.push((usize::from(kid.from), usize::from(kid.to)));
        self.nodes[number].kids = item.kids.iter().map(|&kid| self.copy(chart, kid)).collect();
        number as u32
    }

    /// The head of every word of the input: an entry's first word is the head of its other words and of what fills its slots. What has no word
    /// of its own has its first filler's. `None` at the root.
    pub fn heads(&self) -> Vec<Option<u32>> {
        let mut heads = vec![None; self.spans[0].1];
        for (number, node) in self.nodes.iter().enumerate() {
            let head = self.head(number);
            let below = node.kids.iter().map(|&kid| self.head(kid as usize));
            for place in self.own(number).chain(below).filter(|&place| place != head) {
                heads[place] = Some(head as u32);
            }
        }
        heads
    }

    /// The place of a node's first word.
    pub fn head(&self, node: usize) -> usize {
        self.own(node).next().unwrap_or_else(|| self.head(self.nodes[node].kids[0] as usize))
    }

    /// The places of a node that none of its fillers covers.
    fn own(&self, node: usize) -> impl Iterator<Item = usize> {
        let (from, to) = self.spans[node];
        let covers = |&kid: &u32, place: usize| {
            (self.spans[kid as usize].0..self.spans[kid as usize].1).contains(&place)
        };
        (from..to).filter(move |&place| !self.nodes[node].kids.iter().any(|kid| covers(kid, place)))
    }
}

impl From<Knowledge> for Stored {
    fn from(knowledge: Knowledge) -> Stored {
        knowledge.stored
    }
}

/// Entries of a stored theory at most: what fills what is a table of their square.
const MOST_ENTRIES: usize = 2_000;

impl TryFrom<Stored> for Knowledge {
    type Error = String;

    /// Checks all that answering relies on: files come from strangers.
    fn try_from(stored: Stored) -> Result<Knowledge, String> {
        let entries = &stored.entries;
        if entries.len() > MOST_ENTRIES {
            return Err(format!("expected at most {MOST_ENTRIES} entries, found {}", entries.len()));
        }
        let is_sound = |known: &Known| known.entry.is_sound(stored.words) && known.bits.is_finite();
        if !entries.iter().all(is_sound) {
            return Err("expected entries with words, slots and programs that there are".to_owned());
        }
        match stored.counts.is_sound(entries.len()) {
            true => Ok(Knowledge::made(stored)),
            false => Err("expected fillers of slots that there are".to_owned()),
        }
    }
}
