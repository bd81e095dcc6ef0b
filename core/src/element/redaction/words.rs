use crate::find;

/// Lower-case, without separators: `api-key`, `api_key` and `apiKey` are one word.
fn normalised(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '-' | '_' | '.' | '[' | ']' | ' '))
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

const WORDS: [&str; 12] = [
    "token",
    "secret",
    "passw",
    "apikey",
    "accesskey",
    "privatekey",
    "signature",
    "credential",
    "authorization",
    "csrf",
    "xsrf",
    "sessionid",
];

const FIELD_NAMES: [&str; 15] = [
    "passw",
    "cardnum",
    "ccnum",
    "cardcode",
    "cvv",
    "cvc",
    "securitycode",
    "onetimecode",
    "otpcode",
    "secret",
    "token",
    "csrf",
    "xsrf",
    "apikey",
    "ssn",
];

const PARAMETERS: [&str; 12] =
    ["key", "sig", "sid", "code", "otp", "pin", "auth", "jwt", "pwd", "pass", "cvv", "cvc"];

/// Whether a name of an attribute or of a `meta` says that its value is a secret.
pub(super) fn is_secret_word(name: &str) -> bool {
    let name = normalised(name);
    WORDS.iter().any(|word| find::has(&name, word))
}

/// Whether the `name` or `id` of a form field says that its value is a secret.
pub(super) fn is_secret_field_name(name: &str) -> bool {
    let name = normalised(name);
    FIELD_NAMES.iter().any(|word| find::has(&name, word))
}

/// Whether the name of a URL parameter says that its value is a secret.
pub(super) fn is_secret_parameter(name: &str) -> bool {
    let name = normalised(name);
    PARAMETERS.contains(&name.as_str())
        || find::has(&name, "session")
        || WORDS.iter().any(|word| find::has(&name, word))
}
