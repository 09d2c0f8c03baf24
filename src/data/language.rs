//! Language as people use it, to forms that machines use: COGS, GeoQuery, NL-RX.
//!
//! COGS (Kim and Linzen 2020) has sentences and logical forms, with 21 types of new combinations to test on; its forms are also
//! written without variables. GeoQuery has questions to a database, NL-RX-Synth (Locascio et al. 2016) descriptions of
//! regular expressions. There are only the files: an input and an output per line, in COGS also the type.

use super::Task;

/// The tasks.
pub(super) const TASKS: &[Task] = &[
    Task::of_files(
        "cogs/varfree",
        "COGS: sentences to logical forms without variables, new combinations",
        ["cogs/train_varfree.tsv", "cogs/gen_varfree.tsv"],
    ),
    Task::of_files(
        "cogs/published",
        "COGS: sentences to logical forms, new combinations",
        ["cogs/train.tsv", "cogs/gen.tsv"],
    ),
    Task::of_files(
        "geoquery",
        "GeoQuery: questions to a database, with names left out",
        ["geoquery/train.tsv", "geoquery/test.tsv"],
    ),
    Task::of_files(
        "regex",
        "NL-RX-Synth: descriptions of regular expressions",
        ["regex/synth.train.tsv", "regex/synth.test.tsv"],
    ),
];
