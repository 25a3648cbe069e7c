/**
 * Whether what a service keeps and what its ledger holds agree, row by row and both ways: no credential lost, doubled
 * or half issued, nothing left under way, every act in the audit log. Answers what it found wrong, in words.
 */

import { addressOfDid } from '@symbolon/core/did/did';
import type { ApplicationRow } from '@symbolon/credential-service/issuance/application-rows';
import type { StoredCredential } from '@symbolon/credential-service/issuance/credential-rows';
import type { DatasetRow } from '@symbolon/credential-service/openid-issuance/datasets/dataset-rows';
import type { ServiceParts } from '@symbolon/credential-service/parts/service-parts';
import { contexts } from '@symbolon/credential-service/vault/encryption-contexts';
import type { LedgerClient } from '@symbolon/sdk/index';
import { readMetadata } from '@symbolon/sdk/ledger/registries';
import type { AuditAction } from '@symbolon/wire/credentials/audit-actions';

interface Books {
  readonly parts: ServiceParts;
  readonly applications: readonly ApplicationRow[];
  readonly credentials: readonly StoredCredential[];
  /** `action subject` of every audit entry, as often as it was recorded. */
  readonly datasets: readonly DatasetRow[];
  readonly audited: readonly string[];
  readonly wrong: string[];
}

export async function auditService(parts: ServiceParts, client: LedgerClient): Promise<string[]> {
  const { kysely } = parts.database;
  const verdict = await parts.audit.verify();
  const entries = await kysely.selectFrom('auditEntries').select(['action', 'subject']).execute();
  const books: Books = {
    parts,
    applications: await kysely.selectFrom('applications').selectAll().execute(),
    credentials: await kysely.selectFrom('credentials').selectAll().execute(),
    datasets: await kysely.selectFrom('openidDatasets').selectAll().execute(),
    audited: entries.map(({ action, subject }) => `${action} ${subject}`),
    wrong: [],
  };
  if (!verdict.isIntact) books.wrong.push('the audit log is broken');
  for (const application of books.applications) await checkApplication(books, application);
  for (const credential of books.credentials) await checkCredential(books, credential);
  await checkTemplates(books, client);
  await checkNothingIsUnderWay(books);
  await checkLedger(books, client);
  return books.wrong;
}

function expectAudited({ audited, wrong }: Books, action: AuditAction, subject: string): void {
  const count = audited.filter((entry) => entry === `${action} ${subject}`).length;
  if (count !== 1) wrong.push(`${action} of ${subject} stands ${count} times in the audit log`);
}

/** Which sealed columns an application has in which state. */
const contents: Readonly<Record<ApplicationRow['state'], readonly boolean[] | undefined>> = {
  pending: [true, false, false],
  approved: [true, true, false],
  submitting: undefined,
  issued: [false, false, false],
  rejected: [false, false, false],
};

async function checkApplication(books: Books, application: ApplicationRow): Promise<void> {
  const { parts, credentials, wrong } = books;
  const { vcId, state, issuer, attributes, draft, submission } = application;
  const shown = [attributes, draft, submission].map((column) => column !== null);
  if (String(shown) !== String(contents[state])) wrong.push(`${vcId} is ${state} with ${shown}`);
  const entry = await parts.ledger.readEntry(addressOfDid(issuer, parts.keys) as string, vcId);
  const isStored = credentials.some((credential) => credential.vcId === vcId);
  const isIssued = state === 'issued';
  if (isIssued !== isStored) wrong.push(`${vcId} is ${state}, stored: ${isStored}`);
  if (isIssued !== (entry !== undefined)) wrong.push(`${vcId} is ${state}, the ledger has ${entry?.status}`);
  expectAudited(books, 'application.apply', vcId);
  if (state === 'approved' || isIssued) expectAudited(books, 'application.approve', vcId);
}

async function checkCredential(books: Books, credential: StoredCredential): Promise<void> {
  const { parts, applications, datasets, wrong } = books;
  const { vcId, issuer, status, digest, anchorTx, changeBlobId, templateId, templateVersion } = credential;
  // Of a dataset nothing is kept for download: its credentials were handed over when they were made.
  const dataset = datasets.find((one) => one.vcId === vcId);
  if (dataset && dataset.state !== 'issued')
    wrong.push(`${vcId} is recorded, its dataset is ${dataset.state}`);
  if (!dataset && !applications.some((application) => application.vcId === vcId))
    wrong.push(`${vcId} was never applied for`);
  if (changeBlobId !== null) wrong.push(`${vcId} is being changed by ${changeBlobId}`);
  const entry = await parts.ledger.readEntry(addressOfDid(issuer, parts.keys) as string, vcId);
  const kept = [status, digest, templateId, templateVersion];
  const held = [entry?.status, entry?.digest, entry?.template, entry?.templateVersion];
  if (String(kept) !== String(held)) wrong.push(`${vcId} is kept as ${kept}, the ledger has ${held}`);
  const anchored = await parts.ledger.outcomeOf(anchorTx);
  if (anchored.kind !== 'executed') wrong.push(`the anchor of ${vcId} is ${anchored.kind}`);
  const text =
    credential.credential &&
    (await parts.vault.decryptText(credential.credential, contexts.credential(vcId)));
  if (!dataset && (!text || JSON.parse(text).id !== vcId)) wrong.push(`${vcId} cannot be downloaded`);
  expectAudited(books, 'credential.issue', vcId);
  if (status === 'revoked') expectAudited(books, 'credential.revoke', vcId);
}

async function checkTemplates(books: Books, client: LedgerClient): Promise<void> {
  const { parts, wrong } = books;
  const versions = await parts.database.kysely.selectFrom('templateVersions').selectAll().execute();
  for (const { templateId, version, document } of versions) {
    const registered = await parts.ledger.readTemplate(templateId, version);
    const kept = JSON.parse(document);
    if (registered?.template.name !== kept.name)
      wrong.push(`the ledger lacks template ${kept.name} ${version}`);
    expectAudited(books, 'template.register', templateId);
  }
  const { templates: registry } = parts.ledger.registries;
  const count = Number((await readMetadata(client, registry, 'count')) ?? 0);
  for (let place = 0; place < count; place++) {
    const id = await readMetadata(client, registry, `place__${place}`);
    const { template } = (id && (await parts.ledger.readTemplate(id))) || {};
    if (
      template &&
      !versions.some(({ templateId, version }) => templateId === template.id && version === template.version)
    )
      wrong.push(`the service lacks template ${template.name} ${template.version}`);
  }
}

async function checkNothingIsUnderWay({ parts, wrong }: Books): Promise<void> {
  const { kysely } = parts.database;
  const claimed = await kysely.selectFrom('blobs').selectAll().where('state', '=', 'claimed').execute();
  for (const { id, kind } of claimed) wrong.push(`the blob ${id} (${kind}) is still claimed`);
  const open = await kysely.selectFrom('anchorIntents').selectAll().where('state', '=', 'open').execute();
  for (const { hash } of open) wrong.push(`the intent ${hash} is still open`);
}

/** The other way round: the ledger has no credential that the service does not have. */
async function checkLedger({ parts, credentials, wrong }: Books, client: LedgerClient): Promise<void> {
  const { result } = await client.getAccountMetaData({ address: parts.ledger.registries.credentials });
  const held = Object.keys(result ?? {}).filter((key) => key.startsWith('credential__'));
  for (const key of held)
    if (!credentials.some(({ vcId }) => key.endsWith(`__${vcId}`))) wrong.push(`the service lacks ${key}`);
  if (held.length !== credentials.length)
    wrong.push(`the ledger has ${held.length} credentials, the service ${credentials.length}`);
}
