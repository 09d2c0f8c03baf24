//! Commands, flags and their help.

use clap::{Parser, Subcommand, ValueEnum};
use nsr::data::picture::Preprocess;
use nsr::parts::Part;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Learns meaning from pairs of inputs and outputs: which words there are, how they combine, and a program
/// for each.
///
/// Without a command it learns SCAN's length split, tests it and explains a sentence.
#[derive(Parser)]
#[command(name = "nsr", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub data: DataArgs,
    /// Threads to use; the result is the same for any number [default: all cores]
    #[arg(long, value_name = "N", global = true)]
    pub threads: Option<NonZeroUsize>,
    /// Parts of learning to leave out, to measure what they are worth: compose,open,...
    #[arg(long, value_name = "PARTS", global = true, value_delimiter = ',', hide_short_help = true, value_parser = part)]
    pub without: Vec<Part>,
}

impl Args {
    /// Whether what is printed is for people; else it must not be changed in any way.
    pub fn is_for_people(&self) -> bool {
        match &self.command {
            None | Some(Command::Export(_) | Command::Experience(_)) => true,
            Some(Command::Predict(_)) => false,
            Some(Command::Train(Train { json, .. }) | Command::Eval(Eval { json, .. })) => !json,
            Some(Command::Explain(Explain { json, .. }) | Command::Inspect(Inspect { json, .. })) => !json,
            Some(Command::Bench(Bench { json, .. }) | Command::Doctor(Doctor { json, .. })) => !json,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  nsr train scan/length --out length.nsr
  nsr explain length.nsr 'jump around left twice'
  echo 'walk twice' | nsr predict length.nsr

Exit codes: 0 done, 1 no answer, 2 an error, said in one line.";

#[derive(Clone, clap::Args)]
pub struct DataArgs {
    /// Folder with the published files of built-in tasks; without it they are generated [default: $NSR_DATA]
    #[arg(long, value_name = "DIR", global = true)]
    pub data_dir: Option<PathBuf>,
    /// What counts as a token of an input [default: as the data look, with a model as its own]
    #[arg(long, value_enum, global = true)]
    pub tokens: Option<TokensArg>,
    /// What counts as a token of an output; answers come out as outputs were written [default: as the data look]
    #[arg(long, value_enum, global = true)]
    pub output_tokens: Option<TokensArg>,
    /// The input's column in .tsv or key in .jsonl
    #[arg(long, value_name = "COL", global = true)]
    pub input: Option<String>,
    /// The output's column in .tsv or key in .jsonl
    #[arg(long, value_name = "COL", global = true)]
    pub output: Option<String>,
    /// Inputs name pictures of this IDX file or folder of PNG and JPEG files, by number from 0 or by file name
    #[arg(long, value_name = "PATH", global = true)]
    pub images: Option<PathBuf>,
    /// The same for the test set [default: --images]
    #[arg(long, value_name = "PATH", global = true)]
    pub test_images: Option<PathBuf>,
    /// What the network for pictures runs on
    #[arg(long, value_enum, default_value = "cpu", global = true)]
    pub device: Device,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Device {
    /// The processor
    Cpu,
    /// An NVIDIA graphics card
    Cuda,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NetworkArg {
    /// A few hundred thousand weights
    Small,
    /// The paper's: eleven million weights
    Resnet18,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum TokensArg {
    /// What stands between blanks
    Words,
    /// Every character
    Chars,
    /// Runs of letters and digits, whole numbers, and every other character alone
    Pieces,
}

#[derive(Subcommand)]
pub enum Command {
    /// Learn from a task or file
    #[command(after_help = "\
Examples:
  nsr train scan/length --out length.nsr
  nsr train pairs.tsv --test more.tsv --out pairs.nsr --log pairs.jsonl
  nsr train sums.jsonl --tokens chars --json
  nsr train questions.tsv --output-tokens pieces --seconds 60
  nsr train --from pairs.nsr new-words.tsv --out more.nsr
  nsr train hint/image --out sums.nsr
  nsr train rows.jsonl --images train.idx.gz --test more.jsonl --test-images test.idx.gz

DATA is a built-in task (scan/simple, scan/length, scan/jump, scan/turn-left, scan/right,
scan/opposite-right, scan/around-right, scan/jump-around-right, hint, hint/image, pcfg/iid,
pcfg/systematicity, pcfg/productivity, pcfg/10k, ...; from a data folder also everyday/dates, ...)
or a file: .txt with `IN: … OUT: …` lines, .src with its .tgt beside it, .tsv, or .jsonl; each
may end in .gz.
Ctrl-C stops after the current step and saves what was learned; go on with --resume.")]
    Train(Train),
    /// Test a model on a task's test set or a file
    #[command(after_help = "Example:\n  nsr eval length.nsr scan/length --json")]
    Eval(Eval),
    /// Answer one input per line of standard input, one line each, in the same order
    #[command(after_help = "\
Example:
  printf 'walk twice\\njump left\\n' | nsr predict length.nsr

An input without an answer gives an empty line; how many there were is said at the end, on stderr. With --n-best 2 a line
is `RESULT<tab>0.7000<tab>RESULT<tab>0.3000`.")]
    Predict(Predict),
    /// Draw how an input is worked out: the tree with symbol, program and value at every node
    #[command(after_help = "Example:\n  nsr explain length.nsr 'jump around left twice' --svg tree.svg")]
    Explain(Explain),
    /// Write the weights of a model's network in the safetensors format, for other programs
    #[command(after_help = "Example:\n  nsr export sums.nsr sums.safetensors")]
    Export(Export),
    /// Show what a model has learned: programs, word classes, what is unsolved and why
    #[command(after_help = "Example:\n  nsr inspect length.nsr --similarity scan/length")]
    Inspect(Inspect),
    /// Look at data before learning: what there is, how it is cut into tokens, what looks wrong
    #[command(after_help = "Example:\n  nsr doctor pairs.tsv")]
    Doctor(Doctor),
    /// Learn and test benchmarks and print the paper's figures next to ours
    #[command(after_help = "\
Examples:
  nsr bench all --seeds 5
  nsr bench scan
  nsr bench hint/symbol
  nsr bench pcfg/iid pcfg/10k --seeds 1
  nsr bench scan/jump scan/right --json
  nsr bench everyday --data-dir path/to/data --seeds 1

all is every task with text as input in one table: SCAN's eight splits, HINT's symbols and PCFG SET's four sets.
hint is hint/symbol and hint/image. pcfg is its four sets (pcfg/iid, pcfg/systematicity, pcfg/productivity,
pcfg/10k), pcfg/substitutivity and pcfg/overgeneralisation; pcfg/localism and the accuracy by depth, length
and function come with pcfg/iid. everyday is the 18 tasks everyday/dates, everyday/home, ... of the data folder:
accuracy, coverage (the share answered), precision (the share right of those answered). Each figure is said on stderr as soon as it is known.")]
    Bench(Bench),
    /// Programs that earlier tasks needed, so that later ones find them sooner
    #[command(after_help = "\
Examples:
  nsr experience show
  nsr experience add sums.nsr --to mine.json
  nsr train more.tsv --experience mine.json")]
    Experience(ExperienceArgs),
}

#[derive(clap::Args)]
pub struct ExperienceArgs {
    #[command(subcommand)]
    pub command: ExperienceCommand,
}

#[derive(Subcommand)]
pub enum ExperienceCommand {
    /// List what is known
    Show {
        /// A file with experience [default: what is built in]
        file: Option<String>,
    },
    /// Take in what a model has learned
    Add {
        /// A model made by train
        model: PathBuf,
        /// The file to add it to; made if it is not there
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Learn the built-in experience anew, from small tasks and nothing else
    Learn {
        /// The file to write
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
}

/// A part of learning by its name.
fn part(name: &str) -> Result<Part, String> {
    let names = || Part::ALL.iter().map(|part| part.name()).collect::<Vec<_>>().join(", ");
    let part = Part::ALL.iter().find(|part| part.name() == name);
    part.copied().ok_or_else(|| format!("expected one of {}", names()))
}

/// A time that is some.
fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    number.filter(|time| !time.is_zero()).ok_or_else(|| "expected a number of seconds above 0".to_owned())
}

#[derive(clap::Args)]
pub struct Train {
    /// A built-in task or a file
    pub data: String,
    /// What to test on; a built-in task brings its own test set
    #[arg(long, value_name = "DATA")]
    pub test: Option<String>,
    /// Where to write the model; without it the model is not kept
    #[arg(long, value_name = "MODEL")]
    pub out: Option<PathBuf>,
    /// All randomness comes from this [default: 0, with --resume the model's]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Learn for about so long and keep what is known then; what that is depends on the machine
    #[arg(long, value_name = "N", value_parser = seconds)]
    pub seconds: Option<Duration>,
    /// Write progress as JSON lines
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Go on from the model at --out, if there is one
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// What earlier tasks have taught: a file made by `nsr experience`, built-in or none [default: built-in for files, none
    /// for built-in tasks]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["resume", "from"])]
    pub experience: Option<String>,
    /// Learn from N random examples only
    #[arg(long, value_name = "N")]
    pub take: Option<NonZeroUsize>,
    /// With pictures: steps of the network in its last round, others in proportion [default: 4000, with --resume the model's]
    #[arg(long, value_name = "N")]
    pub steps: Option<NonZeroUsize>,
    /// With pictures: the network that looks at them [default: small on the CPU, resnet18 on a graphics card]
    #[arg(long, value_enum)]
    pub network: Option<NetworkArg>,
    /// With pictures: first learn which look alike, even where rows of one picture tell what they show
    #[arg(long)]
    pub pretrain: bool,
    /// With pictures: how they are brought to one size, such as scale=40,crop=32: padded to a square of PAD times the
    /// longer side, scaled, the middle kept; what is left out is as by default
    /// [default: pad=1.333,scale=40,crop=32,ink=guess, with --resume the model's]
    #[arg(long, value_name = "pad=P,scale=N,crop=N,ink=guess|light|dark")]
    pub preprocess: Option<Preprocess>,
    /// Teach this model the symbols of DATA that it does not know; it keeps what it knows
    #[arg(long, value_name = "MODEL", conflicts_with = "resume")]
    pub from: Option<PathBuf>,
}

#[derive(clap::Args)]
pub struct Eval {
    /// A model made by train
    pub model: PathBuf,
    /// A built-in task or a file
    pub data: String,
    /// Also measure how far probabilities of answers can be trusted, and draw that to an SVG file
    #[arg(long, value_name = "FILE")]
    pub calibration: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct Predict {
    /// A model made by train
    pub model: PathBuf,
    /// Give up to N results of each input with their probabilities, the most probable first: result and probability in turn,
    /// with tabs between
    #[arg(long, value_name = "N")]
    pub n_best: Option<NonZeroUsize>,
    /// Do not answer where the most probable result is not this much more probable than the next, from 0 to 1
    #[arg(long, value_name = "P", value_parser = probability)]
    pub margin: Option<f64>,
}

/// A number from 0 to 1.
fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

#[derive(clap::Args)]
pub struct Explain {
    /// A model made by train
    pub model: PathBuf,
    /// The input
    #[arg(required = true, value_name = "INPUT")]
    pub words: Vec<String>,
    /// Draw the trees of up to N results with their probabilities, the most probable first; files get the first
    #[arg(long, value_name = "N")]
    pub n_best: Option<NonZeroUsize>,
    /// Also draw the tree to an SVG file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Also write the tree for Graphviz
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// Print one JSON object, with --n-best one a line
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct Export {
    /// A model made by train that reads pictures
    pub model: PathBuf,
    /// Where to write the weights
    pub weights: PathBuf,
}

#[derive(clap::Args)]
pub struct Inspect {
    /// A model made by train; with --theory a built-in task or a file
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// What constructions from a file (a line each: `walk _ = [WALK] ++ x`) and the examples of DATA cost together, in bits
    #[arg(long, value_name = "FILE", conflicts_with = "similarity")]
    pub theory: Option<PathBuf>,
    /// How often a word can take another's place without changing the tree, on the inputs of a task or file
    #[arg(long, value_name = "DATA")]
    pub similarity: Option<String>,
}

#[derive(clap::Args)]
pub struct Doctor {
    /// A built-in task or a file
    pub data: String,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct Bench {
    /// `all`, `scan`, `hint`, `pcfg`, `everyday`, or single tasks such as scan/length [default: all]
    pub names: Vec<String>,
    /// Learn with the seeds 0 to N-1
    #[arg(long, value_name = "N", default_value = "5")]
    pub seeds: NonZeroUsize,
    /// What earlier tasks have taught: a file made by `nsr experience`, or built-in [default: none]
    #[arg(long, value_name = "FILE", default_value = "none", hide_default_value = true)]
    pub experience: String,
    /// With pictures: the first of the seeds
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub first_seed: u64,
    /// With pictures: the network that looks at them [default: small on the CPU, resnet18 on a graphics card]
    #[arg(long, value_enum)]
    pub network: Option<NetworkArg>,
    /// With pictures: steps of the network in its last round, others in proportion [default: 4000]
    #[arg(long, value_name = "N")]
    pub steps: Option<NonZeroUsize>,
    /// With pictures: first learn which look alike, even where rows of one picture tell what they show
    #[arg(long)]
    pub pretrain: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
