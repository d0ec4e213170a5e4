//! What can be said about sequences on the command line.

use std::collections::BTreeSet;

use heapwright_engine::sequences::SequenceBounds;

use heapwright_testgen::SequenceRequest;
use heapwright_testgen::domain::Domain;

/// A counter of changes that tells equal states apart, in the JDK's collections.
const USUALLY_IGNORED: &str = "modCount";

/// Options for sequences of calls.
#[derive(clap::Args, Clone, Debug)]
#[command(
    next_help_heading = "Sequences and structures (--mode sequences, repok, whitebox; --via-api)"
)]
pub struct SequenceArguments {
    /// How large things get: values that each parameter gets and calls before the last one; in the
    /// modes repok and whitebox objects of each class, boxed numbers and strings apart
    /// [default: from 2 on, growing until nothing new is covered; 4 objects]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), hide_short_help = true)]
    pub scope: Option<u32>,
    /// Calls before the last one, the constructor not counted [default: as many as --scope]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub length: Option<u32>,
    /// The methods that sequences consist of, up to the last call: put,remove
    /// [default: all public methods]
    #[arg(
        long,
        value_name = "METHODS",
        value_delimiter = ',',
        hide_short_help = true
    )]
    pub calls: Vec<String>,
    /// The values of parameters with a name or of a type: key=0..5, Object=0,1,null,
    /// String="a","b", or put.2=0 for the second parameter of `put`
    /// [default: 0, 1, ... for numbers and objects, "a", "b", ... for strings]. In the modes repok
    /// and whitebox a range of numbers, all of which fields and parameters of the name get
    /// [default: numbers are symbols]
    #[arg(long, value_name = "NAME=VALUES", hide_short_help = true)]
    pub domain: Vec<Domain>,
    /// A field that does not count when states are matched, besides `modCount` [default: none]
    #[arg(long, value_name = "FIELD", hide_short_help = true)]
    pub ignore: Vec<String>,
    /// Without a specification: allow every heap that has the right types [default: no]
    #[arg(long)]
    pub any_heap: bool,
    /// Without a specification: infer none for branches that calls do not reach [default: no]
    #[arg(long)]
    pub no_infer: bool,
    /// In other modes: build inputs by public calls where a sequence for them is found, instead of
    /// setting fields [default: no]
    #[arg(long, hide_short_help = true)]
    pub via_api: bool,
    /// States that are explored for each class
    #[arg(long, value_name = "N", default_value_t = SequenceBounds::default().states, hide_short_help = true)]
    pub max_states: u64,
}

impl SequenceArguments {
    /// What is asked of a session.
    pub fn request(&self) -> SequenceRequest {
        let usual = [USUALLY_IGNORED.to_owned()];
        let ignored: BTreeSet<String> = usual.into_iter().chain(self.ignore.clone()).collect();
        SequenceRequest {
            scope: self.scope,
            length: self.length,
            calls: self.calls.clone(),
            domains: self.domain.clone(),
            ignored,
            via_api: self.via_api,
            states: self.max_states,
        }
    }
}
