//! A network in the safetensors format, for other programs.
//!
//! Eight bytes with the length of a header, the header as JSON, then all numbers, 32 bits each, little end first. The
//! header names each tensor with its shape and its place, and has texts under `__metadata__`.

use super::{Network, Tensor};
use serde_json::{Map, Value, json};

/// Numbers begin at a multiple of this.
const ALIGNED: usize = 8;

impl Network {
    /// All tensors as a safetensors file, with `texts` about them.
    pub fn safetensors(&self, texts: &[(&str, String)]) -> Vec<u8> {
        let tensors = self.tensors();
        let mut header = header(&tensors, texts).to_string().into_bytes();
        header.resize(header.len().next_multiple_of(ALIGNED), b' ');
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header);
        file.extend(tensors.iter().flat_map(|tensor| tensor.values).flat_map(|value| value.to_le_bytes()));
        file
    }
}

fn header(tensors: &[Tensor<'_>], texts: &[(&str, String)]) -> Value {
    let texts: Map<String, Value> =
        texts.iter().map(|(name, text)| (name.to_string(), json!(text))).collect();
    let mut header = Map::from_iter([("__metadata__".to_owned(), Value::Object(texts))]);
    let mut start = 0;
    for Tensor { name, shape, values } in tensors {
        let end = start + 4 * values.len();
        header.insert(name.clone(), json!({ "dtype": "F32", "shape": shape, "data_offsets": [start, end] }));
        start = end;
    }
    Value::Object(header)
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn every_number_is_in_its_place() {
        let network = Network::new(Config::small(32), 5, &mut ChaCha8Rng::seed_from_u64(0));
        let file = network.safetensors(&[("symbols", "a b".to_owned())]);
        let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
        let header: Value = serde_json::from_slice(&file[8..8 + length]).unwrap();
        assert_eq!(header["__metadata__"]["symbols"], "a b");
        let numbers = &file[8 + length..];
        for Tensor { name, shape, values } in network.tensors() {
            let [start, end] =
                [0, 1].map(|end| header[&name]["data_offsets"][end].as_u64().unwrap() as usize);
            let found =
                numbers[start..end].chunks(4).map(|four| f32::from_le_bytes(four.try_into().unwrap()));
            assert!(found.eq(values.iter().copied()), "{name}");
            assert_eq!(shape.iter().product::<usize>(), values.len(), "{name}");
            assert_eq!(header[&name]["shape"], json!(shape));
        }
        assert_eq!(
            numbers.len(),
            4 * network.tensors().iter().map(|tensor| tensor.values.len()).sum::<usize>()
        );
    }
}
