//! A build without the feature `vision` has no networks: these types have no values, and a model file that holds one is refused.

use serde::{Deserialize, Serialize};

/// A network with its weights: there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Network {}

/// How far learning to see has come: nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Progress {}
