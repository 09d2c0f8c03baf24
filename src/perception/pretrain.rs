//! Groups of pictures by their looks alone, as the paper pre-trains its perception (Van Gansbeke et al. 2020, "SCAN:
//! learning to classify images without labels"): features by contrast, groups by nearness, then labels of a network's
//! own.
//!
//! In: pictures as often as they are seen. Out: a group for each, far more groups than there can be symbols, and how
//! sure that is. Which groups are one symbol cannot be told from looks; what stands around them tells that. Features are
//! those of the network that is to read afterwards, which begins with what it learned here.

use super::network::{Augment, Lesson, Network, Processor, Schedule};
use super::{cluster, nearest};
use crate::error::Result;
use crate::stop::Stop;
use rand::{Rng, RngExt};

/// So many neighbours are taken for pictures of the same symbol.
const PARTNERS: usize = 5;
/// So many neighbours tell how sure a picture's group is.
const WITNESSES: usize = 20;
/// A picture is sure to be of its group if this share of its neighbours is.
const SURE: f64 = 0.5;

/// The side of the square that is wiped away, as a share of the picture's. More, or stronger turns, was worse.
const ERASE: f32 = 0.1;

/// Teaches `network` which of the pictures in `seen` look alike, each as important as it is there often. `watch` is told
/// each step and its loss; by `false` it ends learning.
pub fn learn_looks(
    (pixels, processor): (&[u8], &Processor),
    network: &mut Network,
    seen: &[u32],
    steps: usize,
    rng: &mut impl Rng,
    watch: impl FnMut(usize, f32) -> bool,
) -> Result<()> {
    let config = network.config().clone();
    *network = network.clone().with_symbols(config.features(), rng);
    let augment = Augment { erase: ERASE, ..Augment::default() };
    let schedule = Schedule { augment, ..Schedule::of(&config, steps) };
    let near = Near::by_ink(pixels, config.side, distinct(seen));
    let pairs: Vec<(u32, u32)> = seen.iter().map(|&picture| (picture, near.any(picture, rng))).collect();
    processor.learn(network, pixels, &pairs, &schedule, rng, watch)
}

/// Pictures grouped by their looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    /// The group of each picture; `None` for those not seen.
    pub of: Vec<Option<u16>>,
    near: Near,
}

impl Groups {
    /// Puts the pictures in `seen` into so many groups by the features of `network`, each as important as it is there
    /// often.
    pub fn make(
        (pixels, processor): (&[u8], &Processor),
        network: &Network,
        seen: &[u32],
        groups: usize,
        rng: &mut impl Rng,
    ) -> Result<Groups> {
        Groups::make_until((pixels, processor), network, (seen, groups), rng, Stop::never())
    }

    /// The same; after a stop groups mean nothing.
    pub(crate) fn make_until(
        (pixels, processor): (&[u8], &Processor),
        network: &Network,
        (seen, groups): (&[u32], usize),
        rng: &mut impl Rng,
        stop: Stop<'_>,
    ) -> Result<Groups> {
        let side = network.config().side;
        let near = Near::by_features((pixels, processor), network, distinct(seen), stop)?;
        let points: Vec<f32> = seen.iter().flat_map(|&picture| near.looks(picture)).copied().collect();
        let mut of = vec![None; pixels.len() / (side * side)];
        for (&picture, group) in seen.iter().zip(cluster(&points, near.width, groups, rng, stop)) {
            of[picture as usize] = Some(group as u16);
        }
        Ok(Groups { of, near })
    }

    /// Whether each picture is sure of what it is in `of`: so are enough of its neighbours.
    pub fn sure(&self, of: &[Option<u16>]) -> Vec<bool> {
        (0..of.len() as u32).map(|picture| self.near.agree(picture, of)).collect()
    }
}

/// The pictures of `seen`, in order, none twice.
fn distinct(seen: &[u32]) -> Vec<u32> {
    let mut distinct = seen.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

/// Teaches a network the groups of the pictures that are sure of theirs.
pub fn label(
    (pixels, processor): (&[u8], &Processor),
    network: &mut Network,
    (of, sure): (&[Option<u16>], &[bool]),
    schedule: &Schedule,
    rng: &mut impl Rng,
    watch: impl FnMut(usize, f32) -> bool,
) -> Result<()> {
    let pictures = (0..).zip(of).zip(sure).filter(|(_, sure)| **sure);
    let lesson =
        |((picture, of), _): ((u32, &Option<u16>), _)| Some(Lesson { picture, symbol: (*of)?, weight: 1.0 });
    let lessons: Vec<Lesson> = pictures.filter_map(lesson).collect();
    let groups = of.iter().flatten().max().map_or(1, |&last| usize::from(last) + 1);
    *network = network.clone().with_symbols(groups, rng);
    processor.learn(network, pixels, &lessons, schedule, rng, watch)
}

/// What pictures look like, and which look most alike.
#[derive(Clone, Debug, PartialEq)]
struct Near {
    /// The pictures, in order.
    pictures: Vec<u32>,
    width: usize,
    /// A direction for each.
    looks: Vec<f32>,
    neighbours: Vec<Vec<u32>>,
}

impl Near {
    /// By where the ink is, on a coarse grid, so that lines need not meet exactly. Untaught features are worse than that:
    /// neighbours by them teach a network the wrong things.
    fn by_ink(pixels: &[u8], side: usize, pictures: Vec<u32>) -> Near {
        let half = side.div_ceil(2);
        let mut looks = vec![0.0; pictures.len() * half * half];
        for (looks, &picture) in looks.chunks_exact_mut(half * half).zip(&pictures) {
            let picture = &pixels[picture as usize * side * side..][..side * side];
            for (place, &pixel) in picture.iter().enumerate() {
                looks[place / side / 2 * half + place % side / 2] += f32::from(pixel);
            }
        }
        Near::new(pictures, looks, half * half, PARTNERS)
    }

    fn by_features(
        (pixels, processor): (&[u8], &Processor),
        network: &Network,
        pictures: Vec<u32>,
        stop: Stop<'_>,
    ) -> Result<Near> {
        let config = network.config();
        let area = config.side * config.side;
        let shown = pictures.iter().flat_map(|&picture| &pixels[picture as usize * area..][..area]);
        let looks = processor.features_until(network, &shown.copied().collect::<Vec<u8>>(), stop)?;
        Ok(Near::new(pictures, looks, config.features(), WITNESSES))
    }

    fn new(pictures: Vec<u32>, mut looks: Vec<f32>, width: usize, count: usize) -> Near {
        looks.chunks_exact_mut(width).for_each(to_direction);
        let neighbours = nearest(&looks, width, count);
        Near { pictures, width, looks, neighbours }
    }

    fn place(&self, picture: u32) -> Option<usize> {
        self.pictures.binary_search(&picture).ok()
    }

    fn looks(&self, picture: u32) -> &[f32] {
        self.place(picture).map_or(&[], |place| &self.looks[place * self.width..][..self.width])
    }

    /// One of the neighbours; the picture itself if it has none.
    fn any(&self, picture: u32, rng: &mut impl Rng) -> u32 {
        match self.place(picture).map(|place| &self.neighbours[place]) {
            Some(near) if !near.is_empty() => self.pictures[near[rng.random_range(0..near.len())] as usize],
            _ => picture,
        }
    }

    /// Whether enough neighbours are of the same group.
    fn agree(&self, picture: u32, of: &[Option<u16>]) -> bool {
        let Some(place) = self.place(picture) else { return false };
        let near = &self.neighbours[place];
        let same = |near: &&u32| of[self.pictures[**near as usize] as usize] == of[picture as usize];
        of[picture as usize].is_some() && near.iter().filter(same).count() as f64 >= SURE * near.len() as f64
    }
}

/// Brings a row to length 1.
fn to_direction(row: &mut [f32]) {
    let length = row.iter().map(|value| value * value).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    row.iter_mut().for_each(|value| *value /= length);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::handwriting::{Labels, Writers, pen};
    use crate::data::picture::{Pictures, Preprocess};
    use crate::perception::network::Config;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Symbols drawn by 32 writers, in a small size to be quick.
    fn drawn() -> (Pictures, Labels) {
        let (drawn, labels) = pen::draw(Writers::Validation, 0);
        let small = Preprocess { scaled: 20, side: 16, ..Preprocess::default() };
        (Pictures::prepare(&drawn, &small).unwrap(), labels)
    }

    fn grouped(pictures: &Pictures, steps: usize, groups: usize) -> (Groups, Network) {
        let config = Config { side: 16, stride: 1, widths: vec![8, 16, 32], blocks: 1 };
        let seen: Vec<u32> = (0..pictures.len() as u32).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let mut network = Network::new(config, 1, &mut rng);
        let pixels = (pictures.pixels(), &Processor::Cpu);
        learn_looks(pixels, &mut network, &seen, steps, &mut rng, |_, _| true).unwrap();
        (Groups::make(pixels, &network, &seen, groups, &mut rng).unwrap(), network)
    }

    /// Of one group alone, 1 in 16 would show what most do.
    #[test]
    fn pictures_of_one_symbol_come_together() {
        let (pictures, labels) = drawn();
        let (groups, mut network) = grouped(&pictures, 60, 64);
        let (of, sure) = (&groups.of, groups.sure(&groups.of));
        let (purity, _) = labels.purity(of);
        assert!(purity > 0.8, "{purity}");
        let sure_of: Vec<_> = of.iter().zip(&sure).map(|(of, sure)| of.filter(|_| *sure)).collect();
        let (surely, count) = labels.purity(&sure_of);
        assert!(surely > purity && count > pictures.len() / 2, "{surely} {count}");
        let schedule = Schedule::steps(200);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let pixels = (pictures.pixels(), &Processor::Cpu);
        label(pixels, &mut network, (of, &sure), &schedule, &mut rng, |_, _| true).unwrap();
        let found = network.predict(pictures.pixels());
        let best = |row: &[f32]| (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b]));
        let labelled: Vec<Option<u16>> =
            found.chunks_exact(network.symbols()).map(|row| best(row).map(|best| best as u16)).collect();
        let (purity, _) = labels.purity(&labelled);
        assert!(purity > 0.8, "{purity}");
    }

    #[test]
    fn the_number_of_threads_does_not_show() {
        let (pictures, _) = drawn();
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| grouped(&pictures, 2, 8))
        };
        assert!(with(1) == with(3), "other groups with other threads");
    }
}
