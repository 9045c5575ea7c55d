//! The encoder's weights and the shapes they must have.

use crate::files::npz::Arrays;
use crate::tensor::Packed;
use crate::workers::spread;

/// The pieces' vectors come in this many tables: piece `n` is row `n / TABLES` of table `n % TABLES`.
const TABLES: usize = 17;
const ROWS: usize = 7530;
/// How many pieces have vectors.
pub(super) const PIECES: usize = TABLES * ROWS;
/// The length of a piece's vector, and of a text's.
pub(super) const WIDTH: usize = 512;
/// The length of a token's vector within a branch.
pub(super) const BRANCH: usize = 256;
/// What the encoder gathers per token: its vector, and what the branches make of it and its neighbours.
pub(super) const FEATURES: usize = WIDTH + BRANCHES.len() * BRANCH;
const HIDDEN: usize = 320;

/// The branches: how many neighbouring tokens each looks at, and how many of them come before.
pub(super) const BRANCHES: [Window; 3] =
    [Window { size: 2, before: 0 }, Window { size: 3, before: 1 }, Window { size: 5, before: 2 }];

/// Which tokens are looked at together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) size: usize,
    pub(super) before: usize,
}

/// Everything the encoder knows.
pub(super) struct Weights {
    tables: Vec<Vec<u8>>,
    scale: Vec<f32>,
    offset: Vec<f32>,
    pub(super) projection: Packed,
    pub(super) projection_bias: Vec<f32>,
    pub(super) projection_norm: Norm,
    pub(super) branches: Vec<Branch>,
    pub(super) feature_norm: Norm,
    pub(super) summary: Packed,
    pub(super) summary_bias: Vec<f32>,
    pub(super) head: Head,
    pub(super) epsilon: f32,
}

/// Gain and shift of a layer norm.
pub(super) struct Norm {
    pub(super) gain: Vec<f32>,
    pub(super) shift: Vec<f32>,
}

/// Two convolutions over neighbouring tokens.
pub(super) struct Branch {
    pub(super) first: Packed,
    pub(super) first_bias: Vec<f32>,
    pub(super) second: Packed,
    pub(super) second_bias: Vec<f32>,
}

/// Two residual steps from a text's summary to its vector.
pub(super) struct Head {
    pub(super) first_in: Packed,
    pub(super) first_out: Packed,
    pub(super) first_past: Packed,
    pub(super) second_in: Packed,
    pub(super) second_out: Packed,
    pub(super) second_past: Packed,
}

impl Weights {
    pub(super) fn read(file: &[u8]) -> Result<Self, String> {
        let arrays = Arrays::open(file)?;
        let numbers: Vec<usize> = (1..=TABLES).collect();
        let tables = spread(&numbers, |n| arrays.bytes(&format!("q{n}"), &[ROWS, WIDTH]));
        let matrix = |name: &str, inner, columns| -> Result<Packed, String> {
            Ok(Packed::from_rows(inner, columns, &arrays.floats(name, &[inner, columns])?))
        };
        let per_branch = |name: &str| -> Result<Vec<f32>, String> {
            let mut joined = Vec::new();
            for window in BRANCHES {
                joined.extend(arrays.floats(&format!("{name}{}", window.size), &[BRANCH])?);
            }
            Ok(joined)
        };
        let projections: Vec<Vec<f32>> = BRANCHES
            .iter()
            .map(|window| arrays.floats(&format!("proj{}", window.size), &[WIDTH, BRANCH]))
            .collect::<Result<_, _>>()?;
        let branch = |window: Window| -> Result<Branch, String> {
            let size = window.size;
            Ok(Branch {
                first: matrix(&format!("w1_{size}"), size * BRANCH, BRANCH)?,
                first_bias: arrays.floats(&format!("b1_{size}"), &[BRANCH])?,
                second: matrix(&format!("w2_{size}"), size * BRANCH, BRANCH)?,
                second_bias: arrays.floats(&format!("b2_{size}"), &[BRANCH])?,
            })
        };
        Ok(Self {
            tables: tables.into_iter().collect::<Result<_, _>>()?,
            scale: arrays.floats("scale", &[TABLES])?,
            offset: arrays.floats("lo", &[TABLES])?,
            projection: Packed::from_fn(WIDTH, BRANCHES.len() * BRANCH, |i, j| {
                projections[j / BRANCH][i * BRANCH + j % BRANCH]
            }),
            projection_bias: per_branch("proj_b")?,
            projection_norm: Norm { gain: per_branch("ln_g")?, shift: per_branch("ln_b")? },
            branches: BRANCHES.into_iter().map(branch).collect::<Result<_, _>>()?,
            feature_norm: Norm {
                gain: arrays.floats("ln_g", &[FEATURES])?,
                shift: arrays.floats("ln_b", &[FEATURES])?,
            },
            summary: matrix("cnn_W", FEATURES, WIDTH)?,
            summary_bias: arrays.floats("cnn_b", &[WIDTH])?,
            head: Head {
                first_in: matrix("d0", WIDTH, HIDDEN)?,
                first_out: matrix("d1", HIDDEN, HIDDEN)?,
                first_past: matrix("p1", WIDTH, HIDDEN)?,
                second_in: matrix("d2", HIDDEN, WIDTH)?,
                second_out: matrix("d3", WIDTH, WIDTH)?,
                second_past: matrix("p3", HIDDEN, WIDTH)?,
            },
            epsilon: arrays.double("eps")? as f32,
        })
    }

    /// Writes a piece's vector over `out`; a piece that has none gets that of the unknown piece.
    pub(super) fn piece(&self, piece: u32, out: &mut [f32]) {
        let piece = if (piece as usize) < PIECES { piece as usize } else { 0 };
        let table = piece % TABLES;
        let start = piece / TABLES * WIDTH;
        let (scale, offset) = (self.scale[table], self.offset[table]);
        for (x, &byte) in out.iter_mut().zip(&self.tables[table][start..start + WIDTH]) {
            *x = f32::from(byte) * scale + offset;
        }
    }
}
