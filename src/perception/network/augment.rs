//! Small changes of a picture that leave what it shows: turned, slanted, scaled and moved a little, a bit wiped away.

use rand::{Rng, RngExt};

/// How much pictures are changed, at most. Strong turns make one symbol of another (a cross of a plus).
#[derive(Clone, Debug, PartialEq)]
pub struct Augment {
    /// In degrees. Default: 8.
    pub turn: f32,
    /// Sideways per row. Default: 0.12.
    pub slant: f32,
    /// As a share of the size. Default: 0.12.
    pub scale: f32,
    /// In pixels. Default: 2.
    pub shift: f32,
    /// The side of a square that is wiped away, as a share of the picture's. Default: 0.
    pub erase: f32,
}

/// How one picture is changed: the cosine and sine of the turn, the slant, the factors of width and height, the
/// place that comes to the middle, and the square that is then wiped away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// Of the turn.
    pub cos: f32,
    /// Of the turn.
    pub sin: f32,
    /// Sideways per row.
    pub slant: f32,
    /// The factor of the width.
    pub wide: f32,
    /// The factor of the height.
    pub high: f32,
    /// The column that comes to the middle.
    pub right: f32,
    /// The row that comes to the middle.
    pub down: f32,
    /// The first column of the square.
    pub left: f32,
    /// The first row of the square.
    pub top: f32,
    /// The side of the square, which may reach beyond the edge; 0 for none.
    pub size: f32,
}

impl Move {
    /// Whether a pixel is wiped away.
    fn wipes(&self, column: usize, row: usize) -> bool {
        let within = |place: usize, start: f32| (start..start + self.size).contains(&(place as f32));
        within(column, self.left) && within(row, self.top)
    }
}

impl Default for Augment {
    fn default() -> Augment {
        Augment { turn: 8.0, slant: 0.12, scale: 0.12, shift: 2.0, erase: 0.0 }
    }
}

impl Augment {
    /// Pictures as they are.
    pub fn none() -> Augment {
        Augment { turn: 0.0, slant: 0.0, scale: 0.0, shift: 0.0, erase: 0.0 }
    }

    /// One change, drawn at random, of pictures of this side.
    pub fn draw(&self, side: usize, rng: &mut impl Rng) -> Move {
        let mut draw = |most: f32| if most > 0.0 { rng.random_range(-most..most) } else { 0.0 };
        let (sin, cos) = draw(self.turn).to_radians().sin_cos();
        let slant = draw(self.slant);
        let (wide, high) = (1.0 + draw(self.scale), 1.0 + draw(self.scale));
        let middle = (side as f32 - 1.0) / 2.0;
        let (right, down) = (middle + draw(self.shift), middle + draw(self.shift));
        let (left, top, size) = self.square(side, rng);
        Move { cos, sin, slant, wide, high, right, down, left, top, size }
    }

    /// A square to be wiped away. Without one, no random number is drawn.
    fn square(&self, side: usize, rng: &mut impl Rng) -> (f32, f32, f32) {
        let size = (self.erase * side as f32).floor();
        if size < 1.0 {
            return (0.0, 0.0, 0.0);
        }
        (rng.random_range(0..side) as f32, rng.random_range(0..side) as f32, size)
    }

    /// Writes a changed picture over `out`; its shades are 0 to 1.
    pub fn apply(&self, pixels: &[u8], side: usize, rng: &mut impl Rng, out: &mut [f32]) {
        let drawn = self.draw(side, rng);
        let Move { cos, sin, slant, wide, high, right, down, .. } = drawn;
        let middle = (side as f32 - 1.0) / 2.0;
        for (number, out) in out.iter_mut().enumerate() {
            let (column, row) = (number % side, number / side);
            let (x, y) = (column as f32 - middle, row as f32 - middle);
            // Where the pixel comes from.
            let (x, y) = (cos * x - sin * y, sin * x + cos * y);
            let shade = between(pixels, side, (x + slant * y) * wide + right, y * high + down);
            *out = if drawn.wipes(column, row) { 0.0 } else { shade };
        }
    }
}

/// The shade between pixels; black outside the picture.
fn between(pixels: &[u8], side: usize, x: f32, y: f32) -> f32 {
    let (left, top) = (x.floor(), y.floor());
    let (across, along) = (x - left, y - top);
    let at = |x: f32, y: f32| {
        let inside = x >= 0.0 && y >= 0.0 && x < side as f32 && y < side as f32;
        if inside { super::shade(pixels[y as usize * side + x as usize]) } else { 0.0 }
    };
    let upper = (1.0 - across) * at(left, top) + across * at(left + 1.0, top);
    let lower = (1.0 - across) * at(left, top + 1.0) + across * at(left + 1.0, top + 1.0);
    (1.0 - along) * upper + along * lower
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn without_changes_a_picture_stays_as_it_is() {
        let pixels: Vec<u8> = (0..64).map(|pixel| pixel * 4).collect();
        let mut out = vec![0.0; 64];
        Augment::none().apply(&pixels, 8, &mut ChaCha8Rng::seed_from_u64(0), &mut out);
        assert!(out.iter().zip(&pixels).all(|(out, &pixel)| (out - super::super::shade(pixel)).abs() < 1e-6));
    }

    #[test]
    fn a_square_is_wiped_away() {
        let augment = Augment { erase: 0.25, ..Augment::none() };
        let mut out = vec![0.0; 64];
        augment.apply(&[255; 64], 8, &mut ChaCha8Rng::seed_from_u64(0), &mut out);
        let wiped = out.iter().filter(|&&shade| shade == 0.0).count();
        assert!((1..=4).contains(&wiped), "{wiped}");
    }

    #[test]
    fn changes_keep_most_of_the_ink() {
        let mut pixels = vec![0; 32 * 32];
        (8..24).for_each(|row| pixels[row * 32 + 15] = 255);
        let mut out = vec![0.0; 32 * 32];
        Augment::default().apply(&pixels, 32, &mut ChaCha8Rng::seed_from_u64(1), &mut out);
        let ink: f32 = out.iter().sum();
        assert!((12.0..20.0).contains(&ink), "{ink}");
        assert_ne!(out[15 * 32 + 15], 1.0);
    }
}
