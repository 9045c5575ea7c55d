//! The events of a run, as they happen: server-sent events with numbers, so that whoever comes back misses nothing.

use super::operation::{ApiFailure, Given, Operation, Path, ReplyKind, describe};
use super::runs::RUN;
use crate::app::App;
use crate::jobs::{Job, JobState, Numbered, Progress};
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, stream};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How soon to look again at a run that another process may be running.
const LOOK_AGAIN: Duration = Duration::from_secs(3);

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(
            Method::GET,
            "/runs/{run}/events",
            "followRun",
            "The events of a run, as they happen, until it has ended.",
            events,
        )
        .with_parameters(RUN)
        .with_headers(&[(
            "Last-Event-ID",
            "The last event that was seen; what was missed since is sent first. Browsers send it by themselves.",
        )]),
    ]
}

/// What the stream holds.
struct EventStream(Response);

impl IntoResponse for EventStream {
    fn into_response(self) -> Response {
        self.0
    }
}

impl Given for EventStream {
    const REPLY: ReplyKind = ReplyKind {
        status: StatusCode::OK,
        media: "text/event-stream",
        describe: describe::<Self>,
        others: &[(StatusCode::NO_CONTENT, "The run has ended, and its end was seen.")],
    };
}

impl JsonSchema for EventStream {
    fn schema_name() -> Cow<'static, str> {
        "EventStream".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let progress = generator.subschema_for::<Progress>();
        json_schema!({
            "type": "object",
            "required": ["id", "event", "data"],
            "properties": {
                "id": {"type": "string", "description": "Its number: what `Last-Event-ID` takes."},
                "event": {"enum": ["snapshot", "progress", "ended"]},
                "data": {"type": "string", "contentMediaType": "application/json", "contentSchema": progress},
                "retry": {"type": "integer", "minimum": 0, "description": "When to look again, in milliseconds."},
            },
            "description": "Server-sent events. `snapshot`: how the run is getting on, whole; sent first, and whenever \
                more was missed than is kept. `progress`: the same, with only those cases under `recent` that were finished \
                since the event before; a few a second at most. `ended`: the last one. The data of each is a `Progress`.",
        })
    }
}

async fn events(
    State(app): State<App>,
    Path(run): Path<String>,
    headers: HeaderMap,
) -> Result<EventStream, ApiFailure> {
    let seen = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse::<u64>().ok());
    let progress = app.blocking(move |app| app.progress(&run)).await?;
    let Some(job) = app.jobs().get(&progress.run) else { return Ok(EventStream(from_record(&progress, seen))) };
    let has_ended = progress.state == JobState::Ended;
    if has_ended && seen == Some(*job.watch().borrow()) {
        return Ok(EventStream(StatusCode::NO_CONTENT.into_response()));
    }
    Ok(EventStream(Sse::new(follow(job, seen)).keep_alive(KeepAlive::default()).into_response()))
}

/// A run that this server does not run: how it stands, and when to look again.
fn from_record(progress: &Progress, seen: Option<u64>) -> Response {
    let ended = progress.state == JobState::Ended;
    // Numbered by what is done, so that a client that comes back after the end is told that it has seen it.
    let number = progress.cases.done + u64::from(ended);
    if ended && seen == Some(number) {
        return StatusCode::NO_CONTENT.into_response();
    }
    let kind = if ended { "ended" } else { "snapshot" };
    let data = serde_json::to_string(progress).expect("a progress has text keys only, so it has a JSON form");
    let event = event(&Numbered { number, kind, data: data.into() }).retry(LOOK_AGAIN);
    Sse::new(stream::iter([Ok::<_, Infallible>(event)])).into_response()
}

/// A client on its way through the events. Nothing waits for it but the number it has come to.
struct Reader {
    job: Arc<Job>,
    last: watch::Receiver<u64>,
    seen: Option<u64>,
    ready: VecDeque<Numbered>,
}

fn follow(job: Arc<Job>, seen: Option<u64>) -> impl Stream<Item = Result<Event, Infallible>> {
    let last = job.watch();
    let reader = Reader { job, last, seen, ready: VecDeque::new() };
    stream::unfold(Some(reader), |reader| async {
        let mut reader = reader?;
        let next = reader.next().await?;
        let told = Ok(event(&next));
        // After the end nothing follows.
        Some((told, (next.kind != "ended").then_some(reader)))
    })
}

impl Reader {
    async fn next(&mut self) -> Option<Numbered> {
        loop {
            if let Some(next) = self.ready.pop_front() {
                self.seen = Some(next.number);
                return Some(next);
            }
            // Marked as seen before looking, so that an event that comes in between is not slept through.
            self.last.mark_unchanged();
            self.ready.extend(self.job.missed(self.seen));
            if self.ready.is_empty() {
                self.last.changed().await.ok()?;
            }
        }
    }
}

fn event(numbered: &Numbered) -> Event {
    Event::default().id(numbered.number.to_string()).event(numbered.kind).data(&*numbered.data)
}
