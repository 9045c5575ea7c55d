//! What people say of judgments: kept beside them, never in their place.
//!
//! A label is about one item of one case of one run. Saying something else later adds another one; taking one back leaves
//! it there, withdrawn. The latest that each person has not withdrawn is what that person says.

use super::read::named;
use super::write::Write;
use super::{Store, StoreError};
use crate::records::{JUDGMENT, Label, LabelValue, NewLabel};
use assize_core::Fingerprint;
use rusqlite::{OptionalExtension, Row, params};

impl Store {
    /// Keeps what somebody says of a judgment; `None` where the run has no such case. When this returns, it is on disk.
    pub async fn add_label(
        &self,
        run: &str,
        position: u32,
        judge_use: &str,
        new: NewLabel,
    ) -> Result<Option<Label>, StoreError> {
        let at = jiff::Timestamp::now().to_string();
        let NewLabel { item, value, corrected, note, by_whom } = new;
        let id = Fingerprint::of(&(run, position, &item, value, &corrected, &note, &by_whom, &at)).short().to_owned();
        let label = Label {
            id: id.clone(),
            run: run.to_owned(),
            position,
            // The writer takes it from the result.
            content: String::new(),
            judge_use: judge_use.to_owned(),
            item,
            value,
            corrected,
            note,
            by_whom,
            at,
            withdrawn: None,
        };
        self.commit(|done| Write::AddLabel { label, done }).await?;
        self.label(&id)
    }

    /// Takes a label back; one that is withdrawn already stays as it is.
    pub async fn withdraw_label(&self, id: &str) -> Result<Option<Label>, StoreError> {
        let (wanted, at) = (id.to_owned(), jiff::Timestamp::now().to_string());
        self.commit(|done| Write::WithdrawLabel { id: wanted, at, done }).await?;
        self.label(id)
    }

    /// A label by its id.
    pub fn label(&self, id: &str) -> Result<Option<Label>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(&format!("SELECT {COLUMNS} FROM labels WHERE id = ?1"))?
                .query_row([id], read_label)
                .optional()
        })
    }

    /// All that was said of a case of a run, in the order in which it was said, with what was withdrawn.
    pub fn labels_of(&self, run: &str, position: u32) -> Result<Vec<Label>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM labels WHERE run = ?1 AND position = ?2 ORDER BY rowid"
                ))?
                .query_map(params![run, position], read_label)?
                .collect()
        })
    }

    /// The cases of a run of whose judgment somebody said something, with what was said last and not withdrawn.
    pub fn labelled(&self, run: &str) -> Result<Vec<(u32, LabelValue)>, StoreError> {
        self.read(|connection| {
            // Beside max(), SQLite gives the columns of the row that has it.
            connection
                .prepare_cached(
                    "SELECT position, value, max(rowid) FROM labels
                     WHERE run = ?1 AND item = ?2 AND withdrawn IS NULL GROUP BY position ORDER BY position",
                )?
                .query_map(params![run, JUDGMENT], |row| Ok((row.get(0)?, named(row, 1, LabelValue::named)?)))?
                .collect()
        })
    }
}

const COLUMNS: &str = "id, run, position, content, judge_use, item, value, corrected, note, by_whom, at, withdrawn";

fn read_label(row: &Row<'_>) -> rusqlite::Result<Label> {
    Ok(Label {
        id: row.get(0)?,
        run: row.get(1)?,
        position: row.get(2)?,
        content: row.get(3)?,
        judge_use: row.get(4)?,
        item: row.get(5)?,
        value: named(row, 6, LabelValue::named)?,
        corrected: row.get(7)?,
        note: row.get(8)?,
        by_whom: row.get(9)?,
        at: row.get(10)?,
        withdrawn: row.get(11)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::RunRequest;
    use crate::store::NewResult;
    use crate::trial::document;
    use assize_core::CaseStatus;
    use std::sync::Arc;

    fn says(value: LabelValue, by: &str) -> NewLabel {
        NewLabel {
            item: JUDGMENT.into(),
            value,
            corrected: (value == LabelValue::Wrong).then(|| "reject".to_owned()),
            note: "the dose is missing".into(),
            by_whom: by.into(),
        }
    }

    async fn store_with_a_case() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("assize.db")).expect("opened");
        let run = document("r1", serde_json::json!({}));
        store.begin_run(&run, &RunRequest::of_suite("s.yaml")).await.expect("begun");
        let result = NewResult {
            position: 3,
            case_id: "c".into(),
            model: "m".into(),
            status: CaseStatus::Judged,
            content: "f00d".into(),
            case: "{}".into(),
            line: "{}".into(),
        };
        store.add_result(&Arc::from("r1"), result).expect("added");
        (folder, store)
    }

    #[tokio::test]
    async fn what_people_say_is_kept_taken_back_and_never_lost() {
        let (_folder, store) = store_with_a_case().await;
        let first = store.add_label("r1", 3, "criteria", says(LabelValue::Wrong, "Ann")).await.expect("kept");
        let first = first.expect("the case is there");
        assert_eq!((first.content.as_str(), first.corrected.as_deref()), ("f00d", Some("reject")));
        assert_eq!(store.labelled("r1").expect("read"), [(3, LabelValue::Wrong)]);
        let second = store.add_label("r1", 3, "criteria", says(LabelValue::Right, "Bo")).await.expect("kept");
        assert_eq!(store.labelled("r1").expect("read"), [(3, LabelValue::Right)], "the last word counts");
        let withdrawn = store.withdraw_label(&second.expect("there").id).await.expect("withdrawn").expect("there");
        assert_eq!(store.labelled("r1").expect("read"), [(3, LabelValue::Wrong)]);
        let again = store.withdraw_label(&withdrawn.id).await.expect("withdrawn").expect("there");
        assert_eq!(again.withdrawn, withdrawn.withdrawn, "once is enough");
        let all = store.labels_of("r1", 3).expect("read");
        let told: Vec<_> = all.iter().map(|label| (label.by_whom.as_str(), label.withdrawn.is_some())).collect();
        assert_eq!(told, [("Ann", false), ("Bo", true)]);
    }

    #[tokio::test]
    async fn nothing_can_be_said_of_a_case_that_is_not_there_and_the_writer_goes_on() {
        let (_folder, store) = store_with_a_case().await;
        for (run, position) in [("r1", 4), ("r2", 3)] {
            let said = store.add_label(run, position, "criteria", says(LabelValue::Right, "Ann")).await;
            assert_eq!(said.expect("no error"), None);
        }
        assert_eq!(store.withdraw_label("nobody").await.expect("no error"), None);
        assert!(store.add_label("r1", 3, "criteria", says(LabelValue::Right, "Ann")).await.expect("kept").is_some());
    }
}
