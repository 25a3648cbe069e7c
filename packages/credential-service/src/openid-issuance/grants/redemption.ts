/**
 * The token endpoint for pre-authorized codes: of many requests with one code one gets the token, and the very same
 * request gets it again until its answer has got through. The code told on another way is counted before it is compared.
 */
import { equalTexts } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { Call } from '@symbolon/wire/http/service-route';
import type { TokenRequest } from '@symbolon/wire/openid/issuance-requests';
import { openidIssuanceLimits as limits } from '../../limits/openid-limits.ts';
import {
  countStandardsTry,
  findOfferByCodeHash,
  forgetStandardsTry,
  moveStandardsOffer,
  redeemStandardsOffer,
  type StandardsOffer,
  standardsStateAt,
} from '../offers/standards-offer-rows.ts';
import { configurationsOf, credentialIdentifier } from '../parts/offered-configurations.ts';
import { endpointOf, type OpenidIssuer, type OpenidParts } from '../parts/openid-parts.ts';
import { makeSecretId, secretHash } from '../parts/openid-secrets.ts';
import { addGrant, findGrantOfOffer, type Grant, markGrantAnswered } from './grant-rows.ts';
import { requireDpopProof } from './shown-grants.ts';

const unknownCode = (): Fault =>
  new Fault('grantInvalid', { detail: 'The code is unknown, used or expired' });

/** Who asks, as far as it has shown. */
export interface Redeemer {
  readonly clientId: string | undefined;
  readonly dpopThumbprint: string | undefined;
}

/** The key of the proof in the header, if there is one. */
async function shownDpopKey(
  parts: OpenidParts,
  issuer: OpenidIssuer,
  { header, headerNames }: Call,
): Promise<string | undefined> {
  if (!headerNames.includes('dpop')) return undefined;
  const proof = header('dpop');
  if (proof === undefined) throw new Fault('dpopProofInvalid', { detail: 'There are several DPoP proofs' });
  const url = endpointOf(issuer, 'token');
  return (await requireDpopProof(parts, proof, { method: 'POST', url })).thumbprint;
}

/** Equal for equal requests of equal callers alone. */
const markOf = (request: TokenRequest, { clientId, dpopThumbprint }: Redeemer): string =>
  sha256Hex(
    JSON.stringify([
      request.code,
      request.txCode ?? null,
      request.configurations ?? null,
      clientId ?? null,
      dpopThumbprint ?? null,
    ]),
  );

export async function redeemCode(
  parts: OpenidParts,
  issuer: OpenidIssuer,
  {
    request,
    clientId,
    call,
  }: { readonly request: TokenRequest; readonly clientId: string | undefined; readonly call: Call },
) {
  const { database, clock } = parts;
  const codeHash = secretHash(request.code);
  const offer = await findOfferByCodeHash(database.kysely, codeHash);
  if (!offer?.codeHash || !equalTexts(offer.codeHash, codeHash) || offer.issuer !== issuer.did)
    throw unknownCode();
  // Nothing is verified, and nothing kept, for whoever knows no code.
  const redeemer = { clientId, dpopThumbprint: await shownDpopKey(parts, issuer, call) };
  const mark = markOf(request, redeemer);
  const grant =
    (await repeatedGrant(parts, offer, mark)) ?? (await redeemed(parts, offer, { request, redeemer, mark }));
  // Until then the answer may have been lost, and the same request gets it again.
  call.whenAnswered?.(() => markGrantAnswered(database.kysely, grant.id, clock.nowMs()));
  return tokenReply(parts, offer, grant);
}

/**
 * The grant that this very request got before, as long as nobody knows whether it got through. A request that is another
 * one counts as a wrong try, since it may be one at the code that is told on another way.
 */
async function repeatedGrant(
  { database, clock }: Pick<OpenidParts, 'database' | 'clock'>,
  { id }: StandardsOffer,
  mark: string,
): Promise<Grant | undefined> {
  const grant = await findGrantOfOffer(database.kysely, id);
  if (!grant) return undefined;
  if (grant.answeredAt !== null || grant.expiresAt <= clock.nowMs()) throw unknownCode();
  const isRepeated = await database.transaction(async (queries) => {
    if ((await countStandardsTry(queries, id, 'redeemed')) === undefined) return false;
    if (!equalTexts(grant.redeemMark, mark)) return false;
    await forgetStandardsTry(queries, id);
    return true;
  });
  if (isRepeated) return grant;
  throw unknownCode();
}

interface Redeeming {
  readonly request: TokenRequest;
  readonly redeemer: Redeemer;
  readonly mark: string;
}

async function redeemed(
  parts: OpenidParts,
  offer: StandardsOffer,
  { request, redeemer, mark }: Redeeming,
): Promise<Grant> {
  const { database, clock, audit, openidSecrets, crashPoint } = parts;
  const now = clock.nowMs();
  if (standardsStateAt(offer, now) !== 'created') throw unknownCode();
  const offered = configurationsOf(offer);
  const wanted = request.configurations ?? offered;
  const other = wanted.find((one) => !offered.includes(one));
  if (other !== undefined)
    throw new Fault('authorizationDetailsInvalid', { detail: 'The offer has no such configuration' });
  await requireTxCode(parts, offer, request.txCode);
  const id = makeSecretId();
  const expiresAt = now + limits.accessTokenSeconds * 1_000;
  const grant = {
    ...{ id, offerId: offer.id, issuer: offer.issuer, redeemMark: mark, expiresAt },
    tokenHash: secretHash(await openidSecrets.accessToken(id)),
    dpopThumbprint: redeemer.dpopThumbprint ?? null,
    clientId: redeemer.clientId ?? null,
    configurations: JSON.stringify(wanted),
    hasIdentifiers: request.configurations ? 1 : 0,
  };
  const isFirst = await database.transaction(async (queries) => {
    if (!(await redeemStandardsOffer(queries, { id: offer.id, now, expiresAt }))) return false;
    await addGrant(queries, { ...grant, now });
    const details = { templateId: offer.templateId, vcId: offer.vcId, issuer: offer.issuer };
    await audit.record({ action: 'openidOffer.redeem', subject: offer.id, details }, queries);
    return true;
  });
  if (isFirst) {
    crashPoint('openidCodeRedeemed');
    return { ...grant, answeredAt: null, createdAt: now };
  }
  const faster = await repeatedGrant(parts, offer, mark);
  if (faster) return faster;
  throw unknownCode();
}

/** A try counts before it is compared, and a right one is given back in the same transaction. */
async function requireTxCode(
  parts: OpenidParts,
  { id, txCodeMark, hasTxCode, issuer, templateId }: StandardsOffer,
  txCode: string | undefined,
): Promise<void> {
  const { database, clock, audit, openidSecrets } = parts;
  if (hasTxCode === 0) {
    if (txCode === undefined) return;
    throw new Fault('requestMalformed', { detail: 'tx_code is not expected: the offer has none' });
  }
  if (txCode === undefined || txCodeMark === null)
    throw new Fault('requestMalformed', { detail: 'tx_code is missing' });
  const isRight = equalTexts(await openidSecrets.txCodeMark(id, txCode), txCodeMark);
  const left = await database.transaction(async (queries) => {
    const tries = await countStandardsTry(queries, id, 'created');
    if (tries === undefined) return undefined;
    if (isRight) {
      await forgetStandardsTry(queries, id);
      return limits.txCodeTriesMax;
    }
    if (tries < limits.txCodeTriesMax) return limits.txCodeTriesMax - tries;
    await moveStandardsOffer(queries, 'lock', { id, now: clock.nowMs() });
    const details = { templateId, count: tries, issuer };
    await audit.record({ action: 'openidOffer.lock', subject: id, details }, queries);
    return 0;
  });
  if (left === undefined) {
    // A right one that came beside another right one is a repetition; whoever redeemed says so.
    if (isRight) return;
    throw unknownCode();
  }
  if (isRight) return;
  const more = left === 0 ? 'the code is good no more' : `${left} more ${left === 1 ? 'try' : 'tries'}`;
  throw new Fault('grantInvalid', { detail: `The transaction code is wrong; ${more}` });
}

async function tokenReply({ openidSecrets, clock }: OpenidParts, offer: StandardsOffer, grant: Grant) {
  const { id, dpopThumbprint, expiresAt, configurations, hasIdentifiers } = grant;
  const details = (JSON.parse(configurations) as string[]).map((one) => ({
    type: 'openid_credential' as const,
    credential_configuration_id: one,
    credential_identifiers: [credentialIdentifier(offer.vcId, one)],
  }));
  return {
    access_token: await openidSecrets.accessToken(id),
    token_type: dpopThumbprint === null ? ('Bearer' as const) : ('DPoP' as const),
    expires_in: Math.max(1, Math.floor((expiresAt - clock.nowMs()) / 1_000)),
    ...(hasIdentifiers === 1 && { authorization_details: details }),
  };
}
