//! The fields of a protocol buffer message, one after the other, without its description.

/// A field's number and value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field<'a> {
    pub(crate) number: u64,
    pub(crate) value: Value<'a>,
}

/// A value as it is on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Integer(u64),
    Fixed64(u64),
    Fixed32(u32),
    /// A text, bytes, or a message.
    Bytes(&'a [u8]),
}

impl<'a> Value<'a> {
    pub(crate) fn bytes(self) -> Option<&'a [u8]> {
        if let Self::Bytes(bytes) = self { Some(bytes) } else { None }
    }

    pub(crate) fn integer(self) -> Option<u64> {
        if let Self::Integer(value) = self { Some(value) } else { None }
    }

    pub(crate) fn float(self) -> Option<f32> {
        if let Self::Fixed32(bits) = self { Some(f32::from_bits(bits)) } else { None }
    }
}

/// What was read is not a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Damaged;

/// The fields of `message`; after damage nothing more comes.
pub(crate) fn fields(message: &[u8]) -> impl Iterator<Item = Result<Field<'_>, Damaged>> {
    let mut rest = message;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let field = field(&mut rest).ok_or(Damaged);
        if field.is_err() {
            rest = &[];
        }
        Some(field)
    })
}

fn field<'a>(rest: &mut &'a [u8]) -> Option<Field<'a>> {
    let tag = integer(rest)?;
    let value = match tag & 7 {
        0 => Value::Integer(integer(rest)?),
        1 => Value::Fixed64(u64::from_le_bytes(*rest.split_off(..8)?.first_chunk()?)),
        2 => {
            let length = usize::try_from(integer(rest)?).ok()?;
            Value::Bytes(rest.split_off(..length)?)
        }
        5 => Value::Fixed32(u32::from_le_bytes(*rest.split_off(..4)?.first_chunk()?)),
        _ => return None,
    };
    Some(Field { number: tag >> 3, value })
}

fn integer(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = *rest.split_off_first()?;
        value |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_kind_of_value() {
        let message = [0x08, 0x96, 0x01, 0x12, 2, b'h', b'i', 0x1D, 0, 0, 0x80, 0x3F, 0x21, 1, 0, 0, 0, 0, 0, 0, 0];
        let read: Vec<Field<'_>> = fields(&message).collect::<Result<_, _>>().unwrap();
        assert_eq!(read.len(), 4);
        assert_eq!(read[0], Field { number: 1, value: Value::Integer(150) });
        assert_eq!(read[1].value.bytes(), Some(&b"hi"[..]));
        assert_eq!(read[2].value.float(), Some(1.0));
        assert_eq!(read[3], Field { number: 4, value: Value::Fixed64(1) });
    }

    #[test]
    fn cut_off_messages_are_damaged() {
        for message in [&[0x12, 5, b'h'][..], &[0x08], &[0x80], &[0x1D, 0, 0], &[0x0B], &[0xFF; 20]] {
            assert_eq!(fields(message).last(), Some(Err(Damaged)), "{message:?}");
        }
    }

    proptest! {
        #[test]
        fn bytes_of_any_kind_come_to_an_end(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            prop_assert!(fields(&bytes).count() <= bytes.len());
        }
    }
}
