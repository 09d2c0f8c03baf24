//! Proposers: each makes edits of a theory from evidence. Whether an edit is made is for the objective to say.

pub mod abduce;
pub mod align;
pub mod close;
pub mod compose;
pub mod expose;
pub mod fit;
pub mod frames;
pub mod hole;
pub mod kinds;
pub mod open;
pub mod residue;
pub mod split;
