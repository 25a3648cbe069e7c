//! Commitments to header and messages, and what is left of one when the shown part is taken away.

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ec::{CurveGroup, VariableBaseMSM};
use ark_ff::Zero;

use crate::border::{message_scalars, must, Commitment, Contents, Message};
use crate::parameters::{bases, read_point, write_point};

pub fn commit(contents: &Contents, messages: &[Message]) -> Option<Vec<u8>> {
    let bases = bases(&contents.bases)?;
    must(bases.len() == messages.len() + 1)?;
    let mut scalars = vec![contents.header_scalar()?];
    scalars.extend(message_scalars(messages, &contents.message_tag)?);
    write_point(&G1Projective::msm_unchecked(&bases, &scalars).into_affine())
}

/// The commitment to what is hidden alone. Nothing when it is no point, or when nothing would be left.
pub fn commitment_to_hidden(
    commitment: &Commitment,
    revealed: &[(usize, Fr)],
    message_count: usize,
) -> Option<(G1Affine, Vec<G1Affine>)> {
    let given = read_point(&commitment.point)?;
    let bases = bases(&commitment.contents.bases)?;
    must(bases.len() == message_count + 1)?;
    let mut shown_bases = vec![bases[0]];
    let mut scalars = vec![commitment.contents.header_scalar()?];
    for (index, scalar) in revealed {
        shown_bases.push(*bases.get(index + 1)?);
        scalars.push(*scalar);
    }
    let rest = G1Projective::from(given) - G1Projective::msm_unchecked(&shown_bases, &scalars);
    must(!rest.is_zero())?;
    let is_shown = |index: usize| revealed.iter().any(|(shown, _)| *shown == index);
    let hidden = (0..message_count).filter(|index| !is_shown(*index)).map(|index| bases[index + 1]);
    Some((rest.into_affine(), hidden.collect()))
}
