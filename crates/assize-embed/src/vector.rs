//! Vectors: their length, and the angle between two.

/// Sums are kept in this many parts, added together in a fixed order, whatever the register width.
pub(crate) const LANES: usize = 16;

/// The cosine of the angle between two vectors, in -1 … 1.
///
/// It is not defined, and `None`, where the vectors differ in length, where one of them is zero, or where one holds
/// something that is no finite number.
///
/// ```
/// assert_eq!(assize_embed::cosine(&[1.0, 0.0], &[0.0, 2.0]), Some(0.0));
/// assert_eq!(assize_embed::cosine(&[1.0, 0.0], &[0.0, 0.0]), None);
/// ```
#[must_use]
pub fn cosine(a: &[f32], b: &[f32]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    let (mut product, mut a_squares, mut b_squares) = (0.0, 0.0, 0.0);
    for (&a, &b) in a.iter().zip(b) {
        let (a, b) = (f64::from(a), f64::from(b));
        product += a * b;
        a_squares += a * a;
        b_squares += b * b;
    }
    // The lengths separately: the product of the squares could leave the range of the numbers.
    let cosine = product / (f64::sqrt(a_squares) * f64::sqrt(b_squares));
    cosine.is_finite().then(|| cosine.clamp(-1.0, 1.0))
}

/// The sum of squares of a row.
pub(crate) fn sum_of_squares(row: &[f32]) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let (chunks, rest) = row.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += x * x;
        }
    }
    for (lane, x) in lanes.iter_mut().zip(rest) {
        *lane += x * x;
    }
    lanes.iter().sum()
}

/// Divides a row by its length; a row of length below `least` is divided by `least`.
pub(crate) fn normalise(row: &mut [f32], least: f32) {
    let length = sum_of_squares(row).sqrt().max(least);
    for x in row.iter_mut() {
        *x /= length;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vector() -> impl Strategy<Value = Vec<f32>> {
        prop::collection::vec(-1e6f32..1e6, 8)
    }

    proptest! {
        #[test]
        fn lies_between_minus_one_and_one(a in vector(), b in vector()) {
            let cosine = cosine(&a, &b).unwrap();
            prop_assert!((-1.0..=1.0).contains(&cosine));
        }

        #[test]
        fn does_not_depend_on_the_order_or_the_lengths(a in vector(), b in vector(), scale in 0.001f32..1000.0) {
            prop_assert_eq!(cosine(&a, &b), cosine(&b, &a));
            let scaled: Vec<f32> = a.iter().map(|x| x * scale).collect();
            prop_assert!((cosine(&a, &b).unwrap() - cosine(&scaled, &b).unwrap()).abs() < 1e-5);
        }

        #[test]
        fn is_one_with_itself_and_minus_one_with_its_opposite(a in vector()) {
            prop_assume!(a.iter().any(|x| x.abs() > 1e-3));
            let opposite: Vec<f32> = a.iter().map(|x| -x).collect();
            prop_assert!((cosine(&a, &a).unwrap() - 1.0).abs() < 1e-12);
            prop_assert!((cosine(&a, &opposite).unwrap() + 1.0).abs() < 1e-12);
        }

        #[test]
        fn any_bits_give_a_cosine_or_none(a in prop::collection::vec(any::<f32>(), 0..9), b in prop::collection::vec(any::<f32>(), 0..9)) {
            if let Some(cosine) = cosine(&a, &b) {
                prop_assert!((-1.0..=1.0).contains(&cosine));
            }
        }
    }

    #[test]
    fn not_defined_is_none() {
        assert_eq!(cosine(&[], &[]), None);
        assert_eq!(cosine(&[1.0], &[1.0, 2.0]), None);
        assert_eq!(cosine(&[0.0, 0.0], &[1.0, 2.0]), None);
        assert_eq!(cosine(&[f32::NAN, 0.0], &[1.0, 2.0]), None);
        assert_eq!(cosine(&[f32::INFINITY, 0.0], &[1.0, 2.0]), None);
        assert_eq!(cosine(&[f32::MAX, 0.0], &[f32::MAX, 0.0]), Some(1.0));
    }
}
