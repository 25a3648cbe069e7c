//! Points, keys and parameters, decoded. Decoding costs about as much as proving, so what was decoded once in a thread is
//! kept, bounded, by its hash.

use ark_bls12_381::{Bls12_381, G1Affine, G2Affine};
use ark_ec::AffineRepr;
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use bbs_plus::prelude::{PreparedPublicKeyG2, PreparedSignatureParams23G1, PublicKeyG2, SignatureParams23G1};
use blake2::Blake2b512;
use bulletproofs_plus_plus::setup::SetupParams as BulletproofsPoints;
use dock_crypto_utils::commitment::PedersenCommitmentKey;
use proof_system::prelude::bound_check_smc::SmcParamsAndCommitmentKey;
use rand_core::OsRng;
use std::cell::RefCell;
use std::rc::Rc;

use crate::border::{must, POINTS_MAX, POINT_BYTES};
use crate::kept::Kept;

const PUBLIC_KEY_BYTES: usize = 96;
/// Longer than parameters with as many digits as we sign, and far from much.
const SET_MEMBERSHIP_BYTES_MAX: usize = 4_096;
const LABEL_BYTES_MAX: usize = 64;
/// Of Bulletproofs++: binary digits of 64 bits, and two proofs, one for each bound.
const DIGIT_BASE: u16 = 2;
const VALUE_BITS: u16 = 64;
const PROOFS: u32 = 2;

pub struct SignaturePoints {
    pub plain: SignatureParams23G1<Bls12_381>,
    pub prepared: PreparedSignatureParams23G1<Bls12_381>,
}

pub struct PublicKey {
    pub plain: PublicKeyG2<Bls12_381>,
    pub prepared: PreparedPublicKeyG2<Bls12_381>,
}

pub type SetMembership = SmcParamsAndCommitmentKey<Bls12_381>;
pub type InequalityKey = PedersenCommitmentKey<G1Affine>;

struct Everything {
    signature_points: Kept<SignaturePoints>,
    public_keys: Kept<PublicKey>,
    bases: Kept<Vec<G1Affine>>,
    set_membership: Kept<SetMembership>,
    bulletproofs: Kept<BulletproofsPoints<G1Affine>>,
    inequality_keys: Kept<InequalityKey>,
}

impl Everything {
    fn new() -> Self {
        Everything {
            signature_points: Kept::new(64),
            public_keys: Kept::new(64),
            bases: Kept::new(64),
            set_membership: Kept::new(8),
            bulletproofs: Kept::new(1),
            inequality_keys: Kept::new(1),
        }
    }
}

thread_local! {
    static KEPT: RefCell<Everything> = RefCell::new(Everything::new());
}

pub fn forget() {
    KEPT.with_borrow_mut(|kept| *kept = Everything::new());
}

/// A compressed point of the group that is not infinity.
pub fn read_point(bytes: &[u8]) -> Option<G1Affine> {
    must(bytes.len() == POINT_BYTES)?;
    let point = G1Affine::deserialize_compressed(bytes).ok()?;
    must(!point.is_zero())?;
    Some(point)
}

pub fn write_point(point: &G1Affine) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(POINT_BYTES);
    point.serialize_compressed(&mut bytes).ok()?;
    Some(bytes)
}

fn read_points(bytes: &[u8]) -> Option<Vec<G1Affine>> {
    must(bytes.len() % POINT_BYTES == 0 && bytes.len() <= POINTS_MAX * POINT_BYTES)?;
    bytes.chunks_exact(POINT_BYTES).map(read_point).collect()
}

/// The draft's fixed point first, then that of the domain and those of messages.
pub fn signature_points(bytes: &[u8]) -> Option<Rc<SignaturePoints>> {
    KEPT.with_borrow_mut(|kept| {
        kept.signature_points.get(bytes, |bytes| {
            let mut points = read_points(bytes)?.into_iter();
            let plain =
                SignatureParams23G1 { g1: points.next()?, g2: G2Affine::generator(), h: points.collect() };
            Some(SignaturePoints { prepared: plain.clone().into(), plain })
        })
    })
}

pub fn public_key(bytes: &[u8]) -> Option<Rc<PublicKey>> {
    must(bytes.len() == PUBLIC_KEY_BYTES)?;
    KEPT.with_borrow_mut(|kept| {
        kept.public_keys.get(bytes, |bytes| {
            let plain = PublicKeyG2::deserialize_compressed(bytes).ok()?;
            must(plain.is_valid())?;
            Some(PublicKey { prepared: plain.clone().into(), plain })
        })
    })
}

/// The points of a commitment, the header's first.
pub fn bases(bytes: &[u8]) -> Option<Rc<Vec<G1Affine>>> {
    KEPT.with_borrow_mut(|kept| kept.bases.get(bytes, read_points))
}

pub fn set_membership(bytes: &[u8]) -> Option<Rc<SetMembership>> {
    must(bytes.len() <= SET_MEMBERSHIP_BYTES_MAX)?;
    KEPT.with_borrow_mut(|kept| {
        kept.set_membership.get(bytes, |bytes| SetMembership::deserialize_compressed(bytes).ok())
    })
}

pub fn make_set_membership(label: &[u8], base: u16) -> Option<Vec<u8>> {
    must(label.len() <= LABEL_BYTES_MAX)?;
    let (made, _secret) = SetMembership::new::<_, Blake2b512>(&mut OsRng, label, base);
    let mut bytes = Vec::new();
    made.serialize_compressed(&mut bytes).ok()?;
    Some(bytes)
}

pub fn bulletproofs(label: &[u8]) -> Option<Rc<BulletproofsPoints<G1Affine>>> {
    must(label.len() <= LABEL_BYTES_MAX)?;
    KEPT.with_borrow_mut(|kept| {
        kept.bulletproofs.get(label, |label| {
            Some(BulletproofsPoints::new_for_perfect_range_proof::<Blake2b512>(
                label, DIGIT_BASE, VALUE_BITS, PROOFS,
            ))
        })
    })
}

pub fn inequality_key(label: &[u8]) -> Option<Rc<InequalityKey>> {
    must(label.len() <= LABEL_BYTES_MAX)?;
    KEPT.with_borrow_mut(|kept| {
        kept.inequality_keys.get(label, |label| Some(InequalityKey::new::<Blake2b512>(label)))
    })
}
