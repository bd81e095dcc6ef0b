//! Which files may hold what a page shows, by their names alone.

/// What a file's name says of what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Source, templates, translations or content: it is read.
    Text,
    /// Pictures, fonts, sound: nothing that is looked for, so that it need not be read.
    NoText,
    /// It may be anything, or secret: it is not read, and nothing is said of what is in it.
    Unknown,
}

/// Endings of files that are read: everything that a text of a page may be written in. What has no such ending is not,
/// as `.env`, keys, databases, archives and whatever has no ending at all.
const TEXT: [&str; 5] = [
    // Pages and their styles.
    "html htm xhtml shtml css scss sass less styl stylus pcss postcss svg",
    // Scripts and components.
    "js mjs cjs jsx ts mts cts tsx vue svelte astro marko riot imba mint elm coffee litcoffee ls purs \
     res re rei webc",
    // Languages of servers, and of apps that become WASM.
    "php phtml py rb rs go java kt kts groovy scala clj cljs cljc edn cs vb fs fsx ex exs erl gleam \
     dart swift hs ml mli pl pm lua cr nim zig d jl r lisp rkt c cc cpp cxx h hpp",
    // Templates.
    "hbs handlebars mustache njk nunjucks liquid ejs eta pug jade haml slim erb rhtml eex leex heex \
     twig latte tpl jinja jinja2 j2 mako chtml jsp jspx jspf tag gsp ftl ftlh vm cshtml vbhtml razor \
     aspx ascx master tmpl gohtml templ tera dust edge dot jst soy vto etlua ecr leaf hamlet xsl xslt \
     tt tt2",
    // Content.
    "md mdx markdown mdoc rmd qmd adoc asciidoc rst org textile",
];

/// The same of translations, and of data that pages are made of.
const DATA: &str = "
    json json5 jsonc yaml yml toml xml po pot xlf xliff resx arb properties strings graphql gql webmanifest
";

/// Endings of files without text that is looked for.
const NO_TEXT: &str = "
    png apng jpg jpeg gif webp avif ico bmp tif tiff heic woff woff2 ttf otf eot mp3 m4a wav ogg oga
    flac mp4 m4v webm mov glb
";

/// Parts of paths of files that hold secrets, also in what else is source.
const SECRET: &str = "
    secret credential apikey api_key api-key private_key private-key privatekey id_rsa
    id_dsa id_ecdsa id_ed25519 .env. service-account service_account serviceaccount adminsdk
    google-services tfvars tfstate keystore kubeconfig
";
/// The same of data alone: components and pages ask people for such things.
const SECRET_DATA: &str = "password passwd";
/// Names of settings that mostly hold passwords of databases and services.
const SECRET_NAMES: &str = "
    wp-config.php database.yml database.yaml auth.json auth.toml appsettings.json local_settings.py
    docker-compose.yml docker-compose.yaml compose.yml compose.yaml
";

/// `file`: its path within the project, with `/` between its parts.
pub(super) fn holds(file: &str) -> Holds {
    let file = file.to_ascii_lowercase();
    let name = file.rsplit('/').next().unwrap_or_default();
    // Source does not stand in files and directories whose names begin with a dot; keys and settings of tools do.
    if file.split('/').any(|part| part.starts_with('.')) || is_secret(&file, name) {
        return Holds::Unknown;
    }
    let is_about = |words: &str| words.split_whitespace().any(|word| file.contains(word));
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some(ending) if has(DATA, ending) && is_about(SECRET_DATA) => Holds::Unknown,
        Some(ending) if has(DATA, ending) || TEXT.iter().any(|list| has(list, ending)) => Holds::Text,
        Some(ending) if has(NO_TEXT, ending) => Holds::NoText,
        Some(_) | None => Holds::Unknown,
    }
}

/// Whether a list of words has this one.
fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

fn is_secret(file: &str, name: &str) -> bool {
    // Spring's; those of a framework's layouts have other endings.
    let is_settings = (name.starts_with("application") || name.starts_with("appsettings"))
        && [".yml", ".yaml", ".properties", ".json"].iter().any(|ending| name.ends_with(ending));
    is_settings || has(SECRET_NAMES, name) || SECRET.split_whitespace().any(|part| file.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_templates_translations_and_content_are_read() {
        for file in [
            "index.html",
            "src/Shop.tsx",
            "src/pages/ResetPassword.vue",
            "SRC/SHOP.TSX",
            "app/views/layouts/application.html.erb",
            "resources/views/shop.blade.php",
            "lib/shop_web/live/shop_live.html.heex",
            "Pages/Shop.cshtml",
            "locale/de/LC_MESSAGES/django.po",
            "i18n/messages_de.properties",
            "src/locales/de.json",
            "content/about.md",
            "config/_default/menus.toml",
            "public/logo.svg",
        ] {
            assert_eq!(holds(file), Holds::Text, "{file}");
        }
    }

    #[test]
    fn pictures_and_fonts_hold_no_text() {
        for file in ["public/logo.PNG", "fonts/inter.woff2", "intro.mp4"] {
            assert_eq!(holds(file), Holds::NoText, "{file}");
        }
    }

    #[test]
    fn what_may_be_secret_or_anything_is_not_read() {
        for file in [
            "",
            "Makefile",
            "id_rsa",
            "id_ed25519.json",
            "src/",
            ".env",
            ".env.local",
            "prod.env",
            "config.env.json",
            ".npmrc",
            ".aws/config.json",
            "certs/server.pem",
            "server.key",
            "store.p12",
            "data/app.sqlite3",
            "dump.sql",
            "customers.csv",
            "backup.zip",
            "notes.txt",
            "src/secrets.ts",
            "config/credentials.yml",
            "credentials/README.md",
            "config/database.yml",
            "config/passwords.yaml",
            "src/main/resources/application-prod.yml",
            "src/main/resources/application.properties",
            "appsettings.Development.json",
            "wp-config.php",
            "firebase-adminsdk-x.json",
            "prod.tfvars.json",
            "app.wasm",
            "png",
            "tsx",
        ] {
            assert_eq!(holds(file), Holds::Unknown, "{file}");
        }
    }
}
