//! The cases of a run as Parquet: a row each, with figures as numbers, flags as a list, and nulls where nothing is defined.

use super::cases::{BEFORE, BEHIND};
use super::{CaseRow, Cases, ReportError};
use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::{Type, TypePtr};
use std::io::Write;
use std::sync::Arc;

/// As many rows as are gathered before they are written.
const GROUP: usize = 20_000;

/// Writes the cases, as they come from the store.
pub fn write(cases: &Cases<'_>, output: &mut (dyn Write + Send)) -> Result<(), ReportError> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("assize {}", env!("CARGO_PKG_VERSION")))
        .build();
    let mut file = SerializedFileWriter::new(output, schema(cases)?, Arc::new(properties))?;
    let mut group = Vec::with_capacity(GROUP);
    for row in cases.rows() {
        group.push(row?);
        if group.len() == GROUP {
            write_group(&mut file, &group, cases.metrics())?;
            group.clear();
        }
    }
    if !group.is_empty() {
        write_group(&mut file, &group, cases.metrics())?;
    }
    file.close()?;
    Ok(())
}

/// The columns, by name and in the order of [`Cases::columns`].
fn schema(cases: &Cases<'_>) -> Result<TypePtr, ParquetError> {
    let columns = cases.columns();
    let figures = BEFORE.len()..columns.len() - BEHIND.len();
    let fields = columns.iter().enumerate().map(|(at, name)| match name.as_str() {
        "case" | "model" | "status" => text(name, Repetition::REQUIRED),
        "flags" => list(name),
        "run" => number(name),
        _ if figures.contains(&at) => number(name),
        _ => text(name, Repetition::OPTIONAL),
    });
    let fields = fields.map(|field| field.map(Arc::new)).collect::<Result<Vec<TypePtr>, _>>()?;
    Type::group_type_builder("cases").with_fields(fields).build().map(Arc::new)
}

fn text(name: &str, repetition: Repetition) -> Result<Type, ParquetError> {
    Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
        .with_logical_type(Some(LogicalType::String))
        .with_repetition(repetition)
        .build()
}

fn number(name: &str) -> Result<Type, ParquetError> {
    Type::primitive_type_builder(name, Physical::DOUBLE).with_repetition(Repetition::OPTIONAL).build()
}

/// A list of texts, in the three levels that the format prescribes.
fn list(name: &str) -> Result<Type, ParquetError> {
    let items = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![Arc::new(text("element", Repetition::REQUIRED)?)])
        .build()?;
    Type::group_type_builder(name)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(items)])
        .build()
}

fn write_group<W: Write + Send>(
    file: &mut SerializedFileWriter<W>,
    rows: &[CaseRow],
    metrics: &[String],
) -> Result<(), ParquetError> {
    let mut group = file.next_row_group()?;
    let required = |pick: fn(&CaseRow) -> &str| rows.iter().map(move |row| ByteArray::from(pick(row)));
    let optional = |pick: fn(&CaseRow) -> Option<&str>| rows.iter().map(move |row| pick(row).map(ByteArray::from));
    add::<_, ByteArrayType>(&mut group, required(|row| &row.line.case).collect(), None, None)?;
    add::<_, ByteArrayType>(&mut group, required(|row| &row.line.model).collect(), None, None)?;
    add_optional::<_, DoubleType>(&mut group, rows.iter().map(|row| row.repetition))?;
    add::<_, ByteArrayType>(&mut group, required(|row| row.line.status.name()).collect(), None, None)?;
    add_optional::<_, ByteArrayType>(&mut group, optional(|row| row.line.verdict.as_deref()))?;
    for metric in metrics {
        add_optional::<_, DoubleType>(&mut group, rows.iter().map(|row| row.value(metric)))?;
    }
    add_flags(&mut group, rows)?;
    add_optional::<_, ByteArrayType>(&mut group, optional(|row| row.line.reason.as_deref()))?;
    let errors = rows.iter().map(|row| row.error().map(|error| ByteArray::from(error.as_str())));
    add_optional::<_, ByteArrayType>(&mut group, errors)?;
    group.close()?;
    Ok(())
}

/// Writes the next column: its values, and where they are defined and repeated.
fn add<W: Write + Send, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: Vec<T::T>,
    defined: Option<&[i16]>,
    repeated: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let missing = || ParquetError::General("the schema has fewer columns than the rows".to_owned());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(&values, defined, repeated)?;
    column.close()
}

fn add_optional<W: Write + Send, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    cells: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let (mut values, mut defined) = (Vec::new(), Vec::new());
    for cell in cells {
        defined.push(i16::from(cell.is_some()));
        values.extend(cell);
    }
    add::<W, T>(group, values, Some(&defined), None)
}

/// A list begins with repetition 0 and goes on with 1; an empty one is a place where nothing is defined.
fn add_flags<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: &[CaseRow],
) -> Result<(), ParquetError> {
    let (mut values, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
    for flags in rows.iter().map(|row| &row.line.flags) {
        if flags.is_empty() {
            defined.push(0);
            repeated.push(0);
        }
        for (at, flag) in flags.iter().enumerate() {
            values.push(ByteArray::from(flag.as_str()));
            defined.push(1);
            repeated.push(i16::from(at > 0));
        }
    }
    add::<W, ByteArrayType>(group, values, Some(&defined), Some(&repeated))
}

impl From<ParquetError> for ReportError {
    fn from(error: ParquetError) -> Self {
        Self::Format(error.to_string())
    }
}
