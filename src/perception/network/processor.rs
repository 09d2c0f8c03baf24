//! What a network runs on: the same work, by the CPU or by a graphics card.

#[cfg(feature = "cuda")]
use super::cuda::{Card, Precision};
use super::{Network, Schedule, Taught};
use crate::error::Result;
use crate::stop::Stop;
use rand::Rng;

/// Where networks learn and look. Weights are in the computer's memory before and after in any case, so that a network
/// that learned on one can look on the other.
#[derive(Default)]
pub enum Processor {
    /// The CPU, with all threads. Nothing can fail.
    #[default]
    Cpu,
    /// A graphics card.
    #[cfg(feature = "cuda")]
    Cuda(Box<Card>),
}

impl Processor {
    /// The first graphics card of the machine, with 16 bits for numbers between layers.
    #[cfg(feature = "cuda")]
    pub fn cuda() -> Result<Processor> {
        Ok(Processor::Cuda(Box::new(Card::open(Precision::Half)?)))
    }

    /// This build has no graphics cards.
    #[cfg(not(feature = "cuda"))]
    pub fn cuda() -> Result<Processor> {
        Err(crate::error::Error::Device {
            expected: "nsr built with the feature cuda".to_owned(),
            found: "one without".to_owned(),
        })
    }

    /// Whether it is the CPU.
    pub fn is_cpu(&self) -> bool {
        matches!(self, Processor::Cpu)
    }

    /// As [`Network::learn`].
    pub fn learn<T: Taught>(
        &self,
        network: &mut Network,
        pixels: &[u8],
        lessons: &[T],
        schedule: &Schedule,
        rng: &mut impl Rng,
        watch: impl FnMut(usize, f32) -> bool,
    ) -> Result<()> {
        match self {
            Processor::Cpu => {
                network.learn(pixels, lessons, schedule, rng, watch);
                Ok(())
            }
            #[cfg(feature = "cuda")]
            Processor::Cuda(card) => card.learn(network, pixels, lessons, schedule, rng, watch),
        }
    }

    /// As [`Network::predict`].
    pub fn predict(&self, network: &Network, pixels: &[u8]) -> Result<Vec<f32>> {
        self.predict_until(network, pixels, Stop::never())
    }

    /// As [`Network::predict_until`]; a graphics card is so fast that it need not ask.
    pub(crate) fn predict_until(&self, network: &Network, pixels: &[u8], stop: Stop<'_>) -> Result<Vec<f32>> {
        match self {
            Processor::Cpu => Ok(network.predict_until(pixels, stop)),
            #[cfg(feature = "cuda")]
            Processor::Cuda(card) => card.predict(network, pixels),
        }
    }

    /// As [`Network::features_until`].
    pub(crate) fn features_until(
        &self,
        network: &Network,
        pixels: &[u8],
        stop: Stop<'_>,
    ) -> Result<Vec<f32>> {
        match self {
            Processor::Cpu => Ok(network.features_until(pixels, stop)),
            #[cfg(feature = "cuda")]
            Processor::Cuda(card) => card.features(network, pixels),
        }
    }
}
