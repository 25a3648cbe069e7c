//! BBS signatures, commitments and composite proofs for the credential service, as a Node-API addon: bytes in, bytes out.
//! What is signed, hashed and proved is decided by the TypeScript beside (`src/native-engine.ts`); here it is computed.
//! Bytes that are no key, point, signature or proof are refused, which is an answer: `null` or `false`.

mod border;
mod commitments;
mod composite;
mod guard;
mod kept;
mod parameters;
mod scalars;
mod signatures;
mod wiping;

use border::{Contents, Message, Scheme, Statement};
use guard::guarded;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

#[global_allocator]
static ALLOCATOR: wiping::Wiping = wiping::Wiping;

/// Nothing of a credential may be printed, not even by a panic on its way to becoming an error.
#[napi_derive::module_init]
fn silence() {
    std::panic::set_hook(Box::new(|_| {}));
}

#[napi]
pub fn public_key(secret_key: &[u8]) -> napi::Result<Option<Uint8Array>> {
    guarded(|| signatures::public_key(secret_key))
}

#[napi]
pub fn sign(scheme: Scheme, messages: Vec<Message>, secret_key: &[u8]) -> napi::Result<Option<Uint8Array>> {
    guarded(|| signatures::sign(&scheme, &messages, secret_key))
}

#[napi]
pub fn verify_signature(
    scheme: Scheme,
    messages: Vec<Message>,
    public_key: &[u8],
    signature: &[u8],
) -> napi::Result<bool> {
    guarded(|| signatures::verify(&scheme, &messages, public_key, signature))
}

#[napi]
pub fn commit(contents: Contents, messages: Vec<Message>) -> napi::Result<Option<Uint8Array>> {
    guarded(|| commitments::commit(&contents, &messages))
}

#[napi]
pub fn derive(
    statement: Statement,
    messages: Vec<Message>,
    signature: &[u8],
) -> napi::Result<Option<Uint8Array>> {
    guarded(|| composite::derive(&statement, &messages, signature))
}

#[napi]
pub fn verify_proof(
    statement: Statement,
    revealed: Vec<Message>,
    public_key: &[u8],
    proof: &[u8],
) -> napi::Result<bool> {
    guarded(|| composite::verify(&statement, &revealed, public_key, proof))
}

#[napi]
pub fn make_range_parameters(label: &[u8], base: u16) -> napi::Result<Option<Uint8Array>> {
    guarded(|| parameters::make_set_membership(label, base))
}

/// Drops the decoded parameters of this thread.
#[napi]
pub fn forget() {
    parameters::forget();
}
