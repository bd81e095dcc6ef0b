//! One element snapshot as lines of plain text, for the inside of a fence.

use super::Level;
use super::untrusted::one_line;
use crate::element::{ElementBrief, ElementSnapshot};
use crate::source::SourceLocation;

/// `button#save.btn.btn-primary`, at most `limit` characters.
pub(super) fn tag_line(tag: &str, id: Option<&str>, classes: &[String], limit: usize) -> String {
    let id = id.map_or(String::new(), |id| format!("#{id}"));
    let classes: String = classes.iter().take(8).map(|class| format!(".{class}")).collect();
    one_line(&format!("{tag}{id}{classes}"), limit)
}

/// `button#save.btn "Save"`, on one line.
pub(super) fn one_liner(snapshot: &ElementSnapshot) -> String {
    let tag = tag_line(&snapshot.tag, snapshot.id.as_deref(), &snapshot.classes, 120);
    let said = snapshot.name.as_deref().filter(|name| !name.trim().is_empty()).unwrap_or(&snapshot.text);
    if said.trim().is_empty() { tag } else { format!("{tag} \"{}\"", one_line(said.trim(), 80)) }
}

/// `src/SaveButton.tsx:12:5`.
pub(super) fn place(source: &SourceLocation) -> String {
    let number = |n: Option<u32>| n.map_or(String::new(), |n| format!(":{n}"));
    let line = number(source.line);
    let column = if line.is_empty() { String::new() } else { number(source.column) };
    format!("{}{line}{column}", source.file)
}

fn brief(brief: &ElementBrief) -> String {
    let tag = tag_line(&brief.tag, brief.id.as_deref(), &brief.classes, 100);
    if brief.text.trim().is_empty() { tag } else { format!("{tag} \"{}\"", one_line(brief.text.trim(), 80)) }
}

/// The snapshot, a line for each thing that is known. `Brief` gives the one-liner only.
pub(super) fn lines(snapshot: &ElementSnapshot, level: Level) -> String {
    let mut lines = vec![one_liner(snapshot)];
    if level == Level::Brief {
        return lines.concat();
    }
    let full = level == Level::Full;
    let (text_limit, value_limit, ancestors) = if full { (1_000, 200, 12) } else { (300, 120, 4) };
    let mut say = |name: &str, value: &str, limit: usize| {
        if !value.trim().is_empty() {
            lines.push(format!("{name}: {}", one_line(value.trim(), limit)));
        }
    };
    say("role", snapshot.role.as_deref().unwrap_or(""), 80);
    say("name", snapshot.name.as_deref().unwrap_or(""), value_limit);
    say("text", &snapshot.text, text_limit);
    if full && snapshot.own_text != snapshot.text {
        say("own text", &snapshot.own_text, 500);
    }
    let most = if full { 60 } else { 12 };
    for (name, value) in snapshot.attributes.iter().take(most) {
        say(&format!("attribute {}", one_line(name, 80)), &format!("\"{value}\""), value_limit + 2);
    }
    if snapshot.attributes.len() > most {
        say("attributes not shown", &(snapshot.attributes.len() - most).to_string(), 20);
    }
    let b = snapshot.bounds;
    say("box", &format!("{} x {} at {}, {}", b.width, b.height, b.x, b.y), 80);
    let inside: Vec<String> = snapshot.ancestors.iter().take(ancestors).map(brief).collect();
    say("inside", &inside.join(" < "), 1_500);
    if full {
        let siblings = &snapshot.siblings;
        say("position", &format!("{} of {} siblings", siblings.index.saturating_add(1), siblings.count), 80);
        say("after", &siblings.previous.as_ref().map_or(String::new(), brief), 200);
        say("before", &siblings.next.as_ref().map_or(String::new(), brief), 200);
        for child in snapshot.children.iter().take(10) {
            say("child", &brief(child), 200);
        }
    }
    if snapshot.child_count > 0 {
        say("children", &snapshot.child_count.to_string(), 20);
    }
    lines.join("\n")
}
