//! The numbers that steer learning and answering: the one list of them, each with its reason.
//!
//! They say how much is looked at, how long is searched, and what is too little to tell anything. What pieces of a description cost is in
//! [`crate::prices`]. There are as few as can be: whatever judges a whole theory asks as many examples, whatever is tried in a branch of its own is
//! tried as often. Searches for values are greedy and end elsewhere when a number is another one; those that they do not share stand beside them.
//! Sizes of networks, bounds of files and of pictures stand with what they bound.

/// Examples of a first look, and those without a tree that one new entry is looked for in: enough for what they share to show, in a fraction of a second.
pub(crate) const LOOKED_AT: usize = 100;
/// Examples that each edit of a search is judged by. There are thousands of edits.
pub(crate) const JUDGED_BY: usize = 400;
/// Examples that are asked once, to judge a theory or to begin one: one in a thousand that is wrong shows no more.
pub(crate) const ASKED: usize = 1_000;
/// Examples that what fills what is counted over in the end: what is used in one of a thousand is seen some times.
pub(crate) const COUNTED: usize = 4_000;
/// An example of a search stands for at most so many: what they have in common pays as it does for few, and the rest is settled in the end.
pub(crate) const WEIGHT: f64 = 2.0;
/// One in so many examples is held out: the theory of the others is nearly that of all.
pub(crate) const HELD_OUT: usize = 10;
/// So many examples held out judge a theory. Where one in ten is fewer, others are held out in turn.
pub(crate) const JUDGES: usize = 30;

/// Candidates of a kind that are weighed, the most promising first.
pub(crate) const CANDIDATES: usize = 200;
/// Candidates that are tried, each in a branch or a chart of its own, which takes a hundred times as long as to weigh one.
pub(crate) const TRIED: usize = 30;
/// Things of which the best few suffice: ways to begin, entries of a round, readings of an input.
pub(crate) const FEW: usize = 6;
/// What fewer than this have in common may be chance.
pub(crate) const LEAST: usize = 4;

/// Rounds of what goes on until nothing changes, expectation maximisation too: few go on for longer, and none should forever.
pub(crate) const ROUNDS: usize = 10;
/// Rounds that may make nothing shorter: what is believed may pay only with what is believed next, but not forever.
pub(crate) const PATIENCE: usize = 5;
/// Passes over what settles soon.
pub(crate) const PASSES: usize = 4;

/// The share that is nearly all: the rest is room for wrong examples.
pub(crate) const NEARLY_ALL: f64 = 0.9;
/// Most of it.
pub(crate) const HALF: f64 = 0.5;
/// The share that most have, where words with other meanings take some of the rest.
pub(crate) const MOSTLY: f64 = 0.8;
/// The share of a word's examples that have what it surely says: what misses is a mistake.
pub(crate) const SURELY: f64 = 0.95;
/// The share of a word's examples that have what it says in one of its meanings.
pub(crate) const LIKELY: f64 = 0.25;
/// A share that is hardly any.
pub(crate) const HARDLY: f64 = 0.05;
/// The share of the bits of some examples, each kept as a whole, that a first theory of them may take: else it found nothing in common.
pub(crate) const SHARED: f64 = 0.6;
/// The share of these examples that it may keep as wholes, where there are others: else they have little to do with each other.
pub(crate) const WHOLE: f64 = 0.3;
/// What is worth a smaller share of the best is left for a later round.
pub(crate) const MUCH_LESS: f64 = 0.25;
/// A theory that takes so many times the bits of another is not worth a search, nor a vote.
pub(crate) const MUCH_LONGER: f64 = 3.0;
/// Less saved, or told, is chance: half a bit.
pub(crate) const LEAST_BITS: f64 = 0.5;
/// A smaller share is none.
pub(crate) const LEAST_SHARE: f64 = 1e-4;
/// What costs so many bits more than another is not looked at: it is a million times less probable.
pub(crate) const NEGLIGIBLE: f64 = 20.0;
/// Nothing that may be costs more, in bits: there are not so many examples in the world.
pub(crate) const MOST_BITS: f64 = 40.0;

/// Slots of an entry.
pub(crate) const MOST_SLOTS: usize = 5;
/// Words and slots of a pattern: longer ones are wholes, and are neither made nor taken apart.
pub(crate) const LONGEST_PATTERN: usize = 14;
/// Different words of a pattern with slots, and fillers of a row.
pub(crate) const MOST_WORDS: usize = 8;
/// Words, or tokens, of a part that means something of its own.
pub(crate) const LONGEST_PART: usize = 6;
/// Inputs and outputs that are searched for parts, of which there are as many as the square of their length.
pub(crate) const LONG: usize = 40;
/// Inputs and outputs that have a chart, which takes time cubic in their length.
pub(crate) const LONGEST: usize = 200;
/// Tokens of a result: a program that doubles what it is given could ask for more memory than there is.
pub(crate) const LONGEST_RESULT: usize = 20_000;

/// Items of a span, the cheapest: each is a way to understand it.
pub(crate) const CELL: usize = 40;
/// The same where what is said tells them apart, which takes as much longer.
pub(crate) const NARROW: usize = 20;
/// Steps of matching one pattern in one place, of which there are thousands.
pub(crate) const STEPS: usize = 1_000;
/// Steps of one chart, or of one look: a second or so.
pub(crate) const EFFORT: usize = 3_000_000;

/// What is learned anew may take so many bits more before its trees are found anew: new entries are not in the habit yet.
pub(crate) const NEW_HABITS: f64 = 60.0;
/// Inputs, and tokens of results, where all trees are summed: with the bounds above, these bound the memory of a chart.
pub(crate) const LONGEST_SUMMED: usize = 100;
pub(crate) const LONGEST_SUM: usize = 1_000;

/// What was not seen, in counts: half as much as what was seen once.
pub(crate) const UNSEEN: f64 = 0.5;
/// The share of kin, found by walks over what fills the same, in what was not seen; the rest is told by looks.
pub(crate) const WALK: f64 = 0.5;
