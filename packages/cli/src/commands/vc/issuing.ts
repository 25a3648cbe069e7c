/**
 * `symbolon vc list|show|issue|reject|suspend|reinstate|revoke`: what an issuer does with applications and credentials.
 */

import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { given } from '@symbolon/core/basics/plain-values';
import type { AttributeValues } from '@symbolon/core/credential/template-rules';
import { Fault } from '@symbolon/core/faults/faults';
import { SdkError } from '@symbolon/sdk/errors/errors';
import {
  issueCredential,
  reinstateCredential,
  revokeCredential,
  suspendCredential,
} from '@symbolon/sdk/flows/issuer-flows';
import { didOfSigner } from '@symbolon/sdk/keys/signer';
import { fetchTemplate } from '@symbolon/sdk/orders/template-order';
import {
  assertAskedFor,
  isUndecided,
  type ReadApplication,
  verifyApplication,
} from '@symbolon/sdk/verification/applications';
import { type Acting, cutLines, type PagingWords, shownValue } from '../../credentials/party-commands.ts';
import { applicationIds, wholeIdentifier } from '../../credentials/short-ids.ts';
import { lookUpTemplate } from '../../credentials/template-lookup.ts';
import { type Connection, networkOf } from '../../profile/connection.ts';
import { issuingKeyOf } from '../../profile/issuing-key.ts';
import type { FeeWords } from '../../profile/options.ts';
import { CommandFailure, exitCodes } from '../../terminal/failure.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { columns, fieldLines, printFields, printTable } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printable, printJson, type Terminal } from '../../terminal/terminal.ts';
import { blockOf, requireBlock } from '../../transactions/blocks.ts';
import { withinCaps } from '../../transactions/fee-caps.ts';

interface ListWords extends PagingWords {
  readonly state?: 'Pending' | 'Approved' | 'Issued' | 'Rejected' | 'Suspended' | 'Revoked';
  readonly template?: string;
}

export async function list({ connection, words, terminal }: Acting<ListWords>): Promise<void> {
  const { state: status, template, limit, cursor } = words;
  const templateId =
    template === undefined ? undefined : (await lookUpTemplate(connection, template)).templateId;
  const page = await connection.service.listApplications(given({ status, templateId, limit, cursor }));
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
  printTable(terminal, [['STATE', 'TEMPLATE', 'SINCE', 'ID'], ...rows]);
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

export async function show({ connection, words, terminal }: Acting, word: string): Promise<void> {
  const vcId = await wholeIdentifier(word, () => applicationIds(connection));
  const found = await applicationFrom(connection, vcId);
  if (words.json) return printJson(terminal, found);
  const { status, templateId, templateVersion, holder, createdAt, updatedAt, metadata = [], reason } = found;
  terminal.print(
    fieldLines(terminal, {
      credential: vcId,
      state: status,
      template: `${templateId} ${templateVersion}`,
      holder,
      applied: createdAt,
      since: updatedAt,
      reason: reason === undefined ? undefined : printable(reason),
      signature: metadata.length === 0 ? undefined : await signatureWords(connection, found),
    }),
  );
  if (metadata.length > 0)
    terminal.print(
      columns(
        terminal,
        metadata.map(({ key, value }) => [`  ${printable(key)}`, shownValue(value)]),
      ),
    );
}

/** Whether the holder has signed what the service shows. */
async function signatureWords(
  { service }: Connection,
  found: Parameters<typeof verifyApplication>[0],
): Promise<string> {
  try {
    await verifyApplication(found, service);
    return "the holder's, over these values";
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    return `NONE THAT FITS: ${error.message}`;
  }
}

interface IssueWords {
  readonly validUntil?: number;
  readonly validFrom?: number;
  readonly set?: AttributeValues;
  readonly bbsKey?: string;
  /** Whose the application must be. */
  readonly holder?: string;
}

const yearMs = 365 * 86_400_000;

/** Only what is posted can be sealed. */
const applicationFrom = ({ service, isSealed }: Connection, vcId: string) =>
  isSealed ? service.showApplication({ vcId }) : service.getApplication({ vcId });

/** What the holder signed, as far as it can still become a credential. */
async function applicationOf(connection: Connection, vcId: string): Promise<ReadApplication> {
  const { service } = connection;
  const found = await applicationFrom(connection, vcId);
  assertAskedFor(found, vcId);
  if (isUndecided(found)) return verifyApplication(found, service);
  throw new Fault('stateForbids', { detail: `The application is ${found.status.toLowerCase()} already` });
}

function assertHolder({ holder, vcId }: ReadApplication, wanted: string | undefined): void {
  if (wanted === undefined || wanted === holder) return;
  throw new CommandFailure(
    `The application is another holder's.\nNothing was signed. It is of ${holder}.\nLook at it: symbolon vc show ${vcId}`,
    exitCodes.failed,
    { code: 'notAsOrdered' },
  );
}

export async function issue(
  { connection, words, terminal }: Acting<IssueWords>,
  vcId: string,
): Promise<void> {
  ifInterrupted('Interrupted. Nothing was signed; the application waits as before.');
  const signer = await connection.signer();
  const { validFrom, set } = words;
  const expiredDate = instantTextOfUnixMs(words.validUntil ?? Date.now() + yearMs);
  const issuer = didOfSigner(signer);
  const publicKeyMultibase =
    words.bbsKey ??
    (await issuingKeyOf(connection, issuer, () => connection.service.resolveDid({ did: issuer })));
  const { ledger, pins } = connection;
  const application = await applicationOf(connection, vcId);
  assertHolder(application, words.holder);
  const { templateId, templateVersion } = application;
  const choice = { templateId, templateVersion, ledger, pins };
  const template = await fetchTemplate(connection.service, choice);
  const order = {
    ...application,
    attributes: { ...application.attributes, ...set },
    expiredDate,
    ...(validFrom !== undefined && { validFrom: instantTextOfUnixMs(validFrom) }),
  };
  const { holder } = order;
  if (!words.json) tellOrder({ ...order, templateName: template.templateName }, terminal);
  const bbsKey = { publicKeyMultibase };
  ifInterrupted([
    'Interrupted. The application may be approved, and the credential is not issued for certain.',
    `The same command takes it up where it is: symbolon vc issue ${vcId}`,
  ]);
  const { downloadExpiryDate } = await issueCredential(connection.service, {
    ...order,
    signer,
    bbsKey,
    template,
    pins,
    ledger,
  });
  const { txHash } = await connection.service.getCredentialStatus({ vcId, issuer });
  const block = await blockOf(connection, txHash);
  const named = { holder, templateId: order.templateId, templateVersion };
  const facts = { vcId, status: 'Issued', issuer, ...named, validUntil: expiredDate, downloadExpiryDate };
  if (words.json) return printJson(terminal, { ...facts, txHash, ...given({ block }) });
  printFields(terminal, 'The credential is issued.', {
    credential: vcId,
    'valid until': expiredDate,
    transaction: txHash ?? undefined,
    block,
    'download until': downloadExpiryDate,
  });
  terminal.remark(`Next, as its holder: symbolon vc download ${shellWord(vcId)} --out credential.json`);
}

interface ToldOrder extends ReadApplication {
  readonly templateName: string;
  readonly expiredDate: string;
  readonly validFrom?: string;
}

/** What is about to be signed: the credential itself is compared with this. */
function tellOrder(order: ToldOrder, terminal: Terminal): void {
  const { holder, templateName, templateVersion, attributes, validFrom = 'now', expiredDate } = order;
  terminal.remark([
    'This is to be signed:',
    ...columns(terminal, [
      ['  holder', holder],
      ['  template', `${printable(templateName)} ${templateVersion}`],
      ['  valid', `from ${validFrom} until ${expiredDate}`],
      ...Object.entries(attributes).map(([key, value]) => [`  ${printable(key)}`, shownValue(value)]),
    ]),
    ...cutLines(Object.values(attributes)),
  ]);
}

export async function reject(
  { connection, words, terminal }: Acting<{ readonly reason: string }>,
  vcId: string,
): Promise<void> {
  const { status } = await connection.service.rejectApplication({ vcId, reason: words.reason });
  if (words.json) return printJson(terminal, { vcId, status });
  printFields(terminal, 'The application is turned down.', { credential: vcId, state: status });
}

interface ChangeWords extends FeeWords {
  readonly reason?: string;
  /** Another word for `reason`. */
  readonly remark?: string;
  /** The contract that keeps the credential, where the profile pins another one. */
  readonly registry?: string;
}

const statusChange =
  (change: typeof revokeCredential, outcome: string) =>
  async ({ connection, words, terminal }: Acting<ChangeWords>, vcId: string): Promise<void> => {
    const signer = await connection.signer();
    const { reason, remark = reason, registry } = words;
    const { pins, ...network } = networkOf(connection);
    const order = { signer, vcId, ...network, ...given({ remark, registry }) };
    ifInterrupted([
      'Interrupted. The change may have been handed in, and is on the ledger then.',
      `See what the ledger says: symbolon vc status ${vcId}`,
    ]);
    const { status, txHash } = await withinCaps({ pins, words, preparedBy: 'service' }, (caps) =>
      change(connection.service, { ...order, pins: { ...pins, ...caps } }),
    );
    const block = await requireBlock(connection, txHash);
    if (words.json) return printJson(terminal, { vcId, status, txHash, ...given({ block }) });
    printFields(terminal, `The credential is ${outcome}`, { credential: vcId, transaction: txHash, block });
  };

export const suspend = statusChange(
  suspendCredential,
  'suspended: it does not verify until you reinstate it.',
);
export const reinstate = statusChange(reinstateCredential, 'reinstated: it verifies again.');
export const revoke = statusChange(revokeCredential, 'revoked, for good: it verifies no more.');
