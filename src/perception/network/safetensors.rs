//! A network in the safetensors format, for other programs: tensors by name, in PyTorch's order of sizes.

use super::{Network, Tensor};
use safetensors::tensor::{Dtype, View, serialize};
use std::borrow::Cow;
use std::collections::HashMap;

impl Network {
    /// All tensors as a safetensors file, with `texts` about them.
    pub fn safetensors(&self, texts: &[(&str, String)]) -> Vec<u8> {
        let texts: HashMap<String, String> =
            texts.iter().map(|(name, text)| ((*name).to_owned(), text.clone())).collect();
        let tensors = self.tensors();
        let named = tensors.iter().map(|tensor| (tensor.name.as_str(), tensor));
        serialize(named, Some(texts)).expect("names differ and sizes fit")
    }
}

impl View for &Tensor<'_> {
    fn dtype(&self) -> Dtype {
        Dtype::F32
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        self.values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>().into()
    }

    fn data_len(&self) -> usize {
        4 * self.values.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use safetensors::SafeTensors;

    #[test]
    fn every_number_is_in_its_place() {
        let network = Network::new(Config::small(32), 5, &mut ChaCha8Rng::seed_from_u64(0));
        let file = network.safetensors(&[("symbols", "a b".to_owned())]);
        let (_, header) = SafeTensors::read_metadata(&file).unwrap();
        assert_eq!(header.metadata().as_ref().unwrap()["symbols"], "a b");
        let read = SafeTensors::deserialize(&file).unwrap();
        assert_eq!(read.len(), network.tensors().len());
        for Tensor { name, shape, values } in network.tensors() {
            let found = read.tensor(&name).unwrap();
            assert_eq!(found.shape(), shape, "{name}");
            let numbers = found.data().chunks(4).map(|four| f32::from_le_bytes(four.try_into().unwrap()));
            assert!(numbers.eq(values.iter().copied()), "{name}");
        }
    }

    /// The first layer by its definition, from weights as PyTorch has them: rows and columns around a place times the kernel.
    #[test]
    fn convolutions_are_in_the_order_of_other_programs() {
        let network = Network::new(Config::small(8), 2, &mut ChaCha8Rng::seed_from_u64(1));
        let tensors = network.tensors();
        let stem = tensors.iter().find(|tensor| tensor.name == "stem.weight").unwrap();
        assert_eq!(stem.shape, [16, 1, 3, 3]);
        // Ours lie by row, column, input and output.
        let ours = &network.stem.weights.value;
        for (output, row, column) in [(0, 0, 0), (3, 2, 1), (15, 1, 2)] {
            assert_eq!(stem.values[(output * 3 + row) * 3 + column], ours[(row * 3 + column) * 16 + output]);
        }
        let second = tensors.iter().find(|tensor| tensor.name == "blocks.1.first.weight").unwrap();
        assert_eq!(second.shape, [32, 16, 3, 3]);
        let output = tensors.iter().find(|tensor| tensor.name == "output.weight").unwrap();
        assert_eq!(output.shape, [2, 64]);
        assert_eq!(output.values[64 + 5], network.output.weights.value[5 * 2 + 1]);
    }
}
