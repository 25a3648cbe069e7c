/** `symbolon vc list|show|issue|reject|suspend|reinstate|revoke`: what an issuer does with applications and credentials. */
import { instantTextOfUnixMs } from '@symbolon/core/credential/calendar';
import { didOfSigner } from '@symbolon/sdk/holder-flows';
import {
  issueCredential,
  reinstateCredential,
  revokeCredential,
  suspendCredential,
} from '@symbolon/sdk/issuer-flows';
import { stringifyJson } from '@symbolon/wire/json';
import type { Connection } from './connection.ts';
import { shellWord } from './generated-code.ts';
import { issuingKeyOf } from './issuing-key.ts';
import { findTemplate } from './template-lookup.ts';
import { columns, fieldLines, printJson, type Terminal } from './terminal.ts';
import { blockOf } from './vc-blocks.ts';
import type { AttributeValues } from './vc-values.ts';
import { type PagingWords, type PartyWords, pageOf, printable, shownValue } from './vc-words.ts';

export interface CredentialOrder<Words = object> {
  readonly vcId: string;
  readonly words: PartyWords & Words;
  readonly terminal: Terminal;
}

export interface ListWords extends PagingWords {
  readonly state?: 'Pending' | 'Approved' | 'Issued' | 'Rejected' | 'Revoked';
  readonly template?: string;
}

export async function list(
  connection: Connection,
  words: PartyWords & ListWords,
  terminal: Terminal,
): Promise<void> {
  const { state, template } = words;
  const templateId =
    template === undefined ? undefined : (await findTemplate(connection, template)).templateId;
  const page = await connection.service.listApplications({
    ...(state !== undefined && { status: state }),
    ...(templateId !== undefined && { templateId }),
    ...pageOf(words),
  });
  if (words.json) return printJson(terminal, page);
  if (page.applications.length === 0) {
    terminal.remark('Nobody has applied for one of your templates, or not in this state.');
    return;
  }
  const names = await namesOf(connection, new Set(page.applications.map((one) => one.templateId)));
  const rows = page.applications.map((one) => [
    one.status,
    names.get(one.templateId) ?? one.templateId,
    one.updatedAt,
    one.vcId,
  ]);
  terminal.print(columns([['STATE', 'TEMPLATE', 'SINCE', 'ID'], ...rows]));
  if (page.nextCursor !== undefined)
    terminal.remark(`There are more: --cursor ${shellWord(page.nextCursor)}`);
}

/** Names for people; a template that cannot be fetched keeps its id. */
async function namesOf({ service }: Connection, ids: ReadonlySet<string>): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const templateId of ids) {
    const { templateName } = await service.getTemplate({ templateId });
    names.set(templateId, printable(templateName));
  }
  return names;
}

export async function show(
  connection: Connection,
  { vcId, words, terminal }: CredentialOrder,
): Promise<void> {
  const found = await connection.service.getApplication({ vcId });
  if (words.json) return printJson(terminal, found);
  const { status, templateId, templateVersion, holder, createdAt, updatedAt, metadata = [], reason } = found;
  terminal.print(
    fieldLines({
      credential: vcId,
      state: status,
      template: `${templateId} ${templateVersion}`,
      holder,
      applied: createdAt,
      since: updatedAt,
      reason: reason === undefined ? undefined : printable(reason),
    }),
  );
  if (metadata.length > 0)
    terminal.print(columns(metadata.map(({ key, value }) => [`  ${printable(key)}`, shownValue(value)])));
}

export interface IssueWords {
  readonly validUntil?: number;
  readonly validFrom?: number;
  readonly set?: AttributeValues;
  readonly bbsKey?: string;
}

const yearMs = 365 * 86_400_000;

export async function issue(
  connection: Connection,
  { vcId, words, terminal }: CredentialOrder<IssueWords>,
): Promise<void> {
  const signer = await connection.signer();
  const { validFrom, set } = words;
  const expiredDate = instantTextOfUnixMs(words.validUntil ?? Date.now() + yearMs);
  const issuer = didOfSigner(signer);
  const publicKeyMultibase =
    words.bbsKey ?? (await issuingKeyOf(connection, () => connection.service.resolveDid({ did: issuer })));
  const { downloadExpiryDate } = await issueCredential(connection.service, {
    signer,
    bbsKey: { publicKeyMultibase },
    vcId,
    expiredDate,
    ...(validFrom !== undefined && { validFrom: instantTextOfUnixMs(validFrom) }),
    ...(set && { issuanceData: stringifyJson({ ...set }) }),
  });
  const { txHash } = await connection.service.getCredentialStatus({ vcId, issuer });
  const block = await blockOf(connection, txHash);
  const facts = { vcId, status: 'Issued', issuer, validUntil: expiredDate, downloadExpiryDate };
  if (words.json) return printJson(terminal, { ...facts, txHash, ...(block !== undefined && { block }) });
  terminal.print('The credential is issued.');
  terminal.print(
    fieldLines({
      credential: vcId,
      'valid until': expiredDate,
      transaction: txHash ?? undefined,
      block,
      'download until': downloadExpiryDate,
    }),
  );
  terminal.remark(`Next, as its holder: symbolon vc download ${shellWord(vcId)} --out credential.json`);
}

export async function reject(
  { service }: Connection,
  { vcId, words, terminal }: CredentialOrder<{ readonly reason: string }>,
): Promise<void> {
  const { status } = await service.rejectApplication({ vcId, reason: words.reason });
  if (words.json) return printJson(terminal, { vcId, status });
  terminal.print('The application is turned down.');
  terminal.print(fieldLines({ credential: vcId, state: status }));
}

const statusChanges = {
  suspend: { change: suspendCredential, outcome: 'suspended: it does not verify until you reinstate it.' },
  reinstate: { change: reinstateCredential, outcome: 'reinstated: it verifies again.' },
  revoke: { change: revokeCredential, outcome: 'revoked, for good: it verifies no more.' },
} as const;

export type StatusChange = keyof typeof statusChanges;

export async function changeStatus(
  connection: Connection,
  name: StatusChange,
  { vcId, words, terminal }: CredentialOrder<{ readonly remark?: string }>,
): Promise<void> {
  const signer = await connection.signer();
  const { remark } = words;
  const { change, outcome } = statusChanges[name];
  const order = { signer, vcId, ...(remark !== undefined && { remark }) };
  const { status } = await change(connection.service, order);
  const { txHash } = await connection.service.getCredentialStatus({ vcId, issuer: didOfSigner(signer) });
  const block = await blockOf(connection, txHash);
  if (words.json) return printJson(terminal, { vcId, status, txHash, ...(block !== undefined && { block }) });
  terminal.print(`The credential is ${outcome}`);
  terminal.print(fieldLines({ credential: vcId, transaction: txHash ?? undefined, block }));
}
