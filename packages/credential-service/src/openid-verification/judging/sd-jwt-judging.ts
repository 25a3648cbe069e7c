/** An SD-JWT VC that a wallet presents (`dc+sd-jwt`). */
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { keyThumbprint } from '@symbolon/formats/jose/public-keys';
import { type VerifiedSdJwt, verifySdJwt } from '@symbolon/formats/sd-jwt/verifying';
import { sha256 } from '@symbolon/host/work/sha256';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { ForeignIssuer } from '@symbolon/wire/openid/verification-requests';
import { issuerOfOwnName, ownPathOf } from '../parts/own-names.ts';
import type { OpenidVerifyingParts } from '../parts/verification-parts.ts';
import { concludeField } from './field-verdict.ts';
import { type AskedElement, failed, hasPassed, type JudgedPresentation, type Occasion } from './judged.ts';

export async function judgeSdJwt(
  parts: OpenidVerifyingParts,
  { wanted, element }: AskedElement,
  occasion: Occasion,
): Promise<JudgedPresentation> {
  const { clock, fieldFacts } = parts;
  const { nonce, terms } = occasion;
  const agreements = (terms.agreements ?? []).filter(({ queryId }) => queryId === wanted.id);
  const verdict = await verifySdJwt(typeof element === 'string' ? element : '', {
    now: clock.nowMs(),
    sha256,
    verifySignature: fieldFacts.verifySignature,
    findIssuerKeys: fieldFacts.findIssuerKeys(terms.foreignIssuers as readonly ForeignIssuer[]),
    // Of what was issued here the ledger says it, which is newer than its list.
    checkStatus: async (status, issuer) =>
      issuer !== undefined && issuerOfOwnName(parts, issuer) !== undefined
        ? []
        : fieldFacts.status.checkClaim(status, issuer),
    vctValues: wanted.kinds.flat(),
    ...(wanted.needsHolder && {
      binding: {
        ...{ nonce, audience: terms.clientId },
        transactionData: agreements.map(({ text }) => text),
      },
    }),
  });
  const { checks, credential } = verdict;
  // Without a holder the state alone, which came with it, says what it is an answer to.
  const isBound = wanted.needsHolder ? hasPassed(checks, 'challenge') : hasPassed(checks, 'form');
  if (!credential) return failed(isBound, checks);
  if (credential.issuer === undefined)
    return failed(isBound, [
      ...checks,
      { name: 'issuer', title: 'issuer', passed: false, words: 'The credential does not name its issuer.' },
    ]);
  return concludeField(
    parts,
    { wanted, checks, ...described(parts, credential, credential.issuer) },
    occasion,
  );
}

/** Claims of the token, which say nothing of its holder. */
const protocolClaims: readonly string[] = [
  'iss',
  'iat',
  'nbf',
  'exp',
  'cnf',
  'vct',
  'vct#integrity',
  'status',
];

function described(parts: OpenidVerifyingParts, credential: VerifiedSdJwt, issuer: string) {
  const { claims, vct, holderKey, disclosed } = credential;
  const own = Object.fromEntries(
    Object.entries(claims).filter(([name]) => !protocolClaims.includes(name)),
  ) as JsonObject;
  const { uri, idx } = asObject(asObject(claims.status)?.status_list) ?? {};
  return {
    ...{ issuer, types: [vct], claims: own, byKey: own, whole: claims, selected: disclosed },
    holder: holderKey && `urn:ietf:params:oauth:jwk-thumbprint:sha-256:${keyThumbprint(holderKey, sha256)}`,
    hasStatus: claims.status !== undefined,
    recorded: {
      slots: typeof uri === 'string' && typeof idx === 'number' ? [{ uri, slot: idx }] : [],
      template: templateOfType(parts, vct),
      ...timesOf(claims),
    },
  };
}

const timesOf = ({ nbf, exp }: Fields) => ({
  fromMs: typeof nbf === 'number' ? nbf * 1_000 : undefined,
  untilMs: typeof exp === 'number' ? exp * 1_000 : undefined,
});

function templateOfType(parts: Pick<OpenidVerifyingParts, 'settings'>, vct: string) {
  const [, hex, version] = /^\/types\/([0-9a-f]{64})\/([0-9.]+)$/.exec(ownPathOf(parts, vct) ?? '') ?? [];
  return hex !== undefined && version !== undefined ? { hex, version } : undefined;
}
