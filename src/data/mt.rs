//! English to French (Lake and Baroni 2018): short sentences such as `i am daxy .`, with a made-up word.
//!
//! Two versions are published. That of neural QCFG has one translation for each sentence; that of CGPS has up to 24.
//! Their training and test sets overlap each other, so they must not be mixed. Sentences cannot be generated: there
//! are only the published files.

use super::Task;

/// The translation tasks.
pub(super) const TASKS: &[Task] = &[
    Task::of_files(
        "mt/daxy",
        "English to French, 8 sentences with a word trained in one sentence alone",
        ["mt/neural_qcfg/train.en", "mt/neural_qcfg/test-daxy.en"],
    ),
    Task::of_files(
        "mt/neural-qcfg",
        "English to French, 583 sentences held out at random",
        ["mt/neural_qcfg/train.en", "mt/neural_qcfg/test.en"],
    ),
    Task::of_files(
        "mt/cgps",
        "English to French as in CGPS, trained on several translations for many sentences",
        ["mt/cgps/train.txt", "mt/cgps/test.txt"],
    ),
];
