use nsr::symbol::{Symbol, Vocabulary};
use nsr::training::{align, meaning::*};
use nsr::value::*;
use std::io::Read;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let take: usize = std::env::args().nth(2).map_or(usize::MAX, |s| s.parse().unwrap());
    let mut text = String::new();
    if path.ends_with("gz") {
        flate2::read::GzDecoder::new(std::fs::File::open(&path).unwrap()).read_to_string(&mut text).unwrap();
    } else { text = std::fs::read_to_string(&path).unwrap(); }
    let (mut iv, mut ov) = (Vocabulary::default(), Vocabulary::default());
    let mut pairs = vec![];
    let t0 = std::time::Instant::now();
    for line in text.lines() {
        let (i, o) = if let Some(l) = line.strip_prefix("IN: ") { l.split_once(" OUT: ").unwrap_or((l, "")) } else { if line.starts_with("input\t") { continue }; line.split_once('\t').unwrap() };
        let words: Vec<u32> = i.split_whitespace().map(|w| iv.intern(w).0).collect();
        let out: Vec<Symbol> = o.split_whitespace().map(|w| ov.intern(w)).collect();
        pairs.push((words, out));
    }
    if take < pairs.len() {
        let mut s = 12345u64;
        for i in 0..take { s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); let j = i + (s >> 33) as usize % (pairs.len() - i); pairs.swap(i, j); }
        pairs.truncate(take);
    }
    let own = align::own_tokens(pairs.iter().map(|(a, b)| (&a[..], &b[..])), iv.len(), ov.len());
    for (w, o) in own.iter().enumerate() { if let Some(o) = o { print!("{}:{} ", iv.names()[w], ov.name(*o)); } }
    println!();
    let own = own.into_iter().map(|o| o.map(|o| Value::list(&[o]))).collect();
    pairs.sort(); pairs.dedup();
    let mut pairs: Vec<Pair> = pairs.into_iter().map(|(words, o)| Pair { words, target: Value::list(&o) }).collect();
    let mut m = Meanings::new(own, Type::List);
    println!("{:?} loaded", t0.elapsed());
    m.learn(&mut pairs, |m, explained, of| {
        println!("{:?} explained {explained}/{of}", t0.elapsed());
        for (w, senses) in m.lexicon.senses.iter().enumerate() {
            let mut s: Vec<_> = senses.iter().filter(|s| s.probability > 0.02).collect();
            s.sort_by(|a, b| b.probability.total_cmp(&a.probability));
            println!("   {:10} {}", iv.names()[w], s.iter().take(6).map(|s| format!("{:.2} {}{}", s.probability, s.program.map_or("void".into(), |p| { let p = &m.lexicon.programs[p as usize]; format!("/{} {}", p.arity, p.body) }), match &s.me { Some(Value::List(l)) => format!("[{}]", l.0.iter().map(|&t| ov.name(t)).collect::<Vec<_>>().join(" ")), _ => String::new() })).collect::<Vec<_>>().join(" | "));
        }
    });
}
