//! `.jsonl`: an object a line, `{"input": "walk twice", "output": "WALK WALK"}`.
//!
//! A value is a string, cut into tokens, or an array whose elements are tokens as they stand. An output, and an
//! element of an array, may also be a number. Key `eval` names the example's subset; other keys are ignored.

use super::super::cut::tokenize;
use super::{Builder, Lines, ReadOptions, SUBSET, check_room, quoted};
use crate::error::Result;
use serde_json::{Map, Number, Value};
use std::{borrow::Cow, path::Path};

type Object = Map<String, Value>;

/// Reads the file at `path` into `builder`.
pub(super) fn read(path: &Path, options: &ReadOptions, builder: &mut Builder) -> Result<()> {
    let input = options.input_column.as_deref().unwrap_or("input");
    let output = options.output_column.as_deref().unwrap_or("output");
    let mut lines = Lines::open(path, "a file of JSON objects")?;
    while lines.next_filled("a JSON object")? {
        let object = parse(&lines)?;
        let cut = builder.cut;
        let inputs = tokens(&lines, &object, input, |text| tokenize(text, cut.inputs).collect())?;
        if inputs.is_empty() || object[input].is_number() {
            return Err(lines.error("an input of at least one token", describe(object.get(input))));
        }
        let mut blanks = Box::default();
        let outputs = tokens(&lines, &object, output, |text| {
            let (tokens, gaps) = builder.cut_output(text);
            blanks = gaps;
            tokens
        })?;
        let subset = subset(&lines, &object)?;
        check_room(builder, &lines, subset)?;
        builder.push(inputs.iter().map(Cow::as_ref), outputs.iter().map(Cow::as_ref), subset);
        builder.blanks(blanks);
        builder.arrays |= object[input].is_array() || object[output].is_array();
    }
    Ok(())
}

fn parse(lines: &Lines) -> Result<Object> {
    serde_json::from_str(lines.line()).map_err(|error| {
        // The parser counts lines within the text it was given, which is always one.
        let why = error.to_string().replace(" at line 1 column ", " at column ");
        lines.error("a JSON object", format!("{} ({why})", quoted(lines.line())))
    })
}

/// The tokens under `key`; a string is cut by `cut`.
fn tokens<'a>(
    lines: &Lines,
    object: &'a Object,
    key: &str,
    cut: impl FnOnce(&'a str) -> Vec<&'a str>,
) -> Result<Vec<Cow<'a, str>>> {
    let value = object.get(key);
    let found = match value {
        Some(Value::String(text)) => Some(cut(text).into_iter().map(Cow::Borrowed).collect()),
        Some(Value::Array(elements)) => elements.iter().map(token).collect(),
        Some(single) => token(single).map(|token| vec![token]),
        None => None,
    };
    found.ok_or_else(|| {
        let expected = format!("key {} with a string, an array of strings or an exact number", quoted(key));
        lines.error(expected, describe(value))
    })
}

/// A string or number that is a token by itself.
fn token(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        // Answers are lines: a token must not end one.
        Value::String(text) if !text.is_empty() && !text.contains(['\n', '\r']) => Some(Cow::Borrowed(text)),
        Value::Number(number) => exact(number).map(Cow::Owned),
        _ => None,
    }
}

/// The text of `number`, unless the parser may have rounded it: beyond 64 bits a number must come as a string.
fn exact(number: &Number) -> Option<String> {
    const EXACT_FLOAT: f64 = (1u64 << 53) as f64;
    let is_exact = !number.is_f64() || number.as_f64().is_some_and(|value| value.abs() < EXACT_FLOAT);
    is_exact.then(|| number.to_string())
}

fn subset<'a>(lines: &Lines, object: &'a Object) -> Result<Option<&'a str>> {
    match object.get(SUBSET) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) => Ok(Some(name).filter(|name| !name.is_empty()).map(String::as_str)),
        other => Err(lines.error(format!("key `{SUBSET}` with a string"), describe(other))),
    }
}

fn describe(value: Option<&Value>) -> String {
    value.map_or("no such key".to_owned(), |value| quoted(&value.to_string()))
}
