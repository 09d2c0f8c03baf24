//! Draws handwriting, for machines that have none.
//!
//! A writer has habits: which way to write each symbol, slant, width and roundness of the hand, how much it
//! trembles, how thick the pen is. Each picture of a writer varies within these. The look is that of the published
//! pictures: 45x45 pixels, the symbol filling them, thin light lines on black.

use super::{
    Labels, SYMBOLS, Writers,
    shapes::{SHAPES, Shape},
};
use crate::data::picture::Picture;
use rand::{Rng, RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

/// The side of a drawn picture, as in the published ones.
const SIDE: u32 = 45;
/// How many writers there are in each set; the proportions are nearly the published ones.
const COUNTS: [u64; 3] = [320, 32, 64];
/// How many pictures of each symbol a writer draws.
const EACH: usize = 4;
/// How many points are put between two of a shape's.
const FINENESS: usize = 8;

/// The pictures that a set of writers draws, shuffled, and what they show.
pub fn draw(writers: Writers, seed: u64) -> (Vec<Picture>, Labels) {
    let mut drawn = Vec::new();
    for writer in numbers(writers) {
        // One stream for each writer, so that none depends on how much another one draws.
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(writer + 1);
        let writer = Writer::new(&mut rng);
        for symbol in (0..SYMBOLS.len()).flat_map(|symbol| [symbol; EACH]) {
            drawn.push((writer.draw(symbol, &mut rng), symbol as u8));
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    drawn.shuffle(&mut rng);
    let (pictures, labels) = drawn.into_iter().unzip();
    (pictures, Labels(labels))
}

/// The writers of a set; every writer has a number of its own.
fn numbers(writers: Writers) -> std::ops::Range<u64> {
    let before = COUNTS[..writers as usize].iter().sum();
    before..before + COUNTS[writers as usize]
}

type Point = [f32; 2];

/// The habits of one hand.
struct Writer {
    /// The way each symbol is usually written, an index into its shapes.
    usual: [usize; SYMBOLS.len()],
    /// How far the top leans to the right, in heights.
    slant: f32,
    /// Turning of the whole, in radians.
    turn: f32,
    /// Width for a given height.
    width: f32,
    /// How far points stray, in heights.
    wobble: f32,
    /// How much the hand trembles between them.
    tremor: f32,
    /// How thick the pen is, in pixels.
    pen: f32,
}

impl Writer {
    fn new(rng: &mut impl Rng) -> Writer {
        Writer {
            usual: std::array::from_fn(|symbol| choose(SHAPES[symbol].len(), rng)),
            slant: 0.06 + 0.13 * spread(rng),
            turn: 0.04 * spread(rng),
            width: 1.0 + 0.13 * spread(rng),
            wobble: rng.random_range(0.012..0.042),
            tremor: rng.random_range(0.0..0.008),
            pen: rng.random_range(0.9..1.4),
        }
    }

    /// A picture of a symbol.
    fn draw(&self, symbol: usize, rng: &mut impl Rng) -> Picture {
        let shape = match rng.random_bool(0.85) {
            true => SHAPES[symbol][self.usual[symbol]],
            false => SHAPES[symbol][choose(SHAPES[symbol].len(), rng)],
        };
        let mut strokes = self.trace(shape, rng);
        fit(&mut strokes, SIDE as f32 * rng.random_range(0.92..1.0));
        ink(&strokes, self.pen)
    }

    /// The way of the pen.
    fn trace(&self, shape: Shape, rng: &mut impl Rng) -> Vec<Vec<Point>> {
        let hand = Hand {
            slant: self.slant + 0.04 * spread(rng),
            turn: self.turn + 0.05 * spread(rng),
            width: self.width * (1.0 + 0.08 * spread(rng)),
            bend: [0.03 * spread(rng), 0.03 * spread(rng)],
        };
        let trace = |stroke: &&[Point]| {
            // A stroke as a whole is put down a little beside its place.
            let shift = [1.2 * self.wobble * spread(rng), 1.2 * self.wobble * spread(rng)];
            let points = stray(stroke, shift, self.wobble, rng);
            let tremble = |point: Point| point.map(|place| place + self.tremor * spread(rng));
            smooth(&points).into_iter().map(tremble).map(|point| hand.place(point)).collect()
        };
        shape.iter().map(trace).collect()
    }
}

/// How a whole symbol is distorted.
struct Hand {
    slant: f32,
    turn: f32,
    width: f32,
    /// How far the middle of the symbol is off to the right and downwards.
    bend: Point,
}

impl Hand {
    fn place(&self, [x, y]: Point) -> Point {
        let bow = |along: f32| 4.0 * along * (1.0 - along);
        let x = (x + self.bend[0] * bow(y)) * self.width;
        let y = y + self.bend[1] * bow(x);
        let x = x + self.slant * (0.5 - y);
        let (sin, cos) = self.turn.sin_cos();
        [x * cos - y * sin, x * sin + y * cos]
    }
}

/// The points of a stroke, each a little off. The two of a corner stay together.
fn stray(stroke: &[Point], shift: Point, wobble: f32, rng: &mut impl Rng) -> Vec<Point> {
    // What strays is in proportion to the stroke: points stay points, and a long narrow bow stays smooth.
    let [width, height] = extent(stroke.iter()).1;
    let size = (width + height) / 2.0;
    let mut points: Vec<Point> = Vec::with_capacity(stroke.len());
    for (place, &[x, y]) in stroke.iter().enumerate() {
        let is_corner = place > 0 && stroke[place - 1] == [x, y];
        let off = [wobble * size * spread(rng), wobble * size * spread(rng)];
        points.push(match is_corner {
            true => points[place - 1],
            false => [x + shift[0] + off[0], y + shift[1] + off[1]],
        });
    }
    points
}

/// A smooth curve through the points (Catmull and Rom).
fn smooth(points: &[Point]) -> Vec<Point> {
    let at = |place: isize| points[place.clamp(0, points.len() as isize - 1) as usize];
    let mut curve = vec![points[0]];
    for start in 0..points.len() as isize - 1 {
        let near = [at(start - 1), at(start), at(start + 1), at(start + 2)];
        curve.extend((1..=FINENESS).map(|step| between(near, step as f32 / FINENESS as f32)));
    }
    curve
}

/// The point at `share` of the way from the second of four points to the third.
fn between([before, from, to, after]: [Point; 4], share: f32) -> Point {
    std::array::from_fn(|axis| {
        let (before, from, to, after) = (before[axis], from[axis], to[axis], after[axis]);
        let linear = to - before;
        let square = 2.0 * before - 5.0 * from + 4.0 * to - after;
        let cubic = 3.0 * (from - to) + after - before;
        from + 0.5 * share * (linear + share * (square + share * cubic))
    })
}

/// Scales and moves the strokes so that the longer side is `size` pixels, in the middle of the picture.
fn fit(strokes: &mut [Vec<Point>], size: f32) {
    let (middle, [width, height]) = extent(strokes.iter().flatten());
    // Half a pixel of ink lies around the way of the pen.
    let scale = (size - 1.0) / width.max(height).max(f32::MIN_POSITIVE);
    for point in strokes.iter_mut().flatten() {
        *point = std::array::from_fn(|axis| (point[axis] - middle[axis]) * scale + SIDE as f32 / 2.0);
    }
}

/// The middle and the sides of what the points span.
fn extent<'a>(points: impl Iterator<Item = &'a Point>) -> (Point, [f32; 2]) {
    let (mut least, mut most) = ([f32::MAX; 2], [f32::MIN; 2]);
    for point in points {
        for axis in 0..2 {
            least[axis] = least[axis].min(point[axis]);
            most[axis] = most[axis].max(point[axis]);
        }
    }
    let middle = std::array::from_fn(|axis| (least[axis] + most[axis]) / 2.0);
    (middle, std::array::from_fn(|axis| most[axis] - least[axis]))
}

/// Draws the strokes with a pen of the given thickness; a pixel's shade is how much of it the line covers.
fn ink(strokes: &[Vec<Point>], pen: f32) -> Picture {
    let mut pixels = vec![0; (SIDE * SIDE) as usize];
    for stroke in strokes {
        for ends in stroke.windows(2) {
            ink_line(&mut pixels, ends[0], ends[1], pen / 2.0);
        }
    }
    Picture::new(SIDE, SIDE, pixels.into())
}

fn ink_line(pixels: &mut [u8], from: Point, to: Point, reach: f32) {
    let range = |axis: usize| {
        let least = from[axis].min(to[axis]) - reach - 1.0;
        let most = from[axis].max(to[axis]) + reach + 1.0;
        least.max(0.0) as u32..(most.max(0.0) as u32 + 1).min(SIDE)
    };
    for y in range(1) {
        for x in range(0) {
            let distance = distance([x as f32 + 0.5, y as f32 + 0.5], from, to);
            let shade = (255.0 * (reach + 0.5 - distance).clamp(0.0, 1.0)) as u8;
            let pixel = &mut pixels[(y * SIDE + x) as usize];
            *pixel = shade.max(*pixel);
        }
    }
}

/// How far a point is from a line between two others.
fn distance(point: Point, from: Point, to: Point) -> f32 {
    let along = [to[0] - from[0], to[1] - from[1]];
    let off = [point[0] - from[0], point[1] - from[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let share = ((off[0] * along[0] + off[1] * along[1]) / length.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    (off[0] - share * along[0]).hypot(off[1] - share * along[1])
}

/// One of `count` ways; earlier ones are more usual.
fn choose(count: usize, rng: &mut impl Rng) -> usize {
    rng.random_range(0..count).min(rng.random_range(0..count))
}

/// About a normal deviate, never beyond 3.
fn spread(rng: &mut impl Rng) -> f32 {
    (0..3).map(|_| rng.random_range(-1.0_f32..1.0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashSet;

    #[test]
    fn the_same_seed_draws_the_same() {
        let drawn = draw(Writers::Validation, 7);
        assert_eq!(drawn, draw(Writers::Validation, 7));
        assert_ne!(drawn, draw(Writers::Validation, 8));
    }

    #[test]
    fn every_symbol_is_drawn_equally_often() {
        let (pictures, labels) = draw(Writers::Test, 0);
        assert_eq!((pictures.len(), labels.len()), (64 * 16 * EACH, 64 * 16 * EACH));
        assert!(labels.by_symbol().iter().all(|numbers| numbers.len() == 64 * EACH));
        assert!(!labels.0.is_sorted());
    }

    #[test]
    fn writers_are_in_one_set_and_no_picture_in_two() {
        let [train, validation, test] = Writers::ALL.map(numbers);
        assert!(train.end == validation.start && validation.end == test.start);
        let mut seen = FxHashSet::default();
        for set in [Writers::Validation, Writers::Test] {
            for picture in draw(set, 0).0 {
                assert!(seen.insert(picture.pixels().to_vec()));
            }
        }
    }

    /// From the first to the last, both counted.
    fn span(mut places: impl Iterator<Item = usize>) -> usize {
        places.next().map_or(0, |first| places.last().unwrap_or(first) + 1 - first)
    }

    #[test]
    fn a_symbol_fills_its_picture_and_is_thin() {
        for picture in draw(Writers::Validation, 1).0 {
            let row =
                |&y: &usize| picture.rows().nth(y).is_some_and(|row| row.iter().any(|&shade| shade > 64));
            let column = |&x: &usize| picture.rows().any(|row| row[x] > 64);
            let rows = span((0..SIDE as usize).filter(row));
            let columns = span((0..SIDE as usize).filter(column));
            assert!(rows.max(columns) >= 39, "{rows}x{columns}");
            let ink = picture.pixels().iter().filter(|&&shade| shade > 64).count();
            assert!((35..600).contains(&ink), "{ink}");
        }
    }

    #[test]
    fn a_curve_passes_its_points() {
        let points = [[0.0, 0.0], [1.0, 2.0], [3.0, 1.0]];
        let curve = smooth(&points);
        assert_eq!(curve.len(), 2 * FINENESS + 1);
        for (place, point) in points.iter().enumerate() {
            let found = curve[place * FINENESS];
            assert!((found[0] - point[0]).abs() + (found[1] - point[1]).abs() < 1e-5, "{found:?}");
        }
    }
}
