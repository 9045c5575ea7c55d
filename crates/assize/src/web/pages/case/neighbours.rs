//! The cases before and after one, in the list the reader came from.

use crate::web::app::App;
use crate::web::failure::Failure;

/// The positions before and after a case. `query` is the list's, as it stands in the address. Waits for the disk.
pub(super) fn neighbours(
    app: &App,
    run: &str,
    position: u32,
    _query: &[(String, String)],
) -> Result<(Option<u32>, Option<u32>), Failure> {
    let next = position.checked_add(1);
    let next = match next {
        Some(next) => app.store().result(run, next)?.map(|result| result.position),
        None => None,
    };
    Ok((position.checked_sub(1), next))
}
