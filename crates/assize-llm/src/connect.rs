//! From `provider:model` to a client: the address, the key and the wire format, from the suite and the environment.
//!
//! The environment comes in as a function, so that nothing here depends on the process it runs in.

use crate::client::{ClientSettings, ModelClient};
use crate::embeddings::EmbeddingClient;
use crate::environment::{ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, OPENAI_API_KEY, OPENAI_BASE_URL};
use crate::permits::KeyPermits;
use crate::prices::PriceTable;
use crate::retry::RetryPolicy;
use crate::transport::Transport;
use assize_core::suite::{Api, JudgeModel, Parameters, ProviderEntry, Structured};
use indexmap::IndexMap;
use secrecy::SecretString;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Where `openai:` models are unless the environment says otherwise.
pub const OPENAI_DEFAULT: &str = "https://api.openai.com/v1";

/// Where `anthropic:` models are unless the environment says otherwise.
pub const ANTHROPIC_DEFAULT: &str = "https://api.anthropic.com";

/// How calls are made, whoever is called.
#[derive(Clone, Debug)]
pub struct CallOptions {
    /// How long one request may take.
    pub timeout: Duration,
    /// How often and how patiently a request is repeated.
    pub retry: RetryPolicy,
    /// What models cost.
    pub prices: Arc<PriceTable>,
    /// Which key may go where, beyond those of the built-in providers.
    pub permits: KeyPermits,
}

impl Default for CallOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(120),
            retry: RetryPolicy::default(),
            prices: Arc::new(PriceTable::built_in()),
            permits: KeyPermits::default(),
        }
    }
}

/// Why a model cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectProblem {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for ConnectProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

impl std::error::Error for ConnectProblem {}

/// Reads a variable of the environment.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A client, and what stands in the way of asking with it, though not of estimating: a key that is not set.
#[derive(Debug)]
pub struct Connected<C> {
    /// The client.
    pub client: C,
    /// What is missing.
    pub missing: Option<ConnectProblem>,
}

/// A client for a judge model.
pub fn connect(
    model: &JudgeModel,
    providers: &IndexMap<String, ProviderEntry>,
    parameters: &Parameters,
    options: &CallOptions,
    environment: Environment<'_>,
) -> Result<Connected<ModelClient>, ConnectProblem> {
    let (settings, missing) = resolve(model, providers, parameters, options, environment)?;
    let http = http_for(&settings)?;
    Ok(Connected { client: ModelClient::new(settings, http), missing })
}

/// A client for a model that gives embeddings.
pub fn connect_embeddings(
    model: &JudgeModel,
    providers: &IndexMap<String, ProviderEntry>,
    options: &CallOptions,
    environment: Environment<'_>,
) -> Result<Connected<EmbeddingClient>, ConnectProblem> {
    let (settings, missing) = resolve(model, providers, &Parameters::default(), options, environment)?;
    let http = http_for(&settings)?;
    Ok(Connected { client: EmbeddingClient::new(settings, http), missing })
}

fn http_for(settings: &ClientSettings) -> Result<reqwest::Client, ConnectProblem> {
    Transport.client_for(&settings.base_url).map_err(|message| ConnectProblem { message, help: None })
}

/// Whom to ask and how, without asking, and what is missing for that.
fn resolve(
    model: &JudgeModel,
    providers: &IndexMap<String, ProviderEntry>,
    parameters: &Parameters,
    options: &CallOptions,
    environment: Environment<'_>,
) -> Result<(ClientSettings, Option<ConnectProblem>), ConnectProblem> {
    let JudgeModel::Remote { provider, name } = model else {
        return Err(ConnectProblem { message: format!("`{model}` is not asked over the network"), help: None });
    };
    let set =
        |variable: &str| environment(variable).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    let built_in = |api, key: &str, address: &str, default: &str| ProviderEntry {
        base_url: set(address).unwrap_or_else(|| default.to_owned()),
        api_key_env: Some(key.to_owned()),
        api,
        structured: Structured::Schema,
    };
    // An entry of the suite goes first, also one that is named like a built-in provider.
    let entry = match (providers.get(provider), provider.as_str()) {
        (Some(entry), _) => entry.clone(),
        (None, "openai") => built_in(Api::OpenAi, OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_DEFAULT),
        (None, "anthropic") => built_in(Api::Anthropic, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, ANTHROPIC_DEFAULT),
        _ => {
            return Err(ConnectProblem {
                message: format!("unknown provider `{provider}`"),
                help: Some("add it under `providers:` with its `base_url`".to_owned()),
            });
        }
    };
    let variable = entry.api_key_env.clone();
    let refusal = options.permits.refusal(variable.as_deref(), &entry.base_url, environment);
    let api_key = entry.api_key_env.as_deref().filter(|_| refusal.is_none()).and_then(set);
    let unset = entry.api_key_env.filter(|_| api_key.is_none()).map(|variable| ConnectProblem {
        message: format!("`{model}` needs a key, and {variable} is not set"),
        help: Some(format!("export {variable}=…")),
    });
    let missing = refusal.or(unset);
    let settings = ClientSettings {
        provider: provider.clone(),
        api: entry.api,
        base_url: entry.base_url.trim_end_matches('/').to_owned(),
        api_key: api_key.map(SecretString::from),
        key_variable: variable,
        from_suite: providers.contains_key(provider),
        model: name.clone(),
        parameters: parameters.clone(),
        structured: entry.structured,
        timeout: options.timeout,
        retry: options.retry,
        prices: Arc::clone(&options.prices),
    };
    Ok((settings, missing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret;

    fn resolved(
        model: &str,
        providers: &[(&str, ProviderEntry)],
        variables: &[(&str, &str)],
    ) -> Result<ClientSettings, String> {
        let providers = providers.iter().map(|(name, entry)| ((*name).to_owned(), entry.clone())).collect();
        let environment =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        let model = JudgeModel::parse(model).unwrap();
        let mut options = CallOptions::default();
        options.permits.allow("MY_KEY", "127.0.0.1").expect("a host");
        let (settings, missing) = resolve(&model, &providers, &Parameters::default(), &options, &environment)
            .map_err(|problem| problem.to_string())?;
        missing.map_or(Ok(settings), |problem| Err(problem.to_string()))
    }

    #[test]
    fn built_in_providers_take_their_variables() {
        let openai = resolved("openai:gpt-4o-mini", &[], &[("OPENAI_API_KEY", " k1\n")]).unwrap();
        assert_eq!((openai.base_url.as_str(), openai.api), (OPENAI_DEFAULT, Api::OpenAi));
        assert_eq!(openai.api_key.as_ref().unwrap().expose_secret(), "k1");
        assert!(!format!("{openai:?}").contains("k1"));
        let variables = [("ANTHROPIC_API_KEY", "k2"), ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9/v1/")];
        let anthropic = resolved("anthropic:claude", &[], &variables).unwrap();
        assert_eq!((anthropic.base_url.as_str(), anthropic.api), ("http://127.0.0.1:9/v1", Api::Anthropic));
    }

    #[test]
    fn what_is_missing_is_named() {
        let entry = ProviderEntry {
            base_url: "http://127.0.0.1:11434/v1".to_owned(),
            api_key_env: Some("MY_KEY".to_owned()),
            api: Api::OpenAi,
            structured: Structured::Prompt,
        };
        let keyless = ProviderEntry { api_key_env: None, ..entry.clone() };
        insta::assert_snapshot!(
            [
                resolved("openai:gpt-4o-mini", &[], &[]).unwrap_err(),
                resolved("anthropic:claude", &[], &[("ANTHROPIC_API_KEY", "")]).unwrap_err(),
                resolved("mine:llama", &[("mine", entry)], &[]).unwrap_err(),
                resolved("yours:llama", &[], &[]).unwrap_err(),
                resolved("offline", &[], &[]).unwrap_err(),
            ]
            .join("\n")
        );
        let local = resolved("mine:llama3:8b", &[("mine", keyless)], &[]).unwrap();
        assert_eq!((local.asked().as_str(), local.structured), ("mine:llama3:8b", Structured::Prompt));
        assert!(local.api_key.is_none());
    }
}
