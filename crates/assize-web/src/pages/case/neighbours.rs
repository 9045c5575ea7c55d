//! The cases before and after one, in the list the reader came from.

use crate::app::App;
use crate::failure::Failure;
use crate::pages::{ListAddress, find_cases};
use assize_engine::records::RunDocument;

/// The positions before and after a case. `query` is the list's, as it stands in the address. Waits for the disk.
pub(super) fn neighbours(
    app: &App,
    run: &RunDocument,
    position: u32,
    query: &[(String, String)],
) -> Result<(Option<u32>, Option<u32>), Failure> {
    let address = ListAddress::read(query.to_vec());
    Ok(find_cases(app, run, &address.query)?.neighbours(position))
}
