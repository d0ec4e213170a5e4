//! Credentials as operators of NATS servers hand them out: an operator vouches for accounts, an account
//! for its users, each with a signed text.

use nkeys::KeyPair;
use serde_json::{Value as Json, json};

/// A server's configuration, and the credentials of a user.
pub struct Trust {
    /// The configuration.
    pub configuration: String,
    /// The credentials.
    pub credentials: String,
}

/// An operator with two accounts, one of which is that of the server itself, and a user.
pub fn trust() -> Trust {
    let (operator, system) = (KeyPair::new_operator(), KeyPair::new_account());
    let (account, user) = (KeyPair::new_account(), KeyPair::new_user());
    let unbounded = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true,
        "conn": -1, "leaf": -1,
    });
    let mut keeping = unbounded.clone();
    for limit in ["mem_storage", "disk_storage", "streams", "consumer"] {
        keeping[limit] = json!(-1);
    }
    let claims = |kind: &str, limits: Option<Json>| {
        let mut claims = json!({ "type": kind, "version": 2 });
        if let Some(limits) = limits {
            claims["limits"] = limits;
        }
        claims
    };
    let of_operator = signed(&operator, &operator, claims("operator", None));
    let of_system = signed(&operator, &system, claims("account", Some(unbounded)));
    let of_account = signed(&operator, &account, claims("account", Some(keeping)));
    let user_claims = json!({
        "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1, "type": "user", "version": 2,
    });
    let of_user = signed(&account, &user, user_claims);
    let (system, account) = (system.public_key(), account.public_key());
    Trust {
        configuration: format!(
            "operator: {of_operator}\nsystem_account: {system}\nresolver: MEMORY\nresolver_preload: {{\n  \
             {system}: {of_system}\n  {account}: {of_account}\n}}\njetstream: {{}}\n"
        ),
        credentials: format!(
            "-----BEGIN NATS USER JWT-----\n{of_user}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
            user.seed().expect("a seed")
        ),
    }
}

/// What one says about another, or about itself.
fn signed(issuer: &KeyPair, subject: &KeyPair, claims: Json) -> String {
    let head = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let body = json!({
        "jti": subject.public_key(), "iat": 1, "iss": issuer.public_key(),
        "name": "test", "sub": subject.public_key(), "nats": claims,
    });
    let text = format!(
        "{}.{}",
        base64(head.to_string().as_bytes()),
        base64(body.to_string().as_bytes())
    );
    let signature = issuer.sign(text.as_bytes()).expect("a signature");
    format!("{text}.{}", base64(&signature))
}

/// Base64 for addresses, without padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for part in bytes.chunks(3) {
        let number = part
            .iter()
            .fold(0_u32, |number, &byte| number << 8 | u32::from(byte));
        let number = number << (8 * (3 - part.len()));
        for digit in 0..=part.len() {
            text.push(DIGITS[(number >> (18 - 6 * digit)) as usize & 63] as char);
        }
    }
    text
}
