//! Trains and tests on a task or file: `cargo run --release --example scan -- TRAIN TEST`.
// An example is there to print.
#![allow(clippy::print_stdout)]

use nsr::data::{self, Part, ReadOptions};
use nsr::syntax::decode::Workspace;
use nsr::training::{Event, Observer, train};
struct Print(std::time::Instant);
impl Observer for Print {
    fn on(&mut self, event: &Event<'_>) {
        let t = self.0.elapsed();
        match event {
            Event::Meanings { round, .. } => {
                eprintln!("{t:?} explained {}/{}", round.explained, round.examples)
            }
            other => eprintln!("{t:?} {other:?}"),
        }
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let seed = args.get(3).map_or(0, |s| s.parse().unwrap());
    let dir = std::env::var("NSR_DATA").ok();
    let dir = dir.as_ref().map(std::path::Path::new);
    let t = std::time::Instant::now();
    let mut data = data::load(&args[1], Part::Train, dir, seed, &ReadOptions::default()).unwrap();
    if let Ok(n) = std::env::var("TAKE") {
        data = data.take_random(n.parse().unwrap(), seed);
    }
    let test = data::load(&args[2], Part::Test, dir, seed, &ReadOptions::default()).unwrap();
    let model = train(&data, seed, &mut Print(t));
    eprintln!("{:?} trained", t.elapsed());
    for (w, senses) in model.lexicon.senses.iter().enumerate().take(40) {
        eprintln!(
            "   {:10} c{} {}",
            model.inputs.names()[w],
            model.classes[w],
            senses
                .iter()
                .map(|s| format!(
                    "{:.2} {}{}",
                    s.probability,
                    s.program.map_or("void".into(), |p| {
                        let p = &model.lexicon.programs[p as usize];
                        format!("/{} {}", p.arity, p.body)
                    }),
                    s.me.as_ref().map_or(String::new(), |m| format!("[{}]", model.text(m)))
                ))
                .collect::<Vec<_>>()
                .join(" | ")
        );
    }
    let mut ws = Workspace::new();
    let (mut right, mut retried) = (0, 0);
    let mut shown = 0;
    let t1 = std::time::Instant::now();
    for example in &test.examples {
        let symbols = model.symbols(test.input_tokens(example));
        let answer = model.answer(&symbols, &mut ws);
        let got = answer.gss.value().map(|v| model.text(v));
        retried += usize::from(answer.retries > 0);
        if got.as_deref() == Some(&test.output_text(example)) {
            right += 1
        } else if shown < 3 {
            shown += 1;
            eprintln!(
                "WRONG {} -> {:?} expected {} {:?}",
                test.input_text(example),
                got,
                test.output_text(example),
                answer.gss.tree.heads()
            );
        }
    }
    println!(
        "{} seed {seed}: {right}/{} = {:.2} retried {retried} in {:?}, test {:?}",
        args[1],
        test.len(),
        100.0 * right as f64 / test.len() as f64,
        t.elapsed(),
        t1.elapsed()
    );
}
