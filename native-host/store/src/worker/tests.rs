//! What the thread promises of the disk.
#![allow(clippy::unwrap_used, clippy::expect_used)]
use std::path::Path;
use std::sync::Mutex;

use super::copies::MIRROR_AFTER;
use super::*;

const JOBS: usize = 20;

fn write(worker: &mut Worker) -> Result<(), Fault> {
    let connection = &worker.writing()?.connection;
    Ok(connection.execute_batch("UPDATE positions SET last = last + 1 WHERE name = 'messages'")?)
}

/// Jobs that were queued while another one ran, and how often the disk was waited for until all were answered.
async fn queued_together(jobs: usize) -> u32 {
    let (_home, handle, _) = started();
    // The database is made, with what that takes.
    handle.ask(write).await.unwrap();
    let before = handle.ask(|worker| Ok(worker.syncs)).await.unwrap();
    let (go, wait) = mpsc::channel::<()>();
    let first = handle.look(move |_| {
        let _ = wait.recv();
        Ok(())
    });
    let all = async {
        // Polled in order: the first stands before all others in the queue.
        let others = futures_util::future::join_all((0..jobs).map(|_| handle.ask(write)));
        let release = async move { drop(go) };
        tokio::join!(others, release).0
    };
    let (first, all) = tokio::join!(first, all);
    first.unwrap();
    assert!(all.iter().all(Result::is_ok), "{all:?}");
    let after = handle.ask(|worker| Ok(worker.syncs)).await.unwrap();
    let written: i64 = handle
        .ask(|worker| {
            let database = worker.reading()?.unwrap();
            let sql = "SELECT last FROM positions WHERE name = 'messages'";
            Ok(database.connection.query_row(sql, [], |row| row.get(0))?)
        })
        .await
        .unwrap();
    assert_eq!(usize::try_from(written).unwrap(), jobs + 1);
    handle.finish();
    after - before
}

#[tokio::test]
async fn the_disk_is_waited_for_once_for_all_that_came_together_and_not_for_reading() {
    assert_eq!(queued_together(0).await, 0);
    assert_eq!(queued_together(1).await, 1);
    assert_eq!(queued_together(JOBS).await, 1);
    assert_eq!(queued_together(MOST_AT_ONCE + 1).await, 2);
}

#[tokio::test]
async fn what_is_told_at_once_is_on_disk_before_anything_else_is_told() {
    let (_home, handle, _) = started();
    handle.ask(write).await.unwrap();
    let syncs = |worker: &mut Worker| Ok((worker.syncs, worker.sync_at.is_some()));
    handle.look(write).await.unwrap();
    assert_eq!(handle.look(syncs).await.unwrap(), (1, true));
    handle.ask(|_| Ok(())).await.unwrap();
    assert_eq!(handle.look(syncs).await.unwrap(), (2, false));
    handle.finish();
}

/// A project whose data is kept in itself, so that both go with the test.
fn started() -> (tempfile::TempDir, Handle, Arc<Catalogue>) {
    let home = tempfile::tempdir().unwrap();
    let catalogue = Arc::new(Catalogue::at(home.path().join("projects")));
    let root = home.path().canonicalize().unwrap();
    let worker = Worker::new(root, Arc::clone(&catalogue), Complaints::default(), watch::channel(0).0);
    (home, Handle::start(worker, || ()), catalogue)
}

/// A project whose database is made, and where its log is.
async fn project() -> (tempfile::TempDir, Handle, PathBuf) {
    let (home, handle, catalogue) = started();
    handle.ask(write).await.unwrap();
    let directory = catalogue.find(home.path()).unwrap().unwrap();
    let log = directory.join("opentoolbar.db-wal");
    (home, handle, log)
}

/// What is in the database itself, whatever its log says.
fn without_log(log: &Path) -> i64 {
    let path = log.with_file_name("opentoolbar.db");
    let copy = log.with_file_name("copy.db");
    std::fs::copy(path, &copy).unwrap();
    let database = rusqlite::Connection::open(copy).unwrap();
    database.query_row("SELECT last FROM positions WHERE name = 'messages'", [], |row| row.get(0)).unwrap()
}

/// A log that the system cannot make durable: `/dev/full` refuses with an error of the system's own. The log itself
/// stays open where SQLite writes.
#[cfg(target_os = "linux")]
struct Refusing {
    log: PathBuf,
    aside: PathBuf,
}

#[cfg(target_os = "linux")]
impl Refusing {
    fn new(log: &Path) -> Self {
        let aside = log.with_extension("aside");
        std::fs::rename(log, &aside).unwrap();
        std::os::unix::fs::symlink("/dev/full", log).unwrap();
        Self { log: log.to_owned(), aside }
    }
}

#[cfg(target_os = "linux")]
impl Drop for Refusing {
    fn drop(&mut self) {
        std::fs::rename(&self.aside, &self.log).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_the_disk_refused_is_not_said_to_be_stored_before_the_disk_took_it() {
    let (_project, handle, log) = project().await;
    let heard = std::sync::Arc::new(Mutex::new(Vec::new()));
    let hear = |what: &'static str| {
        let heard = std::sync::Arc::clone(&heard);
        move |_: &()| heard.lock().unwrap().push(what)
    };
    let refusing = Refusing::new(&log);
    let refused = handle.ask_and_tell(write, hear("first")).await.unwrap_err();
    assert_eq!(refused.code, opentoolbar_core::protocol::ErrorCode::Storage, "{refused}");
    // The sender tries again with the same id: nothing is written, because it was applied before.
    let again = |worker: &mut Worker| worker.writing().map(drop);
    assert!(handle.ask_and_tell(again, hear("again")).await.is_err(), "nothing is on disk yet");
    // What was stored can still be looked at.
    handle.ask(|worker| worker.reading().map(drop)).await.unwrap();
    assert!(heard.lock().unwrap().is_empty());
    drop(refusing);
    handle.ask_and_tell(again, hear("at last")).await.unwrap();
    assert_eq!(*heard.lock().unwrap(), ["first", "again", "at last"]);
    // After an error the system may have forgotten what it was to write, and say the next time that all is well.
    assert_eq!(without_log(&log), 2, "the log is not trusted after the disk refused it");
    handle.finish();
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn everything_that_was_written_while_the_disk_failed_is_told_of_once_it_works() {
    let (_project, handle, log) = project().await;
    let told = std::sync::Arc::new(Mutex::new(0_usize));
    let refusing = Refusing::new(&log);
    for _ in 0..MOST_UNTOLD / 256 + 2 {
        let all = (0..256).map(|_| {
            let told = std::sync::Arc::clone(&told);
            handle.ask_and_tell(write, move |_: &()| *told.lock().unwrap() += 1)
        });
        let answers = futures_util::future::join_all(all).await;
        let storage = opentoolbar_core::protocol::ErrorCode::Storage;
        assert!(answers.iter().all(|answer| answer.as_ref().is_err_and(|error| error.code == storage)));
    }
    drop(refusing);
    handle.ask(|worker| worker.reading().map(drop)).await.unwrap();
    let written = usize::try_from(without_log(&log)).unwrap() - 1;
    assert_eq!(*told.lock().unwrap(), written);
    assert!((MOST_UNTOLD..MOST_UNTOLD + 256).contains(&written), "what waits has an end: {written}");
    handle.ask(write).await.unwrap();
    handle.finish();
}

/// What is to be told of an import is as large as the import.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_waits_to_be_told_is_bounded_in_bytes() {
    use opentoolbar_leaves::budget::under_way::{Owner, UnderWay, holding};
    let (_project, handle, log) = project().await;
    let refusing = Refusing::new(&log);
    let under_way = UnderWay::default();
    for _ in 0..MOST_UNTOLD_BYTES / (8 * 1024 * 1024) + 4 {
        let held = under_way.take(8 * 1024 * 1024, Owner::Project("/shop")).unwrap();
        assert!(holding(held, handle.ask(write)).await.is_err());
    }
    drop(refusing);
    handle.ask(|worker| worker.reading().map(drop)).await.unwrap();
    let written = usize::try_from(without_log(&log)).unwrap() - 1;
    assert_eq!(written, MOST_UNTOLD_BYTES / (8 * 1024 * 1024));
    handle.finish();
}

/// What is written into a deleted file is gone with the hub.
#[cfg(unix)]
#[tokio::test]
async fn what_is_written_while_somebody_deleted_the_log_is_put_into_the_database() {
    let (_project, handle, log) = project().await;
    std::fs::remove_file(&log).unwrap();
    handle.ask(write).await.unwrap();
    assert_eq!(without_log(&log), 2);
    handle.finish();
}

/// A project on a disk that can be held up, and what is kept of it elsewhere.
#[cfg(target_os = "linux")]
fn on_fake_disk() -> Option<(tempfile::TempDir, opentoolbar_fake_disk::FakeDisk, Handle)> {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().canonicalize().unwrap().join("mnt");
    std::fs::create_dir(&at).unwrap();
    let disk = opentoolbar_fake_disk::FakeDisk::mount(&at, &["shop"])?;
    let catalogue = Arc::new(Catalogue::at(dir.path().join("projects")));
    let worker = Worker::new(at.join("shop"), catalogue, Complaints::default(), watch::channel(0).0);
    Some((dir, disk, Handle::start(worker, || ())))
}

/// The same when a change was stored and the first copy of it waits for the disk.
#[cfg(target_os = "linux")]
async fn held_up_by_a_copy() -> Option<(tempfile::TempDir, opentoolbar_fake_disk::FakeDisk, Handle)> {
    use opentoolbar_fake_disk::{MKDIR, wait_until};
    let (dir, disk, handle) = on_fake_disk()?;
    disk.hold(MKDIR);
    handle.ask(change).await.unwrap();
    wait_until("the copies are written", || disk.is_waited_for());
    Some((dir, disk, handle))
}

#[cfg(target_os = "linux")]
fn change(worker: &mut Worker) -> Result<(), Fault> {
    write(worker)?;
    worker.changed(None);
    Ok(())
}

/// The directory is there, and whoever opens it waits: as on a share whose server answers what it remembers.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_projects_directory_that_cannot_be_opened_holds_up_no_request_whose_data_is_in_the_home() {
    use opentoolbar_fake_disk::{OPENDIR, wait_until};
    let Some((_dir, disk, handle)) = on_fake_disk() else { return };
    disk.hold(OPENDIR);
    let within = Duration::from_secs(20);
    for _ in 0..3 {
        tokio::time::timeout(within, handle.ask(change)).await.expect("it is acknowledged").unwrap();
    }
    wait_until("the directory is opened for the copies", || disk.is_waited_for());
    // Longer than the copies are put off.
    tokio::time::sleep(MIRROR_AFTER * 2).await;
    tokio::time::timeout(within, handle.ask(change)).await.expect("it is acknowledged").unwrap();
    // Its end too.
    handle.finish();
}

/// A thread that waits for the disk may get on long after another store of the project was opened.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_waits_for_the_disk_when_the_store_ends_writes_nothing_any_more() {
    use opentoolbar_fake_disk::wait_until;
    for is_deleted in [false, true] {
        let Some((_dir, disk, handle)) = held_up_by_a_copy().await else { return };
        if is_deleted {
            handle.ask(|worker| worker.delete()).await.unwrap();
        } else {
            handle.finish();
        }
        disk.release();
        if is_deleted {
            wait_until("it is done", || disk.changes() > 0 && disk.open_directories() <= 1);
            handle.finish();
        }
        wait_until("nobody is in the directory", || disk.changes() > 0 && disk.open_directories() == 0);
        // The one that was under way.
        assert_eq!(disk.changes(), 1, "deleted: {is_deleted}");
    }
}

/// What is kept of the project could not be given to another one, or deleted.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn copies_that_a_move_or_a_deletion_cut_short_are_written_when_that_fails() {
    use opentoolbar_fake_disk::wait_until;
    for is_deleted in [false, true] {
        let Some((dir, disk, handle)) = held_up_by_a_copy().await else { return };
        if is_deleted {
            let kept = std::fs::read_dir(dir.path().join("projects")).unwrap().next().unwrap().unwrap();
            std::fs::write(kept.path().join("project.json"), "damaged").unwrap();
            handle.ask(|worker| worker.delete()).await.unwrap_err();
        } else {
            handle.ask(|worker| worker.close_database()).await.unwrap();
        }
        disk.release();
        wait_until("more is written than what was under way", || disk.changes() > 1);
        handle.finish();
    }
}
