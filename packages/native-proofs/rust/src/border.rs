//! What comes over the border from JavaScript. Whoever calls has checked it; sizes and counts are checked here again, so that
//! no bytes whatever make the addon compute or allocate without measure.

use ark_bls12_381::Fr;
use napi::bindgen_prelude::{Either, Uint8Array};
use napi_derive::napi;

use crate::scalars::hash_to_scalar;

// Those of `bbsLimits` (core/src/limits/documents.ts), and what follows from them.
const MESSAGES_MAX: usize = 100;
const SIGNED_BYTES_MAX: usize = 4 * 1024 * 1024;
const CONTEXT_BYTES_MAX: usize = 8 * 1024 * 1024;
const NONCE_BYTES_MAX: usize = 1_024;
const RANGES_MAX: usize = 60;
const BOUND_MAX: f64 = 9_007_199_254_740_991.0;
/// A proof of as many ranges as are possible takes a quarter of this.
const PROOF_BYTES_MAX: usize = 1024 * 1024;

pub const POINT_BYTES: usize = 48;
/// A point for each message, one for the domain or the header, and the draft's fixed one.
pub const POINTS_MAX: usize = MESSAGES_MAX + 2;

/// Bytes that are hashed to a scalar, or an integer that stands for itself.
pub type Message = Either<Uint8Array, f64>;

/// How a signature is made: its points, compressed, the draft's fixed one first and that of the domain second; what the
/// domain is hashed from; and the tags of both hashes.
#[napi(object)]
pub struct Scheme {
    pub points: Uint8Array,
    pub domain: Uint8Array,
    pub domain_tag: Uint8Array,
    pub message_tag: Uint8Array,
}

/// What is committed to besides messages, and the base of each, compressed: the header's first.
#[napi(object)]
pub struct Contents {
    pub bases: Uint8Array,
    pub header: Uint8Array,
    pub header_tag: Uint8Array,
    pub message_tag: Uint8Array,
}

/// A commitment of which the header and what is revealed are known.
#[napi(object)]
pub struct Commitment {
    pub point: Uint8Array,
    pub contents: Contents,
}

/// From `min` up to but not including `end`, and a proof that it is not `end` where the digits alone allow it.
#[napi(object)]
pub struct Range {
    pub index: u32,
    pub min: f64,
    pub end: f64,
    pub needs_inequality: bool,
}

/// Digits that a verifier has signed, and the label of the key that inequalities are committed under.
#[napi(object)]
pub struct SetMembership {
    pub parameters: Uint8Array,
    pub inequality_label: Uint8Array,
}

/// What prover and verifier agree on.
#[napi(object)]
pub struct Statement {
    pub scheme: Scheme,
    /// Indexes among all messages, ascending.
    pub revealed: Vec<u32>,
    pub ranges: Vec<Range>,
    /// The label of the points of Bulletproofs++, which prove ranges unless there is set membership.
    pub bulletproofs_label: Uint8Array,
    pub set_membership: Option<SetMembership>,
    pub commitment: Option<Commitment>,
    pub context: Uint8Array,
    pub nonce: Uint8Array,
}

/// Something, or a refusal.
pub fn must(condition: bool) -> Option<()> {
    condition.then_some(())
}

/// An integer that JavaScript counts to without gaps.
pub fn integer(number: f64) -> Option<u64> {
    must(number >= 0.0 && number <= BOUND_MAX && number.fract() == 0.0)?;
    Some(number as u64)
}

impl Scheme {
    /// How many messages there are points for.
    pub fn message_count(&self) -> Option<usize> {
        must(self.points.len() % POINT_BYTES == 0)?;
        let count = (self.points.len() / POINT_BYTES).checked_sub(2)?;
        must((1..=MESSAGES_MAX).contains(&count))?;
        Some(count)
    }

    pub fn domain_scalar(&self) -> Option<Fr> {
        must(self.domain.len() <= 2 * SIGNED_BYTES_MAX)?;
        hash_to_scalar(&self.domain, &self.domain_tag)
    }
}

impl Contents {
    pub fn header_scalar(&self) -> Option<Fr> {
        must(self.header.len() <= SIGNED_BYTES_MAX)?;
        hash_to_scalar(&self.header, &self.header_tag)
    }
}

impl Statement {
    pub fn check(&self) -> Option<()> {
        let count = self.scheme.message_count()?;
        must(self.context.len() <= CONTEXT_BYTES_MAX && self.nonce.len() <= NONCE_BYTES_MAX)?;
        must(self.revealed.len() <= count && self.ranges.len() <= RANGES_MAX)?;
        must(self.revealed.windows(2).all(|pair| pair[0] < pair[1]))?;
        must(self.revealed.iter().all(|index| (*index as usize) < count))?;
        must(
            self.ranges
                .iter()
                .all(|range| (range.index as usize) < count && !self.revealed.contains(&range.index)),
        )
    }

    /// Whether the bytes are short enough to be read as a proof at all.
    pub fn check_proof(&self, proof: &[u8]) -> Option<()> {
        must(proof.len() <= PROOF_BYTES_MAX)
    }
}

/// What is signed for each message.
pub fn message_scalars(messages: &[Message], tag: &[u8]) -> Option<Vec<Fr>> {
    must(messages.len() <= MESSAGES_MAX)?;
    let bytes: usize = messages
        .iter()
        .map(|message| match message {
            Either::A(bytes) => bytes.len(),
            Either::B(_) => 0,
        })
        .sum();
    must(bytes <= SIGNED_BYTES_MAX)?;
    let scalar = |message: &Message| match message {
        Either::A(bytes) => hash_to_scalar(bytes, tag),
        Either::B(number) => integer(*number).map(Fr::from),
    };
    messages.iter().map(scalar).collect()
}
