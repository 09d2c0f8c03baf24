//! SCAN (Lake and Baroni 2018): commands such as `jump around left twice` and the actions they ask for.
//!
//! The published grammar yields 34 phrases, 102 with `twice` and `thrice`, and 102 + 2 × 102² = 20,910 commands.
//! Every split but `simple` is a rule over these commands, so it is rebuilt here line for line; only the order of
//! lines differs from the published files. `simple` is a random split in the published proportion.

use super::{Builder, Dataset, Origin, Split, Task, Tokens};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

/// Verbs with their actions.
const VERBS: [(&str, &str); 4] =
    [("walk", "I_WALK"), ("look", "I_LOOK"), ("run", "I_RUN"), ("jump", "I_JUMP")];
/// Directions with the action of turning there.
const DIRECTIONS: [(&str, &str); 2] = [("left", "I_TURN_LEFT"), ("right", "I_TURN_RIGHT")];
/// The longest output, in actions, that the length split trains on.
const LONGEST_TRAINED: usize = 22;
/// The share of commands that the simple split trains on, as the published files have it: 16,728 of 20,910.
const SIMPLE_TRAIN: (usize, usize) = (4, 5);

/// A command and the actions it asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Command {
    words: String,
    actions: Vec<&'static str>,
}

/// The ways to divide the commands into training and test set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A random fifth is tested, chosen by the seed.
    Simple,
    /// Long outputs are tested.
    Length,
    /// `jump` is trained alone, and tested in company.
    Jump,
    /// `turn left` is trained alone, and tested in company.
    TurnLeft,
    /// A verb before `right` is tested.
    Right,
    /// A verb before `opposite right` is tested.
    OppositeRight,
    /// A verb before `around right` is tested.
    AroundRight,
    /// `jump around right` is tested.
    JumpAroundRight,
}

/// Where a command goes, and how many times.
enum Place {
    Train(usize),
    Test,
    Nowhere,
}

/// A task whose generator is that of `$kind`; a macro because the generator must be a plain function.
macro_rules! task {
    ($name:literal, $about:literal, $file:literal, $kind:ident) => {
        Task {
            name: concat!("scan/", $name),
            about: $about,
            files: [concat!("scan/tasks_train_", $file, ".txt"), concat!("scan/tasks_test_", $file, ".txt")],
            rows: None,
            tokens: Tokens::Words,
            generate: Some(|part, seed| split(Kind::$kind, seed).part(part)),
        }
    };
}

/// SCAN's tasks.
pub(super) const TASKS: &[Task] = &[
    task!("simple", "SCAN, a random fifth of all commands held out", "simple", Simple),
    task!("length", "SCAN, trained on outputs of up to 22 actions, tested on 24 to 48", "length", Length),
    task!("jump", "SCAN, `jump` trained alone and tested in company", "addprim_jump", Jump),
    task!(
        "turn-left",
        "SCAN, `turn left` trained alone and tested in company",
        "addprim_turn_left",
        TurnLeft
    ),
    task!("right", "SCAN, a verb before `right` held out", "template_right", Right),
    task!(
        "opposite-right",
        "SCAN, a verb before `opposite right` held out",
        "template_opposite_right",
        OppositeRight
    ),
    task!(
        "around-right",
        "SCAN, a verb before `around right` held out",
        "template_around_right",
        AroundRight
    ),
    task!(
        "jump-around-right",
        "SCAN, `jump around right` held out",
        "template_jump_around_right",
        JumpAroundRight
    ),
];

/// All 20,910 commands with their actions, in the order of the grammar.
pub fn all() -> Dataset {
    let mut builder = Builder::default();
    for command in commands() {
        command.add_to(&mut builder);
    }
    builder.finish("scan", Origin::Generated)
}

/// Training and test set of `kind`. Only `Simple` depends on `seed`.
pub fn split(kind: Kind, seed: u64) -> Split {
    let commands = commands();
    let held_out = if kind == Kind::Simple { random_fifth(commands.len(), seed) } else { Vec::new() };
    let (mut train, mut test) = (Builder::default(), Builder::default());
    for (number, command) in commands.iter().enumerate() {
        let place = match held_out.get(number) {
            Some(true) => Place::Test,
            Some(false) => Place::Train(1),
            None => kind.place(command),
        };
        match place {
            Place::Train(times) => (0..times).for_each(|_| command.add_to(&mut train)),
            Place::Test => command.add_to(&mut test),
            Place::Nowhere => {}
        }
    }
    Split { train: train.finish("scan", Origin::Generated), test: test.finish("scan", Origin::Generated) }
}

/// For each of `count` commands whether it is tested.
fn random_fifth(count: usize, seed: u64) -> Vec<bool> {
    let train = count * SIMPLE_TRAIN.0 / SIMPLE_TRAIN.1;
    let mut held_out: Vec<bool> = (0..count).map(|number| number >= train).collect();
    held_out.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    held_out
}

impl Kind {
    /// Where `command` goes, by the published rules; `Simple` is decided by the seed instead.
    fn place(self, command: &Command) -> Place {
        match self {
            Kind::Simple => Place::Train(1),
            Kind::Length if command.actions.len() > LONGEST_TRAINED => Place::Test,
            Kind::Length => Place::Train(1),
            // The published files repeat the lone command until it makes a tenth of all lines.
            Kind::Jump => lone(command, "jump", 1467),
            Kind::TurnLeft => lone(command, "turn left", 2189),
            Kind::Right => template(command, &VERBS.map(|(verb, _)| verb), "right"),
            Kind::OppositeRight => template(command, &VERBS.map(|(verb, _)| verb), "opposite right"),
            Kind::AroundRight => template(command, &VERBS.map(|(verb, _)| verb), "around right"),
            Kind::JumpAroundRight => template(command, &["jump"], "around right"),
        }
    }
}

/// `phrase` alone is trained `times` times, and tested within longer commands.
fn lone(command: &Command, phrase: &str, times: usize) -> Place {
    match (command.words == phrase, command.contains(phrase)) {
        (true, _) => Place::Train(times),
        (false, true) => Place::Test,
        (false, false) => Place::Train(1),
    }
}

/// One of `verbs` before `modifier` is tested. The published files hold `turn` before it in neither set.
fn template(command: &Command, verbs: &[&str], modifier: &str) -> Place {
    let has = |verb: &str| command.contains(&format!("{verb} {modifier}"));
    match (has("turn"), verbs.iter().any(|verb| has(verb))) {
        (true, _) => Place::Nowhere,
        (false, true) => Place::Test,
        (false, false) => Place::Train(1),
    }
}

impl Command {
    fn new(words: impl Into<String>, actions: Vec<&'static str>) -> Command {
        Command { words: words.into(), actions }
    }

    fn add_to(&self, builder: &mut Builder) {
        builder.push(self.words.split(' '), self.actions.iter().copied(), None);
    }

    /// Whether `phrase` occurs as whole words.
    fn contains(&self, phrase: &str) -> bool {
        let whole = |edge: Option<u8>| edge.is_none_or(|byte| byte == b' ');
        let bytes = self.words.as_bytes();
        self.words.match_indices(phrase).any(|(start, found)| {
            let before = start.checked_sub(1).map(|place| bytes[place]);
            whole(before) && whole(bytes.get(start + found.len()).copied())
        })
    }
}

/// C → S | S and S | S after S
fn commands() -> Vec<Command> {
    let sentences = sentences();
    let mut commands = sentences.clone();
    for first in &sentences {
        for second in &sentences {
            let in_order = [&first.actions[..], &second.actions].concat();
            let reversed = [&second.actions[..], &first.actions].concat();
            commands.push(Command::new(format!("{} and {}", first.words, second.words), in_order));
            commands.push(Command::new(format!("{} after {}", first.words, second.words), reversed));
        }
    }
    commands
}

/// S → V | V twice | V thrice
fn sentences() -> Vec<Command> {
    let repeat = |phrase: Command| {
        let twice = Command::new(format!("{} twice", phrase.words), phrase.actions.repeat(2));
        let thrice = Command::new(format!("{} thrice", phrase.words), phrase.actions.repeat(3));
        [phrase, twice, thrice]
    };
    phrases().into_iter().flat_map(repeat).collect()
}

/// V → U | D | U opposite X | U around X, where U is a verb or `turn`, X a direction, and D is U X
fn phrases() -> Vec<Command> {
    let verbs = VERBS.map(|(verb, action)| Command::new(verb, vec![action]));
    // `turn` does nothing by itself, and is a command only with a direction.
    let movers = [&verbs[..], &[Command::new("turn", Vec::new())]].concat();
    let directed = movers.iter().flat_map(|mover| DIRECTIONS.map(|direction| turned(mover, direction)));
    verbs.iter().cloned().chain(directed.flatten()).collect()
}

/// `mover` to one side, opposite and around.
fn turned(mover: &Command, (direction, turn): (&str, &'static str)) -> [Command; 3] {
    let phrase = |link: &str, actions| Command::new(format!("{}{link} {direction}", mover.words), actions);
    let once = [&[turn], &mover.actions[..]].concat();
    let opposite = [&[turn], &once[..]].concat();
    let around = once.repeat(4);
    [phrase("", once), phrase(" opposite", opposite), phrase(" around", around)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &str, actions: &str) {
        let command = commands().into_iter().find(|command| command.words == words).unwrap();
        assert_eq!(command.actions.join(" ").replace("I_", ""), actions);
    }

    #[test]
    fn examples_of_the_paper() {
        check("jump", "JUMP");
        check("jump left", "TURN_LEFT JUMP");
        check("jump around right", &["TURN_RIGHT JUMP"; 4].join(" "));
        check("turn left twice", "TURN_LEFT TURN_LEFT");
        check("jump thrice", "JUMP JUMP JUMP");
        check("jump opposite left and walk thrice", "TURN_LEFT TURN_LEFT JUMP WALK WALK WALK");
        check("jump opposite left after walk", "WALK TURN_LEFT TURN_LEFT JUMP");
        check("turn around left", &["TURN_LEFT"; 4].join(" "));
    }

    #[test]
    fn counts_are_the_published_ones() {
        assert_eq!((phrases().len(), sentences().len()), (34, 102));
        let all = all();
        assert_eq!((all.len(), all.inputs.len(), all.outputs.len()), (20_910, 13, 6));
        for (kind, train, test) in [
            (Kind::Simple, 16_728, 4_182),
            (Kind::Length, 16_990, 3_920),
            (Kind::Jump, 14_670, 7_706),
            (Kind::TurnLeft, 21_890, 1_208),
            (Kind::Right, 15_225, 4_476),
            (Kind::OppositeRight, 15_225, 4_476),
            (Kind::AroundRight, 15_225, 4_476),
            (Kind::JumpAroundRight, 18_528, 1_173),
        ] {
            let split = split(kind, 0);
            assert_eq!((split.train.len(), split.test.len()), (train, test), "{kind:?}");
        }
    }

    #[test]
    fn only_the_simple_split_depends_on_the_seed() {
        assert_eq!(split(Kind::Simple, 1), split(Kind::Simple, 1));
        assert_ne!(split(Kind::Simple, 1), split(Kind::Simple, 2));
        assert_eq!(split(Kind::Length, 1), split(Kind::Length, 2));
    }

    #[test]
    fn phrases_are_whole_words() {
        let command = Command::new("turn opposite left and jump right", Vec::new());
        assert!(command.contains("jump") && command.contains("jump right") && command.contains("turn"));
        assert!(
            !command.contains("turn left") && !command.contains("ump right") && !command.contains("jump r")
        );
    }
}
