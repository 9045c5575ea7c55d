//! How long a model takes to load and how many sentences it embeds in a second.
//!
//! ```text
//! cargo run --release -p assize-embed --example measure -- muse:DIR local:DIR lexical
//! ```

#![allow(clippy::print_stdout, reason = "it is a program whose output is its purpose")]

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use assize_embed::open;

/// Sentences of a call, as they are judged: 4 to 22 words.
const SENTENCES: [&str; 10] = [
    "Thank you for calling, how can I help you today?",
    "I was charged twice for the same order and I would like to have one of the payments back.",
    "Ich habe gestern schon angerufen, aber niemand konnte mir sagen, wann der Techniker kommt.",
    "Let me check that for you.",
    "El importe se abonará en su cuenta en un plazo de cinco días hábiles.",
    "Could you please confirm your date of birth and the last four digits of your account number?",
    "ご不便をおかけして申し訳ございません。",
    "The router was restarted, the light is still red, and the connection drops every evening at about eight o'clock.",
    "Is there anything else I can do for you?",
    "The customer agreed to the new terms and asked for a confirmation by e-mail.",
];
const COUNT: usize = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let texts: Vec<String> = (0..COUNT).map(|n| format!("{} {n}", SENTENCES[n % SENTENCES.len()])).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for spec in std::env::args().skip(1) {
        let start = Instant::now();
        let embedder = open(&spec, Path::new("."))?;
        let load = start.elapsed();
        embedder.embed(&texts[..20])?;
        let start = Instant::now();
        for text in &texts[..100] {
            embedder.embed(&[text])?;
        }
        let single = start.elapsed() / 100;
        let start = Instant::now();
        embedder.embed(&texts)?;
        let batch = start.elapsed();
        let per_second = COUNT as f64 / batch.as_secs_f64();
        println!(
            "{}: loaded in {load:.0?}, {single:.1?} for one sentence, {per_second:.0} sentences/s in a batch",
            embedder.name()
        );
    }
    Ok(())
}
