//! Which programs started which: who is behind a question, and whether one of them is above a process.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use opentoolbar_core::model::AskingProcess;
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

/// Longest way up that is followed.
const MOST: usize = 64;
/// Is started by nobody and starts everybody.
const FIRST: u32 = 1;
/// A clock that is set shifts what the system says of the past: so many seconds are the same moment.
const SAME_MOMENT: u64 = 2;
const SHELLS: [&str; 7] = ["sh", "bash", "dash", "zsh", "fish", "ksh", "ash"];

#[derive(Clone, Debug, Default)]
struct Process {
    parent: Option<u32>,
    arguments: Vec<String>,
    /// In seconds since 1970.
    started: u64,
    /// It began a session of its own: a terminal's first program, a service.
    leads: bool,
}

impl Process {
    fn name(&self) -> &str {
        let program = self.arguments.first().map_or("", String::as_str);
        let name = Path::new(program).file_stem().and_then(|name| name.to_str()).unwrap_or(program);
        // A login shell's.
        name.strip_prefix('-').unwrap_or(name)
    }

    fn is_mcp_server(&self) -> bool {
        self.name() == "opentoolbar" && self.arguments.get(1).is_some_and(|verb| verb == "mcp")
    }

    /// Whether something is typed into it: it has no line and no script to run.
    fn is_typed_into(&self) -> bool {
        if !SHELLS.contains(&self.name()) || self.has_line() {
            return false;
        }
        let mut arguments = self.arguments.iter().skip(1);
        while let Some(argument) = arguments.next() {
            // As editors start the shells of their terminals.
            if matches!(argument.as_str(), "--rcfile" | "--init-file" | "--init-command" | "-O" | "+O" | "-C")
            {
                arguments.next();
            } else if !argument.starts_with('-') && !argument.starts_with('+') {
                return false;
            }
        }
        true
    }

    /// A shell's `-c`, also as `-lc`.
    fn has_line(&self) -> bool {
        let is_c = |argument: &String| {
            argument.starts_with('-') && !argument.starts_with("--") && argument.contains('c')
        };
        self.arguments.iter().skip(1).any(is_c)
    }

    /// It only starts another one for who started it: a shell with a line or a script, `npx` and its like.
    fn is_wrapper(&self) -> bool {
        match self.name() {
            name if SHELLS.contains(&name) => !self.is_typed_into(),
            "cmd" => self.arguments.iter().any(|argument| argument.eq_ignore_ascii_case("/c")),
            "env" | "npx" | "npm" | "npm exec" | "pnpm" | "yarn" | "bunx" | "uvx" => true,
            "node" => self.arguments.get(1).is_some_and(|script| {
                let script = Path::new(script).file_name().and_then(|name| name.to_str()).unwrap_or_default();
                matches!(script, "npx" | "npx-cli.js" | "npm-cli.js" | "pnpm.cjs" | "yarn.js")
            }),
            _ => false,
        }
    }
}

/// The process that asks, and the programs that started it to ask, the nearest first: a program that runs a command to
/// ask is known after that command has ended. Blocks for as long as a few files of the system take. Empty where the
/// system does not tell.
#[must_use]
pub fn asking_processes(id: u32) -> Vec<AskingProcess> {
    let Ok(mut system) = System::new() else { return Vec::new() };
    let mut found = BTreeMap::new();
    let mut next = Some(id);
    while let Some(id) = next.filter(|_| found.len() < MOST) {
        let Some(process) = look(&mut system, id) else { break };
        next = process.parent.filter(|parent| *parent > FIRST && !found.contains_key(parent));
        found.insert(id, process);
    }
    Processes(found).that_ask(id)
}

const WHAT: fn() -> ProcessRefreshKind = || ProcessRefreshKind::nothing().with_cmd(UpdateKind::Always);

fn look(system: &mut System, id: u32) -> Option<Process> {
    let id = Pid::from_u32(id);
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[id]), false, WHAT());
    system.process(id).map(process)
}

fn process(process: &sysinfo::Process) -> Process {
    let mut arguments: Vec<String> =
        process.cmd().iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    if arguments.is_empty() {
        arguments.push(process.name().to_string_lossy().into_owned());
    }
    // Only Unix has such sessions; elsewhere nothing is known of them.
    let leads = !cfg!(unix) || process.session_id().is_none_or(|session| session == process.pid());
    let parent = process.parent().map(Pid::as_u32);
    Process { parent, arguments, started: process.start_time(), leads }
}

/// Processes by their ids.
#[derive(Debug, Default)]
pub struct Processes(BTreeMap<u32, Process>);

impl Processes {
    /// All that run now; none where the system does not tell.
    #[must_use]
    pub fn of_this_machine() -> Option<Self> {
        let mut system = System::new().ok()?;
        system.refresh_processes_specifics(ProcessesToUpdate::All, true, WHAT());
        Some(Self(system.processes().iter().map(|(id, one)| (id.as_u32(), process(one))).collect()))
    }

    /// The name of a program above `own` that runs `opentoolbar mcp`, or that is one of the `askers`.
    #[must_use]
    pub fn asker_above(&self, own: u32, askers: &[AskingProcess]) -> Option<String> {
        let servers = self.0.iter().filter(|(_, process)| process.is_mcp_server()).map(|(id, _)| *id);
        let mut known: BTreeSet<u32> = servers.flat_map(|server| self.programs_of(server)).collect();
        let still_runs = |asker: &&AskingProcess| {
            let started = self.0.get(&asker.id).map(|process| process.started);
            started.is_some_and(|started| started.abs_diff(asker.started) <= SAME_MOMENT)
        };
        known.extend(askers.iter().filter(still_runs).map(|asker| asker.id));
        let found = self.above(own).find(|id| known.contains(id))?;
        self.0.get(&found).map(|process| process.name().to_owned())
    }

    /// Those that started it, the nearest first.
    fn above(&self, id: u32) -> impl Iterator<Item = u32> + '_ {
        let parent = |id: u32| self.0.get(&id)?.parent.filter(|parent| *parent > FIRST && *parent != id);
        std::iter::successors(parent(id), move |id| parent(*id)).take(MOST)
    }

    /// The program that runs this one, with what only starts it for that program.
    fn programs_of(&self, id: u32) -> Vec<u32> {
        let mut programs = Vec::new();
        for above in self.above(id) {
            programs.push(above);
            if !self.0.get(&above).is_some_and(Process::is_wrapper) {
                break;
            }
        }
        programs
    }

    /// This one, and upwards whatever only starts it, until the program that wanted it. Not a shell into which somebody
    /// types, nor what started a session: a terminal stands above the person too.
    fn that_ask(&self, id: u32) -> Vec<AskingProcess> {
        let mut asking = Vec::new();
        let mut goes_on = true;
        for id in std::iter::once(id).chain(self.above(id)) {
            let Some(process) = self.0.get(&id).filter(|process| !process.is_typed_into()) else { break };
            // What stands under the first one and began a session starts everybody of a desktop.
            let starts_everybody = process.leads && process.parent.is_none_or(|parent| parent <= FIRST);
            if !goes_on || (!asking.is_empty() && starts_everybody) {
                break;
            }
            asking.push(AskingProcess { id, started: process.started });
            // The first one may be a tool of the second's.
            goes_on = process.is_wrapper() || (asking.len() == 1 && !process.leads);
        }
        asking
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn machine(list: &[(u32, u32, &str)]) -> Processes {
        let process = |(id, parent, line): &(u32, u32, &str)| {
            let arguments = line.split(' ').map(str::to_owned).collect();
            (*id, Process { parent: Some(*parent), arguments, started: u64::from(*id), leads: false })
        };
        Processes(list.iter().map(process).collect())
    }

    fn asking(id: u32) -> AskingProcess {
        AskingProcess { id, started: u64::from(id) }
    }

    /// A terminal with two shells: in one runs an agent with its server, in the other a person.
    fn desk() -> Vec<(u32, u32, &'static str)> {
        vec![
            (1, 0, "/sbin/init"),
            (10, 1, "/usr/bin/terminal"),
            (20, 10, "-bash"),
            (21, 20, "/usr/bin/claude"),
            (22, 21, "sh -c opentoolbar\u{a0}mcp"),
            (23, 22, "/usr/local/bin/opentoolbar mcp --project /shop"),
            (30, 10, "-zsh"),
            (31, 30, "opentoolbar approve v_1"),
        ]
    }

    #[test]
    fn a_person_in_another_shell_of_the_same_terminal_decides_and_the_agent_does_not() {
        assert_eq!(machine(&desk()).asker_above(31, &[asking(23)]), None);
        let mut by_agent = desk();
        by_agent.extend([(40, 21, "bash -c opentoolbar\u{a0}approve"), (41, 40, "opentoolbar approve v_1")]);
        let machine = machine(&by_agent);
        assert_eq!(machine.asker_above(41, &[]).as_deref(), Some("claude"));
        assert_eq!(machine.asker_above(31, &[]), None);
    }

    #[test]
    fn who_asked_over_http_does_not_decide_either() {
        let mut list = desk();
        list.extend([(50, 30, "python3 agent.py"), (51, 50, "opentoolbar approve v_1")]);
        let machine = machine(&list);
        assert_eq!(machine.asker_above(51, &[asking(50)]).as_deref(), Some("python3"));
        assert_eq!(machine.asker_above(51, &[]), None, "that process asked nothing");
        assert_eq!(machine.asker_above(31, &[asking(50)]), None, "the person, in the shell that started it");
    }

    #[test]
    fn what_lost_its_parent_keeps_nobody_from_deciding() {
        let mut list = desk();
        list.push((60, 1, "opentoolbar mcp"));
        assert_eq!(machine(&list).asker_above(31, &[asking(60)]), None);
    }

    #[test]
    fn who_asked_by_a_command_that_has_ended_is_known() {
        let ids = |list: &[(u32, u32, &str)], id| -> Vec<u32> {
            machine(list).that_ask(id).iter().map(|process| process.id).collect()
        };
        let mut list = desk();
        list.extend([(70, 21, "bash -lc curl\u{a0}verify"), (71, 70, "curl http://127.0.0.1:7847/verify")]);
        assert_eq!(ids(&list, 71), [71, 70, 21]);
        list.extend([
            (72, 21, "sh ask.sh"),
            (73, 72, "curl http://127.0.0.1:7847/verify"),
            (74, 21, "curl x"),
        ]);
        assert_eq!(ids(&list, 73), [73, 72, 21]);
        assert_eq!(ids(&list, 74), [74, 21]);
        // Of a person in a shell, the command alone: the same person may say yes there.
        list.extend([(80, 30, "curl x"), (81, 30, "python3 agent.py"), (82, 81, "curl x")]);
        assert_eq!(ids(&list, 80), [80]);
        assert_eq!(ids(&list, 81), [81]);
        assert_eq!(ids(&list, 82), [82, 81]);
        let asked = machine(&list).that_ask(71);
        list.retain(|(id, ..)| ![70, 71].contains(id));
        list.extend([(90, 21, "bash -c opentoolbar"), (91, 90, "opentoolbar approve v_1")]);
        assert_eq!(machine(&list).asker_above(91, &asked).as_deref(), Some("claude"));
    }

    #[test]
    fn what_began_a_session_was_wanted_by_nobody_and_an_id_that_was_given_anew_is_another_process() {
        let mut machine = machine(&[(10, 1, "terminal"), (11, 10, "python3 agent.py"), (12, 10, "-zsh")]);
        machine.0.entry(11).and_modify(|process| process.leads = true);
        assert_eq!(machine.that_ask(11), [asking(11)]);
        let older = AskingProcess { id: 10, started: 500 };
        assert_eq!(machine.asker_above(12, &[older]), None);
        assert_eq!(machine.asker_above(12, &[asking(10)]).as_deref(), Some("terminal"));
    }

    #[test]
    fn the_shell_of_an_editors_terminal_and_what_starts_a_desktop_ask_nothing() {
        let mut machine = machine(&[
            (5, 1, "/usr/lib/systemd/systemd --user"),
            (10, 5, "code --type=ptyHost"),
            (11, 10, "/bin/bash --init-file /opt/shellIntegration-bash.sh"),
            (12, 11, "curl x"),
            (13, 10, "bash --rcfile /opt/jediterm.in -i"),
            (14, 13, "opentoolbar approve v_1"),
            (20, 5, "python3 agent.py"),
        ]);
        machine.0.entry(5).and_modify(|process| process.leads = true);
        assert_eq!(machine.that_ask(12), [asking(12)]);
        assert_eq!(machine.that_ask(20), [asking(20)], "its terminal was closed");
        assert_eq!(machine.asker_above(14, &machine.that_ask(12)), None);
    }

    #[test]
    fn this_very_process_asks_and_is_found_above_its_children() {
        let own = std::process::id();
        let asked = asking_processes(own);
        assert_eq!(asked.first().map(|process| process.id), Some(own));
        let mut child = std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let found = Processes::of_this_machine().unwrap().asker_above(child.id(), &asked);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found.is_some());
    }

    #[test]
    fn a_circle_ends() {
        let circle = machine(&[(5, 6, "a"), (6, 5, "b")]);
        assert_eq!(circle.asker_above(5, &[]), None);
    }
}
