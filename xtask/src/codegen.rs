//! `cargo xtask codegen`: files that are written by the code and committed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::step::{self, say};
use crate::{build, workspace};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Change nothing: compare, print what differs, and fail when something does
    #[arg(long)]
    check: bool,
}

/// A folder or a file that is generated whole.
struct Generated {
    name: &'static str,
    /// Where it is committed.
    committed: &'static str,
    from: From,
}

enum From {
    /// The command writes the folder's files into the folder given.
    Files(fn(&Path) -> Command),
    /// The program, which is built by then, prints the file.
    Stdout(fn() -> Command),
}

const GENERATED: &[Generated] = &[
    Generated {
        name: "TypeScript types of the wire",
        committed: "extension/generated",
        from: From::Files(|folder| {
            let mut command = step::cargo(&[&["test"], build::WHOLE, &["--lib", EXPORTS]].concat());
            command.env("TS_RS_EXPORT_DIR", folder);
            command
        }),
    },
    Generated {
        name: "reference of the MCP tools",
        committed: "docs/tools.md",
        from: From::Stdout(|| step::command(workspace::host_binary(), "", &["tools", "--markdown"])),
    },
    Generated {
        name: "reference of the gateway",
        committed: "docs/openapi.json",
        from: From::Stdout(|| step::command(workspace::host_binary(), "", &["config", "--openapi"])),
    },
    Generated {
        name: "reference of the protocol",
        committed: "docs/protocol.md",
        from: From::Stdout(|| step::command(workspace::example("protocol_reference"), "", &[])),
    },
];

/// What the tests are called that write a type each, in the core; no tests of anything.
pub(crate) const EXPORTS: &str = "export_bindings_";

pub(crate) fn run(args: &Args) -> Result<()> {
    build::of_the_whole("build what prints the references", &["--bin", "opentoolbar"])?;
    let mut stale = 0;
    for generated in GENERATED {
        let committed = workspace::path(generated.committed);
        let fresh = workspace::own().join("generated").join(generated.committed);
        let step = format!("generate {}", generated.name);
        // From nothing, so that a type that is gone leaves no file behind.
        if fresh.is_dir() {
            fs::remove_dir_all(&fresh)?;
        }
        match generated.from {
            From::Files(command) => {
                fs::create_dir_all(&fresh)?;
                step::run(&step, &mut command(&fresh))?;
            }
            From::Stdout(command) => {
                if let Some(parent) = fresh.parent() {
                    fs::create_dir_all(parent)?;
                }
                fs::write(&fresh, step::run_for_stdout(&step, &mut command())?)?;
            }
        }
        let (new, old) = (texts(&fresh)?, texts(&committed)?);
        if new == old {
            continue;
        }
        if args.check {
            stale += 1;
            report(generated.committed, &old, &new, &fresh, &committed);
        } else {
            replace(&committed, &old, &new)?;
            say(&format!("    {} written", generated.committed));
        }
    }
    if stale > 0 {
        bail!("generated files are not what the code says; run `cargo xtask codegen` and commit the result");
    }
    Ok(())
}

/// Every file of a folder and below, by its path from there; of a file, itself.
fn texts(folder: &Path) -> Result<BTreeMap<PathBuf, String>> {
    let mut found = BTreeMap::new();
    if folder.is_file() {
        // A file alone: its path from itself is empty.
        found.insert(PathBuf::new(), fs::read_to_string(folder)?);
        return Ok(found);
    }
    let mut open = vec![folder.to_path_buf()];
    while let Some(dir) = open.pop() {
        if !dir.exists() {
            continue;
        }
        for entry in fs::read_dir(&dir)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let text =
                    fs::read_to_string(&path).with_context(|| format!("{} is not text", path.display()))?;
                found.insert(path.strip_prefix(folder)?.to_path_buf(), text);
            }
        }
    }
    Ok(found)
}

/// Joins without the slash at the end that joining with nothing would leave.
fn join(base: &Path, rest: &Path) -> PathBuf {
    if rest.as_os_str().is_empty() { base.to_path_buf() } else { base.join(rest) }
}

fn replace(folder: &Path, old: &BTreeMap<PathBuf, String>, new: &BTreeMap<PathBuf, String>) -> Result<()> {
    for gone in old.keys().filter(|path| !new.contains_key(*path)) {
        fs::remove_file(join(folder, gone))?;
    }
    for (path, text) in new {
        let target = join(folder, path);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(target, text)?;
    }
    Ok(())
}

fn report(
    name: &str,
    old: &BTreeMap<PathBuf, String>,
    new: &BTreeMap<PathBuf, String>,
    fresh: &Path,
    committed: &Path,
) {
    for path in old.keys().chain(new.keys().filter(|path| !old.contains_key(*path))) {
        let shown = join(Path::new(name), path);
        match (old.get(path), new.get(path)) {
            (Some(_), None) => say(&format!("    {}: committed, but no longer generated", shown.display())),
            (None, Some(_)) => say(&format!("    {}: generated, but not committed", shown.display())),
            (Some(a), Some(b)) if a != b => {
                say(&format!("    {}: differs", shown.display()));
                let mut diff = Command::new("git");
                diff.args(["diff", "--no-index", "--no-color"])
                    .arg(committed.join(path))
                    .arg(fresh.join(path));
                if let Ok(output) = diff.output() {
                    say(&String::from_utf8_lossy(&output.stdout));
                }
            }
            _ => {}
        }
    }
}
