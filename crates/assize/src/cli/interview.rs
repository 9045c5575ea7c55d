//! The interview behind `assize new behavior`: a first rubric from what a person says.
//!
//! Questions go to standard output, answers come from standard input a line each, so that a script can answer as well.

use super::asking::Asking;
use super::new::write_new;
use super::test::Test;
use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::screen::{self, Style, styled};
use assize_judges::systems::behaviour::{Interview, JudgedExample, Reading};
use serde_json::{Map, Value};
use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

/// Somebody who answers.
pub(super) struct Talk<R> {
    answers: R,
    /// Whether what is typed is seen already.
    echoes: bool,
}

impl Talk<std::io::StdinLock<'static>> {
    /// Whoever is at standard input.
    pub(super) fn at_stdin() -> Self {
        Self { answers: std::io::stdin().lock(), echoes: std::io::stdin().is_terminal() }
    }
}

impl<R: BufRead> Talk<R> {
    /// The answer to a question, in a line; nothing where the answers end.
    fn line(&mut self, question: &str) -> Option<String> {
        let mut output = anstream::stdout().lock();
        let _ = write!(output, "{question} ").and_then(|()| output.flush());
        let mut answer = String::new();
        let read = self.answers.read_line(&mut answer).ok()?;
        if !self.echoes {
            // So that a log of answers from a file reads like one from a terminal.
            let _ = writeln!(output, "{}", screen::harmless(answer.trim()));
        }
        (read > 0).then(|| answer.trim().to_owned())
    }

    fn ask(&mut self, question: &str) -> Result<String, Exit> {
        self.line(&format!("{}\n>", styled(Style::Bold, question))).ok_or_else(ended)
    }

    fn ask_filled(&mut self, question: &str) -> Result<String, Exit> {
        loop {
            let answer = self.ask(question)?;
            if answer.chars().any(char::is_alphanumeric) {
                return Ok(answer);
            }
            screen::line("Please write something here.");
        }
    }

    /// The answers to a question, one a line up to an empty one.
    fn ask_list(&mut self, question: &str) -> Result<Vec<String>, Exit> {
        let mut answers = vec![self.ask(&format!("{question} One a line; an empty line ends."))?];
        while answers.last().is_some_and(|answer| !answer.is_empty()) {
            answers.push(self.line(">").ok_or_else(ended)?);
        }
        answers.pop();
        Ok(answers)
    }

    /// Whether somebody agrees. An empty answer, or none, is `otherwise`.
    fn agrees(&mut self, question: &str, otherwise: bool) -> bool {
        let choice = if otherwise { "[Y/n]" } else { "[y/N]" };
        match self.line(&format!("{} {choice}", styled(Style::Bold, question))) {
            Some(answer) if !answer.is_empty() => answer.to_lowercase().starts_with('y'),
            Some(_) => otherwise,
            // Nobody is there to agree.
            None => false,
        }
    }

    /// What the concept of a benchmark describes; nothing where nobody says.
    pub(super) fn reading(&mut self, concept: &str) -> Option<Reading> {
        screen::line(format!("The benchmark says: {}", screen::harmless(concept)));
        let question = "Is that what a correct output does (c), or a fault that makes it fail (f)?";
        match self.line(&styled(Style::Bold, question))?.to_lowercase().chars().next()? {
            'c' => Some(Reading::Correct),
            'f' => Some(Reading::Fault),
            _ => None,
        }
    }
}

fn ended() -> Exit {
    let hint = "answer every question with a line; an empty line ends a list. Nothing was written";
    fail("the answers ended before the interview did", hint)
}

/// Asks about a behaviour, writes its benchmark and its prompt into a tree, and tries them on cases.
pub(super) fn hold(talk: &mut Talk<impl BufRead>, tree: &Path, asking: &Asking, place: &Place) -> Outcome {
    screen::line(
        "A new behaviour: one yes-or-no question about an output. Six questions, then you see what they make.\n",
    );
    let mut interview =
        Interview { name: talk.ask_filled("What is it called, in two or three words?")?, ..Interview::default() };
    let (benchmark, prompt) = (tree.join(interview.benchmark_path()), tree.join(interview.prompt_path()));
    if let Some(taken) = [&benchmark, &prompt].into_iter().find(|path| path.exists()) {
        return Err(fail(
            format!("{} already exists", taken.display()),
            "give the behaviour another name, or name another folder with --into",
        ));
    }
    interview.about =
        talk.ask_filled("What is evaluated? One sentence, such as: Whether the note gives the amount paid.")?;
    interview.correct = talk.ask_list("What does a correct output do?")?;
    interview.fails = talk.ask_list("What makes an output fail at once?")?;
    if interview.correct.is_empty() && interview.fails.is_empty() {
        return Err(fail(
            "nothing says what passes or what fails",
            "answer one of the two questions. Nothing was written",
        ));
    }
    interview.may_differ = talk.ask_list("What may differ, and still pass?")?;
    interview.out_of_scope = talk.ask_list("What is out of scope, and must not be judged here?")?;
    for (path, text) in [(&benchmark, interview.benchmark()), (&prompt, interview.prompt())] {
        screen::line(format!("\n{}\n{}", styled(Style::Bold, path.display()), screen::harmless(text.trim_end())));
    }
    screen::line("");
    if !talk.agrees("Write these two files?", true) {
        screen::line("Nothing was written.");
        return Ok(Exit::Done);
    }
    write_new(&benchmark, &interview.benchmark())?;
    write_new(&prompt, &interview.prompt()).inspect_err(|_| _ = std::fs::remove_file(&benchmark))?;
    screen::line(format!("wrote {}\nwrote {}", benchmark.display(), prompt.display()));
    let mut exit = Exit::Done;
    let mut question = "Try it on a case, and keep that as an example?";
    while talk.agrees(question, false) {
        interview.examples.push(case(talk)?);
        std::fs::write(&benchmark, interview.benchmark())
            .map_err(|error| fail(format!("{} cannot be written: {error}", benchmark.display()), ""))?;
        screen::line("");
        exit = Test::of(benchmark.clone(), asking.clone()).run(place)?;
        question = "Another case? A clear pass and a clear fail make a good start.";
    }
    screen::line(format!("\nNext: assize lint {0}\n      assize test {0} --model MODEL", tree.display()));
    Ok(exit)
}

fn case(talk: &mut Talk<impl BufRead>) -> Result<JudgedExample, Exit> {
    let mut inputs = Map::new();
    for (input, question) in [
        ("ground_truth", "The ground truth (what was expected):"),
        ("source_narrative", "The source it was made from (may be empty):"),
        ("candidate_output", "The output to judge:"),
    ] {
        let answer = talk.ask(question)?;
        if !answer.is_empty() {
            inputs.insert(input.into(), Value::String(answer));
        }
    }
    if !inputs.contains_key("candidate_output") {
        return Err(fail(
            "there is no output to judge",
            "both files are written; `assize test` runs the examples you add",
        ));
    }
    let pass = talk.agrees("Should it pass?", true);
    let reason = talk.ask_filled("Why? One sentence.")?;
    Ok(JudgedExample { inputs, pass, reason })
}
