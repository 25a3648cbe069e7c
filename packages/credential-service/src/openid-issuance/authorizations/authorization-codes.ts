/**
 * The token endpoint for the codes of those who have logged in: of this client, for this address, by whoever has the
 * secret and the key that were named when it was asked for. Then it is an offer that is redeemed, as any.
 */
import { equalTexts } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { isVerifierOf } from '@symbolon/formats/oid4vci/code-challenges';
import { sha256 } from '@symbolon/host/work/sha256';
import type { AuthorizedRequest } from '@symbolon/wire/openid/issuance-requests';
import { type Grant, revokeGrant } from '../grants/grant-rows.ts';
import { redeemOffer, type TokenCall, unknownCode } from '../grants/redemption.ts';
import { shownDpopKey } from '../grants/shown-grants.ts';
import { findStandardsOffer, type StandardsOffer } from '../offers/standards-offer-rows.ts';
import { configurationsOf } from '../parts/offered-configurations.ts';
import type { OpenidIssuer, OpenidParts } from '../parts/openid-parts.ts';
import { secretHash } from '../parts/openid-secrets.ts';
import { type Authorization, findAuthorizationByCode } from './authorization-rows.ts';

const refused = (detail: string): Fault => new Fault('grantInvalid', { detail });

export async function redeemAuthorization(
  parts: OpenidParts,
  issuer: OpenidIssuer,
  { request, clientId, call }: TokenCall<AuthorizedRequest>,
) {
  const { code, verifier, redirectUri, configurations } = request;
  const row = await findRow(parts, issuer, code);
  if (row.clientId !== clientId) throw refused('The code was given to another client');
  if (row.redirectUri !== redirectUri) throw refused('The code was sent to another redirect_uri');
  if (!isVerifierOf(verifier, row.codeChallenge, sha256))
    throw refused('code_verifier is not the secret behind the code_challenge');
  const dpopThumbprint = await shownDpopKey(parts, call, { issuer, endpoint: 'token' });
  if (row.dpopThumbprint !== null && row.dpopThumbprint !== dpopThumbprint)
    throw new Fault('dpopProofInvalid', { detail: 'The code is bound to another DPoP key' });
  return redeemOffer(parts, call, {
    ...{ offer: await offerOf(parts, row), clientId, dpopThumbprint },
    said: [code, verifier, redirectUri],
    granted: configurationsOf(row),
    asked: configurations,
    hasIdentifiers: row.hasIdentifiers === 1 || configurations !== undefined,
    whenReused: (grant) => revoke(parts, row, grant),
  });
}

async function findRow(
  { database }: OpenidParts,
  { did }: OpenidIssuer,
  code: string,
): Promise<Authorization> {
  const codeHash = secretHash(code);
  const row = await findAuthorizationByCode(database.kysely, codeHash);
  if (!row?.codeHash || !equalTexts(row.codeHash, codeHash) || row.issuer !== did) throw unknownCode();
  return row;
}

/** What the code is for, unless its time is over before it was redeemed, or another authorization has come since. */
async function offerOf(
  { database, clock }: OpenidParts,
  { id, offerId, expiresAt }: Authorization,
): Promise<StandardsOffer> {
  const offer = offerId === null ? undefined : await findStandardsOffer(database.kysely, offerId);
  if (offer?.authorizationId !== id) throw unknownCode();
  if (offer.state === 'created' && expiresAt <= clock.nowMs()) throw unknownCode();
  return offer;
}

/** A code that comes again was somebody else's, too: nobody knows who has the token. */
async function revoke(
  { database, clock, audit }: OpenidParts,
  { id, issuer, templateId }: Authorization,
  grant: Grant,
): Promise<void> {
  await database.transaction(async (queries) => {
    if (!(await revokeGrant(queries, grant.id, clock.nowMs()))) return;
    const act = { action: 'openidAuthorization.reuse', subject: id } as const;
    await audit.record({ ...act, outcome: 'refused', details: { templateId, issuer } }, queries);
  });
}
