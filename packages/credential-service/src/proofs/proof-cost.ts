/**
 * What proof work costs, in units of processor time: one is a proof without ranges about a credential of twelve
 * attributes, some 6 milliseconds of the native engine and 50 on WebAssembly where they were measured; the rest is by the
 * ratios of the native one, ranges rather too much than too little. Callers pay for work in these before it is begun, and
 * share the workers by them. An estimate from the form of an order alone: nothing that it claims is believed.
 */
import { hiddenMessagesOf } from '@symbolon/core/proofs/plain-proofs';
import type {
  BbsMessage,
  PlainDeriveOrder,
  PlainProofOrder,
  ProofStatement,
  RangeParameters,
} from '@symbolon/core/proofs/proof-engine';

type Signed = { readonly messages: readonly BbsMessage[] };
type Stated = Pick<ProofStatement, 'messageCount' | 'ranges' | 'rangeParameters'>;

/** An order of a proof engine, as far as its cost goes. */
export type ProofWork =
  | { readonly kind: 'publicKeyOf' | 'makeRangeParameters' }
  | { readonly kind: 'sign' | 'verifySignature' | 'commit'; readonly order: Signed }
  | { readonly kind: 'derive' | 'verifyProof'; readonly order: Stated }
  | { readonly kind: 'derivePlain'; readonly order: Pick<PlainDeriveOrder, 'messages'> }
  | { readonly kind: 'verifyPlain'; readonly order: Pick<PlainProofOrder, 'revealed' | 'proof'> };

/** Each message adds points that are decoded and multiplied. */
const unitsPerMessage = 1 / 48;
const proofUnits = 0.75;
const signatureUnits = 0.25;
/**
 * Of proofs by the draft's own `ProofGen`, which every engine computes on WebAssembly, with nothing kept between two: some
 * 40 milliseconds each for twelve messages, as many as seven proofs of the native engine.
 */
const plainProofUnits = 3;
const plainUnitsPerMessage = 1 / 3;

const rangeUnits: Readonly<
  Record<'derive' | 'verifyProof', Readonly<Record<RangeParameters['method'], number>>>
> = {
  derive: { bulletproofs: 24, 'set-membership': 3.5 },
  verifyProof: { bulletproofs: 5, 'set-membership': 4.5 },
};

export function proofCost(work: ProofWork): number {
  switch (work.kind) {
    case 'publicKeyOf':
      return signatureUnits;
    case 'makeRangeParameters':
      return 4;
    case 'sign':
    case 'verifySignature':
    case 'commit':
      return signatureUnits + work.order.messages.length * unitsPerMessage;
    case 'derive':
    case 'verifyProof': {
      const { messageCount, ranges, rangeParameters } = work.order;
      const units = rangeUnits[work.kind][rangeParameters.method];
      return proofUnits + messageCount * unitsPerMessage + ranges.length * units;
    }
    case 'derivePlain':
      return plainProofUnits + work.order.messages.length * plainUnitsPerMessage;
    case 'verifyPlain': {
      const { revealed, proof } = work.order;
      // Bytes of any other length are no proof, and cost nothing worth counting.
      return (
        plainProofUnits + (revealed.length + (hiddenMessagesOf(proof.length) ?? 0)) * plainUnitsPerMessage
      );
    }
  }
}

/** What several orders of one request cost together. */
export const proofCosts = (works: readonly ProofWork[]): number =>
  works.reduce((sum, work) => sum + proofCost(work), 0);
