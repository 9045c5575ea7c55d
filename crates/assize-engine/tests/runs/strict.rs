//! What a provider's strict mode is sent: every question of every bundled example, enforced by the provider.

use assize_core::judge::first_questions;
use assize_engine::files::Files;
use assize_engine::profiles::Profiles;
use assize_engine::run::{RunOptions, SuiteSource, prepare};
use assize_judges::examples::{self, Example};
use assize_llm::wire::schema::{Dialect, for_strict, is_strict};

#[test]
fn every_schema_is_strict() {
    for example in examples::all() {
        let files = Files::from(example);
        let prepared = SuiteSource::read(&files, Example::SUITE)
            .and_then(|suite| prepare(suite, RunOptions::of_suite(Example::SUITE), &Profiles::default(), &|_| None))
            .unwrap_or_else(|problems| panic!("{}: {problems:?}", example.system));
        let mut asked = 0;
        for case in prepared.cases() {
            for question in first_questions(prepared.judge(), &case).unwrap_or_default() {
                asked += 1;
                let sent = for_strict(&question.schema.schema, Dialect::OpenAi);
                assert!(is_strict(&sent), "{} {}: {sent:#}", example.system, question.name);
            }
        }
        assert!(asked > 0, "{} asks nothing", example.system);
    }
}
