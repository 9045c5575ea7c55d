//! Which key may go to which host.
//!
//! A suite names the variable that holds a key and the address that gets it, and suites come from strangers: a pull
//! request, a download. So a suite alone moves no key. The keys of the built-in providers go to their own hosts, or to
//! the one that the user's own environment names; any other key goes where the user allowed it, by name. Addresses that
//! only a machine's own surroundings can reach, where clouds hand out credentials, are asked by nobody unless allowed.

use crate::connect::{ANTHROPIC_DEFAULT, ConnectProblem, Environment, OPENAI_DEFAULT};
use crate::environment::{ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, OPENAI_API_KEY, OPENAI_BASE_URL};
use reqwest::Url;
use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What stands for the variable where a host is asked without a key.
pub const NO_KEY: &str = "-";

/// What the user allowed: a variable and a host each. Nothing by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyPermits(BTreeSet<(String, String)>);

impl KeyPermits {
    /// Allows a host (`HOST` or `HOST:PORT`) the key in a variable. Says whether that is new, or why it cannot be.
    pub fn allow(&mut self, variable: &str, host: &str) -> Result<bool, String> {
        let named = variable == NO_KEY
            || (!variable.is_empty() && variable.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
        if !named {
            return Err("the first is the name of an environment variable, such as MY_SERVER_KEY, not the key".into());
        }
        let host = normal(host).ok_or("the second is a host, such as llm.example.com or 127.0.0.1:8000")?;
        Ok(self.0.insert((variable.to_owned(), host)))
    }

    /// Takes that back. Says whether it was allowed.
    pub fn forget(&mut self, variable: &str, host: &str) -> bool {
        normal(host).is_some_and(|host| self.0.remove(&(variable.to_owned(), host)))
    }

    /// What is allowed: variables and hosts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(variable, host)| (variable.as_str(), host.as_str()))
    }

    /// Everything that either allows.
    pub fn with(mut self, others: &Self) -> Self {
        self.0.extend(others.0.iter().cloned());
        self
    }

    /// Reads them as they are kept: a table of variables, each with its hosts.
    pub fn read(text: &str) -> Result<Self, String> {
        let kept: BTreeMap<String, Vec<String>> = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut permits = Self::default();
        for (variable, hosts) in kept {
            for host in hosts {
                permits.allow(&variable, &host)?;
            }
        }
        Ok(permits)
    }

    /// As they are kept.
    pub fn written(&self) -> String {
        let mut hosts: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (variable, host) in self.iter() {
            hosts.entry(variable).or_default().push(format!("\"{host}\""));
        }
        let line = |(variable, hosts): (&str, Vec<String>)| format!("\"{variable}\" = [{}]\n", hosts.join(", "));
        hosts.into_iter().map(line).collect()
    }

    fn allows(&self, variable: &str, url: &Url) -> bool {
        let Some(host) = url.host_str() else { return false };
        let with_port = url.port_or_known_default().map(|port| format!("{host}:{port}"));
        self.iter()
            .any(|(name, allowed)| name == variable && (allowed == host || Some(allowed) == with_port.as_deref()))
    }

    /// Why an address may not be asked with the key in a variable, if it may not.
    pub(crate) fn refusal(
        &self,
        variable: Option<&str>,
        base_url: &str,
        environment: Environment<'_>,
    ) -> Option<ConnectProblem> {
        let Ok(url) = Url::parse(base_url) else {
            return Some(ConnectProblem { message: format!("`{base_url}` is not an address"), help: None });
        };
        let host = url.host_str().unwrap_or_default();
        let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let own = |default: &str, named: &str| {
            let same = |other: &str| Url::parse(other).is_ok_and(|other| other.origin() == url.origin());
            same(default) || environment(named).is_some_and(|address| same(address.trim()))
        };
        let name = variable.unwrap_or(NO_KEY);
        let may = self.allows(name, &url)
            || match variable {
                Some(OPENAI_API_KEY) => own(OPENAI_DEFAULT, OPENAI_BASE_URL),
                Some(ANTHROPIC_API_KEY) => own(ANTHROPIC_DEFAULT, ANTHROPIC_BASE_URL),
                Some(_) => false,
                None => !is_private_to_machines(&url),
            };
        if may {
            return None;
        }
        let message = match variable {
            Some(variable) => format!("nobody allowed {host} to be sent the key in {variable}"),
            None => format!("{host} is an address of this machine's own surroundings, where clouds keep credentials"),
        };
        let help = format!(
            "if you trust it: `assize keys allow {name} {host}`, or `--allow-key {name}={host}` for this run alone"
        );
        Some(ConnectProblem { message, help: Some(help) })
    }
}

/// A host as addresses have it.
fn normal(host: &str) -> Option<String> {
    let url = Url::parse(&format!("http://{host}/")).ok()?;
    let bare = url.path() == "/" && url.query().is_none() && url.username().is_empty() && url.password().is_none();
    let name = url.host_str().filter(|_| bare && !host.contains(['/', '?', '#', '@', ' ', '"', '\\']))?;
    // Port 80 is the default of the address that was made up around the host, and meant if it was written.
    let port = host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map(|(_, port)| port);
    Some(port.map_or_else(|| name.to_owned(), |port| format!("{name}:{port}")))
}

/// Whether only the machine's own surroundings answer there: link-local addresses, and the names and addresses under
/// which clouds hand out credentials.
fn is_private_to_machines(url: &Url) -> bool {
    const NAMES: [&str; 3] = ["metadata", "metadata.google.internal", "instance-data"];
    const ALIBABA: Ipv4Addr = Ipv4Addr::new(100, 100, 100, 200);
    const AMAZON: Ipv6Addr = Ipv6Addr::new(0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x254);
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    match host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(IpAddr::V4(address)) => address.is_link_local() || address == ALIBABA,
        Ok(IpAddr::V6(address)) => address.is_unicast_link_local() || address == AMAZON,
        Err(_) => NAMES.contains(&host) || host.ends_with(".metadata.google.internal"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(permits: &KeyPermits, variable: Option<&str>, address: &str) -> bool {
        let environment = |name: &str| (name == OPENAI_BASE_URL).then(|| "http://127.0.0.1:4000/v1".to_owned());
        permits.refusal(variable, address, &environment).is_some()
    }

    #[test]
    fn a_key_goes_to_its_own_host_or_where_it_was_allowed() {
        let none = KeyPermits::default();
        for (variable, address, is_refused) in [
            (OPENAI_API_KEY, "https://api.openai.com/v1", false),
            (OPENAI_API_KEY, "http://127.0.0.1:4000/v1", false),
            (OPENAI_API_KEY, "http://127.0.0.1:4001/v1", true),
            (OPENAI_API_KEY, "http://api.openai.com/v1", true),
            (OPENAI_API_KEY, "https://api.openai.com.evil.example/v1", true),
            (OPENAI_API_KEY, "https://api.openai.com@evil.example/v1", true),
            (OPENAI_API_KEY, "https://api.anthropic.com", true),
            (ANTHROPIC_API_KEY, "https://api.anthropic.com", false),
            ("AWS_SECRET_ACCESS_KEY", "https://api.openai.com/v1", true),
            ("AWS_SECRET_ACCESS_KEY", "http://127.0.0.1:8000", true),
        ] {
            assert_eq!(refused(&none, Some(variable), address), is_refused, "{variable} {address}");
        }
        let mut permits = KeyPermits::default();
        assert_eq!(permits.allow("MY_KEY", "LLM.example.com"), Ok(true));
        assert_eq!(permits.allow("MY_KEY", "llm.example.com"), Ok(false));
        assert_eq!(permits.allow("MY_KEY", "127.0.0.1:8000"), Ok(true));
        for (variable, address, is_refused) in [
            ("MY_KEY", "https://llm.example.com/v1", false),
            ("MY_KEY", "https://llm.example.com:8443/v1", false),
            ("MY_KEY", "https://x.llm.example.com/v1", true),
            ("MY_KEY", "http://127.0.0.1:8000/v1", false),
            ("MY_KEY", "http://127.0.0.1:8001/v1", true),
            ("YOUR_KEY", "https://llm.example.com/v1", true),
        ] {
            assert_eq!(refused(&permits, Some(variable), address), is_refused, "{variable} {address}");
        }
        assert_eq!(KeyPermits::read(&permits.written()), Ok(permits.clone()));
        assert!(permits.forget("MY_KEY", "LLM.example.com") && !permits.forget("MY_KEY", "llm.example.com"));
    }

    #[test]
    fn addresses_where_clouds_keep_credentials_are_asked_only_if_allowed() {
        let none = KeyPermits::default();
        for address in [
            "http://169.254.169.254/latest",
            "http://2852039166/",
            "http://0xa9.0xfe.0xa9.0xfe/",
            "http://[fe80::1]/",
            "http://[::ffff:169.254.169.254]/",
            "http://[fd00:ec2::254]/",
            "http://metadata.google.internal/",
            "http://METADATA.google.internal./",
            "http://100.100.100.200/",
        ] {
            assert!(refused(&none, None, address), "{address}");
        }
        for address in ["http://127.0.0.1:11434/v1", "http://10.0.0.5/v1", "https://llm.example.com", "http://[::1]:80"]
        {
            assert!(!refused(&none, None, address), "{address}");
        }
        let mut permits = none;
        permits.allow(NO_KEY, "169.254.169.254").expect("a host");
        assert!(!refused(&permits, None, "http://169.254.169.254/v1"));
    }

    #[test]
    fn what_is_no_variable_or_no_host_is_not_kept() {
        let mut permits = KeyPermits::default();
        for (variable, host) in [
            ("sk-live-123", "example.com"),
            ("", "example.com"),
            ("A", ""),
            ("A", "https://example.com"),
            ("A", "example.com/v1"),
            ("A", "a@example.com"),
            ("A", "ex\"ample.com"),
        ] {
            let error = permits.allow(variable, host).expect_err(host);
            assert!(!error.contains("sk-live"), "a key is not repeated");
        }
        assert_eq!(permits, KeyPermits::default());
    }
}
