//! Eighteen small tasks such as people bring them: dates, number words, spoken commands, questions.
//!
//! Test inputs are not among those trained; where a task has depth, they are deeper or longer. There are only the
//! files: two columns, input and output, without a header.

use super::Task;

/// A task and its files, which have its name.
macro_rules! task {
    ($name:literal, $about:literal) => {
        Task::of_files(
            concat!("everyday/", $name),
            $about,
            [concat!("everyday/", $name, ".train.tsv"), concat!("everyday/", $name, ".test.tsv")],
        )
    };
}

/// The everyday tasks.
pub(super) const TASKS: &[Task] = &[
    task!("dates", "three ways to write a date; the day and the month bring the same tokens"),
    task!("verbs", "agglutinating verbs, spelled: a word brings several tokens, in another order"),
    task!("home", "spoken commands to records; particles apart from their verb, polite words"),
    task!("flights", "questions to SQL with any number of conditions"),
    task!("clauses", "sentences with relative clauses to formulas"),
    task!("agreement", "article, adjective and participle depend on the gender of the noun"),
    task!("idioms", "phrases that mean something as a whole, verbs in two parts"),
    task!("doubles", "words with two meanings, told apart by where they stand"),
    task!("turtle", "ways and the way back: reversal with each token exchanged for its opposite"),
    task!("list-functions", "functions of lists, among them doubling each token"),
    task!("numbers-es", "Spanish number words: no word says plus or times"),
    task!("numbers-es-thousands", "Spanish number words with thousands"),
    task!("numbers-zh", "Chinese number words, with constants that never stand alone"),
    task!("dozens", "amounts in units, with and, less and plus"),
    task!("signed", "arithmetic with results below zero"),
    task!("larger-smaller", "prefix functions of two numbers, with filler words"),
    task!("many-arguments", "functions of one to eight arguments, nested"),
    task!("truth", "formulas of logic: only two results"),
];
