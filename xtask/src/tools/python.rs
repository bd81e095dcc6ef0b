//! Python with the packages of tests, in environments of their own under `target/`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use super::cargo_tools::numbers;
use crate::{step, workspace};

/// What the pinned `websockets` asks for; the SDK of MCP is content with 3.10.
const PYTHON: [u32; 3] = [3, 11, 0];

/// For `tests/ws`.
pub fn python_for_tests() -> Result<PathBuf> {
    environment("python", "tests/ws/requirements.txt")
}

/// For `tests/mcp`: it has the official SDK of MCP.
pub fn python_for_mcp() -> Result<PathBuf> {
    environment("python-mcp", "tests/mcp/python/requirements.txt")
}

/// For `tests/openapi`: it has schemathesis.
pub fn python_for_openapi() -> Result<PathBuf> {
    environment("python-openapi", "tests/openapi/requirements.txt")
}

/// The environment's interpreter; made again only when the pinned packages changed.
fn environment(name: &str, list: &str) -> Result<PathBuf> {
    let list = workspace::path(list);
    let wanted = fs::read_to_string(&list).with_context(|| format!("cannot read {}", list.display()))?;
    let environment = workspace::own().join(name);
    let own = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = environment.join(".opentoolbar-requirements");
    if own.is_file() && fs::read_to_string(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(own);
    }
    let system = system_python()?;
    let mut make = step::command(system, "", &["-m", "venv", "--clear"]);
    make.arg(&environment);
    if let Err(error) = step::run("a Python environment for the tests", &mut make) {
        bail!("{error:#}\nOn Debian and Ubuntu: apt-get install python3-venv, then run this again.");
    }
    let mut install = step::command(&own, "", &["-m", "pip", "install", "--disable-pip-version-check", "-r"]);
    step::run("pip install for the tests", install.arg(&list))?;
    fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))?;
    Ok(own)
}

/// The Python of this machine.
pub fn system_python() -> Result<&'static str> {
    let version =
        |program: &&str| step::ask(program, &["-c", "import platform; print(platform.python_version())"]);
    let found = ["python3", "python"]
        .into_iter()
        .find(|program| version(program).is_some_and(|version| numbers(&version) >= PYTHON));
    match found {
        Some(program) => Ok(program),
        None => bail!(
            "Python {}.{} or newer is needed for the tests, and there is none on the PATH. Install it \
             from https://www.python.org/downloads or your system's packages, and run this again.",
            PYTHON[0],
            PYTHON[1]
        ),
    }
}
