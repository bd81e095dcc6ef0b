//! What is compared.

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(in crate::anchor) enum Clue {
    Tag,
    Classes,
    Attributes,
    /// Of the naming attributes with equal value, how rare the rarest is on the page.
    RareAttribute,
    /// Naming attributes whose value differs.
    OtherAttributes,
    Children,
    ChildCount,
    OwnText,
    Text,
    /// Equal texts: how rare they are on the page.
    RareText,
    TextLength,
    Parent,
    GrandParent,
    HigherUp,
    AncestorNames,
    AncestorTags,
    Depth,
    Previous,
    PreviousButOne,
    Next,
    NextButOne,
    ChildBriefs,
    ParentPrevious,
    ParentNext,
    GrandParentBeside,
    Before,
    After,
    JustBefore,
    JustAfter,
    FromLandmarkBefore,
    FromLandmarkAfter,
    InGap,
    Path,
    Place,
    Siblings,
    Size,
    NearX,
    NearY,
    Content,
    /// Share of the selectors that mean it.
    Votes,
    FirstVote,
    /// Its content is that of a look-alike on the anchor's page.
    Another,
    /// What is beside it stood beside a look-alike.
    BesideAnother,
    /// What is beside it stood beside the element, in the same six respects.
    Beside,
    /// It is in what says what the element's item said, as far as the page says it.
    Item,
    ItemLeft,
    /// What is in it, for elements without text.
    Inside,
    /// The same for all candidates: how much text, names and twins the element has.
    HasText,
    HasNames,
    Twins,
    Survived,
    /// Points of the search, of those of the best.
    Points,
    /// It says the words that nothing else on the anchor's page said, as far as the page says them.
    RareWords,
    /// The same for all candidates: how much of those words the page says.
    RareWordsLeft,
    /// The rare words that stood around the element stand as near to it.
    Nearby,
    NearbyLeft,
    /// Its place counted from the last of its siblings.
    PlaceFromEnd,
    /// Of the comments that were found, the nearest stand on the same side of it: set by [`super::super::relations`].
    InOrder,
    /// It is as far from the nearest of them.
    FromKnown,
}

/// How many clues there are.
pub(in crate::anchor) const CLUES: usize = Clue::FromKnown as usize + 1;
// The numbers are learnt for these clues in this order: `cargo xtask train anchor` learns them anew for others.
const _: () =
    assert!(crate::anchor::weights::FIT.inputs.len() == CLUES, "the model has to be trained for these clues");
/// One candidate's.
pub(in crate::anchor) type Evidence = [f32; CLUES];
