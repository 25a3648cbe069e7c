/**
 * The token endpoint: of many requests with one code one gets the token, and the very same request gets it again until its
 * answer has got through. The code told on another way is counted before it is compared. What other codes there are, and
 * which offers they are for, is for whoever gives them.
 */
import { equalTexts } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { Call } from '@symbolon/wire/http/service-route';
import type { PreAuthorizedRequest } from '@symbolon/wire/openid/issuance-requests';
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
import type { OpenidIssuer, OpenidParts } from '../parts/openid-parts.ts';
import { makeSecretId, secretHash } from '../parts/openid-secrets.ts';
import { addGrant, findGrantOfOffer, type Grant, markGrantAnswered } from './grant-rows.ts';
import { shownDpopKey } from './shown-grants.ts';

export const unknownCode = (): Fault =>
  new Fault('grantInvalid', { detail: 'The code is unknown, used or expired' });

/** What came to the token endpoint, and who the client has shown to be. */
export interface TokenCall<Request> {
  readonly request: Request;
  readonly clientId: string | undefined;
  readonly call: Call;
}

/** For the code that stands in an offer. */
export async function redeemCode(
  parts: OpenidParts,
  issuer: OpenidIssuer,
  { request, clientId, call }: TokenCall<PreAuthorizedRequest>,
) {
  const codeHash = secretHash(request.code);
  const offer = await findOfferByCodeHash(parts.database.kysely, codeHash);
  if (!offer?.codeHash || !equalTexts(offer.codeHash, codeHash) || offer.issuer !== issuer.did)
    throw unknownCode();
  // Nothing is verified, and nothing kept, for whoever knows no code.
  const dpopThumbprint = await shownDpopKey(parts, call, { issuer, endpoint: 'token' });
  const { code, txCode, configurations } = request;
  return redeemOffer(parts, call, {
    ...{ offer, clientId, dpopThumbprint },
    said: [code, txCode],
    granted: configurationsOf(offer),
    asked: configurations,
    hasIdentifiers: configurations !== undefined,
    requireMore: () => requireTxCode(parts, offer, txCode),
  });
}

/** A code that was found good, with what it is good for. */
export interface Redeeming {
  readonly offer: StandardsOffer;
  readonly clientId: string | undefined;
  readonly dpopThumbprint: string | undefined;
  /** The secrets of the request. */
  readonly said: readonly (string | undefined)[];
  readonly granted: readonly string[];
  /** Some of these by name, where not all are wanted. */
  readonly asked: readonly string[] | undefined;
  readonly hasIdentifiers: boolean;
  /** What else it takes, asked for where nobody has redeemed it. */
  readonly requireMore?: () => Promise<void>;
  /** Told of the token that was given for the code before, where another request comes with the code. */
  readonly whenReused?: (grant: Grant) => Promise<void>;
}

/** Of many requests with one code one gets the token, and the very same request gets it again until its answer is there. */
export async function redeemOffer(
  parts: OpenidParts,
  { whenAnswered }: Pick<Call, 'whenAnswered'>,
  redeeming: Redeeming,
) {
  const { database, clock } = parts;
  const { offer } = redeeming;
  const mark = markOf(redeeming);
  const grant =
    (await repeatedGrant(parts, redeeming, mark)) ?? (await redeemed(parts, { ...redeeming, mark }));
  // Until then the answer may have been lost, and the same request gets it again.
  whenAnswered?.(() => markGrantAnswered(database.kysely, grant.id, clock.nowMs()));
  return tokenReply(parts, offer, grant);
}

/** Equal for equal requests of equal callers alone. */
const markOf = ({ said: [code, ...others], asked, clientId, dpopThumbprint }: Redeeming): string =>
  sha256Hex(JSON.stringify([code, ...others, asked, clientId, dpopThumbprint].map((one) => one ?? null)));

/**
 * The grant that this very request got before, as long as nobody knows whether it got through. A request that is another
 * one counts as a wrong try, since it may be one at the code that is told on another way.
 */
async function repeatedGrant(
  { database, clock }: Pick<OpenidParts, 'database' | 'clock'>,
  { offer: { id }, whenReused }: Redeeming,
  mark: string,
): Promise<Grant | undefined> {
  const grant = await findGrantOfOffer(database.kysely, id);
  if (!grant) return undefined;
  const isOpen = grant.answeredAt === null && grant.revokedAt === null && grant.expiresAt > clock.nowMs();
  const isRepeated =
    isOpen &&
    (await database.transaction(async (queries) => {
      if ((await countStandardsTry(queries, id, 'redeemed')) === undefined) return false;
      if (!equalTexts(grant.redeemMark, mark)) return false;
      await forgetStandardsTry(queries, id);
      return true;
    }));
  if (isRepeated) return grant;
  await whenReused?.(grant);
  throw unknownCode();
}

async function redeemed(
  parts: OpenidParts,
  { mark, ...redeeming }: Redeeming & { readonly mark: string },
): Promise<Grant> {
  const { database, clock, audit, openidSecrets, crashPoint } = parts;
  const { offer, granted, asked, clientId, dpopThumbprint, hasIdentifiers } = redeeming;
  const now = clock.nowMs();
  if (standardsStateAt(offer, now) !== 'created') throw unknownCode();
  const wanted = asked ?? granted;
  const other = wanted.find((one) => !granted.includes(one));
  if (other !== undefined)
    throw new Fault('authorizationDetailsInvalid', { detail: 'The offer has no such configuration' });
  await redeeming.requireMore?.();
  const id = makeSecretId();
  const expiresAt = now + limits.accessTokenSeconds * 1_000;
  const grant = {
    ...{ id, offerId: offer.id, issuer: offer.issuer, redeemMark: mark, expiresAt },
    tokenHash: secretHash(await openidSecrets.accessToken(id)),
    dpopThumbprint: dpopThumbprint ?? null,
    clientId: clientId ?? null,
    configurations: JSON.stringify(wanted),
    hasIdentifiers: hasIdentifiers ? 1 : 0,
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
    return { ...grant, answeredAt: null, revokedAt: null, createdAt: now };
  }
  const faster = await repeatedGrant(parts, redeeming, mark);
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
