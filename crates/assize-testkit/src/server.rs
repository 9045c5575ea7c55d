//! The server: receives, records, and does as the script says.

use crate::format::Format;
use crate::gate::Gate;
use crate::script::{Faults, Received, Reply, Script};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, Method, Response, StatusCode, Uri};
use axum::routing::{get, post};
use futures_util::stream;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// How a server behaves.
#[derive(Clone, Debug, Default)]
pub struct Behaviour {
    /// What it replies.
    pub script: Script,
    /// How long it takes over each reply.
    pub latency: Duration,
    /// Failures strewn over it.
    pub faults: Option<Faults>,
    /// Of the tokens of each request, how many it says it had cached.
    pub cached_tokens: u64,
    /// Whether it forgets the requests it answered: for benches, where they would fill the memory.
    pub forgetful: bool,
}

impl From<Script> for Behaviour {
    fn from(script: Script) -> Self {
        Self { script, ..Self::default() }
    }
}

/// What a server has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Requests received.
    pub requests: usize,
    /// Requests that came a second time or more.
    pub repeated: usize,
    /// Requests being answered now.
    pub in_flight: usize,
    /// The most that were being answered at once.
    pub most_in_flight: usize,
}

struct Shared {
    behaviour: Behaviour,
    seen: Mutex<Seen>,
    gate: Gate,
    received: watch::Sender<usize>,
    shutdown: watch::Sender<bool>,
}

#[derive(Default)]
struct Seen {
    requests: Vec<Received>,
    repetitions: HashMap<blake3::Hash, usize>,
    stats: Stats,
}

impl Shared {
    async fn wait_for_requests(&self, count: usize) {
        let _ = self.received.subscribe().wait_for(|so_far| *so_far >= count).await;
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A model server on loopback. It stops when it is dropped.
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl ModelServer {
    /// Starts a server on a free port.
    ///
    /// # Panics
    /// If no port of the loopback interface can be had.
    pub async fn start(behaviour: impl Into<Behaviour>) -> Self {
        Self::start_on(0, behaviour).await.expect("a free port on loopback")
    }

    /// Starts a server on a port; 0 is any.
    pub async fn start_on(port: u16, behaviour: impl Into<Behaviour>) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            behaviour: behaviour.into(),
            seen: Mutex::default(),
            gate: Gate::open(),
            received: watch::Sender::new(0),
            shutdown: watch::Sender::new(false),
        });
        let app = Router::new()
            .route("/stats", get(stats))
            .route("/hold", post(hold))
            .route("/release", post(release_all))
            .route("/release/{count}", post(release))
            .route("/requests/{count}", get(wait_for_requests))
            .fallback(answer);
        let app = app.layer(DefaultBodyLimit::disable()).with_state(Arc::clone(&shared));
        let mut stop = shared.shutdown.subscribe();
        tokio::spawn(async move {
            let served = axum::serve(listener, app).with_graceful_shutdown(async move {
                let _ = stop.wait_for(|stopped| *stopped).await;
            });
            let _ = served.await;
        });
        Ok(Self { address, shared })
    }

    /// Its address, without a path.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The base address of the chat-completions format and of the embeddings.
    pub fn openai_url(&self) -> String {
        format!("{}/v1", self.url())
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<Received> {
        self.shared.seen().requests.clone()
    }

    /// What it has seen.
    pub fn stats(&self) -> Stats {
        self.shared.seen().stats
    }

    /// Holds every reply back from now on.
    pub fn hold(&self) {
        self.shared.gate.hold();
    }

    /// Lets so many replies go.
    pub fn release(&self, count: usize) {
        self.shared.gate.release(count);
    }

    /// Holds nothing back any more.
    pub fn release_all(&self) {
        self.shared.gate.release_all();
    }

    /// Returns once so many requests have come.
    pub async fn wait_for_requests(&self, count: usize) {
        self.shared.wait_for_requests(count).await;
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.shared.gate.release_all();
        self.shared.shutdown.send_replace(true);
    }
}

async fn stats(State(shared): State<Arc<Shared>>) -> axum::Json<Value> {
    let stats = shared.seen().stats;
    axum::Json(json!({
        "requests": stats.requests, "repeated": stats.repeated,
        "in_flight": stats.in_flight, "most_in_flight": stats.most_in_flight,
    }))
}

async fn hold(State(shared): State<Arc<Shared>>) {
    shared.gate.hold();
}

async fn release_all(State(shared): State<Arc<Shared>>) {
    shared.gate.release_all();
}

async fn release(State(shared): State<Arc<Shared>>, Path(count): Path<usize>) {
    shared.gate.release(count);
}

/// Answers once so many requests have come.
async fn wait_for_requests(State(shared): State<Arc<Shared>>, Path(count): Path<usize>) -> axum::Json<Value> {
    shared.wait_for_requests(count).await;
    stats(State(shared)).await
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let known = Format::of_path(uri.path()).filter(|_| method == Method::POST);
    let Some(format) = known else {
        return plain(404, &json!({"error": {"message": format!("no such path: {method} {}", uri.path())}}));
    };
    let Ok(body) = serde_json::from_slice::<Value>(&body) else {
        return plain(400, &json!({"error": {"message": "the body is not JSON"}}));
    };
    let received = record(&shared, format, uri.path(), &headers, body);
    let _in_flight = InFlight(&shared);
    let fault = shared.behaviour.faults.and_then(|faults| faults.strike(&received));
    let mut reply = fault.unwrap_or_else(|| shared.behaviour.script.reply(&received));
    shared.gate.pass().await;
    if !shared.behaviour.latency.is_zero() {
        tokio::time::sleep(shared.behaviour.latency).await;
    }
    while let Reply::Delay(duration, inner) = reply {
        tokio::time::sleep(duration).await;
        reply = *inner;
    }
    match &reply {
        Reply::Status { code, body, headers } => status(*code, body, headers),
        Reply::Hang => {
            let _ = shared.shutdown.subscribe().wait_for(|stopped| *stopped).await;
            plain(503, &json!({"error": {"message": "shutting down"}}))
        }
        Reply::CutBody => {
            let (_, response) = format.respond(&received, &Reply::Filled, 0);
            cut(&response.to_string())
        }
        _ => {
            let (code, response) = format.respond(&received, &reply, shared.behaviour.cached_tokens);
            plain(code, &response)
        }
    }
}

/// Counts a request as being answered until it is dropped, also when the client goes away.
struct InFlight<'a>(&'a Shared);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.seen().stats.in_flight -= 1;
    }
}

fn record(shared: &Shared, format: Format, path: &str, headers: &HeaderMap, body: Value) -> Received {
    let headers = headers
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    let mut seen = shared.seen();
    let repetitions = seen.repetitions.entry(blake3::hash(body.to_string().as_bytes())).or_default();
    let repetition = *repetitions;
    *repetitions += 1;
    let stats = &mut seen.stats;
    let number = stats.requests;
    stats.requests += 1;
    stats.repeated += usize::from(repetition > 0);
    stats.in_flight += 1;
    stats.most_in_flight = stats.most_in_flight.max(stats.in_flight);
    let received = Received { number, repetition, path: path.to_owned(), format, headers, body };
    if !shared.behaviour.forgetful {
        seen.requests.push(received.clone());
    }
    drop(seen);
    shared.received.send_modify(|count| *count += 1);
    received
}

fn plain(code: u16, body: &Value) -> Response<Body> {
    status(code, &body.to_string(), &[])
}

fn status(code: u16, body: &str, headers: &[(String, String)]) -> Response<Body> {
    let mut response = Response::builder().status(code).header("content-type", "application/json");
    for (name, value) in headers {
        response = response.header(name, value);
    }
    response.body(Body::from(body.to_owned())).unwrap_or_else(|_| {
        let mut broken = Response::new(Body::from("the script gave a status or a header that is none"));
        *broken.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        broken
    })
}

/// Promises the whole, sends half, and closes the connection.
fn cut(body: &str) -> Response<Body> {
    let half = Bytes::copy_from_slice(&body.as_bytes()[..body.len() / 2]);
    let parts = [Ok(half), Err(std::io::Error::other("cut off by the script"))];
    let mut response = Response::new(Body::from_stream(stream::iter(parts)));
    response.headers_mut().insert("content-length", body.len().into());
    response
}
