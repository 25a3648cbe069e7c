//! Panics of the libraries below become errors. Memory is sound afterwards, but whoever calls takes the addon for broken
//! and ends its process: a panic is a state that nobody has thought of.

use napi::bindgen_prelude::Uint8Array;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// What an answer becomes on the other side: bytes or nothing, yes or no.
pub trait Answer {
    type Given;
    fn give(answer: Option<Self>) -> Self::Given
    where
        Self: Sized;
}

impl Answer for Vec<u8> {
    type Given = Option<Uint8Array>;
    fn give(answer: Option<Self>) -> Self::Given {
        answer.map(Uint8Array::from)
    }
}

impl Answer for () {
    type Given = bool;
    fn give(answer: Option<Self>) -> Self::Given {
        answer.is_some()
    }
}

pub fn guarded<A: Answer>(work: impl FnOnce() -> Option<A>) -> napi::Result<A::Given> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(answer) => Ok(A::give(answer)),
        Err(_) => Err(napi::Error::from_reason("the proof library panicked")),
    }
}
