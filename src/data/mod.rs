//! Readers and generators of data sets.
