/** A credential in JSON-LD that a wallet presents (`ldp_vc`): bbs-2023, eddsa-rdfc-2022, ecdsa-rdfc-2019. */
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { type VerifiedLdp, verifyLdpPresentation } from '@symbolon/formats/oid4vp/ldp-presentations';
import type { JsonObject } from '@symbolon/wire/json/json';
import { issuerOfOwnName, ownPathOf } from '../parts/own-names.ts';
import type { OpenidVerifyingParts } from '../parts/verification-parts.ts';
import { concludeField } from './field-verdict.ts';
import { type AskedElement, failed, hasPassed, type JudgedPresentation, type Occasion } from './judged.ts';

export async function judgeLdp(
  parts: OpenidVerifyingParts,
  { wanted, element }: AskedElement,
  occasion: Occasion,
): Promise<JudgedPresentation> {
  const { clock, fieldFacts, proofDesk } = parts;
  const { nonce, terms, caller } = occasion;
  const verdict = await verifyLdpPresentation(element, {
    now: clock.nowMs(),
    nonce,
    audience: terms.clientId,
    needsHolder: wanted.needsHolder,
    kinds: wanted.kinds,
    tools: {
      load: fieldFacts.load,
      resolveKey: fieldFacts.resolveKey,
      checks: fieldFacts.signatureChecks,
      engine: proofDesk.metered(caller),
    },
    // Of what was issued here the ledger says it, which is newer than its lists.
    checkStatus: async (entries, issuer) =>
      issuerOfOwnName(parts, issuer) === undefined ? fieldFacts.status.checkEntries(entries, issuer) : [],
  });
  const { checks, credential } = verdict;
  const isBound = checks.every(({ name, passed }) => name !== 'challenge' || passed !== false);
  if (!credential) return failed(isBound && hasPassed(checks, 'form'), checks);
  return concludeField(parts, { wanted, checks, ...described(parts, credential) }, occasion);
}

/** Members that say nothing of the subject. */
const frame: readonly string[] = ['@context', 'id', 'type', 'issuer', 'validFrom', 'validUntil'].concat([
  ...['issuanceDate', 'expirationDate', 'credentialStatus', 'credentialSchema'],
]);

function described(parts: OpenidVerifyingParts, verified: VerifiedLdp) {
  const { issuer, types, holder, credential, selected, validity } = verified;
  const subject = asObject([credential.credentialSubject].flat()[0]) ?? {};
  return {
    ...{ issuer, types, holder, whole: credential, selected },
    claims: without(credential, frame),
    byKey: without(subject, ['id', 'type']),
    hasStatus: credential.credentialStatus !== undefined,
    recorded: {
      slots: slotsOf(credential),
      template: templateOfContexts(parts, credential),
      ...{ fromMs: validity.fromMs, untilMs: validity.untilMs },
    },
  };
}

const without = (fields: Fields, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))) as JsonObject;

const slotsOf = ({ credentialStatus }: Fields) =>
  (credentialStatus === undefined ? [] : [credentialStatus].flat()).map((entry) => {
    const { statusListCredential: uri, statusListIndex: index } = asObject(entry) ?? {};
    return { uri: typeof uri === 'string' ? uri : '', slot: Number(index) };
  });

/** The one context of ours that it names. */
function templateOfContexts(parts: Pick<OpenidVerifyingParts, 'settings'>, { '@context': contexts }: Fields) {
  const named = [contexts].flat().flatMap((url) => {
    const path = typeof url === 'string' ? ownPathOf(parts, url) : undefined;
    const [, hex, version] = /^\/contexts\/([0-9a-f]{64})\/([0-9.]+)$/.exec(path ?? '') ?? [];
    return hex !== undefined && version !== undefined ? [{ hex, version }] : [];
  });
  return named.length === 1 ? named[0] : undefined;
}
