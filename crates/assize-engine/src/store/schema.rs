//! The tables, and how they came to be. A migration that has been released is never edited; a new one is added.

use rusqlite_migration::{M, Migrations};

/// The first layout.
///
/// `answers` holds every reply ever accepted, by its id; `cache` says which of them answers a key today, so that asking
/// anew re-points the cache and leaves old runs as they were. Cases are stored once, by content. Tables with long texts keep
/// their row ids: without them, every look-up would walk through the texts.
const FIRST: &str = "
CREATE TABLE answers (
    id       TEXT NOT NULL PRIMARY KEY,
    key      TEXT NOT NULL,
    question TEXT NOT NULL,
    body     TEXT NOT NULL
) STRICT;

CREATE TABLE cache (
    key    TEXT NOT NULL PRIMARY KEY,
    answer TEXT NOT NULL REFERENCES answers (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE cases (
    fingerprint TEXT NOT NULL PRIMARY KEY,
    body        TEXT NOT NULL
) STRICT;

CREATE TABLE runs (
    id       TEXT NOT NULL PRIMARY KEY,
    suite    TEXT NOT NULL,
    status   TEXT NOT NULL,
    started  TEXT NOT NULL,
    document TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE results (
    run      TEXT NOT NULL REFERENCES runs (id),
    position INTEGER NOT NULL,
    case_id  TEXT NOT NULL,
    model    TEXT NOT NULL,
    status   TEXT NOT NULL,
    content  TEXT NOT NULL,
    line     TEXT NOT NULL,
    PRIMARY KEY (run, position)
) STRICT;
CREATE INDEX results_by_case ON results (run, case_id, model);
";

/// Profiles: every version that was ever saved. Deleting one hides it; runs that used it can still be understood.
const PROFILES: &str = "
CREATE TABLE profiles (
    name     TEXT NOT NULL,
    version  INTEGER NOT NULL,
    settings TEXT NOT NULL,
    saved    TEXT NOT NULL,
    hidden   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (name, version)
) STRICT;
";

/// What lists of cases ask about, by column and stretch of cases, so that a list need not read the cases.
const COLUMNS: &str = "
CREATE TABLE columns (
    run   TEXT NOT NULL REFERENCES runs (id),
    name  TEXT NOT NULL,
    first INTEGER NOT NULL,
    body  BLOB NOT NULL,
    PRIMARY KEY (run, name, first)
) STRICT, WITHOUT ROWID;
";

/// Vectors of texts, by the fingerprints of who made them and of the text. Their numbers are single-precision, little
/// end first. They are a cache and nothing else: no run refers to them.
const EMBEDDINGS: &str = "
CREATE TABLE embeddings (
    embedder TEXT NOT NULL,
    text     TEXT NOT NULL,
    vector   BLOB NOT NULL,
    PRIMARY KEY (embedder, text)
) STRICT;
";

/// What people say of judgments. Nothing is changed or removed but by being withdrawn, and that leaves it there. `content` is the
/// case that was looked at, so that a label can be found again for the same case in another run; `item` is what of the
/// judgment it is about.
const LABELS: &str = "
CREATE TABLE labels (
    id        TEXT NOT NULL PRIMARY KEY,
    run       TEXT NOT NULL REFERENCES runs (id),
    position  INTEGER NOT NULL,
    content   TEXT NOT NULL,
    judge_use TEXT NOT NULL,
    item      TEXT NOT NULL,
    value     TEXT NOT NULL,
    corrected TEXT,
    note      TEXT NOT NULL,
    by_whom   TEXT NOT NULL,
    at        TEXT NOT NULL,
    withdrawn TEXT
) STRICT;
CREATE INDEX labels_by_case ON labels (run, position);
CREATE INDEX labels_by_content ON labels (content);
";

/// When an answer was kept: what is older than a run was not paid for by it.
const KEPT: &str = "ALTER TABLE answers ADD COLUMN kept TEXT;";

/// A profile says which judge it is for. Those saved before it did are of the fact judge: there were no others.
const PROFILE_JUDGES: &str = "
ALTER TABLE profiles ADD COLUMN judge TEXT NOT NULL DEFAULT 'fact-extraction';
";

/// What a run was asked for with, so that the same can be asked for again. Runs from before have none.
const REQUESTS: &str = "ALTER TABLE runs ADD COLUMN request TEXT;";

pub(super) fn migrations() -> Migrations<'static> {
    Migrations::new(vec![
        M::up(FIRST),
        M::up(PROFILES),
        M::up(COLUMNS),
        M::up(EMBEDDINGS),
        M::up(LABELS),
        M::up(KEPT),
        M::up(PROFILE_JUDGES),
        M::up(REQUESTS),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_migrations_apply() {
        migrations().validate().expect("valid migrations");
    }

    #[test]
    fn profiles_of_an_older_store_are_of_the_fact_judge() {
        let mut connection = rusqlite::Connection::open_in_memory().expect("a database");
        Migrations::new(vec![M::up(FIRST), M::up(PROFILES)]).to_latest(&mut connection).expect("the older layout");
        let row =
            "INSERT INTO profiles (name, version, settings, saved) VALUES ('acme', 1, '{}', '2026-01-01T00:00:00Z')";
        connection.execute(row, []).expect("saved");
        migrations().to_latest(&mut connection).expect("brought up to date");
        let judge: String =
            connection.query_row("SELECT judge FROM profiles", [], |row| row.get(0)).expect("it is still there");
        assert_eq!(judge, "fact-extraction");
    }
}
