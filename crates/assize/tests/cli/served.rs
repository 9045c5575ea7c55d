//! A folder that is served, and requests to it as a program makes them.

use crate::bench::command_in;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command};

/// The secret of the tests' servers.
pub(crate) const SECRET: &str = "a-secret-for-the-tests-only";

/// A server; it ends with the test.
pub(crate) struct Served {
    child: Child,
    address: String,
    link: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    /// Serves a folder.
    pub(crate) fn start(folder: &Path, prepare: impl FnOnce(&mut Command)) -> Self {
        Self::start_at("127.0.0.1:0", folder, prepare)
    }

    /// Serves a folder at an address.
    pub(crate) fn start_at(address: &str, folder: &Path, prepare: impl FnOnce(&mut Command)) -> Self {
        let mut command = command_in(folder, &["serve", "--addr", address, "--no-open"]);
        command.env("ASSIZE_TOKEN", SECRET);
        prepare(&mut command);
        let mut child = command.spawn().expect("started");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut line = |beginning: &str| {
            let line = lines.next().expect("a line").expect("read");
            line.strip_prefix(beginning).unwrap_or_else(|| panic!("{line}")).to_owned()
        };
        let address = line("serving http://");
        let link = line(&format!("sign in http://{address}"));
        Self { child, address, link }
    }

    /// The path of the link that it printed, which signs a browser in once.
    pub(crate) fn sign_in_link(&self) -> String {
        self.link.clone()
    }

    /// Asks the API: the status, and the reply as JSON.
    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let body = body.map(ToString::to_string).unwrap_or_default();
        let secret = format!("Bearer {SECRET}");
        let headers = [("Authorization", secret.as_str()), ("Content-Type", "application/json")];
        let reply = self.send(method, &format!("/api/v1{path}"), &headers, &body);
        (reply.status, serde_json::from_str(&reply.body).unwrap_or(Value::Null))
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Sends a request with these headers alone, `Host` aside, which it has unless another is given.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> HttpReply {
        let mut reply = String::new();
        self.connect(method, path, headers, body).read_to_string(&mut reply).expect("a reply");
        let (head, body) = reply.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        HttpReply { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// Sends a request and gives the connection, to read from it what comes.
    pub(crate) fn connect(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port())).expect("a connection");
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        write!(stream, "{request}Content-Length: {}\r\n\r\n{body}", body.len()).expect("sent");
        stream
    }

    /// The port it listens at.
    pub(crate) fn port(&self) -> u16 {
        self.address.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).expect("a port")
    }

    /// Tells it to end, as Ctrl-C does.
    #[cfg(unix)]
    pub(crate) fn interrupt(&self) {
        let told = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().expect("kill");
        assert!(told.success());
    }

    /// Waits for its end, and gives its exit code.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        self.child.wait().expect("ended").code()
    }
}

/// What came back.
#[derive(Debug)]
pub(crate) struct HttpReply {
    pub(crate) status: u16,
    /// The status line and the headers.
    pub(crate) head: String,
    pub(crate) body: String,
}

impl HttpReply {
    /// A header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}
