//! Origins of addresses, as far as projects need them.

/// `http://localhost:5173` of `http://localhost:5173/about?x#y`: scheme and host in lower case, no user, no port that
/// the scheme implies. Files have the origin `file://`. What is no address is its own origin.
pub fn origin_of(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let scheme = scheme.to_ascii_lowercase();
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let authority = &rest[..end];
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host).to_ascii_lowercase();
    let implied = match scheme.as_str() {
        "http" => ":80",
        "https" => ":443",
        "file" => return "file://".to_owned(),
        _ => "",
    };
    let host = if implied.is_empty() { &host } else { host.strip_suffix(implied).unwrap_or(&host) };
    format!("{scheme}://{host}")
}

/// The port of an origin on this machine: `localhost`, `*.localhost`, `127.x.x.x`, `[::1]` and `0.0.0.0`.
pub fn loopback_port(origin: &str) -> Option<u16> {
    let (scheme, authority) = origin.split_once("://")?;
    let implied = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port.parse().ok()?),
        _ => (authority, implied),
    };
    let here = host == "localhost"
        || host.ends_with(".localhost")
        || matches!(host, "[::1]" | "0.0.0.0")
        || host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback());
    here.then_some(port)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn origins_are_those_that_browsers_say() {
        for (url, origin) in [
            ("http://localhost:5173/about?x#y", "http://localhost:5173"),
            ("HTTP://LocalHost:80", "http://localhost"),
            ("https://me:pw@shop.test:443/a", "https://shop.test"),
            ("http://[::1]:3000/", "http://[::1]:3000"),
            ("file:///home/a/index.html", "file://"),
            ("about:blank", "about:blank"),
        ] {
            assert_eq!(origin_of(url), origin);
        }
    }

    #[test]
    fn only_this_machine_has_loopback_ports() {
        for (origin, port) in [
            ("http://localhost:5173", Some(5173)),
            ("http://shop.localhost", Some(80)),
            ("https://127.0.0.1", Some(443)),
            ("http://[::1]:3000", Some(3000)),
            ("http://[::1]", Some(80)),
            ("http://shop.test:5173", None),
            ("http://127.0.0.1.evil.test:80", None),
            ("file://", None),
        ] {
            assert_eq!(loopback_port(origin), port, "{origin}");
        }
    }

    proptest! {
        #[test]
        fn an_origin_is_its_own_origin(url: String) {
            let origin = origin_of(&url);
            let _ = loopback_port(&origin);
            if !url.contains('@') {
                prop_assert_eq!(origin_of(&origin).len(), origin_of(&origin_of(&origin)).len());
            }
        }
    }
}
