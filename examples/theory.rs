//! Learns a theory from TRAIN.tsv, and answers TEST.tsv.
use nsr::chart::free::{derivations, says};
use nsr::learn::evidence::Example;
use nsr::learn::learn;
use nsr::symbol::{Token, Vocabulary, Word};
use nsr::theory::entry::{In, Out};
use std::collections::BTreeSet;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut inputs = Vocabulary::default();
    let mut outputs = Vocabulary::default();
    let mut read = |path: &str| -> Vec<Example> {
        std::fs::read_to_string(path)
            .unwrap()
            .lines()
            .filter_map(|line| {
                let (a, b) = line.split_once('\t')?;
                Some(Example {
                    input: a.split_whitespace().map(|w| Word(inputs.intern(w).0)).collect(),
                    output: b
                        .split('\t')
                        .next()?
                        .split_whitespace()
                        .map(|w| Token(outputs.intern(w).0))
                        .collect(),
                })
            })
            .collect()
    };
    let train: BTreeSet<Example> = read(&args[1]).into_iter().collect();
    let test = read(&args[2]);
    if args.len() > 3 {
        let ex: Vec<Example> = {
            let mut v: Vec<Example> = train.iter().cloned().collect();
            v.sort_by_key(|e| (e.input.len() + e.output.len(), e.clone()));
            v
        };
        let ev = nsr::learn::evidence::Evidence::new(&ex);
        for (w, t) in nsr::propose::align::links(&ex, &ev, 0.25) {
            println!(
                "LINK {} => {}",
                inputs.name(nsr::symbol::Symbol(w.0)),
                t.iter().map(|t| outputs.name(nsr::symbol::Symbol(t.0))).collect::<Vec<_>>().join(" ")
            );
        }
    }
    let begin = std::time::Instant::now();
    let learned = learn(train.into_iter().collect(), inputs.len(), outputs.len());
    let seconds = begin.elapsed().as_secs_f64();
    let edits = &learned.edits;
    let thought = &learned.thought;
    let learned = &learned.knowledge;
    let show_in = |theory: &nsr::theory::Theory, id: u32| {
        let e = theory.entry(id);
        let p: Vec<String> = e
            .pattern
            .iter()
            .map(|p| match p {
                In::Slot(s) => format!("[{s}]"),
                In::Word(w) => inputs.name(nsr::symbol::Symbol(w.0)).to_string(),
            })
            .collect();
        let s: Vec<String> = e
            .says
            .iter()
            .map(|p| match p {
                Out::Slot(s) => format!("[{s}]"),
                Out::Call(f, s) => format!("f{f}[{s}]"),
                Out::Token(w) => outputs.name(nsr::symbol::Symbol(w.0)).to_string(),
            })
            .collect();
        format!("{} => {}", p.join(" "), s.join(" "))
    };
    if args.len() > 3 {
        for id in learned.theory.live() {
            println!(
                "{:8.0} c{:?} {}",
                learned.counts.uses(id),
                learned.model.classes.get(&id),
                show_in(&learned.theory, id)
            );
        }
    }
    if args.len() > 3 {
        for e in edits {
            println!("EDIT {:8} {:8.1} {:10.1} {}", e.by, e.bits, e.total, show_in(thought, e.entry));
        }
    }
    let show = |id: u32| show_in(&learned.theory, id);
    let (mut right, mut answered) = (0, 0);
    let mut shown = 0;
    for example in &test {
        let found = derivations(&example.pattern(), &learned.theory, &learned.model);
        if let Some(best) = found.first() {
            answered += 1;
            if says(&best.tree, &learned.theory).as_deref() == Some(&example.output) {
                right += 1
            } else if args.len() > 3 && shown < 5 {
                shown += 1;
                println!(
                    "WRONG {:?}",
                    example
                        .input
                        .iter()
                        .map(|w| inputs.name(nsr::symbol::Symbol(w.0)))
                        .collect::<Vec<_>>()
                        .join(" ")
                );
                for n in &best.tree.nodes {
                    println!(
                        "     {} {:?}",
                        show(n.entry),
                        n.kids
                            .iter()
                            .enumerate()
                            .map(|(s, k)| format!(
                                "{:.1}",
                                learned.model.bits((n.entry, s as u8), best.tree.nodes[*k as usize].entry)
                            ))
                            .collect::<Vec<_>>()
                    );
                }
                println!(
                    "   root {:.1} total {:.1}; next {:?}",
                    learned.model.bits(nsr::theory::tree::ROOT, best.tree.nodes[0].entry),
                    best.bits,
                    found.iter().skip(1).map(|d| format!("{:.1}", d.bits)).collect::<Vec<_>>()
                );
                if let Some(t) = (nsr::learn::state::Sampled {
                    pattern: example.pattern(),
                    says: example.says(),
                    weight: 1.0,
                })
                .tree(&learned.theory, Some(&learned.model))
                {
                    println!("  RIGHT:");
                    for n in &t.nodes {
                        println!(
                            "     {} {:?}",
                            show(n.entry),
                            n.kids
                                .iter()
                                .enumerate()
                                .map(|(s, k)| format!(
                                    "{:.1}",
                                    learned.model.bits((n.entry, s as u8), t.nodes[*k as usize].entry)
                                ))
                                .collect::<Vec<_>>()
                        );
                    }
                }
            }
        } else if args.len() > 3 && shown < 5 {
            shown += 1;
            println!(
                "NONE {:?}",
                example
                    .input
                    .iter()
                    .map(|w| inputs.name(nsr::symbol::Symbol(w.0)))
                    .collect::<Vec<_>>()
                    .join(" ")
            );
        }
    }
    println!(
        "RESULT {} exact {:.1}% cov {:.1}% train_s {:.2} total_s {:.2} entries {}",
        args[1].rsplit('/').next().unwrap(),
        100.0 * right as f64 / test.len() as f64,
        100.0 * answered as f64 / test.len() as f64,
        seconds,
        begin.elapsed().as_secs_f64(),
        learned.theory.live().count()
    );
}
