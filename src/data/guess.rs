//! How a file wants to be cut, where nobody has said it.
//!
//! Texts stay words unless they show that they are not meant so. *Pieces*: signs of structure are glued to words
//! (`f(x)`, `a,b`, `12:30`, a full stop) more often than they stand apart, in at least one text of twenty. *Characters*:
//! every text is one word, hardly two are the same, and few letters make them up; where that holds of both sides, only if they are forms of the same words.
//! Inputs that are numbers are read digit by digit where outputs have no digits: what is said of a number is said of its digits.

use super::cut::{Cut, Tokens, is_digits, is_letter};
use super::{Dataset, Example};
use crate::symbol::{Symbol, Vocabulary};
use std::collections::BTreeSet;

/// Signs that do not belong to a word, wherever in it they stand.
const STRUCTURE: &str = "{}[]()<>\"=,;:|/\\+*&«»“”„，。、：；（）";
/// Signs that end a sentence.
const ENDS: &str = ".!?…？！";
/// One text in so many has a sign glued to a word, at least.
const SOME: usize = 20;
/// Fewer texts of one word do not show that they are to be read letter by letter.
const MANY: usize = 20;
/// They have so many letters on average, at least.
const LETTERS: usize = 3;

/// How `data`, which was read as words, is best cut.
pub(super) fn guess(data: &Dataset) -> Cut {
    let inputs = Side::of(data, &data.inputs, |example| &example.input);
    let outputs = Side::of(data, &data.outputs, |example| &example.output);
    let copies = data.outputs.names().iter().filter(|name| data.inputs.get(name).is_some()).count();
    let is_copied = 2 * copies >= data.outputs.len();
    // Where both sides are single words, such as countries and their capitals, letters tell nothing, unless they are forms of the same words.
    let are_forms = inputs.is_spelled() && outputs.is_spelled() && are_forms(data);
    let spelled = |side: &Side, other: &Side| side.is_spelled() && !other.is_spelled() || are_forms;
    let are_told = inputs.all_numbers && inputs.is_of_few_letters() && outputs.digits == 0;
    Cut {
        inputs: inputs.guess(spelled(&inputs, &outputs) || are_told),
        outputs: outputs
            .guess(are_forms || spelled(&outputs, &inputs) && !is_copied && inputs.words >= 2 * inputs.texts),
    }
}

/// Whether inputs and outputs, all single words, begin or end alike: most of their letters, on average.
fn are_forms(data: &Dataset) -> bool {
    let mut alike = 0;
    let mut letters = 0;
    for example in &data.examples {
        let name =
            |part: &[Symbol], names: &Vocabulary| part.first().map(|&word| names.name(word).to_owned());
        let (Some(input), Some(output)) =
            (name(&example.input, &data.inputs), name(&example.output, &data.outputs))
        else {
            return false;
        };
        let (a, b): (Vec<char>, Vec<char>) = (input.chars().collect(), output.chars().collect());
        let first = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
        let last = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
        alike += 2 * first.max(last);
        letters += a.len() + b.len();
    }
    2 * alike > letters
}

/// What the inputs, or the outputs, of a data set look like.
#[derive(Default)]
struct Side {
    texts: usize,
    words: usize,
    /// How many texts have a sign glued to a word.
    with_glue: usize,
    /// Signs glued to words, and words of signs alone.
    glued: usize,
    apart: usize,
    /// Whether every text is one word of letters, or one number without a point.
    all_single: bool,
    all_numbers: bool,
    distinct: usize,
    letters: usize,
    distinct_letters: usize,
    /// How many of the letters are digits.
    digits: usize,
}

impl Side {
    fn of(data: &Dataset, names: &Vocabulary, part: impl Fn(&Example) -> &[Symbol]) -> Side {
        let looks: Vec<Look> = names.names().iter().map(|name| Look::of(name)).collect();
        let mut side = Side { all_single: true, all_numbers: true, distinct: names.len(), ..Side::default() };
        for example in &data.examples {
            let looks = || part(example).iter().map(|word| &looks[word.index()]);
            let glued: usize = looks().map(|look| look.glued).sum();
            side.texts += 1;
            side.words += looks().count();
            side.with_glue += usize::from(glued > 0);
            side.glued += glued;
            side.apart += looks().filter(|look| look.is_apart).count();
            side.all_single &= looks().count() == 1 && looks().all(|look| look.is_of_letters);
            side.all_numbers &= looks().count() == 1 && looks().all(|look| look.is_of_digits);
        }
        let letters = || names.names().iter().flat_map(|name| name.chars());
        side.letters = letters().count();
        side.distinct_letters = letters().collect::<BTreeSet<_>>().len();
        side.digits = letters().filter(char::is_ascii_digit).count();
        side
    }

    fn guess(&self, is_spelled: bool) -> Tokens {
        if self.glued > self.apart && self.with_glue * SOME >= self.texts {
            return Tokens::Pieces;
        }
        if is_spelled { Tokens::Chars } else { Tokens::Words }
    }

    /// Whether every text is a word of its own, spelled with few letters.
    fn is_spelled(&self) -> bool {
        self.all_single && self.is_of_few_letters() && self.letters >= LETTERS * self.distinct
    }

    /// Whether hardly two texts are the same, and few letters make them up.
    fn is_of_few_letters(&self) -> bool {
        self.distinct >= MANY
            && 10 * self.distinct >= 9 * self.texts
            && 2 * self.distinct_letters <= self.distinct
    }
}

/// What a word looks like.
struct Look {
    glued: usize,
    is_apart: bool,
    is_of_letters: bool,
    is_of_digits: bool,
}

impl Look {
    fn of(word: &str) -> Look {
        let has_letters = word.chars().any(is_letter);
        let is_glued = has_letters && !is_number(word) && !is_tag(word);
        Look {
            glued: if is_glued { glued(word) } else { 0 },
            is_apart: !has_letters,
            is_of_letters: word.chars().all(char::is_alphabetic),
            is_of_digits: is_digits(word),
        }
    }
}

/// A name that stands for something: `<NUM>`.
fn is_tag(word: &str) -> bool {
    let name = word.strip_prefix('<').and_then(|word| word.strip_suffix('>'));
    name.is_some_and(|name| name.chars().all(|letter| is_letter(letter) || "_-".contains(letter)))
}

/// How many signs of structure a word has that is not of signs alone.
fn glued(word: &str) -> usize {
    let signs = word.chars().filter(|&sign| STRUCTURE.contains(sign)).count();
    let ends = usize::from(word.ends_with(|last: char| ENDS.contains(last)));
    let quotes = if word.starts_with('\'') { word.matches('\'').count() } else { 0 };
    signs + ends + quotes + date_signs(word)
}

/// Points and hyphens between digits: `2020-01-31`.
fn date_signs(word: &str) -> usize {
    let parts: Vec<&str> = word.split(['-', '.']).collect();
    if parts.iter().all(|part| is_digits(part)) { parts.len() - 1 } else { 0 }
}

/// A number as people write it: `-3`, `3.5`, `1,200`, `50%`.
fn is_number(word: &str) -> bool {
    let word = word.strip_prefix(['+', '-']).unwrap_or(word);
    let word = word.strip_suffix('%').unwrap_or(word);
    let (whole, decimals) = word.split_once('.').unwrap_or((word, "0"));
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or("");
    let is_first = is_digits(first) && (first.len() <= 3 || first.len() == whole.len());
    is_first && groups.all(|group| group.len() == 3 && is_digits(group)) && is_digits(decimals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pairs: &[(&str, &str)], inputs: Tokens, outputs: Tokens) {
        assert_eq!(guess(&Dataset::from_pairs("few", pairs)), Cut { inputs, outputs }, "{pairs:?}");
    }

    #[test]
    fn glued_signs_make_pieces() {
        let (words, pieces) = (Tokens::Words, Tokens::Pieces);
        check(&[("the hall", "{\"room\":\"hall\"}")], words, pieces);
        check(&[("which state", "answer(state(usa))")], words, pieces);
        check(&[("a and b", "SELECT a,b"), ("a", "SELECT a")], words, pieces);
        check(&[("half past twelve", "12:30")], words, pieces);
        check(&[("31 january 2020", "2020-01-31")], words, pieces);
        check(&[("Where is Rome?", "Rome")], pieces, words);
        check(&[("rome", "city = 'rome' AND x")], words, pieces);
    }

    #[test]
    fn what_stands_apart_stays_words() {
        let words = Tokens::Words;
        check(&[("walk left", "I_WALK I_TURN_LEFT")], words, words);
        check(&[("- 3 + 1,200", "-3"), ("50%", "1,200"), ("1.5", "-2.75")], words, words);
        check(&[("f ( x )", "LIKES ( x , y ) & z=1")], words, words);
        check(&[("don't peut-être <NUM>", "l' ami => -> :-")], words, words);
        let mut many = vec![("a", "b"); 40];
        many.push(("a", "f(b)"));
        check(&many, words, words);
    }

    #[test]
    fn words_that_never_come_again_are_spelled() {
        let texts: Vec<String> = (0..32u8)
            .map(|number| (0..5).map(|bit| if number >> bit & 1 == 1 { 'a' } else { 'b' }).collect())
            .collect();
        let pairs = |of: fn(&str) -> (String, String)| {
            let pairs: Vec<(String, String)> = texts.iter().map(|text| of(text)).collect();
            guess(&Dataset::from_pairs("spelled", &pairs))
        };
        let (words, chars) = (Tokens::Words, Tokens::Chars);
        let outputs = pairs(|text| (format!("say {}", &text[1..].to_uppercase()), text.to_owned()));
        assert_eq!(outputs, Cut { inputs: words, outputs: chars });
        let inputs = pairs(|text| (text.to_owned(), text.matches('a').count().to_string()));
        assert_eq!(inputs, Cut { inputs: chars, outputs: words });
        let both = pairs(|text| (text.to_owned(), text.to_uppercase()));
        assert_eq!(both, Cut { inputs: words, outputs: words });
        let forms = pairs(|text| (text.to_owned(), format!("{text}s")));
        assert_eq!(forms, Cut { inputs: chars, outputs: chars });
        fn digits(text: &str) -> String {
            text.replace('a', "1").replace('b', "2")
        }
        let told = pairs(|text| (digits(text), text.replace('a', "one ").replace('b', "two ")));
        assert_eq!(told, Cut { inputs: chars, outputs: words });
        let turned = pairs(|text| (digits(text), digits(&text.chars().rev().collect::<String>())));
        assert_eq!(turned, Cut { inputs: words, outputs: words });
        let copied = pairs(|text| (format!("say {text}"), text.to_owned()));
        assert_eq!(copied, Cut { inputs: words, outputs: words });
    }
}
