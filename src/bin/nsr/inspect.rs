//! `nsr inspect`: what a model has learned, and what it has not.

use crate::Outcome;
use crate::args::{DataArgs, Inspect};
use crate::text::{Paint, count, pad, shorten_tokens, thousands};
use crate::weigh;
use anyhow::bail;
use nsr::checkpoint;
use nsr::data::Part;
use nsr::model::{Extension, Model, Unexplained};
use nsr::report::{self, Construction, Similarity, constructions, shorten, similarity};
use nsr::symbol::{Symbol, Vocabulary};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The similarity table has at most so many words.
const TABLE: usize = 40;
/// So many examples are shown for an unsolved word.
const SHOWN: usize = 3;

/// Words of one class with what they say are shown on so many lines.
const CONSTANT_LINES: usize = 4;
/// So many of what is kept as a whole are shown.
const WHOLES: usize = 30;

/// Runs the command.
pub fn run(args: &Inspect, data: &DataArgs, out: &mut impl Write) -> anyhow::Result<Outcome> {
    if let Some(theory) = &args.theory {
        return weigh::run(theory, &args.model.to_string_lossy(), data, args.json, out);
    }
    let model = checkpoint::load(&args.model)?;
    let table = args.similarity.as_ref().map(|name| compare(&model, args, data, name)).transpose()?;
    match args.json {
        true => writeln!(out, "{}", as_json(&model, table.as_ref()))?,
        false => print(&model, table.as_ref(), out)?,
    }
    Ok(Outcome::Done)
}

/// Compares words on the inputs of `name`.
fn compare(model: &Model, args: &Inspect, data: &DataArgs, name: &str) -> anyhow::Result<Similarity> {
    if model.eyes.is_some() || model.seeing.is_some() {
        let path = args.model.display();
        bail!("{path}: expected a model that reads text, for --similarity, found one that reads pictures");
    }
    let data = data.cut_like(model)?.load(name, Part::Test, model.settings.seed)?;
    Ok(similarity(model, &data, TABLE))
}

/// A word that is not solved, and examples with it that the model gets wrong.
struct Unsolved<'a> {
    word: Symbol,
    examples: Vec<&'a Unexplained>,
}

fn unsolved(model: &Model) -> Vec<Unsolved<'_>> {
    let tell = |word: Symbol| {
        let has_word = |example: &&Unexplained| example.input.contains(&word);
        Unsolved { word, examples: model.unexplained.iter().filter(has_word).take(SHOWN).collect() }
    };
    report::unsolved(model).into_iter().map(tell).collect()
}

fn as_json(model: &Model, table: Option<&Similarity>) -> Value {
    let mut settings = json!(model.settings);
    if let Some(fields) = settings.as_object_mut() {
        // Rules in numbers of tokens, which tell nobody anything.
        fields.remove("spacing");
    }
    let mut object = json!({
        "task": model.task,
        "seed": model.settings.seed,
        "train_examples": model.examples,
        "settings": settings,
        "extensions": model.extensions,
        "words": model.inputs.names(),
        "constructions": constructions(model),
        "unsolved": unsolved(model).iter().map(|one| unsolved_json(model, one)).collect::<Vec<_>>(),
        "unexplained": model.unexplained.iter().map(|one| example_json(model, one)).collect::<Vec<_>>(),
    });
    if let Some(table) = table {
        let names: Vec<&str> =
            table.words.iter().map(|&word| model.inputs.names()[word as usize].as_str()).collect();
        object["similarity"] = json!({ "words": names, "table": table.table });
    }
    object
}

/// Why a word is not solved.
const NOT_FOUND: &str = "no meaning was found";

fn unsolved_json(model: &Model, unsolved: &Unsolved<'_>) -> Value {
    json!({
        "word": model.inputs.name(unsolved.word),
        "why": NOT_FOUND,
        "examples": unsolved.examples.iter().map(|one| example_json(model, one)).collect::<Vec<_>>(),
    })
}

fn example_json(model: &Model, example: &Unexplained) -> Value {
    json!({
        "input": names(&model.inputs, &example.input),
        "wanted": wanted(model, example),
        "found": example.found,
    })
}

/// The output that was given, as it was written.
fn wanted(model: &Model, example: &Unexplained) -> String {
    model.text(&nsr::value::Value::list(&example.wanted))
}

fn names(vocabulary: &Vocabulary, symbols: &[Symbol]) -> String {
    symbols.iter().map(|&symbol| vocabulary.name(symbol)).collect::<Vec<_>>().join(" ")
}

fn print(model: &Model, table: Option<&Similarity>, out: &mut impl Write) -> anyhow::Result<()> {
    let paint = Paint::stdout();
    let examples = count(model.examples as usize, "example");
    writeln!(out, "{}: {examples}, seed {}", paint.bold(&model.task), model.settings.seed)?;
    for Extension { task, examples, settings, .. } in &model.extensions {
        let examples = count(*examples as usize, "example");
        writeln!(out, "then {}: {examples}, seed {}", paint.bold(task), settings.seed)?;
    }
    print_constructions(&constructions(model), out)?;
    print_unsolved(model, out)?;
    if let Some(table) = table {
        print_table(model, table, out)?;
    }
    Ok(())
}

/// Prints constructions class by class, the most used first, and then what is kept as a whole.
pub fn print_constructions(all: &[Construction], out: &mut impl Write) -> io::Result<()> {
    let paint = Paint::stdout();
    let (wholes, others): (Vec<_>, Vec<_>) = all.iter().partition(|one| one.is_whole());
    let with_slots: Vec<&Construction> = others.iter().copied().filter(|one| one.slots > 0).collect();
    let columns = Columns::of(&with_slots);
    writeln!(out, "\n{}", paint.bold("Constructions, by class: those of one class fill the same slots"))?;
    let mut classes: Vec<Option<u32>> = Vec::new();
    for one in &others {
        if !classes.contains(&one.class) {
            classes.push(one.class);
        }
    }
    for class in classes {
        match class {
            Some(class) => writeln!(out, "  {}", paint.dim(&format!("class {class}")))?,
            None => writeln!(out, "  {}", paint.dim("not used"))?,
        }
        for one in with_slots.iter().filter(|one| one.class == class) {
            columns.print(one, out)?;
        }
        let constants = others.iter().filter(|one| one.class == class && one.is_constant());
        print_constants(&constants.copied().collect::<Vec<_>>(), out)?;
    }
    if !wholes.is_empty() {
        writeln!(out, "\n{}", paint.bold("Kept as a whole"))?;
        let columns = Columns::of(&wholes);
        wholes.iter().take(WHOLES).try_for_each(|one| columns.print(one, out))?;
        print_rest(wholes.len().saturating_sub(WHOLES), out)?;
    }
    Ok(())
}

/// How wide patterns, and what they say, are printed.
struct Columns {
    pattern: usize,
    says: usize,
}

impl Columns {
    /// The widest that are printed in full.
    const MOST: usize = 48;

    fn of(constructions: &[&Construction]) -> Columns {
        let widest = |text: fn(&Construction) -> &str| {
            let widths = constructions.iter().map(|one| text(one).chars().count());
            widths.max().unwrap_or(0).min(Columns::MOST)
        };
        Columns { pattern: widest(|one| &one.pattern), says: widest(|one| &one.says) }
    }

    fn print(&self, one: &Construction, out: &mut impl Write) -> io::Result<()> {
        let paint = Paint::stdout();
        let pattern = pad(&shorten(&one.pattern, self.pattern), self.pattern);
        let says = pad(&shorten(&one.says, self.says), self.says);
        let uses = count(one.uses.round() as usize, "use");
        let figures = format!("{uses}, {:.0} bits", one.bits);
        writeln!(out, "    {}  =  {}  {}", paint.bold(&pattern), paint.program(&says), paint.dim(&figures))
    }
}

/// Prints words with what they say, several on a line.
fn print_constants(constants: &[&Construction], out: &mut impl Write) -> io::Result<()> {
    let room = crate::text::width().saturating_sub(4);
    let (mut line, mut lines, mut printed) = (String::new(), 0, 0);
    for one in constants {
        let text = format!("{} = {}", one.pattern, one.says);
        if !line.is_empty() && line.chars().count() + 3 + text.chars().count() > room {
            writeln!(out, "    {line}")?;
            line.clear();
            lines += 1;
        }
        if lines == CONSTANT_LINES {
            break;
        }
        line.push_str(if line.is_empty() { "" } else { " · " });
        line.push_str(&shorten(&text, room));
        printed += 1;
    }
    if !line.is_empty() {
        writeln!(out, "    {line}")?;
    }
    print_rest(constants.len() - printed, out)
}

fn print_rest(number: usize, out: &mut impl Write) -> io::Result<()> {
    match number {
        0 => Ok(()),
        number => writeln!(out, "    … and {} more", thousands(number)),
    }
}

fn print_unsolved(model: &Model, out: &mut impl Write) -> io::Result<()> {
    let paint = Paint::stdout();
    let unsolved = unsolved(model);
    writeln!(out, "\n{}", paint.bold("Unsolved"))?;
    for one in &unsolved {
        writeln!(out, "  {}: {NOT_FOUND}", paint.bold(model.inputs.name(one.word)))?;
        for example in &one.examples {
            print_example(model, example, out)?;
        }
    }
    match (unsolved.is_empty(), model.unexplained.len()) {
        // Which rows of pictures are read wrong is not kept.
        (true, 0) if model.eyes.is_some() => writeln!(out, "  nothing: every symbol is solved"),
        (true, 0) => writeln!(out, "  nothing: every word is solved and every training example explained"),
        (true, number) => {
            let wrong = count(number, "training example");
            writeln!(out, "  every word is solved, but {wrong} (or more) not explained:")?;
            model.unexplained.iter().take(SHOWN).try_for_each(|example| print_example(model, example, out))
        }
        (false, _) => print_others(model, &unsolved, out),
    }
}

/// Prints examples that are not explained although all their words are solved.
fn print_others(model: &Model, unsolved: &[Unsolved<'_>], out: &mut impl Write) -> io::Result<()> {
    let is_open = |symbol: &Symbol| unsolved.iter().any(|one| one.word == *symbol);
    let is_other = |example: &&Unexplained| !example.input.iter().any(is_open);
    let others: Vec<&Unexplained> = model.unexplained.iter().filter(is_other).collect();
    if others.is_empty() {
        return Ok(());
    }
    let wrong = count(others.len(), "training example");
    writeln!(out, "  {wrong} (or more) of solved words not explained:")?;
    others.iter().take(SHOWN).try_for_each(|example| print_example(model, example, out))
}

fn print_example(model: &Model, example: &Unexplained, out: &mut impl Write) -> io::Result<()> {
    let (input, wanted) = (names(&model.inputs, &example.input), wanted(model, example));
    writeln!(out, "    {}", shorten_tokens(&input, 90))?;
    writeln!(out, "      wanted {}", shorten_tokens(&wanted, 80))?;
    let found = example.found.as_ref().map_or("no answer".to_owned(), |found| shorten_tokens(found, 80));
    writeln!(out, "      found  {found}")
}

fn print_table(model: &Model, table: &Similarity, out: &mut impl Write) -> io::Result<()> {
    let paint = Paint::stdout();
    let title =
        "Syntactic similarity: percent of inputs whose tree stays when one word takes the other's place";
    writeln!(out, "\n{}", paint.bold(title))?;
    // Alike words side by side, so that they make blocks.
    let mut order: Vec<usize> = (0..table.words.len()).collect();
    let first_alike = |place: usize| table.table[place].iter().position(|share| *share == Some(1.0));
    order.sort_by_key(|&place| (first_alike(place), place));
    let name = |place: usize| model.inputs.names()[table.words[place] as usize].as_str();
    let width = order.iter().map(|&place| name(place).chars().count()).max().unwrap_or(0);
    write!(out, "  {}", pad("", width))?;
    for &place in &order {
        let short: String = name(place).chars().take(5).collect();
        write!(out, " {short:>5}")?;
    }
    writeln!(out)?;
    for &row in &order {
        write!(out, "  {}", pad(name(row), width))?;
        for &column in &order {
            match table.table[row][column] {
                Some(share) => write!(out, " {:5.0}", 100.0 * share)?,
                None => write!(out, "     ·")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nsr::data::Dataset;

    #[test]
    fn examples_of_solved_words_are_shown_beside_unsolved_words() {
        let data = Dataset::from_pairs("tiny", &[("walk", "WALK"), ("run", "RUN")]);
        let mut model = nsr::training::train(&data, 0, &mut ());
        let wrong = |word| Unexplained { input: vec![Symbol(word)], wanted: vec![Symbol(0)], found: None };
        model.unexplained = vec![wrong(0), wrong(1)];
        let unsolved = [Unsolved { word: Symbol(1), examples: Vec::new() }];
        let mut out = Vec::new();
        print_others(&model, &unsolved, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "  1 training example (or more) of solved words not explained:\n    walk\n      wanted WALK\n      \
             found  no answer\n"
        );
    }
}
