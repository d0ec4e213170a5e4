//! Where results are kept: what the command line and the environment say about it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use heapwright_store::{Folder, fingerprint_of_file};
use heapwright_testgen::{Shard, Store, Use};

/// The folder of the store, or `none`, where no option says anything.
const VARIABLE: &str = "HEAPWRIGHT_CACHE";

/// The bytes of the user's store after a run, at most.
const LIMIT: u64 = 1 << 30;

/// Results of earlier runs, and of a part of a run.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Results")]
pub struct StoreArguments {
    /// Keep results in this folder, and search for nothing whose result is there [default:
    /// HEAPWRIGHT_CACHE, or heapwright in the user's cache folder]
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    pub cache: Option<PathBuf>,
    /// Keep no results, and search for everything [default: no]
    #[arg(long)]
    pub no_cache: bool,
    /// Test the K-th of N parts only; classes are dealt out by their names [default: everything]
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Also put the results into this folder, for `heapwright merge` [default: not written]
    #[arg(long, value_name = "DIR")]
    pub results: Option<PathBuf>,
    /// The folders with results that are merged.
    #[arg(skip)]
    pub merged: Vec<PathBuf>,
}

impl StoreArguments {
    /// The store that these arguments name, if any, or if nothing can be done without one.
    pub fn store(&self, is_needed: bool) -> io::Result<Option<Store>> {
        let cache = self.folder();
        // Finding out about the tool takes a while, so nobody does who keeps nothing.
        let is_needed = is_needed || self.results.is_some() || !self.merged.is_empty();
        if cache.is_none() && !is_needed {
            return Ok(None);
        }
        let tool = match tool(cache.as_ref()) {
            Ok(tool) => tool,
            Err(error) if is_needed => return Err(error),
            // Results of an unknown program are worth nothing.
            Err(_) => return Ok(None),
        };
        if !self.merged.is_empty() {
            let folders = self.merged.iter().map(|folder| Folder::input(folder));
            return Ok(Some(Store::new(folders.collect(), tool, Use::Merge)));
        }
        let store = Store::new(cache.into_iter().collect(), tool, Use::Cache);
        Ok(Some(match self.results.as_deref().map(unbounded) {
            Some(results) => {
                // A part that has nothing is a part, too.
                results.create()?;
                store.handing_over(results)
            }
            None => store,
        }))
    }

    /// The folder with results of earlier runs.
    pub fn folder(&self) -> Option<Folder> {
        self.usual_folder()
            .map(|folder| Folder::new(&folder, LIMIT))
    }

    /// Where what can be made again is kept.
    pub fn usual_folder(&self) -> Option<PathBuf> {
        match &self.cache {
            _ if self.no_cache => None,
            Some(folder) => Some(folder.clone()),
            None => match std::env::var_os(VARIABLE) {
                Some(none) if none.is_empty() || none == "none" => None,
                Some(folder) => Some(PathBuf::from(folder)),
                None => usual(),
            },
        }
    }
}

/// What tells this program from other versions of it, and with it the solver that it uses.
pub fn tool(cache: Option<&Folder>) -> io::Result<String> {
    static KNOWN: OnceLock<String> = OnceLock::new();
    if let Some(known) = KNOWN.get() {
        return Ok(known.clone());
    }
    let fingerprint = fingerprint_of_file(&std::env::current_exe()?, cache)?;
    let solver = heapwright_solver::backend_version();
    Ok(KNOWN
        .get_or_init(|| format!("{fingerprint} {solver}"))
        .clone())
}

fn unbounded(folder: &Path) -> Folder {
    Folder::new(folder, u64::MAX)
}

/// The folder in which the user's programs keep what can be made again.
fn usual() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let folder = std::env::var_os(name).map(PathBuf::from);
        folder.filter(|folder| folder.is_absolute())
    };
    let caches = absolute("XDG_CACHE_HOME");
    let caches = caches.or_else(|| Some(absolute("HOME")?.join(".cache")));
    Some(caches?.join(crate::NAME))
}
