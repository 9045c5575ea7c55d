//! Styles and scripts: part of the binary, at addresses that name their content.

use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::LazyLock;

/// A file that pages load.
struct Asset {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
}

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All of them. A page names its scripts; the style and `keys.js` are on every page.
const ASSETS: &[Asset] = &[
    Asset { name: "style.css", kind: CSS, text: include_str!("assets/style.css") },
    Asset { name: "start.js", kind: SCRIPT, text: include_str!("assets/start.js") },
    Asset { name: "case.js", kind: SCRIPT, text: include_str!("assets/case.js") },
    Asset { name: "settings.js", kind: SCRIPT, text: include_str!("assets/settings.js") },
    Asset { name: "new-run.js", kind: SCRIPT, text: include_str!("assets/new-run.js") },
    Asset { name: "live.js", kind: SCRIPT, text: include_str!("assets/live.js") },
    Asset { name: "numbers.js", kind: SCRIPT, text: include_str!("assets/numbers.js") },
    Asset { name: "page.js", kind: SCRIPT, text: include_str!("assets/page.js") },
    Asset { name: "keys.js", kind: SCRIPT, text: include_str!("assets/keys.js") },
    Asset { name: "drawing.js", kind: SCRIPT, text: include_str!("assets/drawing.js") },
    Asset { name: "rubrics.js", kind: SCRIPT, text: include_str!("assets/rubrics.js") },
    Asset { name: "workbench.js", kind: SCRIPT, text: include_str!("assets/workbench.js") },
    Asset { name: "editor.js", kind: SCRIPT, text: include_str!("assets/editor.js") },
    Asset { name: "trial.js", kind: SCRIPT, text: include_str!("assets/trial.js") },
];

/// The style sheet, for reports that carry it with them.
pub(super) const STYLE: &str = ASSETS[0].text;

/// One version for all, so that a script can import the one beside it.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut content = blake3::Hasher::new();
    ASSETS.iter().for_each(|asset| _ = content.update(asset.text.as_bytes()));
    content.finalize().to_hex()[..10].to_owned()
});

/// The address of an asset.
pub(super) fn address(name: &str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}

pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/assets/{version}/{name}", get(serve)).route("/favicon.ico", get(icon))
}

async fn serve(Path((_, name)): Path<(String, String)>) -> Response {
    match ASSETS.iter().find(|asset| asset.name == name) {
        Some(asset) => {
            let kept = "public, max-age=31536000, immutable";
            ([(header::CONTENT_TYPE, asset.kind), (header::CACHE_CONTROL, kept)], asset.text).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn icon() -> Response {
    ([(header::CONTENT_TYPE, "image/svg+xml")], include_str!("assets/icon.svg")).into_response()
}
