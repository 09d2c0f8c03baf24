//! Words that stand alone: what they say then is what they bring to facts, in a frame that others share.
//!
//! Where `cake` alone says `LAMBDA a . cake ( a )`, and brings `cake` to facts, as other words do, `shark` brings `shark`, though it was never seen
//! in a sentence. A word alone is then recoded as what it brings; which frame it has is remembered.

use super::layout::Layout;
use crate::learn::evidence::Example;
use crate::symbol::{Token, Word};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What stands around the token that a word brings: `None` is that token.
type Frame = Vec<Option<Token>>;

/// Frames, and which of them words have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Alone {
    frames: Vec<Frame>,
    of: BTreeMap<Word, u32>,
}

impl Alone {
    /// The frames that words of examples share whose heads are known.
    pub(super) fn found(examples: &[Example], layout: &Layout, heads: &BTreeMap<Word, Vec<Token>>) -> Alone {
        let alone: Vec<(Word, &[Token])> = examples
            .iter()
            .filter(|example| layout.read(&example.output, example.input.len()).is_none())
            .filter_map(|example| match *example.input {
                [word] => Some((word, &*example.output)),
                _ => None,
            })
            .collect();
        let mut sharing: BTreeMap<Frame, BTreeSet<Word>> = BTreeMap::new();
        for (word, output) in &alone {
            for head in heads.get(word).into_iter().flatten().filter(|head| output.contains(head)) {
                sharing.entry(frame(output, *head)).or_default().insert(*word);
            }
        }
        let is_believed = |(frame, words): &(Frame, BTreeSet<Word>)| frame.len() > 1 && words.len() >= 2;
        let frames: Vec<Frame> = sharing.into_iter().filter(is_believed).map(|(frame, _)| frame).collect();
        let number = |output: &[Token]| frames.iter().position(|frame| filler(frame, output).is_some());
        let of = alone.iter().filter_map(|(word, output)| Some((*word, number(output)? as u32))).collect();
        Alone { frames, of }
    }

    pub(super) fn is_sound(
        &self,
        is_word: impl Fn(&Word) -> bool,
        is_token: impl Fn(&Token) -> bool,
    ) -> bool {
        self.frames.iter().flatten().flatten().all(is_token)
            && self.of.iter().all(|(word, frame)| is_word(word) && (*frame as usize) < self.frames.len())
    }

    /// The words that have a frame.
    pub(super) fn words(&self) -> usize {
        self.of.len()
    }

    /// What words bring that have a frame which most words with these heads have.
    pub(super) fn kin(&self, heads: &BTreeMap<Word, Vec<Token>>, these: &BTreeSet<Token>) -> Vec<Token> {
        let mut votes = vec![0i32; self.frames.len()];
        let brought = |word: &Word| heads.get(word).into_iter().flatten().copied();
        for (word, frame) in &self.of {
            let is_one = brought(word).any(|head| these.contains(&head));
            votes[*frame as usize] += if is_one { 1 } else { -1 };
        }
        let frames = self.of.iter().filter(|(_, frame)| votes[**frame as usize] > 0);
        frames.flat_map(|(word, _)| brought(word)).collect()
    }

    fn frame(&self, input: &[Word]) -> Option<&Frame> {
        match input {
            [word] => self.frames.get(*self.of.get(word)? as usize),
            _ => None,
        }
    }

    /// What a word brings that alone says this output.
    pub(super) fn said_alone(&self, input: &[Word], output: &[Token]) -> Option<Token> {
        filler(self.frame(input)?, output)
    }

    /// The output of a word that alone brings this token.
    pub(super) fn framed(&self, input: &[Word], token: Token) -> Option<Vec<Token>> {
        Some(self.frame(input)?.iter().map(|piece| piece.unwrap_or(token)).collect())
    }
}

fn frame(output: &[Token], head: Token) -> Frame {
    output.iter().map(|token| (*token != head).then_some(*token)).collect()
}

/// The token that makes a frame this output.
fn filler(frame: &Frame, output: &[Token]) -> Option<Token> {
    let token = output.get(frame.iter().position(Option::is_none)?)?;
    (self::frame(output, *token) == *frame).then_some(*token)
}
