//! The kinds of things that an element can be.

/// What kind of thing an element is, whatever its tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(in crate::anchor) enum Kind {
    /// Holds other things.
    #[default]
    Group,
    /// One of several in a list or table.
    Item,
    Link,
    Button,
    /// Is written into.
    Field,
    /// One of several is chosen with it.
    Choice,
    Picture,
    Icon,
    /// The page's or a section's.
    Title,
    Heading,
    Label,
    /// Says one thing.
    Text,
    /// Neither says nor shows anything.
    Empty,
    /// A list, a table.
    List,
    Form,
}

impl Kind {
    const EACH: [Self; 15] = [
        Self::Group,
        Self::Item,
        Self::Link,
        Self::Button,
        Self::Field,
        Self::Choice,
        Self::Picture,
        Self::Icon,
        Self::Title,
        Self::Heading,
        Self::Label,
        Self::Text,
        Self::Empty,
        Self::List,
        Self::Form,
    ];
    pub(in crate::anchor) const ALL: usize = Self::EACH.len();

    /// That of a number as it is kept.
    pub(super) fn from_number(number: u8) -> Option<Self> {
        Self::EACH.get(usize::from(number)).copied()
    }

    /// How near two kinds are: 1 the same, 0 what no redesign makes of one another.
    pub(in crate::anchor) fn like(self, other: Self) -> f32 {
        use Kind::{
            Button, Choice, Empty, Field, Form, Group, Heading, Icon, Item, Label, Link, List, Picture, Text,
            Title,
        };
        if self == other {
            return 1.0;
        }
        let near = |one: Self, two: Self| {
            Some(match (one, two) {
                (Link, Button) | (Group, Item | List | Form) | (Icon, Picture | Empty) | (Title, Heading) => {
                    0.7
                }
                (Heading | Title | Label, Text) | (Choice, Field) | (Item, List) => 0.6,
                (Link | Button, Text | Item)
                | (Choice, Button | Group)
                | (Button, Icon)
                | (Label, Heading) => 0.4,
                (Group | Item, Text | Link)
                | (Picture, Group | Text)
                | (Form, List)
                | (Group, Heading | Title) => 0.3,
                _ => return None,
            })
        };
        near(self, other).or_else(|| near(other, self)).unwrap_or(0.0)
    }
}

/// What kind of thing each element of a page is, and how many there are of each.
#[derive(Clone, Debug, Default)]
pub(in crate::anchor) struct Kinds {
    /// By node.
    kinds: Vec<Kind>,
    counts: [u8; Kind::ALL],
}

impl Kinds {
    /// Of `nodes`, of which `each` is an element.
    pub(super) fn new(nodes: u32, each: impl Iterator<Item = (u32, Kind)>) -> Self {
        let mut counts = [0u8; Kind::ALL];
        let mut kinds = vec![Kind::default(); nodes as usize];
        for (node, kind) in each {
            kinds[node as usize] = kind;
            counts[kind as usize] = counts[kind as usize].saturating_add(1);
        }
        Self { kinds, counts }
    }

    pub(super) fn of(&self, node: u32) -> Kind {
        self.kinds.get(node as usize).copied().unwrap_or_default()
    }

    pub(super) fn count(&self, kind: Kind) -> u8 {
        self.counts[kind as usize]
    }
}
