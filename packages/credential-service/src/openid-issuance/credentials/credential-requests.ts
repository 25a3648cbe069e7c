/**
 * From a request with proofs to credentials: the keys are proved, the request is kept, the credentials are made and
 * durable, the dataset is on the ledger, then they are answered. The same request again goes on where it broke off and
 * has the same answer. A dataset that its issuer has not signed yet is asked for again.
 */
import { assert } from '@symbolon/core/basics/assert';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { Fault } from '@symbolon/core/faults/faults';
import { oid4vciLimits } from '@symbolon/formats/limits/oid4vci-limits';
import { holderKeyOf } from '@symbolon/formats/oid4vci/holder-keys';
import { checkKeyProofs, type ProvenKey } from '@symbolon/formats/oid4vci/key-proofs';
import { sha256, sha256Hex } from '@symbolon/host/work/sha256';
import { jsonAnswer } from '@symbolon/wire/http/text-replies';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import type { CredentialAsked } from '@symbolon/wire/openid/issuance-requests';
import type { Actor } from '../../audit/audit-entry.ts';
import { openidIssuanceLimits as limits } from '../../limits/openid-limits.ts';
import { takeSlots } from '../../status-lists/slot-rows.ts';
import { findStoredTemplate } from '../../templates/template-rows.ts';
import { contexts } from '../../vault/encryption-contexts.ts';
import { type DatasetRow, findDataset } from '../datasets/dataset-rows.ts';
import {
  entryTermsOf,
  type KeptDataset,
  openContents,
  recordDataset,
  wholeDay,
} from '../datasets/datasets.ts';
import { completeOwn } from '../datasets/own-contents.ts';
import { extendGrant, type Grant } from '../grants/grant-rows.ts';
import {
  findStandardsOffer,
  moveStandardsOffer,
  type StandardsOffer,
} from '../offers/standards-offer-rows.ts';
import { parseConfigurationId } from '../parts/configurations.ts';
import { isMadeOfDatasets, type OfferedFormat } from '../parts/format-issuer.ts';
import { configurationsOf, credentialIdentifier } from '../parts/offered-configurations.ts';
import type { OpenidIssuer, OpenidParts } from '../parts/openid-parts.ts';
import { makeSecretId } from '../parts/openid-secrets.ts';
import { verifyToken } from '../parts/token-signatures.ts';
import { requireHolderKeys } from './own-format.ts';
import {
  addCredentialRequest,
  type CredentialRequestRow,
  countRequests,
  findCredentialRequest,
  findSameRequest,
  keepAnswer,
} from './request-rows.ts';

export interface OpenidIssuing extends OpenidParts {
  readonly formatIssuers: readonly OfferedFormat[];
}

/** Who asks, by a token that was found good. */
export interface Asking {
  readonly issuer: OpenidIssuer;
  readonly grant: Grant;
  readonly actor: Actor;
}

/** What was promised to this wallet: the offer is there as long as its grant is. */
async function offerOf({ database }: OpenidParts, grant: Grant): Promise<StandardsOffer> {
  const offer = await findStandardsOffer(database.kysely, grant.offerId);
  assert(offer, 'a grant has its offer');
  return offer;
}

function askedConfiguration({ grant }: Asking, offer: StandardsOffer, order: CredentialAsked): string {
  const granted = configurationsOf(grant);
  const { configurationId, identifier } = order;
  if (grant.hasIdentifiers === 1) {
    if (identifier === undefined)
      throw new Fault('credentialRequestInvalid', {
        detail: 'credential_identifier is missing: the token came with identifiers',
      });
    const named = granted.find((one) => credentialIdentifier(offer.vcId, one) === identifier);
    if (named === undefined) throw new Fault('credentialIdentifierUnknown');
    return named;
  }
  if (identifier !== undefined)
    throw new Fault('credentialIdentifierUnknown', { detail: 'The token came without identifiers' });
  if (configurationId === undefined || !granted.includes(configurationId))
    throw new Fault('configurationUnknown');
  return configurationId;
}

/** Answers with the credentials, or with where to ask for them later. */
export async function answerCredentialRequest(parts: OpenidIssuing, asking: Asking, order: CredentialAsked) {
  const { database } = parts;
  const { grant } = asking;
  const offer = await offerOf(parts, grant);
  const configurationId = askedConfiguration(asking, offer, order);
  if (order.proofs.length === 0)
    throw new Fault('keyProofInvalid', { detail: 'proofs is missing: one for each credential' });
  const mark = sha256Hex(canonicalJson([configurationId, order.proofs]));
  const known = { grantId: grant.id, mark };
  const request =
    (await findSameRequest(database.kysely, known)) ??
    (await keepNewRequest(parts, asking, { offer, configurationId, mark, proofs: order.proofs }));
  return answerKept(parts, asking, { request, isNotified: true });
}

/** The longer time of a token whose credentials come later is for asking for these, and nothing new. */
async function keepNewRequest(
  parts: OpenidParts,
  asking: Asking,
  proved: Proved,
): Promise<CredentialRequestRow> {
  const { createdAt } = asking.grant;
  if (parts.clock.nowMs() >= createdAt + limits.accessTokenSeconds * 1_000)
    throw new Fault('accessTokenInvalid', { detail: 'The token is good for what it was used for alone' });
  return keepRequest(parts, asking, proved);
}

interface Proved {
  readonly offer: StandardsOffer;
  readonly configurationId: string;
  readonly mark: string;
  readonly proofs: readonly string[];
}

/** The keys that the proofs are by. Throws `keyProofInvalid`, `proofNonceInvalid`. */
async function provenKeys(
  { clock, openidSecrets, profile }: OpenidParts,
  { issuer, grant }: Asking,
  proofs: readonly string[],
): Promise<readonly ProvenKey[]> {
  const now = clock.nowMs();
  const checked = await checkKeyProofs(proofs, {
    audience: issuer.identifier,
    algorithms: ['ES256', 'EdDSA', 'Ed25519'],
    proofsMax: oid4vciLimits.batchMax,
    nowSeconds: Math.floor(now / 1_000),
    ...(grant.clientId !== null && { clientId: grant.clientId }),
    isNonce: await openidSecrets.nonceJudge(issuer.did, now),
    keyOf: async (kid) => holderKeyOf(kid, profile.didMethod),
    verify: verifyToken,
    sha256,
  });
  if (!('error' in checked)) return checked;
  const code = checked.error === 'invalid_nonce' ? 'proofNonceInvalid' : 'keyProofInvalid';
  throw new Fault(code, { detail: checked.complaint });
}

/** Of what was rejected nothing is kept, and whoever asks is told so further on. */
async function requireHolder(parts: OpenidParts, vcId: string, keys: readonly ProvenKey[]): Promise<void> {
  const dataset = await findDataset(parts.database.kysely, vcId);
  if (!dataset?.contents) return;
  const kept = await openContents(parts, dataset);
  if ('draft' in kept) requireHolderKeys(parts, kept, keys);
}

async function keepRequest(
  parts: OpenidParts,
  asking: Asking,
  { offer, configurationId, mark, proofs }: Proved,
): Promise<CredentialRequestRow> {
  const { database, vault, clock, audit, crashPoint } = parts;
  const { grant } = asking;
  const keys = await provenKeys(parts, asking, proofs);
  await requireHolder(parts, offer.vcId, keys);
  const id = makeSecretId();
  const now = clock.nowMs();
  const request = {
    ...{ id, grantId: grant.id, vcId: offer.vcId, configurationId, mark },
    holderKeys: await vault.encryptDocument(keys, contexts.openidHolderKeys(id)),
    notificationId: makeSecretId(),
  };
  const isNew = await database.transaction(async (queries) => {
    if ((await countRequests(queries, grant.id)) >= limits.requestsPerGrantMax)
      throw new Fault('credentialRequestDenied', { detail: 'The token was used as often as it may be' });
    if (!(await addCredentialRequest(queries, { ...request, now }))) return false;
    const expiresAt = now + limits.contentsKeptMs;
    await moveStandardsOffer(queries, 'request', { id: offer.id, now, expiresAt });
    const details = {
      templateId: offer.templateId,
      count: keys.length,
      vcId: offer.vcId,
      issuer: offer.issuer,
    };
    // The proof is the holder's acceptance: which one it was is told by the hash that the entry names.
    const act = {
      actor: asking.actor,
      action: 'openidOffer.request',
      subject: `${offer.id} ${mark}`,
    } as const;
    await audit.record({ ...act, details }, queries);
    return true;
  });
  if (isNew) crashPoint('openidRequestStored');
  const kept = await findSameRequest(database.kysely, { grantId: grant.id, mark });
  assert(kept, 'a request that was stored is there');
  return kept;
}

/** Of the request that a wallet names by its transaction. Throws `deferredUnknown`. */
export async function answerDeferred(parts: OpenidIssuing, asking: Asking, transactionId: string) {
  const request = await findCredentialRequest(parts.database.kysely, transactionId);
  if (!request || request.grantId !== asking.grant.id) throw new Fault('deferredUnknown');
  // A library that many wallets are built upon refuses a notification_id here, though the standard has it.
  return answerKept(parts, asking, { request, isNotified: false });
}

interface Answering {
  readonly request: CredentialRequestRow;
  /** Whether the answer says by what the wallet tells what became of it. */
  readonly isNotified: boolean;
}

async function answerKept(parts: OpenidIssuing, asking: Asking, { request, isNotified }: Answering) {
  const { database, clock, audit, crashPoint } = parts;
  const dataset = await findDataset(database.kysely, request.vcId);
  assert(dataset, 'a request has its dataset');
  if (dataset.state === 'rejected') throw new Fault('credentialRequestDenied');
  const offer = await offerOf(parts, asking.grant);
  if (dataset.state === 'pending') return deferred(parts, asking, { offer, request });
  const credentials = await credentialsOf(parts, asking, { request, dataset });
  crashPoint('openidCredentialsStored');
  await recordDataset(parts, request.vcId, asking.actor);
  const { id, templateId, vcId, issuer } = offer;
  await database.transaction(async (queries) => {
    await moveStandardsOffer(queries, 'issue', { id, now: clock.nowMs() });
    const details = { templateId, count: credentials.length, vcId, issuer };
    await audit.record({ actor: asking.actor, action: 'openidOffer.hand', subject: id, details }, queries);
  });
  const reply: JsonObject = {
    credentials: credentials.map((credential) => ({ credential })),
    ...(isNotified && { notification_id: request.notificationId }),
  };
  return reply;
}

interface Waiting {
  readonly offer: StandardsOffer;
  readonly request: CredentialRequestRow;
}

/** The token stays good until the issuer has decided, or has had time enough for it. */
async function deferred({ database, clock }: OpenidParts, { grant }: Asking, { offer, request }: Waiting) {
  const now = clock.nowMs();
  const expiresAt = request.createdAt + limits.deferredSeconds * 1_000;
  await database.transaction(async (queries) => {
    await moveStandardsOffer(queries, 'defer', { id: offer.id, now, expiresAt });
    await extendGrant(queries, grant.id, expiresAt);
  });
  return jsonAnswer(
    { transaction_id: request.id, interval: limits.deferredIntervalSeconds },
    { status: 202 },
  );
}

interface Making {
  readonly request: CredentialRequestRow;
  readonly dataset: DatasetRow;
}

/** As they were made before, or made now and durable before anybody sees them; of many who ask one makes them. */
const credentialsOf = async (
  parts: OpenidIssuing,
  asking: Asking,
  making: Making,
): Promise<readonly JsonValue[]> =>
  (await openAnswer(parts, making.request)) ??
  parts.pursuits.join(`credentials ${making.request.id}`, () => makeCredentials(parts, asking, making));

async function makeCredentials(
  parts: OpenidIssuing,
  asking: Asking,
  { request, dataset }: Making,
): Promise<readonly JsonValue[]> {
  const { database, vault, clock } = parts;
  const { id } = request;
  const kept = await openContents(parts, dataset);
  const now = clock.nowMs();
  const end = Date.parse(entryTermsOf(kept).validUntil);
  if ('draft' in kept ? end <= now : wholeDay(end) <= wholeDay(now))
    throw new Fault('credentialRequestDenied', { detail: 'The time for which it was offered is over' });
  const credentials =
    'draft' in kept
      ? [completeOwn(parts, kept, dataset.signature ?? '') as unknown as JsonValue]
      : await makeOfDataset(parts, asking, { request, dataset, kept, now });
  const answer = await vault.encryptDocument(credentials, contexts.openidAnswer(id));
  if (await keepAnswer(database.kysely, { id, answer, now })) return credentials;
  const faster = await findCredentialRequest(database.kysely, id);
  const answered = faster && (await openAnswer(parts, faster));
  assert(answered, 'what another process was faster with is there');
  return answered;
}

async function makeOfDataset(
  parts: OpenidIssuing,
  { issuer }: Asking,
  { request, dataset: row, kept, now }: Making & { readonly kept: KeptDataset; readonly now: number },
): Promise<readonly JsonValue[]> {
  const { database, vault, formatIssuers } = parts;
  const { id, configurationId, vcId } = request;
  const named = parseConfigurationId(configurationId);
  const format = formatIssuers.find(({ suffix }) => suffix === named?.suffix);
  const found = await findStoredTemplate(database.kysely, row.templateId, row.templateVersion);
  assert(format && isMadeOfDatasets(format) && found, 'what was offered has its template and its format');
  const context = contexts.openidHolderKeys(id);
  const holders = await vault.decryptDocument<readonly ProvenKey[]>(request.holderKeys, context);
  // Places that are taken for nothing, because the process ends before the credentials are kept, stay empty.
  const slots = await database.transaction((queries) =>
    takeSlots(queries, { issuer: issuer.did, vcId, count: holders.length, now }),
  );
  return format.issue({ issuer, template: found.template, dataset: kept.dataset, holders, slots, now });
}

async function openAnswer(
  { vault }: Pick<OpenidParts, 'vault'>,
  { id, answer }: CredentialRequestRow,
): Promise<readonly JsonValue[] | undefined> {
  return answer ? vault.decryptDocument<readonly JsonValue[]>(answer, contexts.openidAnswer(id)) : undefined;
}
