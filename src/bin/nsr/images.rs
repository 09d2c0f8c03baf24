//! Rows of pictures on the command line: learning to read them, and answering.

use crate::args::{Bench, DataArgs, Device, Explain, Export, NetworkArg, Train};
use crate::escape::tell;
use crate::log::Log;
use crate::predict::{self, Miss};
use crate::text::{count, percent, seconds, shorten_tokens, thousands};
use crate::{Outcome, draw, eval, explain, interrupt, source, train};
use anyhow::{Context, bail};
use nsr::checkpoint;
use nsr::data::picture::{Picture, Pictures, half_blocks};
use nsr::data::{IMAGE_TASKS, ImageDataset, ImageOptions, Part, load_images};
use nsr::evaluate::{ImageScores, evaluate_images, look};
use nsr::model::{Model, Settings};
use nsr::perception::SymbolProbs;
use nsr::perception::network::{Config, Network, Processor};
use nsr::report;
use nsr::training::seeing::{LONGEST, SeeingSettings, Sight, Symbols, see};
use nsr::training::{Budget, Event, Observer, Step};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// The names of symbols are told in at most so many characters.
const NAMES: usize = 80;
/// Lines come at most this often.
const PAUSE: Duration = Duration::from_secs(2);

impl DataArgs {
    /// Whether pictures were named for the inputs.
    pub fn names_pictures(&self) -> bool {
        self.images.is_some() || self.test_images.is_some()
    }

    /// Whether the inputs of `name` are rows of pictures.
    pub fn has_pictures(&self, name: &str) -> bool {
        self.names_pictures() || is_image_task(name)
    }

    /// Loads rows of pictures. The pictures of a test set are its own, or else those of the training set.
    pub fn load_images(&self, name: &str, part: Part, settings: &Settings) -> anyhow::Result<ImageDataset> {
        let seed = settings.seed;
        let own = self.test_images.clone().filter(|_| part == Part::Test);
        let images = own.or_else(|| self.images.clone());
        let options = ImageOptions { images, read: self.options(), preprocess: settings.preprocess.clone() };
        if !is_image_task(name) {
            return Ok(load_images(name, part, None, seed, &options)?);
        }
        let folder = self.folder()?;
        let found = load_images(name, part, folder.as_deref(), seed, &options)?;
        source::tell_generated(name, found.origin, folder.as_deref());
        Ok(found)
    }

    /// The pictures that inputs name, prepared as the model's were.
    fn pictures(&self, model: &Model) -> anyhow::Result<Pictures> {
        let Some(path) = self.test_images.as_ref().or(self.images.as_ref()) else {
            bail!("the model reads pictures: expected --images FILE, found none");
        };
        Ok(Pictures::read(path, &model.settings.preprocess)?)
    }

    /// What the network runs on.
    pub fn processor(&self) -> anyhow::Result<Processor> {
        Ok(match self.device {
            Device::Cpu => Processor::Cpu,
            Device::Cuda => Processor::cuda().context("--device")?,
        })
    }

    /// The size of the network: as asked for, or as it fits the device.
    fn network(&self, asked: Option<NetworkArg>, side: u32) -> Config {
        let fits = match self.device {
            Device::Cpu => NetworkArg::Small,
            Device::Cuda => NetworkArg::Resnet18,
        };
        match asked.unwrap_or(fits) {
            NetworkArg::Small => Config::small(side as usize),
            NetworkArg::Resnet18 => Config::resnet18(side as usize),
        }
    }
}

/// Whether `name` is a built-in task with pictures.
fn is_image_task(name: &str) -> bool {
    IMAGE_TASKS.iter().any(|(task, _)| *task == name)
}

/// Whether the model at `path` reads pictures; an error if it has not learned to, or reads text and `asked` says that
/// the inputs are pictures.
pub fn reads_pictures(model: &Model, path: &Path, asked: bool) -> anyhow::Result<bool> {
    let path = path.display();
    match (&model.eyes, &model.seeing) {
        (Some(_), _) => Ok(true),
        (None, Some(_)) => bail!(
            "{path}: expected a model that has learned to see, found one whose training was stopped early; \
             nsr train with --resume goes on"
        ),
        (None, None) if asked => {
            bail!("{path}: expected a model that reads pictures, found one that reads text")
        }
        (None, None) => Ok(false),
    }
}

/// `nsr train` with pictures.
pub fn train(args: &Train, data: &DataArgs, out: &mut impl Write) -> anyhow::Result<Outcome> {
    let processor = data.processor()?;
    if args.from.is_some() {
        bail!("--from: expected a text task, found pictures: a model cannot be taught new pictures yet");
    }
    let start = Instant::now();
    let log = Log::create(args.log.as_deref())?;
    let from = train::previous(args)?;
    let settings = settings(args, from.as_ref())?;
    let seed = settings.seed;
    let mut train = data.load_images(&args.data, Part::Train, &settings)?;
    if let Some(take) = args.take {
        train = train.take_random(take.get(), seed);
    }
    let rows = train.len();
    let train = train.without_blanks();
    if train.is_empty() {
        bail!("{}: expected rows of pictures that show something, found blank ones in all", train.name);
    }
    let too_long = train.examples.iter().filter(|row| row.input.len() > LONGEST).count();
    if too_long == train.len() {
        bail!("{}: expected rows of at most {LONGEST} pictures, found longer ones only", train.name);
    }
    let test = test(args, data, &settings)?;
    let config = data.network(args.network, train.pictures.side());
    if let (Some(model), Some(path)) = (&from, &args.out) {
        check_fit(model, path, &train, args.network.map(|_| &config))?;
    }
    interrupt::listen()?;
    let mut watch = Watch::new(log);
    let mut failure = Ok(());
    let mut keep = |model: &Model| {
        if let Some(path) = &args.out {
            failure = checkpoint::save(&Model { settings: settings.clone(), ..model.clone() }, path);
        }
    };
    let effort = effort(config, settings.pretrain, settings.steps);
    let mut budget = Budget::new(&mut watch, start, args.seconds.unwrap_or(Duration::MAX));
    let mut model = see(&train, &effort, &processor, seed, from, &mut keep, &mut budget)?;
    failure?;
    model.settings = settings;
    if let Some(path) = &args.out {
        checkpoint::save(&model, path)?;
    }
    let time = start.elapsed();
    let test = test.filter(|_| model.eyes.is_some() && !interrupt::asked());
    interrupt::quit_at_once();
    let scores = match test {
        Some(test) => evaluate_images(&model, &test, &processor)?,
        None => None,
    };
    let told = Told {
        args,
        train: &train,
        blank: rows - train.len(),
        too_long,
        model: &model,
        time,
        scores: scores.as_ref(),
        rounds: watch.rounds,
    };
    match args.json {
        true => told.print_json(out)?,
        false => told.print(out)?,
    }
    watch.log.finish()?;
    Ok(Outcome::Done)
}

/// How much work learning to see may be: `steps` in the last round, if not as many as by default.
fn effort(config: Config, pretrain: bool, steps: Option<u64>) -> SeeingSettings {
    let usual = SeeingSettings { config: Some(config), pretrain, ..SeeingSettings::default() };
    match steps {
        Some(steps) => usual.with_steps(steps as usize),
        None => usual,
    }
}

impl Bench {
    /// How much work learning to see may be.
    pub fn effort(&self, data: &DataArgs, side: u32) -> SeeingSettings {
        let config = data.network(self.network, side);
        effort(config, self.pretrain, self.steps.map(|steps| steps.get() as u64))
    }
}

/// Learns to read `train`, showing how it goes.
pub fn learn(
    train: &ImageDataset,
    effort: &SeeingSettings,
    processor: &Processor,
    seed: u64,
) -> anyhow::Result<Model> {
    let mut watch = Watch::new(Log::default());
    Ok(see(train, effort, processor, seed, None, &mut |_| {}, &mut watch)?)
}

/// The test set: the one named, or a built-in task's own.
fn test(args: &Train, data: &DataArgs, settings: &Settings) -> anyhow::Result<Option<ImageDataset>> {
    let own = is_image_task(&args.data).then_some(&args.data);
    args.test.as_ref().or(own).map(|name| data.load_images(name, Part::Test, settings)).transpose()
}

/// What was asked for, or what the model to go on from was learned with.
fn settings(args: &Train, from: Option<&Model>) -> anyhow::Result<Settings> {
    let seed = train::seed(args, from)?;
    let usual = SeeingSettings::default().last as u64;
    let kept = from.map(|model| model.settings.steps.unwrap_or(usual));
    let asked = args.steps.map(|steps| steps.get() as u64);
    let steps = train::chosen(args, "--steps", asked, kept)?.filter(|&steps| steps != usual);
    let kept = from.map(|model| model.settings.preprocess.clone());
    let preprocess = train::chosen(args, "--preprocess", args.preprocess.clone(), kept)?.unwrap_or_default();
    let pretrain = pretrain(args, from)?;
    let take = args.take.map(|take| take.get() as u64);
    Ok(Settings { seed, steps, take, pretrain, preprocess, ..Settings::default() })
}

/// Whether looks are to be learned in any case.
fn pretrain(args: &Train, from: Option<&Model>) -> anyhow::Result<bool> {
    match (from, &args.out) {
        (Some(model), Some(path)) if args.pretrain && !model.settings.pretrain => {
            let path = path.display();
            bail!(
                "{path}: expected a model learned with --pretrain, found one without; without it it goes on"
            )
        }
        (Some(model), _) => Ok(model.settings.pretrain),
        (None, _) => Ok(args.pretrain),
    }
}

/// Whether the model at `path` can go on with `train`; its network is as `asked`, if anything is.
fn check_fit(model: &Model, path: &Path, train: &ImageDataset, asked: Option<&Config>) -> anyhow::Result<()> {
    let pictures = model.seeing.as_ref().map(|seeing| seeing.symbols.of.len());
    let fits = model.eyes.is_some() || pictures == Some(train.pictures.len());
    if !fits || model.examples as usize != train.len() || model.task != train.name {
        bail!(
            "{}: expected a model of the {} rows of {}, found one of the {} examples of {}",
            path.display(),
            train.len(),
            train.name,
            model.examples,
            model.task
        );
    }
    let network = model.eyes.as_ref().or(model.seeing.as_ref().map(|seeing| &seeing.network));
    if let (Some(asked), Some(found)) = (asked, network.map(Network::config))
        && asked != found
    {
        let path = path.display();
        let (asked, found) = (&asked.widths, &found.widths);
        bail!(
            "{path}: expected a network of {asked:?} channels, found {found:?}; without --network it goes on"
        );
    }
    Ok(())
}

struct Told<'a> {
    args: &'a Train,
    train: &'a ImageDataset,
    /// Rows left out because they have a blank picture.
    blank: usize,
    too_long: usize,
    model: &'a Model,
    time: Duration,
    scores: Option<&'a ImageScores>,
    rounds: usize,
}

impl Told<'_> {
    fn print_json(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut object = json!({
            "task": self.train.name,
            "seed": self.model.settings.seed,
            "train_examples": self.train.len(),
            "seconds": self.time.as_secs_f64(),
            "epochs": self.rounds,
            "model": self.args.out.as_ref().map(|path| path.display().to_string()),
            "data": source::kind(self.train.origin),
            "finished": self.model.finished,
            "blank": self.blank,
            "too_long": self.too_long,
            "pictures": self.train.pictures.len(),
            "words": self.model.inputs.len(),
        });
        if let Some(ImageScores { read, plain }) = self.scores {
            object["test_examples"] = json!(read.all.examples);
            eval::add_scores(&mut object, read);
            object["symbol_by_symbol"] = json!(plain.all.accuracy());
        }
        writeln!(out, "{object}")?;
        Ok(())
    }

    fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Told { train, model, .. } = self;
        let rows = format!("{} of {}", count(train.len(), "row"), count(train.pictures.len(), "picture"));
        let symbols = count(model.inputs.len(), "symbol");
        writeln!(out, "{}: {rows} learned in {}; {symbols}", train.name, seconds(self.time))?;
        if self.blank > 0 {
            writeln!(out, "{} left out: with a blank picture", count(self.blank, "row"))?;
        }
        if self.too_long > 0 {
            writeln!(out, "{} left out: of more than {LONGEST} pictures", count(self.too_long, "row"))?;
        }
        if let Some(scores) = self.scores {
            print_scores(scores, out)?;
        }
        train::print_kept(self.args, model, out)
    }
}

/// Prints how rows are answered.
pub fn print_scores(scores: &ImageScores, out: &mut impl Write) -> anyhow::Result<()> {
    eval::print(&scores.read, out)?;
    writeln!(out, "  symbol by symbol: {} %", percent(scores.plain.all.accuracy()))?;
    Ok(())
}

/// Watches learning to see.
struct Watch {
    start: Instant,
    last: Option<Instant>,
    log: Log,
    rounds: usize,
}

impl Watch {
    fn new(log: Log) -> Watch {
        Watch { start: Instant::now(), last: None, log, rounds: 0 }
    }

    /// Shows a line, if the last one is not too recent or this one matters.
    fn show(&mut self, matters: bool, line: impl FnOnce() -> String) {
        if matters || self.last.is_none_or(|last| last.elapsed() >= PAUSE) {
            tell(&format!("{}, {}", line(), seconds(self.start.elapsed())));
            self.last = Some(Instant::now());
        }
    }

    fn symbols(&mut self, symbols: &Symbols) {
        let known = symbols.of.iter().flatten().count();
        self.show(true, || {
            let names = shorten_tokens(&symbols.names.join(" "), NAMES);
            let symbols = count(symbols.names.len(), "symbol");
            format!("{symbols} ({names}); {} pictures known", thousands(known))
        });
        let time = self.start.elapsed().as_secs_f64();
        self.log
            .write(&json!({ "event": "symbols", "seconds": time, "symbols": symbols.names, "known": known }));
    }
}

impl Observer for Watch {
    fn on(&mut self, event: &Event<'_>) {
        let time = self.start.elapsed().as_secs_f64();
        match event {
            Event::Seeing(Sight::Step(step, steps, loss)) => {
                self.show(false, || format!("network: step {step} of {steps}, loss {loss:.3}"));
            }
            Event::Seeing(Sight::Symbols(symbols)) => self.symbols(symbols),
            Event::Seeing(Sight::Read(right, rows)) => {
                self.rounds += 1;
                self.show(true, || {
                    format!(
                        "{} of {} rows read such that the result comes out",
                        thousands(*right),
                        thousands(*rows)
                    )
                });
                self.log.write(&json!({ "event": "read", "seconds": time, "right": right, "rows": rows }));
            }
            Event::Values { entries, right, asked } => {
                let (right, asked) = (thousands(*right), thousands(*asked));
                let known = count(*entries, "construction");
                self.show(false, || format!("{known}: {right} of {asked} rows answered right"));
            }
            Event::Step(Step { what, bits, explained }) => {
                let share = explained.map(|share| format!(", {} % of rows explained", percent(share)));
                let bits = thousands(bits.max(0.0).round() as usize);
                self.show(false, || {
                    format!("constructions: {what}, {bits} bits{}", share.unwrap_or_default())
                });
            }
            _ => {}
        }
    }

    fn stop(&self) -> bool {
        interrupt::asked()
    }
}

/// `nsr predict` with pictures: the numbers or names of pictures on each line.
pub fn predict(model: &Model, data: &DataArgs, out: &mut impl Write) -> anyhow::Result<Outcome> {
    let (pictures, processor) = (data.pictures(model)?, data.processor()?);
    let seen = seen(model, &pictures, &processor)?;
    predict::answer_lines(out, |line, text| {
        let row: Option<Vec<u32>> = line.split_whitespace().map(|token| pictures.find(token)).collect();
        let row = row.ok_or(Miss::NoPicture)?;
        if row.is_empty() {
            return Err(Miss::Empty);
        }
        if row.iter().any(|&number| pictures.is_blank(number)) {
            return Err(Miss::Blank);
        }
        let probs = look_at(model, &pictures, seen.as_deref(), &row);
        let answer = probs.and_then(|probs| report::answer_row(model, &probs));
        text.push_str(&answer.ok_or(Miss::Unsolved)?);
        Ok(())
    })
}

/// What all pictures are taken for, if a graphics card can say so at once; the CPU looks at those that are asked for.
fn seen(
    model: &Model,
    pictures: &Pictures,
    processor: &Processor,
) -> anyhow::Result<Option<Vec<SymbolProbs>>> {
    if processor.is_cpu() { Ok(None) } else { Ok(look(model, pictures, processor)?) }
}

/// What the pictures of a row are taken for.
fn look_at(
    model: &Model,
    pictures: &Pictures,
    seen: Option<&[SymbolProbs]>,
    row: &[u32],
) -> Option<Vec<SymbolProbs>> {
    match seen {
        Some(seen) => row.iter().map(|&picture| seen.get(picture as usize).cloned()).collect(),
        None => report::look_at(model, pictures, row),
    }
}

/// `nsr explain` with pictures.
pub fn explain(
    model: &Model,
    data: &DataArgs,
    args: &Explain,
    out: &mut impl Write,
) -> anyhow::Result<Outcome> {
    if args.n_best.is_some() {
        bail!("--n-best: expected a model that reads text, found one that reads pictures");
    }
    let pictures = data.pictures(model)?;
    let mut row = Vec::new();
    for token in args.words.iter().flat_map(|words| words.split_whitespace()) {
        match pictures.find(token) {
            Some(number) => row.push(number),
            None => {
                let last = pictures.len().saturating_sub(1);
                bail!("INPUT: expected names of pictures or numbers from 0 to {last}, found `{token}`")
            }
        }
    }
    if let Some(blank) = row.iter().find(|&&number| pictures.is_blank(number)) {
        bail!("INPUT: expected pictures that show something, found picture {blank}, which is blank");
    }
    let seen = seen(model, &pictures, &data.processor()?)?;
    let probs = look_at(model, &pictures, seen.as_deref(), &row);
    let explanation = probs.and_then(|probs| report::explain_row(model, &pictures, &row, &probs));
    let Some(explanation) = explanation else {
        bail!("INPUT: expected at least one picture, found none");
    };
    let drawn = row.iter().filter_map(|&number| Some(picture(&pictures, number)?.png()));
    explain::save(args.svg.as_deref(), || draw::svg::draw(&explanation, &drawn.collect::<Vec<_>>()))?;
    explain::save(args.dot.as_deref(), || draw::dot::draw(&explanation))?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&explanation)?)?;
    } else {
        show(&pictures, &row, &explanation, out)?;
        explain::print(&explanation, out)?;
    }
    Ok(if explanation.output.is_some() { Outcome::Done } else { Outcome::NoAnswer })
}

/// A picture as the network sees it.
fn picture(pictures: &Pictures, number: u32) -> Option<Picture> {
    let side = pictures.side();
    Some(Picture::new(side, side, pictures.get(number)?.into()))
}

/// `nsr export`.
pub fn export(args: &Export, out: &mut impl Write) -> anyhow::Result<Outcome> {
    let model = checkpoint::load(&args.model)?;
    let Some(eyes) = &model.eyes else {
        bail!("{}: expected a model that reads pictures, found one without a network", args.model.display());
    };
    let Config { side, stride, widths, blocks } = eyes.config();
    let texts = [
        ("symbols", json!(model.inputs.names()).to_string()),
        ("side", side.to_string()),
        ("stride", stride.to_string()),
        ("widths", json!(widths).to_string()),
        ("blocks", blocks.to_string()),
    ];
    let path = args.weights.display();
    checkpoint::write(&args.weights, &eyes.safetensors(&texts)).with_context(|| path.to_string())?;
    writeln!(out, "weights: {path}")?;
    Ok(Outcome::Done)
}

/// Draws the pictures side by side, as many as fit, with what each was read as.
fn show(
    pictures: &Pictures,
    row: &[u32],
    told: &report::Explanation,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let half = pictures.side() / 2;
    let fit = (crate::text::width() / (half as usize + 1)).max(1);
    for (row, seen) in row.chunks(fit).zip(told.seen.chunks(fit)) {
        let drawn: Vec<String> = row
            .iter()
            .filter_map(|&number| pictures.get(number))
            .map(|pixels| half_blocks(&halved(pixels, pictures.side()), half))
            .collect();
        let drawn: Vec<Vec<&str>> = drawn.iter().map(|picture| picture.lines().collect()).collect();
        for line in 0..drawn.first().map_or(0, Vec::len) {
            let line: Vec<&str> = drawn.iter().map(|picture| picture[line]).collect();
            writeln!(out, "{}", line.join(" ").trim_end())?;
        }
        let captions = seen.iter().map(|seen| format!("{} {:.1} %", seen.symbol, 100.0 * seen.probability));
        let captions: String =
            captions.map(|caption| crate::text::pad(&caption, half as usize + 1)).collect();
        writeln!(out, "{}\n", captions.trim_end())?;
    }
    Ok(())
}

/// A picture of half the side: the lightest of four pixels.
fn halved(pixels: &[u8], side: u32) -> Vec<u8> {
    let side = side as usize;
    let lightest = |number: usize| {
        let (x, y) = (number % (side / 2) * 2, number / (side / 2) * 2);
        let at = |x: usize, y: usize| pixels[y * side + x];
        at(x, y).max(at(x + 1, y)).max(at(x, y + 1)).max(at(x + 1, y + 1))
    };
    (0..(side / 2) * (side / 2)).map(lightest).collect()
}
