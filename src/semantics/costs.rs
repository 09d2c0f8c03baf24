//! The learned prior over primitives: what each piece of a program costs, in bits.

use crate::semantics::program::{Expr, Prim, Program};
use serde::{Deserialize, Serialize};

/// Costs in bits. Pieces that solved programs use often become cheaper, which speeds later searches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Costs {
    prims: [u32; Prim::ALL.len()],
    /// An argument.
    pub arg: u32,
    /// The symbol's own constant.
    pub me: u32,
    /// A library program.
    pub call: u32,
}

impl Costs {
    /// Whether they are such as come about: sums of them must not overflow.
    pub(crate) fn are_sound(&self) -> bool {
        const MOST: u32 = 1 << 12;
        self.prims.iter().chain([&self.arg, &self.me, &self.call]).all(|&cost| cost <= MOST)
    }
}

/// Before anything is learned all pieces cost the same; arguments are a little cheaper, since a program that
/// ignores what it is given is rarely wanted.
impl Default for Costs {
    fn default() -> Costs {
        Costs { prims: [3; Prim::ALL.len()], arg: 2, me: 2, call: 3 }
    }
}

/// What it costs to say a token.
pub(crate) const TOKEN: u32 = 4;

impl Costs {
    /// The cost of a primitive.
    pub fn prim(&self, prim: Prim) -> u32 {
        self.prims[prim as usize]
    }

    /// The cost of an expression.
    pub fn of(&self, expr: &Expr) -> u32 {
        let own = match expr {
            Expr::Arg(_) => self.arg,
            Expr::Me => self.me,
            Expr::Tokens(list) => TOKEN * list.0.len() as u32,
            Expr::Apply(prim, _) => self.prim(*prim),
            Expr::Call(..) | Expr::Rec(_) => self.call,
        };
        own + expr.parts().iter().map(|part| self.of(part)).sum::<u32>()
    }

    /// Costs learned from solved programs: each piece costs the logarithm of its share, smoothed by one use.
    pub fn learn<'a>(programs: impl IntoIterator<Item = &'a Program>) -> Costs {
        let mut uses = [1.0f64; Prim::ALL.len()];
        let (mut args, mut mes, mut calls) = (2.0, 2.0, 1.0);
        for program in programs {
            program.body.each(&mut |expr| match expr {
                Expr::Arg(_) => args += 1.0,
                Expr::Me => mes += 1.0,
                Expr::Tokens(_) => {}
                Expr::Apply(prim, _) => uses[*prim as usize] += 1.0,
                Expr::Call(..) | Expr::Rec(_) => calls += 1.0,
            });
        }
        let total: f64 = uses.iter().sum::<f64>() + args + mes + calls;
        let bits = |uses: f64| ((total / uses).log2().round() as u32).max(1);
        Costs { prims: uses.map(bits), arg: bits(args), me: bits(mes), call: bits(calls) }
    }
}
