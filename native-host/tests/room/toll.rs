//! A project's database that another program lets through a little at a time: slow, but never so long that a write is
//! given up.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;

/// As long as it is not dropped, at most a few writes are done between two of its pauses.
pub struct Toll {
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Toll {
    /// Returns when the first pause has begun. Each is well under the three seconds that the hub waits for a lock.
    pub fn on(database: &Path, pause: Duration) -> Self {
        let database = Connection::open(database).unwrap();
        database.busy_timeout(Duration::from_secs(20)).unwrap();
        database.execute_batch("BEGIN IMMEDIATE").unwrap();
        let ended = Arc::new(AtomicBool::new(false));
        let is_ended = Arc::clone(&ended);
        let thread = std::thread::spawn(move || {
            loop {
                std::thread::park_timeout(pause);
                if is_ended.load(Ordering::Acquire) {
                    return;
                }
                database.execute_batch("ROLLBACK").unwrap();
                let before = changes(&database);
                while changes(&database) == before && !is_ended.load(Ordering::Acquire) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                database.execute_batch("BEGIN IMMEDIATE").unwrap();
            }
        });
        Self { ended, thread: Some(thread) }
    }
}

/// Grows with what others write.
fn changes(database: &Connection) -> i64 {
    database.query_row("PRAGMA data_version", (), |row| row.get(0)).unwrap()
}

impl Drop for Toll {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}
