//! The server as a program.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn exchange(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    response
}

#[test]
fn it_prints_its_address_answers_and_counts() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assize-model-server"));
    let mut running = Running(command.args(["--port", "0"]).stdout(Stdio::piped()).spawn().expect("started"));
    let mut line = String::new();
    BufReader::new(running.0.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    let address = line.trim().strip_prefix("http://").expect("an address").to_owned();
    let body = r#"{"model": "m", "messages": [{"role": "user", "content": "hello"}]}"#;
    let post = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    assert!(exchange(&address, &post).contains("\"finish_reason\":\"stop\""));
    let stats = exchange(&address, "GET /stats HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    assert!(stats.contains("\"requests\":1") && stats.contains("\"most_in_flight\":1"), "{stats}");
}

#[test]
fn a_wrong_option_is_named() {
    for arguments in [vec!["--fail-rate", "2"], vec!["--prot", "1"], vec!["--port"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assize-model-server"));
        let output = command.args(&arguments).output().expect("run");
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(arguments[0]) && said.contains("usage:"), "{said}");
    }
}
