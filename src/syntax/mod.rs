//! Symbols to trees: a transition-based dependency parser.
