//! The paper's tables, and ours beside them.

use super::table::Table;
use super::{Result, deviation, mean};
use crate::text::percent;
use std::io::Write;

/// A table of the paper, or one like it.
pub struct Benchmark {
    /// What it is called.
    pub name: &'static str,
    columns: &'static [Column],
    /// Systems with their figures as printed in the paper, whose own system comes last.
    rows: &'static [(&'static str, &'static [&'static str])],
}

/// A column: a task, or a part of its test set.
struct Column {
    title: &'static str,
    task: &'static str,
    of: Of,
}

/// What of a task's test set is counted.
enum Of {
    All,
    Subset(&'static str),
    /// The mean of all subsets.
    Average,
}

/// All benchmarks, in the order in which they are printed.
pub const BENCHMARKS: [Benchmark; 4] = [SCAN, SCAN_FURTHER, HINT, PCFG];

const fn whole(title: &'static str, task: &'static str) -> Column {
    Column { title, task, of: Of::All }
}

const SCAN: Benchmark = Benchmark {
    name: "SCAN",
    columns: &[
        whole("simple", "scan/simple"),
        whole("jump", "scan/jump"),
        whole("around-right", "scan/around-right"),
        whole("length", "scan/length"),
    ],
    rows: &[
        ("Seq2Seq (Lake & Baroni 2018)", &["99.7", "1.2", "2.5", "13.8"]),
        ("CNN (Dessì & Baroni 2019)", &["100.0", "69.2", "56.7", "0.0"]),
        ("Transformer (Csordás et al. 2021)", &["-", "-", "-", "20.0"]),
        ("Transformer (Ontañón et al. 2022)", &["-", "0.0", "-", "19.6"]),
        ("equivariant Seq2seq (Gordon et al. 2019)", &["100.0", "99.1", "92.0", "15.9"]),
        ("NeSS (Chen et al. 2020)", &["100.0", "100.0", "100.0", "100.0"]),
        ("NSR, the paper (Li et al. 2024)", &["100.0", "100.0", "100.0", "100.0"]),
    ],
};

const SCAN_FURTHER: Benchmark = Benchmark {
    name: "SCAN, further splits",
    columns: &[
        whole("turn-left", "scan/turn-left"),
        whole("opposite-right", "scan/opposite-right"),
        whole("right", "scan/right"),
        whole("jump-around-right", "scan/jump-around-right"),
    ],
    rows: &[],
};

const fn subset(name: &'static str) -> Column {
    Column { title: name, task: super::hint::TASK, of: Of::Subset(name) }
}

const HINT: Benchmark = Benchmark {
    name: "HINT, symbols",
    columns: &[
        subset("I"),
        subset("SS"),
        subset("LS"),
        subset("SL"),
        subset("LL"),
        Column { title: "average", task: super::hint::TASK, of: Of::Average },
    ],
    rows: &[
        ("GRU (Li et al. 2023)", &["76.2", "69.5", "42.8", "10.5", "15.1", "42.5"]),
        ("LSTM (Li et al. 2023)", &["92.9", "90.9", "74.9", "12.1", "24.3", "58.9"]),
        ("Transformer (Li et al. 2023)", &["98.0", "96.8", "78.2", "11.7", "22.4", "61.5"]),
        ("NeSS (Chen et al. 2020)", &["≈0", "≈0", "≈0", "≈0", "≈0", "≈0"]),
        ("NSR, the paper (Li et al. 2024)", &["98.0", "97.3", "83.7", "95.9", "77.6", "90.1"]),
    ],
};

/// The paper has no figures for the 10K version.
const PCFG: Benchmark = Benchmark {
    name: "PCFG SET",
    columns: &[
        whole("i.i.d.", super::pcfg::IID),
        whole("systematicity", "pcfg/systematicity"),
        whole("productivity", "pcfg/productivity"),
        whole("10K", "pcfg/10k"),
    ],
    rows: &[
        ("Seq2Seq (Lake & Baroni 2018)", &["79", "53", "30", "-"]),
        ("CNN (Dessì & Baroni 2019)", &["85", "56", "31", "-"]),
        ("Transformer (Csordás et al. 2021)", &["-", "96", "85", "-"]),
        ("Transformer (Ontañón et al. 2022)", &["-", "83", "63", "-"]),
        ("NeSS (Chen et al. 2020)", &["≈0", "≈0", "≈0", "-"]),
        ("NSR, the paper (Li et al. 2024)", &["100", "100", "100", "-"]),
    ],
};

impl Benchmark {
    /// Its tasks, each once.
    pub fn tasks(&self) -> Vec<&'static str> {
        let mut tasks: Vec<_> = self.columns.iter().map(|column| column.task).collect();
        tasks.dedup();
        tasks
    }

    /// Whether one of its tasks was measured.
    pub fn is_in(&self, results: &[Result]) -> bool {
        self.columns.iter().any(|column| column.result(results).is_some())
    }

    /// Prints the published rows and ours.
    pub fn print(&self, results: &[Result], out: &mut impl Write) -> std::io::Result<()> {
        let mut table = Table::new(self.columns.iter().map(|column| column.title));
        for (system, figures) in self.rows {
            table.line(system, figures.iter().copied());
        }
        table.bold("nsr, this program", self.columns.iter().map(|column| column.ours(results)));
        table.line("  loading and learning", self.seconds(results));
        table.print(out)
    }

    /// The seconds of each task, once where several columns are of one task.
    fn seconds(&self, results: &[Result]) -> Vec<String> {
        let mut last = "";
        let cell = |column: &Column| match column.task == std::mem::replace(&mut last, column.task) {
            true => String::new(),
            false => column.seconds(results),
        };
        self.columns.iter().map(cell).collect()
    }

    /// The figure of the paper's own system, and the best of the others.
    fn published(&self, column: usize) -> [&'static str; 2] {
        let number = |figure: &str| figure.trim_start_matches('≈').parse::<f64>().unwrap_or(-1.0);
        let Some(((_, paper), others)) = self.rows.split_last() else { return ["-"; 2] };
        let others = others.iter().map(|(_, figures)| figures[column]);
        let best = others.max_by(|a, b| number(a).total_cmp(&number(b))).unwrap_or("-");
        [paper[column], best]
    }
}

impl Column {
    fn result<'a>(&self, results: &'a [Result]) -> Option<&'a Result> {
        results.iter().find(|result| result.task == self.task)
    }

    /// The accuracy with each seed.
    fn accuracies(&self, result: &Result) -> Vec<f64> {
        let subset = |name: &str| result.subsets.iter().find(|(other, _)| other == name);
        match self.of {
            Of::All => result.accuracies.clone(),
            Of::Subset(name) => subset(name).map_or(Vec::new(), |(_, accuracies)| accuracies.clone()),
            Of::Average => {
                let of_seed = |seed: usize| {
                    mean(
                        &result
                            .subsets
                            .iter()
                            .filter_map(|(_, all)| all.get(seed).copied())
                            .collect::<Vec<_>>(),
                    )
                };
                (0..result.accuracies.len()).map(of_seed).collect()
            }
        }
    }

    fn ours(&self, results: &[Result]) -> String {
        self.result(results).map_or("-".to_owned(), |result| spread(&self.accuracies(result)))
    }

    fn seconds(&self, results: &[Result]) -> String {
        self.result(results).map_or("-".to_owned(), |result| format!("{:.1} s", mean(&result.seconds)))
    }
}

/// A mean in percent, with the deviation where there are several figures.
pub fn spread(shares: &[f64]) -> String {
    match shares.len() {
        0 => "-".to_owned(),
        1 => percent(shares[0]),
        _ => format!("{} ± {:.2}", percent(mean(shares)), 100.0 * deviation(shares)),
    }
}

/// The paper's own figure for a whole task, 0 to 1, where it has one.
pub fn figure(task: &str) -> Option<f64> {
    let of_benchmark = |benchmark: &Benchmark| {
        let is_whole = |column: &Column| column.task == task && !matches!(column.of, Of::Subset(_));
        let [paper, _] = benchmark.published(benchmark.columns.iter().position(is_whole)?);
        paper.parse().ok().map(|percent: f64| percent / 100.0)
    };
    BENCHMARKS.iter().find_map(of_benchmark)
}

/// Prints everything that was measured in one table, a line for each column of the others.
pub fn print_all(results: &[Result], out: &mut impl Write) -> std::io::Result<()> {
    let mut table = Table::new(["best other", "NSR, the paper", "nsr, this program", "loading and learning"]);
    for benchmark in BENCHMARKS.iter().filter(|benchmark| benchmark.is_in(results)) {
        let seconds = benchmark.seconds(results);
        for (number, (column, seconds)) in benchmark.columns.iter().zip(seconds).enumerate() {
            let [paper, other] = benchmark.published(number);
            let name = format!("{}: {}", benchmark.name, column.title);
            table.line(&name, [other, paper, &column.ours(results), &seconds]);
        }
    }
    table.print(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_figure_for_every_column() {
        for benchmark in &BENCHMARKS {
            for (system, figures) in benchmark.rows {
                assert_eq!(figures.len(), benchmark.columns.len(), "{} {system}", benchmark.name);
            }
        }
    }

    #[test]
    fn the_best_other_is_not_the_paper() {
        assert_eq!(HINT.published(3), ["95.9", "12.1"]);
        assert_eq!(PCFG.published(2), ["100", "85"]);
        assert_eq!(PCFG.published(3), ["-", "-"]);
        assert_eq!(SCAN_FURTHER.published(0), ["-", "-"]);
        assert_eq!(
            (figure("pcfg/iid"), figure("hint"), figure("scan/right")),
            (Some(1.0), Some(90.1 / 100.0), None)
        );
    }

    #[test]
    fn ours_stands_below_and_in_one_table() {
        let result = Result {
            accuracies: vec![1.0, 0.5],
            seconds: vec![1.0, 2.0],
            subsets: vec![("I".to_owned(), vec![1.0, 0.5]), ("SS".to_owned(), vec![0.5, 0.5])],
            ..Result::new("hint")
        };
        let text = |print: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>| {
            let mut out = Vec::new();
            print(&mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let results = [result];
        let table = text(&|out| HINT.print(&results, out));
        assert!(table.contains("nsr, this program                75.00 ± 35.36  50.00 ± 0.00"), "{table}");
        assert!(table.contains("62.50 ± 17.68"), "{table}");
        let all = text(&|out| print_all(&results, out));
        assert!(all.contains("HINT, symbols: SS"), "{all}");
        assert_eq!(all.matches("1.5 s").count(), 1, "{all}");
    }
}
