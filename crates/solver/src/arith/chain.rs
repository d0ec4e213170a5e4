//! The chain of layers, put together in one place.

use heapwright_logic::Deadline;

use super::Arithmetic;
use super::backend::Backend;
use super::branch_distance::BranchDistance;
use super::cores::Cores;
use super::differences::Differences;
use super::independence::Independence;
use super::intervals::Intervals;
use super::reuse::Reuse;
use super::shrink::Shrink;
use super::simplify::Simplify;
use super::validate::Validate;

/// Which layers stand before the backend. The default has all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layers {
    /// Try the last satisfying assignments first. Default: yes.
    pub reuse: bool,
    /// Remember unsatisfiable cores. Default: yes.
    pub cores: bool,
    /// Decide difference constraints without the backend. Default: yes.
    pub differences: bool,
    /// Substitute equalities and fold. Default: yes.
    pub simplify: bool,
    /// Propagate bounds. Default: yes.
    pub intervals: bool,
    /// Solve independent parts apart. Default: yes.
    pub independence: bool,
    /// Search for floats and values of functions by branch distance. Default: yes.
    pub branch_distance: bool,
}

impl Layers {
    /// Every question goes to the backend as it is.
    pub const NONE: Layers = Layers {
        reuse: false,
        cores: false,
        differences: false,
        simplify: false,
        intervals: false,
        independence: false,
        branch_distance: false,
    };
}

impl Default for Layers {
    fn default() -> Self {
        Layers {
            reuse: true,
            cores: true,
            differences: true,
            simplify: true,
            intervals: true,
            independence: true,
            branch_distance: true,
        }
    }
}

/// Settings of the arithmetic layers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArithConfig {
    /// The layers before the backend. Default: all.
    pub layers: Layers,
    /// How many satisfying assignments are kept for reuse. Default: 8.
    pub remembered_models: usize,
    /// How many unsatisfiable cores are kept. Default: 1024.
    pub remembered_cores: usize,
    /// Case splits of the difference layer per question. Default: 500.
    pub difference_splits: u32,
    /// Whether the backend keeps its assertions between questions. Default: yes.
    ///
    /// Without, every question gets a fresh Z3, and its answer depends on nothing else.
    pub incremental: bool,
    /// How many incremental sessions the backend keeps. Default: 4.
    pub sessions: usize,
    /// Z3's deterministic measure of work per call. Default: 20,000,000, some seconds.
    pub resource_limit: u32,
    /// The same for questions with a product, quotient or root of unknown floats, which Z3 either
    /// decides early or not at all. Default: 2,000,000.
    pub float_resource_limit: u32,
    /// When to give up, with the answer `Unknown`. Default: never. The limits above and below are
    /// counted, so that answers are repeatable; one that the clock cut is not.
    pub deadline: Deadline,
    /// Questions with more distinct subterms are not put to Z3, whose preprocessing is not
    /// covered by its limits. Default: 20,000.
    pub max_terms: usize,
    /// Evaluations of a search by branch distance, before and after the backend is asked.
    /// Default: 2,000 and 50,000.
    pub search_evaluations: [u32; 2],
    /// Evaluations spent on making the values of a backend model smaller. Default: 64.
    pub shrink_evaluations: u32,
}

impl Default for ArithConfig {
    fn default() -> Self {
        ArithConfig {
            layers: Layers::default(),
            remembered_models: 8,
            remembered_cores: 1024,
            difference_splits: 500,
            incremental: true,
            sessions: 4,
            resource_limit: 20_000_000,
            float_resource_limit: 2_000_000,
            deadline: Deadline::NEVER,
            max_terms: 20_000,
            search_evaluations: [2_000, 50_000],
            shrink_evaluations: 64,
        }
    }
}

impl ArithConfig {
    /// Settings under which the answer to a question does not depend on earlier questions.
    pub fn repeatable() -> Self {
        ArithConfig {
            layers: Layers {
                reuse: false,
                cores: false,
                ..Layers::default()
            },
            incremental: false,
            ..ArithConfig::default()
        }
    }

    /// The backend alone, still validated.
    pub fn backend_only() -> Self {
        ArithConfig {
            layers: Layers {
                reuse: false,
                cores: false,
                differences: false,
                simplify: false,
                intervals: false,
                independence: false,
                branch_distance: false,
            },
            ..ArithConfig::default()
        }
    }
}

/// All layers in their order, the outermost being validation.
///
/// Differences are decided before anything is rewritten, because most questions are nothing
/// else, and once more below, on what the rewriting layers made of the others.
pub fn chain(config: &ArithConfig) -> Box<dyn Arithmetic> {
    let Layers {
        reuse,
        cores,
        differences,
        simplify,
        intervals,
        independence,
        branch_distance,
    } = config.layers;
    let mut layer: Box<dyn Arithmetic> = Box::new(Backend::new(config));
    if config.shrink_evaluations > 0 {
        layer = Box::new(Shrink::new(layer, config.shrink_evaluations));
    }
    let rewrites = simplify || intervals || independence;
    if differences && rewrites {
        layer = Box::new(Differences::new(layer, config.difference_splits));
    }
    if branch_distance {
        layer = Box::new(BranchDistance::new(
            layer,
            config.search_evaluations,
            &config.deadline,
        ));
    }
    if reuse && independence {
        layer = Box::new(Reuse::new(layer, config.remembered_models));
    }
    if cores && rewrites {
        layer = Box::new(Cores::new(layer, config.remembered_cores));
    }
    if independence {
        layer = Box::new(Independence::new(layer));
    }
    if intervals {
        layer = Box::new(Intervals::new(layer));
    }
    if simplify {
        layer = Box::new(Simplify::new(layer));
    }
    if differences {
        layer = Box::new(Differences::new(layer, config.difference_splits));
    }
    if cores {
        layer = Box::new(Cores::new(layer, config.remembered_cores));
    }
    if reuse {
        layer = Box::new(Reuse::new(layer, config.remembered_models));
    }
    Box::new(Validate::new(layer))
}
