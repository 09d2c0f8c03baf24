//! Parts of learning that can be left out, to measure what each is worth.
//!
//! They are left out of the whole process, once, before anything is learned: this is an instrument for those who study the learner, not a setting
//! of a model. `benches/ablation.py` leaves out each in turn and learns many tasks; what comes of it stands in `RESULTS.md`.

use std::collections::BTreeSet;
use std::sync::OnceLock;

macro_rules! parts {
    ($($(#[doc = $what:literal])+ $part:ident = $name:literal,)+) => {
        /// A part of learning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Part {
            $($(#[doc = $what])+ $part,)+
        }

        impl Part {
            /// All parts.
            pub const ALL: &'static [Part] = &[$(Part::$part,)+];

            /// Its name on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(Part::$part => $name,)+
                }
            }
        }
    };
}

parts! {
    /// Numbers in words beside other words, taken out of examples.
    Computed = "computed",
    /// Outputs that refer to places, as terms.
    Places = "places",
    /// Beginning anew with other links between words and tokens.
    Starts = "starts",
    /// Words that say a token more than they are linked with.
    LongerLinks = "longer-links",
    /// Entries put together from two that stand together.
    Compose = "compose",
    /// Entries with a slot in the place of what fills others.
    Open = "open",
    /// Dropping entries while searching.
    Drop = "drop",
    /// Dropping what results do not need.
    Simplify = "simplify",
    /// More general entries in the place of others.
    Generalize = "generalize",
    /// Words learned anew, given what all others say.
    Reword = "reword",
    /// Several kinds of an entry, that say the same and stand with others.
    Kinds = "kinds",
    /// Moving what fillers begin or end with into the entries above.
    Close = "close",
    /// Words said behind entries without words.
    Expose = "expose",
    /// Entries that apply functions of lists.
    Functions = "functions",
    /// Entries of the first theory that examples beyond the sample need.
    Revive = "revive",
    /// Words beyond the sample, solved with what is known.
    NewWords = "new-words",
    /// What is left of an example when all that is known is taken out.
    Residues = "residues",
    /// Counts corrected by wrong answers.
    Correct = "correct",
    /// Tokens that never stand side by side.
    Neighbours = "neighbours",
    /// Kin of what fills a slot.
    Kin = "kin",
    /// A scorer of trees, and a vote of all theories found.
    Committee = "committee",
    /// The scorer alone: theories vote by counts.
    Score = "score",
    /// All reliable frames, summed.
    Summed = "summed",
    /// Constructions that compute lists.
    Lists = "lists",
    /// Values of words that never stand alone, solved before anything else.
    Latent = "latent",
    /// Beginning anew with shaken ranks.
    Restarts = "restarts",
    /// Each word learned anew, given all others.
    Refine = "refine",
    /// Both sides of a condition as entries of their own.
    Divide = "divide",
    /// What several patterns share as an entry of its own.
    Hoist = "hoist",
    /// Other numbers for words that are only compared.
    Tune = "tune",
    /// A slot in the place of a row.
    Narrow = "narrow",
    /// Entries with slots that others can do without.
    Polish = "polish",
    /// Habits settled over all examples.
    Settle = "settle",
    /// Which of two numbers is the larger, as part of what fills slots.
    Orders = "orders",
    /// Functions that were learned called by what is learned later.
    Sharing = "sharing",
}

static LEFT_OUT: OnceLock<BTreeSet<Part>> = OnceLock::new();

/// Leaves these out from now on. Only the first call has an effect, and only before anything was learned.
pub fn leave_out(parts: impl IntoIterator<Item = Part>) {
    _ = LEFT_OUT.set(parts.into_iter().collect());
}

/// Whether a part takes part.
pub(crate) fn has(part: Part) -> bool {
    !LEFT_OUT.get_or_init(BTreeSet::new).contains(&part)
}
