//! The connection to a server, what is kept there, and what can go wrong, in words.

use std::future::{Future, IntoFuture};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::{self, AckPolicy, PullConsumer};
use async_nats::jetstream::context::{CreateStreamErrorKind, PublishErrorKind};
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context, kv};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event};
use tokio::runtime::{Builder, Runtime};

use crate::protocol::{self, ALL_JOBS, ANSWERS, ATTEMPTS, JOBS, OBJECTS, RESULTS};

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Jobs that nobody has done for so long are forgotten; whoever still wants them asks again.
const JOBS_STAY: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// What became of jobs is forgotten after this time; results stay.
const ANSWERS_STAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Where a cluster is, and who is talking.
#[derive(Clone, Debug)]
pub struct Server {
    /// Its address: nats://HOST:PORT or tls://HOST:PORT.
    pub address: String,
    /// A file with credentials.
    pub credentials: Option<PathBuf>,
    /// A file with certificates that vouch for the server, beside those of the system.
    pub authorities: Option<PathBuf>,
}

/// Why a cluster cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// Nobody is there.
    #[error(
        "no NATS server answers at {address} ({reason}); start one with `nats-server -js`, or correct \
         --cluster"
    )]
    NoServer {
        /// The address.
        address: String,
        /// What the client said.
        reason: String,
    },
    /// The server does not know who is talking.
    #[error(
        "the server at {address} does not accept {who} ({reason}); name a file with credentials with \
         --creds FILE"
    )]
    Credentials {
        /// The address.
        address: String,
        /// Who was talking.
        who: String,
        /// What the client said.
        reason: String,
    },
    /// The server is not known to be the right one.
    #[error(
        "there is no secure connection to {address} ({reason}); a server whose certificate is not \
         known to the system needs --ca FILE"
    )]
    Tls {
        /// The address.
        address: String,
        /// What the client said.
        reason: String,
    },
    /// The server keeps nothing.
    #[error(
        "the server at {address} has no JetStream, which keeps jobs and results ({reason}); start it \
         with `nats-server -js`, or enable JetStream for the account"
    )]
    NoJetStream {
        /// The address.
        address: String,
        /// What the server said.
        reason: String,
    },
    /// The address is none.
    #[error("{0} is no address of a NATS server; write nats://HOST:4222 or tls://HOST:4222")]
    Address(String),
    /// Something else went wrong.
    #[error("{what}: {reason}")]
    Other {
        /// What was done.
        what: &'static str,
        /// What the server or the client said.
        reason: String,
    },
    /// This machine cannot do it.
    #[error("cannot work here: {0}")]
    Here(#[from] std::io::Error),
}

/// A connection, with what is kept on the other side.
pub struct Link {
    runtime: Runtime,
    pub(crate) client: Client,
    pub(crate) context: Context,
    pub(crate) jobs: Stream,
    pub(crate) results: kv::Store,
    pub(crate) answers: kv::Store,
    pub(crate) attempts: kv::Store,
    pub(crate) objects: ObjectStore,
    /// What the server has objected to since anybody asked.
    complaint: Arc<Mutex<Option<String>>>,
}

impl Link {
    /// Connects, and makes what is not there.
    pub fn open(server: &Server) -> Result<Link, ClusterError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("heapwright-nats")
            .enable_all()
            .build()?;
        let complaint = Arc::new(Mutex::new(None));
        let client = runtime.block_on(connect(server, Arc::clone(&complaint)))?;
        let (context, kept) = runtime.block_on(async {
            let mut context = jetstream::new(client.clone());
            context.set_timeout(PATIENCE);
            let kept = open_all(&context).await;
            (context, kept)
        });
        let (jobs, results, answers, attempts, objects) = kept.map_err(|error| {
            let said = locked(&complaint).take();
            let reason = said.map_or(error.reason.clone(), |said| {
                format!("{}; the server says: {said}", error.reason)
            });
            match error.is_missing {
                true => ClusterError::NoJetStream {
                    address: server.address.clone(),
                    reason,
                },
                false => ClusterError::Other {
                    what: "the server does not keep jobs and results",
                    reason,
                },
            }
        })?;
        Ok(Link {
            runtime,
            client,
            context,
            jobs,
            results,
            answers,
            attempts,
            objects,
            complaint,
        })
    }

    /// Waits for something.
    pub(crate) fn wait<F: IntoFuture>(&self, future: F) -> F::Output {
        let future = future.into_future();
        self.runtime.block_on(future)
    }

    /// Goes on with something beside.
    pub(crate) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) -> Beside {
        Beside(self.runtime.spawn(future))
    }

    /// What the server has objected to lately, such as missing permissions.
    pub(crate) fn complaint(&self) -> Option<String> {
        locked(&self.complaint).take()
    }

    /// What a result may have inside of a message: several have to fit.
    pub(crate) fn inline(&self) -> usize {
        let most = self
            .client
            .server_info()
            .max_payload
            .min(protocol::LONGEST_MESSAGE);
        most / 10
    }

    /// The jobs of some kind, as somebody takes them. A job of which nobody says anything for `lease`
    /// is given to somebody else.
    pub(crate) fn consumer(
        &self,
        route: &str,
        lease: Duration,
    ) -> Result<PullConsumer, ClusterError> {
        let config = consumer::pull::Config {
            durable_name: Some(route.to_owned()),
            description: Some("workers with the same program file and JDK".to_owned()),
            filter_subject: protocol::jobs_for(route),
            ack_policy: AckPolicy::Explicit,
            ack_wait: lease,
            // Who has tried a job is counted elsewhere: giving one back is no attempt.
            max_deliver: -1,
            max_ack_pending: 100_000,
            ..consumer::pull::Config::default()
        };
        let made = self.wait(self.jobs.create_consumer(config));
        made.map_err(|error| ClusterError::Other {
            what: "cannot take jobs",
            reason: error.to_string(),
        })
    }

    /// Hands out a job; whether it was not there yet.
    pub(crate) async fn publish(
        context: &Context,
        subject: &str,
        ticket: Vec<u8>,
    ) -> Result<bool, String> {
        let published = async {
            let promise = context.publish(subject.to_owned(), ticket.into()).await?;
            promise.await
        };
        match published.await {
            Ok(_) => Ok(true),
            Err(error) => match error.kind() {
                // One job of a name waits at a time; the server says it with a code of its own.
                PublishErrorKind::Other if error.to_string().contains("per subject exceeded") => {
                    Ok(false)
                }
                _ => Err(error.to_string()),
            },
        }
    }

    /// Takes back all jobs of a run that nobody has begun with.
    pub(crate) async fn take_back(&self, subjects: &str) {
        // Jobs that stay are done, and their results are kept: a loss of time, and nothing else.
        let _ = self.jobs.purge().filter(subjects).await;
    }
}

/// Something that goes on until this is dropped.
pub(crate) struct Beside(tokio::task::JoinHandle<()>);

impl Drop for Beside {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn connect(
    server: &Server,
    complaint: Arc<Mutex<Option<String>>>,
) -> Result<Client, ClusterError> {
    let address = server.address.clone();
    if !["nats://", "tls://"]
        .iter()
        .any(|begin| address.starts_with(begin))
    {
        return Err(ClusterError::Address(address));
    }
    let mut options = ConnectOptions::new()
        .name("heapwright")
        .connection_timeout(PATIENCE)
        .request_timeout(Some(PATIENCE))
        .event_callback(move |event| {
            if let Event::ServerError(error) = event {
                *locked(&complaint) = Some(error.to_string());
            }
            std::future::ready(())
        });
    if let Some(file) = &server.credentials {
        let read = options.credentials_file(file).await;
        options = read.map_err(|error| ClusterError::Credentials {
            address: address.clone(),
            who: file.display().to_string(),
            reason: error.to_string(),
        })?;
    }
    if let Some(file) = &server.authorities {
        options = options.add_root_certificates(file.clone());
    }
    options.connect(&address).await.map_err(|error| {
        let reason = error.to_string();
        match error.kind() {
            ConnectErrorKind::ServerParse => ClusterError::Address(address),
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                let file = server.credentials.as_ref();
                ClusterError::Credentials {
                    address,
                    who: file.map_or("a connection without credentials".to_owned(), |file| {
                        file.display().to_string()
                    }),
                    reason,
                }
            }
            ConnectErrorKind::Tls => ClusterError::Tls { address, reason },
            _ => ClusterError::NoServer { address, reason },
        }
    })
}

/// Why something is not kept.
struct NotKept {
    reason: String,
    /// Whether nothing is kept at all.
    is_missing: bool,
}

type Kept = (Stream, kv::Store, kv::Store, kv::Store, ObjectStore);

async fn open_all(context: &Context) -> Result<Kept, NotKept> {
    let jobs = stream::Config {
        name: JOBS.to_owned(),
        description: Some("units to be searched".to_owned()),
        subjects: vec![ALL_JOBS.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        max_age: JOBS_STAY,
        // A job that waits already is not handed out again, whoever asks for it.
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        ..stream::Config::default()
    };
    let jobs = context.get_or_create_stream(jobs).await;
    let jobs = jobs.map_err(|error| NotKept {
        is_missing: match error.kind() {
            CreateStreamErrorKind::JetStreamUnavailable | CreateStreamErrorKind::TimedOut => true,
            CreateStreamErrorKind::JetStream(error) => error.code() == 503,
            _ => false,
        },
        reason: error.to_string(),
    })?;
    let results = bucket(context, RESULTS, Duration::ZERO).await?;
    let answers = bucket(context, ANSWERS, ANSWERS_STAY).await?;
    let attempts = bucket(context, ATTEMPTS, ANSWERS_STAY).await?;
    let objects = match context.get_object_store(OBJECTS).await {
        Ok(objects) => objects,
        Err(_) => {
            let config = object_store::Config {
                bucket: OBJECTS.to_owned(),
                ..object_store::Config::default()
            };
            let made = context.create_object_store(config).await;
            made.map_err(|error| not_kept(&error))?
        }
    };
    Ok((jobs, results, answers, attempts, objects))
}

async fn bucket(context: &Context, name: &str, stays: Duration) -> Result<kv::Store, NotKept> {
    if let Ok(store) = context.get_key_value(name).await {
        return Ok(store);
    }
    let config = kv::Config {
        bucket: name.to_owned(),
        history: 1,
        max_age: stays,
        storage: StorageType::File,
        ..kv::Config::default()
    };
    match context.create_key_value(config).await {
        Ok(store) => Ok(store),
        // Somebody else may have made it in the meantime.
        Err(error) => (context.get_key_value(name).await).map_err(|_| not_kept(&error)),
    }
}

fn not_kept(error: &dyn std::error::Error) -> NotKept {
    NotKept {
        reason: error.to_string(),
        is_missing: false,
    }
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
