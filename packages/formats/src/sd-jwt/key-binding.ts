/** The holder's token beside an SD-JWT: for this verifier, this occasion and this moment, over exactly what is shown. */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { equalTexts, type Sha256 } from '@symbolon/core/basics/bytes';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { isJwsSignedBy, parseCompactJws, type VerifyJws } from '../jose/compact-jws.ts';
import { type SignatureAlgorithm, type SigningJwk, signatureAlgorithms } from '../jose/public-keys.ts';
import { sdJwtLimits } from '../limits/format-limits.ts';
import type { SdJwtCheck } from './check-words.ts';
import { keyBindingType } from './claim-names.ts';
import type { CombinedForm } from './combined-form.ts';
import { presentedHash, transactionDataHashes } from './presenting.ts';

export interface ExpectedBinding {
  readonly nonce: string;
  /** The full client id, with its prefix. */
  readonly audience: string;
  /** The texts of `transaction_data` that were sent. */
  readonly transactionData?: readonly string[];
}

export interface BindingFacts {
  readonly now: number;
  readonly sha256: Sha256;
  readonly verifySignature: VerifyJws;
  readonly binding?: ExpectedBinding;
  readonly holderAlgorithms?: readonly SignatureAlgorithm[];
}

type Findings = Map<SdJwtCheck, readonly string[] | 'idle'>;

const bindingChecks = ['challenge', 'audience', 'freshness', 'shownClaims', 'holderSignature'] as const;

export async function checkKeyBinding(
  { form, holderKey }: { readonly form: CombinedForm; readonly holderKey: SigningJwk | undefined },
  facts: BindingFacts,
  found: Findings,
): Promise<void> {
  const { binding } = facts;
  if (!binding) {
    for (const check of bindingChecks) found.set(check, 'idle');
    found.set('transactionData', 'idle');
    // Whoever gets a credential with somebody's signature beside it was not meant to get it.
    if (form.keyBinding !== undefined)
      found.set('holderSignature', ['a signature of a holder was not asked for']);
    return;
  }
  if (form.keyBinding === undefined) {
    found.set('holderSignature', ['the holder has not signed it']);
    return;
  }
  const algorithms = facts.holderAlgorithms ?? signatureAlgorithms;
  const token = parseCompactJws(form.keyBinding, { typ: keyBindingType, algorithms });
  if (isComplaint(token)) {
    found.set('holderSignature', [`the token of the holder ${token.complaint}`]);
    return;
  }
  compareBinding(token.payload, { form, binding, facts }, found);
  const isSigned = holderKey !== undefined && (await isJwsSignedBy(token, holderKey, facts.verifySignature));
  found.set('holderSignature', isSigned ? [] : ['invalid holder signature']);
}

interface Comparison {
  readonly form: CombinedForm;
  readonly binding: ExpectedBinding;
  readonly facts: BindingFacts;
}

function compareBinding(payload: Fields, { form, binding, facts }: Comparison, found: Findings): void {
  const { nonce, aud, iat, sd_hash: hash } = payload;
  const isText = (value: unknown, expected: string): boolean =>
    typeof value === 'string' && equalTexts(value, expected);
  found.set('challenge', isText(nonce, binding.nonce) ? [] : ['the nonce is another than expected']);
  found.set('audience', isText(aud, binding.audience) ? [] : ['it is for another verifier']);
  found.set('freshness', freshnessComplaints(iat, facts.now));
  const isWhole = isText(hash, presentedHash(form.presented, facts.sha256));
  found.set('shownClaims', isWhole ? [] : ['what is shown is not what the holder signed']);
  found.set('transactionData', agreementFinding(payload, binding.transactionData ?? [], facts.sha256));
}

function freshnessComplaints(iat: unknown, now: number): readonly string[] {
  if (typeof iat !== 'number') return ['it does not say when it was made'];
  const age = now / 1_000 - iat;
  if (age > sdJwtLimits.presentedWithinSeconds) return ['it was made too long ago'];
  return age < -sdJwtLimits.presentedWithinSeconds ? ['it was made in the future'] : [];
}

function agreementFinding(
  payload: Fields,
  expected: readonly string[],
  sha256: Sha256,
): readonly string[] | 'idle' {
  const { transaction_data_hashes: hashes, transaction_data_hashes_alg: algorithm } = payload;
  if (expected.length === 0)
    return hashes === undefined ? 'idle' : ['the holder agreed to something that was not asked'];
  if (algorithm !== undefined && algorithm !== 'sha-256')
    return ['hashes of what was asked are not of sha-256'];
  const wanted = transactionDataHashes(expected, sha256);
  const isSame =
    Array.isArray(hashes) &&
    hashes.length === wanted.length &&
    wanted.every((one, index) => hashes[index] === one);
  return isSame ? [] : ['the holder has not agreed to what was asked'];
}
