/**
 * How credentials come into the wallet: what the service hands over is verified against the ledger first, with the
 * signatures in it, and what is not genuine is not kept. The service is believed in nothing but what an issuer is called.
 */

import { parseCredential } from '@symbolon/core/credential/credential-parsing';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { downloadUnverified } from '@symbolon/sdk/flows/holder-flows';
import { findEntry, readTemplate, registryOf, templateRegistryOf } from '@symbolon/sdk/ledger/registries';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { holderHeaders } from '@symbolon/sdk/transport/call-headers';
import { type CredentialExpectation, verifyCredential } from '@symbolon/sdk/verification/verify-credential';
import type { JsonObject } from '@symbolon/wire/json/json';
import { workerEngine } from '../../../proofs/worker-engine.ts';
import { recordReceived } from '../activity/activity-log.ts';
import type { OpenWallet } from '../frame/wallet-context.ts';
import { type CardNames, type KeptCard, keepCard, type LedgerWord } from './kept-cards.ts';

export type OwnApplication = CredentialReply<'listOwnApplications'>['applications'][number];

const pageMax = 200;
/** Applications of one person; what is older is not looked through. */
const pagesMax = 5;

/** What the holder has applied for, newest first; the holder signs for being shown it. */
export async function fetchApplications({ client, vault }: OpenWallet): Promise<readonly OwnApplication[]> {
  const found: OwnApplication[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax; page++) {
    const headers = await holderHeaders(vault.signer, client, { purpose: 'own-applications' });
    const body = { limit: pageMax, ...(cursor !== undefined && { cursor }) };
    const { applications, nextCursor } = await client.listOwnApplications(body, { headers });
    found.push(...applications);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return found;
}

/** The credential is not what it should be: nothing was kept. */
export class NotGenuine extends Error {
  override readonly name = 'NotGenuine';
  readonly reason: string;

  constructor(reason: string) {
    super(`the credential ${reason}`);
    this.reason = reason;
  }
}

type Expected = Pick<CredentialExpectation, 'vcId' | 'templateId' | 'attributes'>;

/** Verifies a credential and keeps it. Rejects with `NotGenuine`. A genuine one that is revoked is kept as that. */
export async function keepIfGenuine(
  wallet: OpenWallet,
  document: JsonObject,
  expected: Expected,
): Promise<void> {
  const { ledger, pins, did, vault } = wallet;
  const verdict = await verifyCredential(document, {
    ...expected,
    ledger,
    ...(pins && { pins }),
    holder: did,
    engine: workerEngine,
  });
  if (!verdict.isGenuine) throw new NotGenuine(verdict.problem?.reason ?? 'is not genuine');
  const { credential } = parseCredential(document, zetrixProfile);
  const names = await namesOf(wallet, credential);
  const word = await ledgerWordOf(wallet, credential);
  await keepCard(vault, { document, keptAt: Date.now(), names, word });
  await recordReceived(vault, {
    vcId: credential.id,
    template: names.template,
    issuer: credential.issuer,
    ...(names.issuer !== undefined && { issuerName: names.issuer }),
  });
}

/** Downloads what was issued, and keeps it if it is genuine. */
export async function fetchCard(wallet: OpenWallet, application: OwnApplication): Promise<void> {
  const { vcId, templateId } = application;
  const document = await downloadUnverified(wallet.client, { signer: wallet.vault.signer, vcId });
  await keepIfGenuine(wallet, document, { vcId: vcId.toLowerCase(), templateId });
}

/** What template and attributes are called stands on the ledger; of the issuer the service tells a name, or none. */
async function namesOf(
  { client, ledger, pins }: OpenWallet,
  credential: KeptCard['parsed']['credential'],
): Promise<CardNames> {
  const { id, version } = credential.credentialSchema;
  const registry = registryOf(credential, { profile: zetrixProfile, ...(pins && { pins }) });
  const templates = pins?.templateRegistry ?? (registry && (await templateRegistryOf(ledger, registry)));
  const [stored, profile] = await Promise.all([
    templates === undefined ? undefined : readTemplate(ledger, templates, { id, version }),
    client.getProfile({ did: credential.issuer }).catch(() => undefined),
  ]);
  const { name = id, attributes = [] } = stored?.template ?? {};
  return {
    template: name,
    labels: Object.fromEntries(attributes.map(({ key, label }) => [key, label] as const)),
    // A name that looks like another's is no name.
    ...(profile && !profile.looksLikeAnothers && { issuer: profile.name }),
  };
}

/** What the ledger says of a credential now. */
export async function ledgerWordOf(
  { ledger, pins }: Pick<OpenWallet, 'ledger' | 'pins'>,
  credential: KeptCard['parsed']['credential'],
): Promise<LedgerWord> {
  const now = Date.now();
  const source = { ledger, profile: zetrixProfile, now, ...(pins && { pins }) };
  const registry = registryOf(credential, source);
  const entry = registry === undefined ? undefined : await findEntry(source, credential, registry);
  if (!entry) return { status: 'unknown', at: now };
  const block = Number(entry.changedInLedgerSeq);
  const isUnchanged = entry.changedAtMicros === entry.issuedAtMicros;
  return { status: entry.status, at: now, block, ...(isUnchanged && { recordedIn: block }) };
}

/** Whether a failure says that the document is wrong, as opposed to that nothing could be found out. */
export const saysNotGenuine = (error: unknown): boolean =>
  error instanceof NotGenuine || (error instanceof SdkError && error.code === 'notAsOrdered');
