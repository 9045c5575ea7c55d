//! A folder that is served, and requests to it as a program makes them.

use crate::bench::command_in;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command};

/// The secret of the tests' servers.
const SECRET: &str = "a-secret-for-the-tests-only";

/// A server; it ends with the test.
pub(crate) struct Served {
    child: Child,
    address: String,
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
        let mut command = command_in(folder, &["serve", "--addr", "127.0.0.1:0", "--no-open", "--token", SECRET]);
        prepare(&mut command);
        let mut child = command.spawn().expect("started");
        let mut line = String::new();
        let output = child.stdout.take().expect("piped");
        BufReader::new(output).read_line(&mut line).expect("its first line");
        let address = line.trim().strip_prefix("serving http://").expect("its address").to_owned();
        Self { child, address }
    }

    /// Asks the API: the status, and the reply as JSON.
    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let body = body.map(ToString::to_string).unwrap_or_default();
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        write!(
            stream,
            "{method} /api/v1{path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {SECRET}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .expect("sent");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("a reply");
        let (head, body) = reply.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }
}
