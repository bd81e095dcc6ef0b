//! A file system of the tests' own, served over `/dev/fuse`: directories without content, a socket, and whatever a disk
//! can do that the machine's own does not. Like libfuse's it gives a file another inode number once nobody has it open,
//! and requests of a kind can be held until the test lets them go.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Kinds of requests, as the kernel numbers them.
pub const MKDIR: u32 = 9;
/// A directory is opened.
pub const OPENDIR: u32 = 27;
const LOOKUP: u32 = 1;
const FORGET: u32 = 2;
const GETATTR: u32 = 3;
const INIT: u32 = 26;
const RELEASEDIR: u32 = 29;
const BATCH_FORGET: u32 = 42;
/// Those that change something: create, rename, remove and write.
const CHANGES: [u32; 9] = [6, 8, MKDIR, 10, 11, 12, 16, 35, 45];
/// What the server says unasked: a name is not to be remembered.
const INVALIDATE: i32 = 3;

const ROOT: u64 = 1;
const DIRECTORY: u32 = 0o040_755;
const SOCKET: u32 = 0o140_600;

/// Mounted until it is dropped.
pub struct FakeDisk {
    at: PathBuf,
    shared: Arc<Shared>,
    server: Option<(Arc<File>, JoinHandle<()>)>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    is_over: bool,
    /// By parent and name.
    nodes: BTreeMap<(u64, String), Node>,
    last: u64,
    held: Option<u32>,
    waiting: Vec<Vec<u8>>,
    /// Kinds of the requests that changed something.
    changes: Vec<u32>,
    open_directories: u32,
}

#[derive(Clone, Copy)]
struct Node {
    mode: u32,
    /// 0 while the kernel knows none.
    number: u64,
    lookups: u64,
}

impl FakeDisk {
    /// With these directories and a `socket` in it; `None` where none can be mounted.
    pub fn mount(at: &Path, directories: &[&str]) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            eprintln!("skipped: this needs root and /dev/fuse");
            return None;
        }
        let fuse = File::options().read(true).write(true).open("/dev/fuse").ok()?;
        // `mount` inherits it under its number.
        rustix::io::fcntl_setfd(&fuse, rustix::io::FdFlags::empty()).ok()?;
        let options = format!("fd={},rootmode=40000,user_id=0,group_id=0", fuse.as_raw_fd());
        let mount =
            Command::new("mount").args(["-i", "-t", "fuse", "-o", &options, "none"]).arg(at).output().ok()?;
        rustix::io::fcntl_setfd(&fuse, rustix::io::FdFlags::CLOEXEC).ok()?;
        // The server looks by itself whether it is over.
        rustix::fs::fcntl_setfl(&fuse, rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NONBLOCK).ok()?;
        assert!(mount.status.success(), "{mount:?}");
        let shared = Arc::new(Shared::default());
        {
            let mut state = shared.state();
            // So that no number of one mount is one of the next.
            state.last = rand_number();
            for name in directories {
                state.put(ROOT, name, DIRECTORY);
            }
            state.put(ROOT, "socket", SOCKET);
        }
        let of_server = Arc::clone(&shared);
        let fuse = Arc::new(fuse);
        let server = {
            let fuse = Arc::clone(&fuse);
            std::thread::spawn(move || serve(&fuse, &of_server))
        };
        Some(Self { at: at.to_owned(), shared, server: Some((fuse, server)) })
    }

    /// Requests of this kind get no answer until [`FakeDisk::release`].
    pub fn hold(&self, kind: u32) {
        self.shared.state().held = Some(kind);
    }

    /// Lets go what is held.
    pub fn release(&self) {
        self.shared.state().held = None;
    }

    /// Whether a request of the kind that is held waits.
    pub fn is_waited_for(&self) -> bool {
        !self.shared.state().waiting.is_empty()
    }

    /// How many requests to change something there were.
    pub fn changes(&self) -> usize {
        self.shared.state().changes.len()
    }

    /// How many handles of directories are open.
    pub fn open_directories(&self) -> u32 {
        self.shared.state().open_directories
    }

    /// Has the kernel forget what nobody has open, as it does by itself when memory is short.
    pub fn drop_caches(&self) {
        let names: Vec<String> = self.shared.state().nodes.keys().map(|(_, name)| name.clone()).collect();
        let (fuse, _) = self.server.as_ref().unwrap();
        for name in names {
            // Parent, length of the name, flags, and the name with its end.
            let mut body = ROOT.to_le_bytes().to_vec();
            body.extend(u64::try_from(name.len()).unwrap().to_le_bytes());
            body.extend(name.as_bytes());
            body.push(0);
            // Of one that the kernel does not know it says so.
            drop((&**fuse).write(&message(INVALIDATE, 0, &body)));
        }
    }

    /// From here on each request fails, as on a mount whose server ended.
    pub fn fail(&mut self) {
        self.shared.state().is_over = true;
        let _ = self.server.take().map(|(_, server)| server.join());
    }
}

impl Drop for FakeDisk {
    fn drop(&mut self) {
        self.fail();
        let _ = Command::new("umount").arg("-l").arg(&self.at).status();
    }
}

/// Waits for what another thread or the kernel does in its own time.
pub fn wait_until(what: &str, mut is: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < Duration::from_secs(60), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn rand_number() -> u64 {
    let mut random = [0; 4];
    getrandom::fill(&mut random).unwrap();
    1_000 + u64::from(u32::from_le_bytes(random))
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

fn serve(mut fuse: &File, shared: &Shared) {
    let mut buffer = vec![0; 256 * 1024];
    while !shared.state().is_over {
        let due = {
            let mut state = shared.state();
            if state.held.is_none() { std::mem::take(&mut state.waiting) } else { Vec::new() }
        };
        for request in due {
            let answer = shared.state().answer(&request);
            answer.into_iter().for_each(|answer| drop(fuse.write(&answer)));
        }
        let bytes = match fuse.read(&mut buffer) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(1));
                continue;
            }
            // A request that was given up meanwhile.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            // It is unmounted.
            Err(_) => return,
        };
        let request = buffer[..bytes].to_vec();
        let mut state = shared.state();
        if state.held == Some(number(&request, 4)) {
            state.waiting.push(request);
            continue;
        }
        let answer = state.answer(&request);
        drop(state);
        answer.into_iter().for_each(|answer| drop(fuse.write(&answer)));
    }
}

fn message(error: i32, unique: u64, body: &[u8]) -> Vec<u8> {
    let mut out = u32::try_from(16 + body.len()).unwrap().to_le_bytes().to_vec();
    out.extend(error.to_le_bytes());
    out.extend(unique.to_le_bytes());
    out.extend(body);
    out
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

fn name(bytes: &[u8]) -> String {
    String::from_utf8(bytes.split(|byte| *byte == 0).next().unwrap().to_vec()).unwrap()
}

/// What is said about a node: it may be another one the next moment.
fn attributes(number: u64, mode: u32) -> Vec<u8> {
    let mut out = Vec::new();
    // Inode, size, blocks, three times in seconds.
    [number, 0, 0, 1, 1, 1].iter().for_each(|value| out.extend(value.to_le_bytes()));
    // Their nanoseconds, mode, links, user, group, device, block size, flags.
    [0, 0, 0, mode, 1, 0, 0, 0, 4096, 0_u32].iter().for_each(|value| out.extend(value.to_le_bytes()));
    out
}

impl State {
    fn put(&mut self, parent: u64, name: &str, mode: u32) {
        self.nodes.insert((parent, name.to_owned()), Node { mode, number: 0, lookups: 0 });
    }

    /// The bytes to be written; none for what is not to be answered.
    fn answer(&mut self, request: &[u8]) -> Option<Vec<u8>> {
        let (kind, unique, node, body) =
            (number(request, 4), long(request, 8), long(request, 16), &request[40..]);
        if CHANGES.contains(&kind) {
            self.changes.push(kind);
        }
        let done = match kind {
            INIT => {
                let mut out = vec![0; 64];
                for (at, value) in [(0, 7_u32), (4, 31), (8, 65_536), (20, 65_536), (24, 1)] {
                    out[at..at + 4].copy_from_slice(&value.to_le_bytes());
                }
                Ok(out)
            }
            LOOKUP => self.entry(node, &name(body)),
            MKDIR => {
                let name = name(&body[8..]);
                self.put(node, &name, DIRECTORY);
                self.entry(node, &name)
            }
            GETATTR => self.mode_of(node).map(|mode| {
                let mut out = vec![0; 16];
                out.extend(attributes(node, mode));
                out
            }),
            OPENDIR => {
                self.open_directories += 1;
                Ok(vec![0; 16])
            }
            RELEASEDIR => {
                self.open_directories -= 1;
                Ok(Vec::new())
            }
            FORGET => {
                self.forget(node, long(body, 0));
                return None;
            }
            BATCH_FORGET => {
                for one in 0..number(body, 0) as usize {
                    self.forget(long(body, 8 + one * 16), long(body, 16 + one * 16));
                }
                return None;
            }
            // Nothing is in any directory.
            28 => Ok(Vec::new()),
            _ => Err(rustix::io::Errno::NOSYS),
        };
        let (error, body) = match done {
            Ok(body) => (0, body),
            Err(error) => (-error.raw_os_error(), Vec::new()),
        };
        Some(message(error, unique, &body))
    }

    /// Nothing of it is to be remembered by the kernel: not the name, not what it is.
    fn entry(&mut self, parent: u64, name: &str) -> Result<Vec<u8>, rustix::io::Errno> {
        let key = (parent, name.to_owned());
        let node = self.nodes.get_mut(&key).ok_or(rustix::io::Errno::NOENT)?;
        if node.lookups == 0 {
            self.last += 1;
            node.number = self.last;
        }
        node.lookups += 1;
        let mut out = node.number.to_le_bytes().to_vec();
        out.resize(40, 0);
        out.extend(attributes(node.number, node.mode));
        Ok(out)
    }

    fn mode_of(&self, number: u64) -> Result<u32, rustix::io::Errno> {
        if number == ROOT {
            return Ok(DIRECTORY);
        }
        let found = self.nodes.values().find(|node| node.number == number);
        found.map(|node| node.mode).ok_or(rustix::io::Errno::STALE)
    }

    fn forget(&mut self, number: u64, lookups: u64) {
        let known = self.nodes.values_mut().find(|node| node.number == number);
        known.into_iter().for_each(|node| node.lookups -= lookups);
    }
}
