//! Scalars: the draft's `hash_to_scalar` over `expand_message_xmd` with SHA-256, and 32 bytes in the draft's order, which is
//! big-endian; the libraries below write the other one.

use ark_bls12_381::Fr;
use ark_ff::{BigInteger, PrimeField};
use ark_serialize::CanonicalDeserialize;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

pub const SCALAR_BYTES: usize = 32;
const HASH_BYTES: usize = 32;
/// The length of the block that SHA-256 works on.
const BLOCK: [u8; 64] = [0; 64];
/// So many bytes that the remainder by the group order is as good as even: one hash and a half.
const EXPANDED_BYTES: usize = 48;
const TAG_BYTES_MAX: usize = 255;

pub fn hash_to_scalar(message: &[u8], tag: &[u8]) -> Option<Fr> {
    if tag.len() > TAG_BYTES_MAX {
        return None;
    }
    let begin = Sha256::new().chain_update(BLOCK).chain_update(message);
    let length = [0, EXPANDED_BYTES as u8];
    let seed = Zeroizing::new(end(begin.chain_update(length), 0, tag));
    let first = Zeroizing::new(end(Sha256::new().chain_update(*seed), 1, tag));
    let mut mixed = Zeroizing::new([0; HASH_BYTES]);
    for (place, byte) in mixed.iter_mut().enumerate() {
        *byte = seed[place] ^ first[place];
    }
    let second = Zeroizing::new(end(Sha256::new().chain_update(*mixed), 2, tag));
    let mut expanded = Zeroizing::new([0; EXPANDED_BYTES]);
    expanded[..HASH_BYTES].copy_from_slice(&*first);
    expanded[HASH_BYTES..].copy_from_slice(&second[..EXPANDED_BYTES - HASH_BYTES]);
    Some(Fr::from_be_bytes_mod_order(&*expanded))
}

fn end(hash: Sha256, number: u8, tag: &[u8]) -> [u8; HASH_BYTES] {
    hash.chain_update([number]).chain_update(tag).chain_update([tag.len() as u8]).finalize().into()
}

/// Below the order of the group, and not 0.
pub fn read_scalar(bytes: &[u8]) -> Option<Fr> {
    let mut turned = Zeroizing::new(<[u8; SCALAR_BYTES]>::try_from(bytes).ok()?);
    turned.reverse();
    let scalar = Fr::deserialize_compressed(&turned[..]).ok()?;
    (scalar != Fr::from(0u64)).then_some(scalar)
}

pub fn write_scalar(scalar: &Fr) -> Vec<u8> {
    scalar.into_bigint().to_bytes_be()
}
