//! Which pages weights may be fitted on, and which judge the fit.

/// The part of the corpus that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Part {
    /// Weights are fitted on it.
    Train,
    /// Nothing is fitted on it.
    Test,
}

impl Part {
    /// By the name of the page, so that a page's versions, its edits and their base are all in one part.
    pub(crate) fn of(name: &str) -> Self {
        // FNV-1a; its upper half mixes best.
        let hash = stem(name).bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        if (hash >> 32) & 1 == 0 { Self::Train } else { Self::Test }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Test => "test",
        }
    }
}

/// What is left of a page's name without versions, seeds and folders: its last telling word.
///
/// `v2.4.18_v3.0.5_pages-widgets` and `adminlte-3.2-widgets` are both `widgets`.
fn stem(name: &str) -> String {
    const EVERYWHERE: [&str; 6] = ["www", "com", "org", "net", "html", "htm"];
    let lower = name.to_ascii_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_number = |word: &&str| {
        let digits = word.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(word);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let telling = words.iter().rfind(|word| !is_number(word) && !EVERYWHERE.contains(word));
    telling.or(words.last()).map_or(lower.clone(), |word| (*word).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_edits_of_a_page_are_in_one_part() {
        for (name, wanted) in [
            ("v2.4.18_v3.0.5_pages-widgets", "widgets"),
            ("adminlte-3.2-widgets", "widgets"),
            ("adminlte-3.2-widgets_s1", "widgets"),
            ("v2.3.11_v2.4.18_index2", "index2"),
            ("wikipedia-2", "wikipedia"),
            ("www.example.com", "example"),
            ("2019_2022", "2022"),
            ("", ""),
        ] {
            assert_eq!(stem(name), wanted, "{name}");
        }
        assert_eq!(Part::of("v2.4.18_v3.0.5_pages-widgets"), Part::of("adminlte-3.2-widgets_s2"));
    }

    #[test]
    fn both_parts_have_pages() {
        let names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"];
        let train = names.iter().filter(|name| Part::of(name) == Part::Train).count();
        assert!((2..=6).contains(&train), "{train} of {}", names.len());
    }
}
