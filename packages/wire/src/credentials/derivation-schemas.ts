/**
 * How a holder's requests for presentations look on the wire (`docs/credentials.md`, "Presentations"): what a verifier
 * may ask for, as a wish. Null is as good as absent here: nothing is shown for it.
 */
import { credentialRequestLimits as limits } from '@symbolon/core/limits/requests';
import * as z from 'zod';
import { document, list, maybe, name, strict } from '../http/schema-parts.ts';
import {
  ageComplaint,
  attributeName,
  bound,
  bounds,
  challenge,
  domain,
  names,
  rangeComplaint,
  several,
  years,
} from './presentation-schemas.ts';

const range = strict({
  attribute: maybe(attributeName),
  key: maybe(attributeName),
  min: maybe(bound),
  max: maybe(bound),
  minValue: maybe(bound),
  maxValue: maybe(bound),
});
const rangeColumns = strict({
  attributes: list(attributeName, limits.attributesMax),
  minValues: maybe(bounds),
  maxValues: maybe(bounds),
  /** Clients of the family say how a range shall be proved, and for whom; here the proof's own method decides. */
  bits: z.unknown().optional(),
  domain: z.unknown().optional(),
});
const age = strict({ attribute: attributeName, minAge: maybe(years), maxAge: maybe(years) });

const wishes = {
  revealAttributes: maybe(names),
  revealAttribute: maybe(names),
  rangeProof: maybe(z.union([rangeColumns, range, several(range)], { error: rangeComplaint })),
  age: maybe(z.union([age, several(age)], { error: ageComplaint })),
};

/** Keys of the issuer that clients of the family send along: keys are resolved on the ledger. */
const hint = z.unknown().optional();

export const derivation = strict({
  vc: maybe(document),
  vcs: maybe(list(strict({ vc: document, ...wishes }), limits.credentialsMax)),
  ...wishes,
  challenge: maybe(challenge),
  domain: maybe(domain),
  rangeMethod: maybe(
    z.enum(['bulletproofs', 'set-membership'], { error: 'must be bulletproofs or set-membership' }),
  ),
  bbsPublicKey: hint,
  ed25519PubKey: hint,
});

export const presentationCompletion = strict({ blobId: name, ed25519SignData: name, ed25519PubKey: name });
