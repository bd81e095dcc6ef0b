//! The schema, as the ordered steps that made it. A step that has shipped is never edited; a new one is added.

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

use super::fault::Fault;

/// `status`: 0 active, 1 outdated, 2 resolved, the order of answers. Times in milliseconds since 1970.
/// The columns beside `document` (JSON of the comment) are what queries need; `comments.rs` keeps both in step.
const COMMENTS: &str = "
CREATE TABLE comments (
    id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    origin TEXT NOT NULL,
    url TEXT NOT NULL,
    pathname TEXT NOT NULL,
    session_id TEXT,
    status INTEGER NOT NULL CHECK (status IN (0, 1, 2)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    document TEXT NOT NULL
);
CREATE INDEX comments_in_order ON comments (status, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX comments_by_pathname ON comments (pathname, status, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX comments_by_origin ON comments (origin, created_at, id);
";

/// Messages that were applied, in the same transaction as what they changed. `target` tells a repeated message from
/// another one that happens to have the same id.
const APPLIED: &str = "
CREATE TABLE applied (
    message_id TEXT PRIMARY KEY,
    target TEXT NOT NULL,
    answer TEXT,
    at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX applied_by_age ON applied (at);
";

/// What persons made or changed. AUTOINCREMENT: a position is never given twice, whatever is deleted.
const NEWS: &str = "
CREATE TABLE news (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    comment_id TEXT NOT NULL UNIQUE
);
";

/// Filters by tab and by address.
const MORE_FILTERS: &str = "
CREATE INDEX comments_by_session ON comments (session_id, status, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX comments_by_url ON comments (url, status) WHERE deleted_at IS NULL;
";

/// A filter by the beginning of an address finds what its order needs beside the address.
const ADDRESS_IN_ORDER: &str = "
DROP INDEX comments_by_url;
CREATE INDEX comments_by_url ON comments (url, status, created_at, id) WHERE deleted_at IS NULL;
";

/// The live conversation. `number` orders messages whatever the clock does; `position` grows with every change of any
/// of them. `role`: 0 the person's, 1 an agent's. `answerer` tells two agents of one name apart. The parts of an answer
/// that still comes stand by themselves, so that adding one costs the same however long the answer is.
const CONVERSATION: &str = "
CREATE TABLE contexts (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX contexts_by_session ON contexts (session_id, number);
CREATE TABLE messages (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL,
    context_id TEXT,
    role INTEGER NOT NULL CHECK (role IN (0, 1)),
    agent TEXT,
    answerer TEXT,
    content TEXT NOT NULL,
    is_complete INTEGER NOT NULL,
    is_read INTEGER NOT NULL,
    is_withdrawn INTEGER NOT NULL DEFAULT 0,
    parts INTEGER NOT NULL,
    position INTEGER NOT NULL,
    created_at INTEGER NOT NULL
);
CREATE INDEX messages_by_session ON messages (session_id, number);
CREATE INDEX messages_by_position ON messages (session_id, position);
CREATE INDEX messages_unread ON messages (session_id) WHERE role = 0 AND is_read = 0;
CREATE TABLE parts (
    message_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (message_id, at)
) WITHOUT ROWID;
CREATE TABLE positions (name TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO positions VALUES ('messages', 0);
";

/// News are of comments or of messages, in one order.
const NEWS_OF_MESSAGES: &str = "
ALTER TABLE news RENAME TO news_before;
CREATE TABLE news (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    comment_id TEXT UNIQUE,
    message_id TEXT UNIQUE,
    CHECK ((comment_id IS NULL) <> (message_id IS NULL))
);
INSERT INTO news SELECT position, comment_id, NULL FROM news_before ORDER BY position;
DROP TABLE news_before;
";

/// Words of comments with their threads, and of messages. `indexed` names what a row of `search` is about.
const SEARCH: &str = "
CREATE TABLE indexed (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    UNIQUE (kind, id)
);
CREATE VIRTUAL TABLE search USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
INSERT INTO indexed (kind, id) SELECT 'comment', id FROM comments WHERE deleted_at IS NULL;
INSERT INTO search (rowid, text)
SELECT indexed.number, coalesce(json_extract(document, '$.text'), '') || coalesce(
    (SELECT group_concat(char(10) || json_extract(value, '$.text'), '') FROM json_each(document, '$.replies')), '')
FROM indexed JOIN comments ON comments.id = indexed.id AND json_valid(document);
";

/// Of the pictures that were stored, by file name. A picture of before has no hash: nobody can tell whose it is.
const PICTURES: &str = "
CREATE TABLE pictures (name TEXT PRIMARY KEY, sha256 BLOB NOT NULL) WITHOUT ROWID;
";

/// Messages that were applied are forgotten by how many came after them: a clock may jump. AUTOINCREMENT: in the order
/// of their coming, whatever the clock says.
const APPLIED_IN_ORDER: &str = "
ALTER TABLE applied RENAME TO applied_before;
DROP INDEX applied_by_age;
CREATE TABLE applied (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id TEXT NOT NULL UNIQUE,
    target TEXT NOT NULL,
    answer TEXT,
    at INTEGER NOT NULL
);
INSERT INTO applied (message_id, target, answer, at) SELECT message_id, target, answer, at FROM applied_before ORDER BY at;
DROP TABLE applied_before;
";

/// A part of an answer costs the same however many came before: `bytes` is the length of the parts of an answer that
/// still comes, and what the next part asks for has an index of its own.
const PARTS: &str = "
ALTER TABLE messages ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE messages SET bytes = (SELECT coalesce(sum(octet_length(text)), 0) FROM parts WHERE message_id = messages.id)
WHERE is_complete = 0;
CREATE INDEX messages_open ON messages (session_id, context_id, answerer, number) WHERE role = 1 AND is_complete = 0;
CREATE INDEX messages_said ON messages (session_id, number) WHERE role = 0;
CREATE INDEX messages_answered ON messages (session_id, number) WHERE role = 1 AND is_complete = 1;
";

/// What is answered is what the agent that answers was handed, whatever came in between: `handed` says to whom, by
/// `answerer`, and `answered_by` which answer it was. What was said before this version counts as answered by the next
/// whole answer, as it did then.
const HANDED: &str = "
CREATE TABLE handed (
    message_id TEXT NOT NULL,
    answerer TEXT NOT NULL,
    PRIMARY KEY (message_id, answerer)
) WITHOUT ROWID;
CREATE INDEX handed_to ON handed (answerer);
ALTER TABLE messages ADD COLUMN answered_by TEXT;
UPDATE messages SET answered_by = (SELECT id FROM messages AS answer WHERE answer.session_id = messages.session_id AND
answer.role = 1 AND answer.is_complete = 1 AND answer.number > messages.number ORDER BY answer.number LIMIT 1) WHERE role = 0;
DROP INDEX messages_unread;
CREATE INDEX messages_waiting ON messages (session_id, number)
WHERE role = 0 AND is_withdrawn = 0 AND answered_by IS NULL;
";

/// Which agent began the work on a comment, by `answerer`, for as long as the comment says that it is in progress. A
/// name does not tell: the next hub may give it to another agent.
const CLAIMS: &str = "
CREATE TABLE claims (comment_id TEXT PRIMARY KEY, answerer TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX claims_by_answerer ON claims (answerer);
";

/// A message is about the selection that it names, or the one of its moment; one from before any selection is about
/// none. That of its moment is noted with it now, as it was looked for until then: the last stored of those that were
/// made by then. Selections and messages are gone through once, in the order of their moments. A damaged id, which is
/// no text, is not spread to messages: those could not be read any more. And the answers to requests of agents are
/// kept.
const ABOUT: &str = "
CREATE TABLE moments (session_id, at NUMERIC, context INTEGER, message INTEGER);
INSERT INTO moments SELECT session_id, iif(json_valid(document), json_extract(document, '$.createdAt'), NULL), number, NULL
FROM contexts WHERE typeof(id) = 'text';
INSERT INTO moments SELECT session_id, created_at, NULL, number FROM messages WHERE role = 0 AND context_id IS NULL;
UPDATE messages SET context_id = contexts.id FROM (
    SELECT message, max(context) OVER (PARTITION BY session_id ORDER BY at, message IS NOT NULL
    ROWS UNBOUNDED PRECEDING) AS latest FROM moments WHERE at IS NOT NULL
) AS found JOIN contexts ON contexts.number = found.latest WHERE found.message = messages.number;
DROP TABLE moments;
CREATE TABLE annotations (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL,
    answerer TEXT NOT NULL,
    outcome TEXT NOT NULL
);
";

/// Which selection of a session is the latest is told by its moment, `at`: one that waited for its project is stored
/// later than it was made. Of one that cannot be read it is that of the latest before it, so that it keeps its place:
/// what was said about it is about no other.
const MOMENTS: &str = "
ALTER TABLE contexts ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
UPDATE contexts SET at = found.at FROM (
    SELECT number, coalesce(own, max(own) OVER (PARTITION BY session_id ORDER BY number), 0) AS at FROM (
        SELECT number, session_id, iif(json_valid(document), iif(json_type(document, '$.createdAt') = 'integer',
        json_extract(document, '$.createdAt'), NULL), NULL) AS own FROM contexts
    )
) AS found WHERE found.number = contexts.number;
DROP INDEX contexts_by_session;
CREATE INDEX contexts_by_session ON contexts (session_id, at, number);
";

/// What comments are called by. AUTOINCREMENT: a number is never given twice, whatever is deleted. Those that are there
/// are numbered by age.
const NUMBERS: &str = "
CREATE TABLE numbers (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    comment_id TEXT NOT NULL UNIQUE
);
INSERT INTO numbers (comment_id) SELECT id FROM comments WHERE typeof(id) = 'text' ORDER BY created_at, id;
";

const STEPS: [&str; 16] = [
    COMMENTS,
    APPLIED,
    NEWS,
    MORE_FILTERS,
    ADDRESS_IN_ORDER,
    CONVERSATION,
    NEWS_OF_MESSAGES,
    SEARCH,
    PICTURES,
    APPLIED_IN_ORDER,
    PARTS,
    HANDED,
    CLAIMS,
    ABOUT,
    MOMENTS,
    NUMBERS,
];

/// An empty database as the version of this number made it; `None` for a number that no version known to this one has.
pub(super) fn schema_of(version: u32) -> Option<Connection> {
    let version = usize::try_from(version).ok().filter(|version| (1..=STEPS.len()).contains(version))?;
    let mut empty = Connection::open_in_memory().ok()?;
    Migrations::from_iter(STEPS.map(M::up)).to_version(&mut empty, version).ok()?;
    Some(empty)
}

/// The table of comments as every version made it, to the letter as SQLite keeps it.
pub(super) fn table_of_comments() -> Option<String> {
    let sql = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'comments'";
    schema_of(1)?.query_row(sql, [], |row| row.get(0)).ok()
}

/// Brings a database of any earlier version up to date, in one transaction per step.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), Fault> {
    let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let found = found as usize;
    if found > STEPS.len() {
        return Err(Fault::Newer { found, known: STEPS.len() });
    }
    let steps = Migrations::from_iter(STEPS.map(M::up));
    steps.to_latest(connection).map_err(Fault::Migration)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn schema(connection: &Connection) -> Vec<String> {
        let mut statement =
            connection.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn from_every_earlier_version_to_the_same_schema_with_its_rows() {
        let mut fresh = Connection::open_in_memory().unwrap();
        migrate(&mut fresh).unwrap();
        for version in 1..=STEPS.len() {
            let mut old = Connection::open_in_memory().unwrap();
            Migrations::from_iter(STEPS.map(M::up)).to_version(&mut old, version).unwrap();
            old.execute(
                "INSERT INTO comments VALUES ('c_1', 1, 'http://a', 'http://a/', '/', NULL, 0, 1, 1, NULL, '{}')",
                [],
            )
            .unwrap();
            migrate(&mut old).unwrap();
            assert_eq!(schema(&old), schema(&fresh), "from version {version}");
            let rows: u32 = old.query_row("SELECT count(*) FROM comments", [], |row| row.get(0)).unwrap();
            assert_eq!(rows, 1, "from version {version}");
        }
    }

    #[test]
    fn comments_of_every_earlier_version_are_numbered_by_age() {
        for version in 1..16 {
            let mut old = Connection::open_in_memory().unwrap();
            Migrations::from_iter(STEPS.map(M::up)).to_version(&mut old, version).unwrap();
            // In another order than they were made; one is deleted, and one cannot be read.
            for (id, created_at, deleted_at, document) in [
                ("c_late", 30, None, "{}"),
                ("c_b", 20, None, "{}"),
                ("c_a", 20, Some(25), "{}"),
                ("c_early", 10, None, "no JSON"),
            ] {
                let sql = "INSERT INTO comments VALUES (?1, 1, 'http://a', 'http://a/', '/', NULL, 0, ?2, ?2, ?3, ?4)";
                old.execute(sql, (id, created_at, deleted_at, document)).unwrap();
            }
            // Damaged: an identifier that is no text.
            let row = "x'ff00', 1, 'http://a', 'http://a/', '/', NULL, 0, 5, 5, NULL, '{}'";
            old.execute(&format!("INSERT INTO comments VALUES ({row})"), []).unwrap();
            migrate(&mut old).unwrap();
            let mut statement =
                old.prepare("SELECT comment_id, number FROM numbers ORDER BY number").unwrap();
            let found: Vec<(String, u32)> = statement
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
                .unwrap()
                .map(Result::unwrap)
                .collect();
            let expected = [("c_early", 1), ("c_a", 2), ("c_b", 3), ("c_late", 4)];
            assert_eq!(found, expected.map(|(id, number)| (id.to_owned(), number)), "from version {version}");
        }
    }

    /// By the steps of SQLite's machine, and without a look into the documents.
    #[test]
    fn numbering_costs_no_more_for_each_of_many_comments() {
        let steps = |count: u32| {
            let mut old = Connection::open_in_memory().unwrap();
            Migrations::from_iter(STEPS.map(M::up)).to_version(&mut old, 15).unwrap();
            old.execute_batch(&format!(
                "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {count}) INSERT INTO \
                 comments SELECT 'c_' || n, 1, 'http://a', 'http://a/', '/', NULL, 0, {count} - n, 0, NULL, '{{}}' FROM n"
            ))
            .unwrap();
            let mut all = 0_i64;
            for sql in NUMBERS.split_inclusive(';').filter(|sql| sql.len() > 3) {
                let mut statement = old.prepare(sql).unwrap();
                statement.raw_execute().unwrap();
                all += i64::from(statement.get_status(rusqlite::StatementStatus::VmStep));
            }
            all
        };
        let (few, many) = (steps(500), steps(2_000));
        assert!(many < 6 * few, "{few} and {many}");
    }

    #[test]
    fn a_message_of_before_is_about_the_selection_of_its_moment_or_about_none() {
        let mut old = Connection::open_in_memory().unwrap();
        Migrations::from_iter(STEPS.map(M::up)).to_version(&mut old, 13).unwrap();
        let context = |id: &str, session: &str, at: u32| {
            let document = format!(r#"{{"createdAt":{at}}}"#);
            let row = (id, session, document);
            old.execute("INSERT INTO contexts (id, session_id, document) VALUES (?1, ?2, ?3)", row).unwrap();
        };
        context("ctx_a", "s_1", 10);
        context("ctx_other", "s_2", 15);
        context("ctx_b", "s_1", 20);
        old.execute(
            "INSERT INTO contexts (id, session_id, document) VALUES ('ctx_ill', 's_1', 'no JSON')",
            [],
        )
        .unwrap();
        // Damaged: an identifier that is no text, of a selection that is later than the others.
        old.execute(
            "INSERT INTO contexts (id, session_id, document) VALUES (x'ff00', 's_1', '{\"createdAt\":20}')",
            [],
        )
        .unwrap();
        for (id, named, role, at) in [
            ("m_before", None, 0, 5),
            ("m_a", None, 0, 19),
            ("m_b", None, 0, 20),
            ("m_named", Some("ctx_a"), 0, 30),
            ("m_answer", None, 1, 30),
        ] {
            old.execute(
                "INSERT INTO messages (id, session_id, context_id, role, content, is_complete, is_read, parts, position, \
                 created_at) VALUES (?1, 's_1', ?2, ?3, '', 1, 0, 1, 1, ?4)",
                (id, named, role, at),
            )
            .unwrap();
        }
        migrate(&mut old).unwrap();
        let about = |id: &str| -> Option<String> {
            old.query_row("SELECT context_id FROM messages WHERE id = ?1", [id], |row| row.get(0)).unwrap()
        };
        let found = ["m_before", "m_a", "m_b", "m_named", "m_answer"].map(about);
        let expected = [None, Some("ctx_a"), Some("ctx_b"), Some("ctx_a"), None];
        assert_eq!(found, expected.map(|id| id.map(str::to_owned)));
    }

    /// Moments that repeat, go back and are missing, in two sessions; as the query said it that looked for each message
    /// anew.
    #[test]
    fn the_selection_of_the_moment_is_the_same_when_all_are_gone_through_once() {
        let mut old = Connection::open_in_memory().unwrap();
        Migrations::from_iter(STEPS.map(M::up)).to_version(&mut old, 13).unwrap();
        let mut seed = 7_u32;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % below
        };
        for number in 0..300 {
            let session = format!("s_{}", random(2));
            let document = match random(10) {
                0 => "no JSON".to_owned(),
                1 => r#"{"createdAt":"12"}"#.to_owned(),
                2 => r#"{"createdAt":"soon"}"#.to_owned(),
                _ => format!(r#"{{"createdAt":{}}}"#, 10 + random(40)),
            };
            let row = (format!("ctx_{number}"), session.clone(), document);
            old.execute("INSERT INTO contexts (id, session_id, document) VALUES (?1, ?2, ?3)", row).unwrap();
            old.execute(
                "INSERT INTO messages (id, session_id, role, content, is_complete, is_read, parts, position, created_at) \
                 VALUES (?1, ?2, 0, '', 1, 0, 1, 1, ?3)",
                (format!("m_{number}"), session, random(50)),
            )
            .unwrap();
        }
        let all = |connection: &Connection, sql: &str| -> Vec<Option<String>> {
            let mut statement = connection.prepare(sql).unwrap();
            statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
        };
        old.execute_batch(
            "CREATE TABLE moments AS SELECT number, id, session_id, iif(json_valid(document), json_extract(document, \
             '$.createdAt'), NULL) AS at FROM contexts",
        )
        .unwrap();
        let expected = all(
            &old,
            "SELECT (SELECT id FROM moments WHERE moments.session_id = messages.session_id AND moments.at <= \
             messages.created_at ORDER BY number DESC LIMIT 1) FROM messages ORDER BY number",
        );
        old.execute_batch("DROP TABLE moments").unwrap();
        migrate(&mut old).unwrap();
        assert_eq!(all(&old, "SELECT context_id FROM messages ORDER BY number"), expected);
        assert!(expected.iter().any(Option::is_some) && expected.iter().any(Option::is_none));
    }

    /// By the steps of SQLite's machine: the same four times as long for four times as many, and not sixteen times.
    #[test]
    fn what_messages_are_about_costs_no_more_for_each_in_a_long_session() {
        let steps = |count: u32| {
            let mut old = Connection::open_in_memory().unwrap();
            Migrations::from_iter(STEPS.map(M::up)).to_version(&mut old, 13).unwrap();
            let rows =
                format!("WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {count})");
            old.execute_batch(&format!(
                "{rows} INSERT INTO contexts (id, session_id, document) SELECT 'ctx_' || n, 's_1', json_object('createdAt', \
                 1000 + n) FROM n; {rows} INSERT INTO messages (id, session_id, role, content, is_complete, is_read, parts, \
                 position, created_at) SELECT 'm_' || n, 's_1', 0, '', 1, 0, 1, 1, 5 FROM n"
            ))
            .unwrap();
            let mut all = 0_i64;
            for sql in
                ABOUT.split_inclusive(';').chain(MOMENTS.split_inclusive(';')).filter(|sql| sql.len() > 3)
            {
                let mut statement = old.prepare(sql).unwrap();
                statement.raw_execute().unwrap();
                all += i64::from(statement.get_status(rusqlite::StatementStatus::VmStep));
            }
            all
        };
        let (few, many) = (steps(500), steps(2_000));
        assert!(many < 6 * few, "{few} and {many}");
    }

    #[test]
    fn the_moment_of_a_selection_is_its_own_or_that_of_the_latest_before_it() {
        let mut old = Connection::open_in_memory().unwrap();
        Migrations::from_iter(STEPS.map(M::up)).to_version(&mut old, 14).unwrap();
        for (id, session, document) in [
            ("ctx_0", "s_1", "no JSON"),
            ("ctx_1", "s_1", r#"{"createdAt":20}"#),
            ("ctx_2", "s_1", r#"{"createdAt":10}"#),
            ("ctx_3", "s_1", r#"{"createdAt":"x"}"#),
            ("ctx_4", "s_2", r#"{"createdAt":5}"#),
        ] {
            let sql = "INSERT INTO contexts (id, session_id, document) VALUES (?1, ?2, ?3)";
            old.execute(sql, (id, session, document)).unwrap();
        }
        migrate(&mut old).unwrap();
        let mut statement = old.prepare("SELECT at FROM contexts ORDER BY number").unwrap();
        let found: Vec<i64> =
            statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
        assert_eq!(found, [0, 20, 10, 20, 5]);
    }

    #[test]
    fn a_database_from_the_future_is_refused_untouched() {
        let mut future = Connection::open_in_memory().unwrap();
        future.pragma_update(None, "user_version", u32::try_from(STEPS.len()).unwrap() + 1).unwrap();
        assert!(matches!(migrate(&mut future), Err(Fault::Newer { found, .. }) if found == STEPS.len() + 1));
        assert!(schema(&future).is_empty());
    }

    #[test]
    fn queries_over_all_and_by_pathname_use_an_index_for_order() {
        let mut fresh = Connection::open_in_memory().unwrap();
        migrate(&mut fresh).unwrap();
        for filter in ["", "AND pathname = '/'", "AND session_id = 's_1'"] {
            let sql = format!(
                "EXPLAIN QUERY PLAN SELECT document FROM comments WHERE deleted_at IS NULL {filter} \
                 AND (status, created_at, id) > (0, 1, 'c_1') ORDER BY status, created_at, id LIMIT 50"
            );
            let mut statement = fresh.prepare(&sql).unwrap();
            let plan: Vec<String> =
                statement.query_map([], |row| row.get(3)).unwrap().collect::<Result<_, _>>().unwrap();
            assert!(plan.iter().all(|step| step.contains("USING INDEX")), "{filter}: {plan:?}");
        }
    }
}
