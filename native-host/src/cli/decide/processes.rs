//! Which programs started which: whether one that asks agents' questions is above a process.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

/// Longest way up that is followed.
const MOST: usize = 64;
/// Is started by nobody and starts everybody.
const FIRST: u32 = 1;

#[derive(Clone, Debug, Default)]
struct Process {
    parent: Option<u32>,
    arguments: Vec<String>,
}

impl Process {
    fn name(&self) -> &str {
        let program = self.arguments.first().map_or("", String::as_str);
        Path::new(program).file_stem().and_then(|name| name.to_str()).unwrap_or(program)
    }

    fn says(&self, word: &str) -> bool {
        self.arguments.iter().skip(1).any(|argument| argument == word)
    }

    fn is_mcp_server(&self) -> bool {
        self.name() == "opentoolbar" && self.arguments.get(1).is_some_and(|verb| verb == "mcp")
    }

    /// It only starts another one for who started it: a shell with a command line, `npx` and its like.
    fn is_wrapper(&self) -> bool {
        match self.name() {
            "sh" | "bash" | "dash" | "zsh" | "fish" | "ksh" => self.says("-c"),
            "cmd" => self.says("/c") || self.says("/C"),
            "env" | "npx" | "npm" | "npm exec" | "pnpm" | "yarn" | "bunx" | "uvx" => true,
            "node" => self.arguments.get(1).is_some_and(|script| {
                let script = Path::new(script).file_name().and_then(|name| name.to_str()).unwrap_or_default();
                matches!(script, "npx" | "npx-cli.js" | "npm-cli.js" | "pnpm.cjs" | "yarn.js")
            }),
            _ => false,
        }
    }
}

/// Processes by their ids.
#[derive(Debug, Default)]
pub(super) struct Processes(BTreeMap<u32, Process>);

impl Processes {
    /// All that run now; none where the system does not tell.
    pub(super) fn of_this_machine() -> Option<Self> {
        let mut system = System::new().ok()?;
        let kind = ProcessRefreshKind::nothing().with_cmd(UpdateKind::Always);
        system.refresh_processes_specifics(ProcessesToUpdate::All, true, kind);
        let process = |(id, process): (&sysinfo::Pid, &sysinfo::Process)| {
            let mut arguments: Vec<String> =
                process.cmd().iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
            if arguments.is_empty() {
                arguments.push(process.name().to_string_lossy().into_owned());
            }
            (id.as_u32(), Process { parent: process.parent().map(sysinfo::Pid::as_u32), arguments })
        };
        Some(Self(system.processes().iter().map(process).collect()))
    }

    /// The name of a program above `own` that runs `opentoolbar mcp`, or that is the `asker`.
    pub(super) fn asker_above(&self, own: u32, asker: Option<u32>) -> Option<String> {
        let servers = self.0.iter().filter(|(_, process)| process.is_mcp_server()).map(|(id, _)| *id);
        let mut askers: BTreeSet<u32> = servers.flat_map(|server| self.programs_of(server)).collect();
        askers.extend(asker);
        let found = self.above(own).find(|id| askers.contains(id))?;
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(list: &[(u32, u32, &str)]) -> Processes {
        let process = |(id, parent, line): &(u32, u32, &str)| {
            let arguments = line.split(' ').map(str::to_owned).collect();
            (*id, Process { parent: Some(*parent), arguments })
        };
        Processes(list.iter().map(process).collect())
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
        assert_eq!(machine(&desk()).asker_above(31, Some(23)), None);
        let mut by_agent = desk();
        by_agent.extend([(40, 21, "bash -c opentoolbar\u{a0}approve"), (41, 40, "opentoolbar approve v_1")]);
        let machine = machine(&by_agent);
        assert_eq!(machine.asker_above(41, None).as_deref(), Some("claude"));
        assert_eq!(machine.asker_above(31, None), None);
    }

    #[test]
    fn who_asked_over_http_does_not_decide_either() {
        let mut list = desk();
        list.extend([(50, 30, "python3 agent.py"), (51, 50, "opentoolbar approve v_1")]);
        let machine = machine(&list);
        assert_eq!(machine.asker_above(51, Some(50)).as_deref(), Some("python3"));
        assert_eq!(machine.asker_above(51, None), None, "that process asked nothing");
        assert_eq!(machine.asker_above(31, Some(50)), None, "the person, in the shell that started it");
    }

    #[test]
    fn what_lost_its_parent_keeps_nobody_from_deciding() {
        let mut list = desk();
        list.push((60, 1, "opentoolbar mcp"));
        assert_eq!(machine(&list).asker_above(31, Some(60)), None);
    }

    #[test]
    fn a_circle_ends() {
        let circle = machine(&[(5, 6, "a"), (6, 5, "b")]);
        assert_eq!(circle.asker_above(5, None), None);
    }
}
