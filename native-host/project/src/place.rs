//! The rule that gives a page its project, and the sentence that says why.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use opentoolbar_core::model::Project;

use super::{Presence, SilentDisk, ask_ahead, not_gone, presence, project_at, root_of_in_time};

/// What is known about a page and about who is there. Facts only; `place` weighs them.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Origin of the page.
    pub origin: String,
    /// The page's whole address.
    pub url: String,
    /// What the person chose for the origin.
    pub chosen: Option<PathBuf>,
    /// The page's loopback port with name and working directory of the process that listens there.
    pub port: Option<(u16, String, PathBuf)>,
    /// Projects of the connected agents.
    pub agents: Vec<Project>,
    /// The project that this tab has, on a page of this origin.
    pub stays: Option<PathBuf>,
    /// The project that this tab had when it was last seen.
    pub before: Option<PathBuf>,
    /// Projects that were used before, whether or not they are still there.
    pub known: Vec<Project>,
    /// Only a known project will do, and nothing is told of directories that are in none: for who is not of this
    /// machine for sure.
    pub is_known_only: bool,
}

/// A page's project, or those it could be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// When one is clear.
    pub project: Option<Project>,
    /// What decided, or why nothing does.
    pub reason: String,
    /// To choose from when nothing decides; sorted by name.
    pub choices: Vec<Project>,
}

/// In this order: the person's choice for the origin; the process on the page's loopback port; the file's own
/// directory; what this tab has on this origin, lest words for one agent go to another while the first restarts; the
/// only project with a live agent; what this tab had before. Else the person is asked.
///
/// Looks at the disk, with a bound. One that does not answer is not taken for gone: what was chosen stays chosen, and
/// its project alone waits for it.
pub fn place(evidence: &Evidence) -> Placement {
    let decided = chosen(evidence)
        .or_else(|| by_port(evidence))
        .or_else(|| by_file(evidence))
        .or_else(|| stays(evidence))
        .or_else(|| by_agent(evidence))
        .or_else(|| before(evidence));
    if let Some((project, reason)) = decided {
        return Placement { project: Some(project), reason, choices: Vec::new() };
    }
    let mut choices: Vec<Project> = evidence.agents.iter().chain(&evidence.known).cloned().collect();
    choices.sort_by(|a, b| (&a.name, &a.root).cmp(&(&b.name, &b.root)));
    choices.dedup();
    let choices = not_gone(choices);
    let agents =
        evidence.agents.iter().map(|project| &project.root).collect::<std::collections::BTreeSet<_>>();
    let nobody = if evidence.is_known_only { "no project that is known here" } else { "no process of yours" };
    let reason = match (&evidence.chosen, agents.len()) {
        (Some(gone), _) => format!("the project chosen for {}, {}, is gone", evidence.origin, gone.display()),
        (None, 0) => format!("{nobody} serves {} and no agent is connected", evidence.origin),
        (None, n) => format!("{nobody} serves {} and agents work in {n} projects", evidence.origin),
    };
    Placement { project: None, reason, choices }
}

/// Asks the disks for everything that [`place`] looks at, of many pages at once: those that do not answer are waited
/// for together. Blocks, for about a second at most.
pub fn look_ahead(pages: &[Evidence]) {
    let decided = pages.iter().flat_map(|page| page.chosen.iter().chain(&page.stays).chain(&page.before));
    let directories: BTreeSet<PathBuf> = decided.cloned().collect();
    let served =
        pages.iter().filter_map(|page| page.port.as_ref().map(|(_, _, directory)| directory.clone()));
    let files = pages.iter().filter(|page| !page.is_known_only).filter_map(|page| Some(file_of(page)?.1));
    let inside: BTreeSet<PathBuf> = served.chain(files).collect();
    ask_ahead(&Vec::from_iter(directories), &Vec::from_iter(inside));
}

fn chosen(evidence: &Evidence) -> Option<(Project, String)> {
    let root = evidence.chosen.as_deref().filter(|root| presence(root) != Presence::Gone)?;
    Some((project_at(root)?, format!("chosen for {}", evidence.origin)))
}

fn by_port(evidence: &Evidence) -> Option<(Project, String)> {
    let (port, process, directory) = evidence.port.as_ref()?;
    let project = match root_of_in_time(directory) {
        Ok(root) => project_at(&root?)?,
        Err(SilentDisk) => known_around(directory, &evidence.known)?,
    };
    let may_be = !evidence.is_known_only || evidence.known.contains(&project);
    may_be.then(|| (project, format!("port {port} belongs to {process} in {}", directory.display())))
}

/// The page's file, and the directory that it is in.
fn file_of(evidence: &Evidence) -> Option<(String, PathBuf)> {
    let path = evidence.url.strip_prefix("file://").filter(|path| path.starts_with('/'))?;
    let path = decode_percent(path.split(['?', '#']).next()?)?;
    let directory = Path::new(&path).parent()?.to_owned();
    Some((path, directory))
}

fn by_file(evidence: &Evidence) -> Option<(Project, String)> {
    let (path, directory) = file_of(evidence)?;
    let directory = directory.as_path();
    let project = if evidence.is_known_only {
        // The disk is not asked: what is on it is not this client's to find out.
        known_around(directory, &evidence.known)?
    } else {
        match root_of_in_time(directory) {
            Ok(root) => project_at(&root?)?,
            Err(SilentDisk) => known_around(directory, &evidence.known)?,
        }
    };
    Some((project, format!("the file {path} is in it")))
}

/// The innermost known project that this directory is in by its path alone.
pub fn known_around(directory: &Path, known: &[Project]) -> Option<Project> {
    if directory.components().any(|part| part == Component::ParentDir) {
        return None;
    }
    let around = known.iter().filter(|project| directory.starts_with(&project.root));
    around.max_by_key(|project| project.root.len()).cloned()
}

fn by_agent(evidence: &Evidence) -> Option<(Project, String)> {
    let (first, rest) = evidence.agents.split_first()?;
    rest.iter()
        .all(|project| project.root == first.root)
        .then(|| (first.clone(), "the only project with a connected agent".to_owned()))
}

fn stays(evidence: &Evidence) -> Option<(Project, String)> {
    had(evidence.stays.as_deref())
}

fn before(evidence: &Evidence) -> Option<(Project, String)> {
    had(evidence.before.as_deref())
}

fn had(root: Option<&Path>) -> Option<(Project, String)> {
    let root = root.filter(|root| presence(root) != Presence::Gone)?;
    Some((project_at(root)?, "this tab belonged to it before".to_owned()))
}

fn decode_percent(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    struct Places {
        _dir: tempfile::TempDir,
        shop: PathBuf,
        blog: PathBuf,
    }

    fn places() -> Places {
        let dir = tempfile::tempdir().unwrap();
        let [shop, blog] = ["shop", "blog"].map(|name| {
            let root = dir.path().canonicalize().unwrap().join(name);
            std::fs::create_dir(&root).unwrap();
            std::fs::write(root.join("package.json"), "").unwrap();
            root
        });
        Places { _dir: dir, shop, blog }
    }

    fn page(url: &str) -> Evidence {
        Evidence { origin: super::super::origin_of(url), url: url.into(), ..Evidence::default() }
    }

    fn root(placement: &Placement) -> Option<&Path> {
        placement.project.as_ref().map(|project| Path::new(project.root.as_str()))
    }

    #[test]
    fn the_persons_choice_comes_first() {
        let at = places();
        let port = Some((5173, "vite".into(), at.shop.clone()));
        let evidence = Evidence { chosen: Some(at.blog.clone()), port, ..page("http://localhost:5173/") };
        let placement = place(&evidence);
        assert_eq!(root(&placement), Some(at.blog.as_path()));
        assert_eq!(placement.reason, "chosen for http://localhost:5173");
    }

    #[test]
    fn the_process_on_the_port_comes_before_agents() {
        let at = places();
        let port = Some((5173, "vite".into(), at.shop.clone()));
        let agents = vec![project_at(&at.blog).unwrap()];
        let placement = place(&Evidence { port, agents, ..page("http://localhost:5173/") });
        assert_eq!(root(&placement), Some(at.shop.as_path()));
        assert_eq!(placement.reason, format!("port 5173 belongs to vite in {}", at.shop.display()));
    }

    #[test]
    fn a_file_belongs_to_the_project_around_it() {
        let at = places();
        std::fs::write(at.shop.join("a b.html"), "").unwrap();
        let placement = place(&page(&format!("file://{}/a%20b.html?x", at.shop.display())));
        assert_eq!(root(&placement), Some(at.shop.as_path()));
    }

    #[test]
    fn the_only_project_with_an_agent_is_it_however_many_agents() {
        let at = places();
        let shop = project_at(&at.shop).unwrap();
        let placement = place(&Evidence { agents: vec![shop.clone(), shop], ..page("https://shop.test/") });
        assert_eq!(root(&placement), Some(at.shop.as_path()));
    }

    #[test]
    fn two_projects_with_agents_are_a_choice() {
        let at = places();
        let agents = vec![project_at(&at.shop).unwrap(), project_at(&at.blog).unwrap()];
        let placement = place(&Evidence { agents: agents.clone(), ..page("https://shop.test/") });
        assert_eq!(placement.project, None);
        assert_eq!(placement.choices.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["blog", "shop"]);
        assert!(placement.reason.contains("agents work in 2 projects"), "{}", placement.reason);
        let before = Some(at.blog.clone());
        let placement = place(&Evidence { agents, before, ..page("https://shop.test/") });
        assert_eq!(root(&placement), Some(at.blog.as_path()));
    }

    #[test]
    fn a_tab_stays_in_its_project_while_agents_come_and_go() {
        let at = places();
        let agents = vec![project_at(&at.blog).unwrap()];
        let held = Evidence { agents, stays: Some(at.shop.clone()), ..page("https://shop.test/") };
        assert_eq!(root(&place(&held)), Some(at.shop.as_path()));
        std::fs::remove_dir_all(&at.shop).unwrap();
        assert_eq!(root(&place(&held)), Some(at.blog.as_path()));
    }

    #[test]
    fn a_choice_that_is_gone_is_said_and_decides_nothing() {
        let at = places();
        let placement = place(&Evidence { chosen: Some(at.shop.join("gone")), ..page("https://shop.test/") });
        assert_eq!(placement.project, None);
        assert!(placement.reason.ends_with("is gone"), "{}", placement.reason);
    }

    #[cfg(unix)]
    #[test]
    fn what_was_chosen_stays_while_its_disk_fails() {
        let at = places();
        let refused = at.shop.join("refused");
        std::os::unix::fs::symlink(&refused, &refused).unwrap();
        let agents = vec![project_at(&at.blog).unwrap()];
        let evidence = Evidence { agents, ..page("https://shop.test/") };
        let placement = place(&Evidence { chosen: Some(refused.clone()), ..evidence.clone() });
        assert_eq!(root(&placement), Some(refused.as_path()));
        let known = vec![project_at(&refused).unwrap()];
        let port = Some((5173, "vite".into(), refused.join("src")));
        let placement = place(&Evidence { known, port, ..evidence });
        assert_eq!(root(&placement), Some(refused.as_path()));
    }

    #[test]
    fn who_gets_known_projects_only_gets_no_other_and_hears_of_no_directory() {
        let at = places();
        let shop = project_at(&at.shop).unwrap();
        let known = |page| Evidence { known: vec![shop.clone()], is_known_only: true, ..page };
        let file = |root: &Path| page(&format!("file://{}/src/a.html", root.display()));
        assert_eq!(root(&place(&known(file(&at.shop)))), Some(at.shop.as_path()));
        let said = |placement: Placement| (placement.project, placement.reason, placement.choices);
        // Whether or not there is such a directory, the answer is the same.
        let unknown = place(&known(file(&at.blog)));
        assert_eq!(said(unknown.clone()), said(place(&known(file(&at.blog.join("gone"))))));
        assert_eq!(unknown.project, None);
        assert_eq!(root(&place(&known(file(&at.shop.join("../blog"))))), None);
        let served = |directory: &Path| {
            let port = Some((5173, "vite".into(), directory.to_owned()));
            known(Evidence { port, ..page("http://localhost:5173/") })
        };
        assert_eq!(root(&place(&served(&at.shop))), Some(at.shop.as_path()));
        let unknown = place(&served(&at.blog));
        assert!(unknown.project.is_none() && !unknown.reason.contains("blog"), "{}", unknown.reason);
    }
}
