//! Keys and signatures of the draft: a signature is a point and a scalar, 80 bytes.

use ark_bls12_381::{Bls12_381, Fr, G2Affine};
use ark_ec::{AffineRepr, CurveGroup};
use ark_serialize::CanonicalSerialize;
use bbs_plus::prelude::{SecretKey, Signature23G1};
use rand_core::OsRng;

use crate::border::{message_scalars, must, Message, Scheme, POINT_BYTES};
use crate::parameters::{self, read_point, signature_points, write_point};
use crate::scalars::{read_scalar, write_scalar};

/// Zeroised when it is dropped.
fn read_secret_key(bytes: &[u8]) -> Option<SecretKey<Fr>> {
    read_scalar(bytes).map(SecretKey)
}

pub fn public_key(secret_key: &[u8]) -> Option<Vec<u8>> {
    let secret = read_secret_key(secret_key)?;
    let mut bytes = Vec::new();
    let key = (G2Affine::generator() * secret.0).into_affine();
    key.serialize_compressed(&mut bytes).ok()?;
    Some(bytes)
}

/// The domain, and then every message.
pub fn signed_scalars(scheme: &Scheme, messages: &[Message]) -> Option<Vec<Fr>> {
    must(messages.len() == scheme.message_count()?)?;
    let mut signed = vec![scheme.domain_scalar()?];
    signed.extend(message_scalars(messages, &scheme.message_tag)?);
    Some(signed)
}

pub fn sign(scheme: &Scheme, messages: &[Message], secret_key: &[u8]) -> Option<Vec<u8>> {
    let scalars = signed_scalars(scheme, messages)?;
    let points = signature_points(&scheme.points)?;
    let secret = read_secret_key(secret_key)?;
    let made = Signature23G1::new(&mut OsRng, &scalars, &secret, &points.plain).ok()?;
    let mut bytes = write_point(&made.A)?;
    bytes.extend(write_scalar(&made.e));
    Some(bytes)
}

pub fn read_signature(bytes: &[u8]) -> Option<Signature23G1<Bls12_381>> {
    must(bytes.len() > POINT_BYTES)?;
    let (point, scalar) = bytes.split_at(POINT_BYTES);
    Some(Signature23G1 { A: read_point(point)?, e: read_scalar(scalar)? })
}

pub fn verify(scheme: &Scheme, messages: &[Message], public_key: &[u8], signature: &[u8]) -> Option<()> {
    let key = parameters::public_key(public_key)?;
    let signature = read_signature(signature)?;
    let scalars = signed_scalars(scheme, messages)?;
    let points = signature_points(&scheme.points)?;
    signature.verify(&scalars, key.prepared.clone(), points.prepared.clone()).ok()
}
