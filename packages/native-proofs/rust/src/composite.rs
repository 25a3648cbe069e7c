//! Composite proofs: knowledge of a BBS signature, some of its messages revealed, some hidden ones within bounds, all hidden
//! ones those that a commitment is to. A range or a commitment is worth something only because it is tied to the signed
//! messages by equalities, so all of it is built in one place, for prover and verifier alike.

use ark_bls12_381::{Bls12_381, Fr, G1Affine};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use blake2::Blake2b512;
use proof_system::prelude::bound_check_bpp::BoundCheckBpp;
use proof_system::prelude::bound_check_smc::BoundCheckSmc;
use proof_system::prelude::inequality::PublicInequality;
use proof_system::prelude::ped_comm::PedersenCommitment;
use proof_system::prelude::{
    EqualWitnesses, MetaStatements, ProofSpec, ProverConfig, SetupParams, Statement as ProofStatement,
    Statements, VerifierConfig, Witness, Witnesses,
};
use proof_system::proof::Proof;
use proof_system::statement::bbs_23::{PoKBBSSignature23G1Prover, PoKBBSSignature23G1Verifier};
use proof_system::witness::PoKBBSSignature23G1;
use rand_core::OsRng;
use std::collections::{BTreeMap, BTreeSet};

use crate::border::{integer, message_scalars, must, Message, Range, Statement};
use crate::commitments::commitment_to_hidden;
use crate::parameters;
use crate::signatures::{read_signature, signed_scalars};

type CompositeProof = Proof<Bls12_381>;
/// As proofs travel: a proof, and the randomness of circuits, of which there are none.
type WrittenProof = (CompositeProof, BTreeMap<usize, Fr>);

/// What stands in several statements is one message: by the message of the signature, where else it stands. The signature is
/// statement 0, and the domain its message 0.
#[derive(Default)]
struct Ties(BTreeMap<usize, BTreeSet<(usize, usize)>>);

impl Ties {
    fn tie(&mut self, index: usize, statement: usize, witness: usize) {
        let places = self.0.entry(index).or_insert_with(|| BTreeSet::from([(0, index + 1)]));
        places.insert((statement, witness));
    }
}

/// Statements after that of the signature, and what they stand on.
struct Specification {
    statements: Statements<Bls12_381>,
    parameters: Vec<SetupParams<Bls12_381>>,
    ties: Ties,
}

impl Specification {
    fn add_parameters(&mut self, parameters: SetupParams<Bls12_381>) -> usize {
        self.parameters.push(parameters);
        self.parameters.len() - 1
    }

    fn add_commitment(&mut self, statement: &Statement, revealed: &[(usize, Fr)]) -> Option<()> {
        let Some(commitment) = &statement.commitment else { return Some(()) };
        let count = statement.scheme.message_count()?;
        let (rest, bases) = commitment_to_hidden(commitment, revealed, count)?;
        let key = self.add_parameters(SetupParams::PedersenCommitmentKey(bases));
        let place = self.statements.add(PedersenCommitment::new_statement_from_params_refs(key, rest));
        for (position, index) in hidden_indexes(statement, count).enumerate() {
            self.ties.tie(index, place, position);
        }
        Some(())
    }

    fn add_ranges(&mut self, statement: &Statement) -> Option<()> {
        if statement.ranges.is_empty() {
            return Some(());
        }
        let Some(chosen) = &statement.set_membership else {
            let points = parameters::bulletproofs(&statement.bulletproofs_label)?;
            let setup = self.add_parameters(SetupParams::BppSetupParams((*points).clone()));
            for range in &statement.ranges {
                let (min, end) = bounds(range)?;
                let within = BoundCheckBpp::<G1Affine>::new_statement_from_params_ref(min, end, setup);
                self.add_range(range, within.ok()?);
            }
            return Some(());
        };
        let digits = parameters::set_membership(&chosen.parameters)?;
        let setup = self.add_parameters(SetupParams::SmcParamsAndCommKey((*digits).clone()));
        let key = parameters::inequality_key(&chosen.inequality_label)?;
        let inequality = self.add_parameters(SetupParams::CommitmentKey((*key).clone()));
        for range in &statement.ranges {
            let (min, end) = bounds(range)?;
            let within = BoundCheckSmc::new_statement_from_params_ref(min, end, setup);
            self.add_range(range, within.ok()?);
            if range.needs_inequality {
                let end = Fr::from(end);
                let differs = PublicInequality::<G1Affine>::new_statement_from_params_ref(end, inequality);
                self.add_range(range, differs);
            }
        }
        Some(())
    }

    fn add_range(&mut self, range: &Range, statement: ProofStatement<Bls12_381>) {
        let place = self.statements.add(statement);
        self.ties.tie(range.index as usize, place, 0);
    }

    fn finish(self, context: &[u8]) -> ProofSpec<Bls12_381> {
        let mut equalities = MetaStatements::new();
        for places in self.ties.0.into_values() {
            equalities.add_witness_equality(EqualWitnesses(places));
        }
        ProofSpec::new(self.statements, equalities, self.parameters, Some(context.to_vec()))
    }
}

fn bounds(range: &Range) -> Option<(u64, u64)> {
    let (min, end) = (integer(range.min)?, integer(range.end)?);
    must(min < end)?;
    Some((min, end))
}

fn hidden_indexes(statement: &Statement, count: usize) -> impl Iterator<Item = usize> + '_ {
    (0..count).filter(|index| !statement.revealed.contains(&(*index as u32)))
}

/// `revealed`: by index among all messages. `signature` makes the first statement from them, with the domain before.
fn specify(
    statement: &Statement,
    revealed: &[(usize, Fr)],
    signature: impl FnOnce(BTreeMap<usize, Fr>) -> ProofStatement<Bls12_381>,
    parameters: Vec<SetupParams<Bls12_381>>,
) -> Option<ProofSpec<Bls12_381>> {
    let mut shown = BTreeMap::from([(0, statement.scheme.domain_scalar()?)]);
    shown.extend(revealed.iter().map(|(index, scalar)| (index + 1, *scalar)));
    let mut statements = Statements::new();
    statements.add(signature(shown));
    let mut made = Specification { statements, parameters, ties: Ties::default() };
    made.add_commitment(statement, revealed)?;
    made.add_ranges(statement)?;
    Some(made.finish(&statement.context))
}

/// The parameters that every proof has, under number 0.
fn signature_setup(statement: &Statement) -> Option<SetupParams<Bls12_381>> {
    let points = parameters::signature_points(&statement.scheme.points)?;
    Some(SetupParams::BBSSignatureParams23(points.plain.clone()))
}

pub fn derive(statement: &Statement, messages: &[Message], signature: &[u8]) -> Option<Vec<u8>> {
    statement.check()?;
    let signature = read_signature(signature)?;
    let scalars = signed_scalars(&statement.scheme, messages)?;
    let revealed: Vec<_> =
        statement.revealed.iter().map(|index| (*index as usize, scalars[*index as usize + 1])).collect();
    let hidden: BTreeMap<_, _> =
        hidden_indexes(statement, messages.len()).map(|index| (index + 1, scalars[index + 1])).collect();

    let mut witnesses = vec![PoKBBSSignature23G1::new_as_witness(signature, hidden.clone())];
    if statement.commitment.is_some() {
        witnesses.push(Witness::PedersenCommitment(hidden.into_values().collect()));
    }
    for range in &statement.ranges {
        let value = scalars[range.index as usize + 1];
        if statement.set_membership.is_none() {
            witnesses.push(Witness::BoundCheckBpp(value));
            continue;
        }
        witnesses.push(Witness::BoundCheckSmc(value));
        if range.needs_inequality {
            witnesses.push(Witness::PublicInequality(value));
        }
    }

    let specification = specify(
        statement,
        &revealed,
        |shown| PoKBBSSignature23G1Prover::new_statement_from_params_ref(0, shown),
        vec![signature_setup(statement)?],
    )?;
    let nonce = Some(statement.nonce.to_vec());
    let made = CompositeProof::new::<_, Blake2b512>(
        &mut OsRng,
        specification,
        Witnesses(witnesses),
        nonce,
        ProverConfig::default(),
    );
    let mut bytes = Vec::new();
    let written: WrittenProof = made.ok()?;
    written.serialize_compressed(&mut bytes).ok()?;
    Some(bytes)
}

pub fn verify(statement: &Statement, revealed: &[Message], public_key: &[u8], proof: &[u8]) -> Option<()> {
    statement.check()?;
    statement.check_proof(proof)?;
    must(revealed.len() == statement.revealed.len())?;
    let key = parameters::public_key(public_key)?;
    let scalars = message_scalars(revealed, &statement.scheme.message_tag)?;
    let revealed: Vec<_> =
        statement.revealed.iter().map(|index| *index as usize).zip(scalars.iter().copied()).collect();
    let specification = specify(
        statement,
        &revealed,
        |shown| PoKBBSSignature23G1Verifier::new_statement_from_params_ref(0, 1, shown),
        vec![signature_setup(statement)?, SetupParams::BBSPlusPublicKey(key.plain.clone())],
    )?;
    let mut rest = proof;
    let (proof, randomness) = WrittenProof::deserialize_compressed(&mut rest).ok()?;
    must(rest.is_empty() && randomness.is_empty())?;
    let nonce = Some(statement.nonce.to_vec());
    let config = VerifierConfig { use_lazy_randomized_pairing_checks: Some(true) };
    proof.verify::<_, Blake2b512>(&mut OsRng, specification, nonce, config).ok()
}
