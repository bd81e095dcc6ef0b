//! Attributes that say nothing about an element.

/// Attributes whose values change without the element changing for a person.
pub(super) fn is_noise(attribute: &str) -> bool {
    matches!(
        attribute,
        "class"
            | "style"
            | "nonce"
            | "integrity"
            | "data-reactid"
            | "data-reactroot"
            | "data-server-rendered"
            // Where the source stands, as inspectors' plugins say it: any edit above shifts the lines.
            | "data-source"
            | "data-loc"
            | "data-source-loc"
            | "data-source-file"
            | "data-component-file"
            | "data-insp-path"
            | "data-tsd-source"
            | "data-sentry-source-file"
    ) || attribute.starts_with("data-v-")
        || attribute.starts_with("data-astro-cid")
        || attribute.starts_with("data-astro-source-")
        || attribute.starts_with("data-inspector-")
        || attribute.starts_with("data-locator")
        || attribute.starts_with("_ngcontent")
        || attribute.starts_with("_nghost")
        || attribute.starts_with("data-styled")
        || attribute.starts_with("data-emotion")
        || attribute.starts_with("aria-describedby")
        || attribute.starts_with("aria-labelledby")
        || attribute.starts_with("aria-controls")
        || attribute.starts_with("aria-owns")
}
