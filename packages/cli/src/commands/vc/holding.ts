/** `symbolon vc held|download|status`: credentials in their holder's hands, and what the ledger says about one. */
import { given } from '@symbolon/core/basics/plain-values';
import type { LedgerStatus } from '@symbolon/core/documents/model';
import { downloadUnverified } from '@symbolon/sdk/flows/holder-flows';
import { didOfSigner } from '@symbolon/sdk/keys/signer';
import { holderHeaders } from '@symbolon/sdk/transport/call-headers';
import { ledgerFactsSource } from '@symbolon/sdk/verification/ledger-source';
import { type CredentialExpectation, verifyCredential } from '@symbolon/sdk/verification/verify-credential';
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import { writeDocumentFile } from '../../credentials/document-files.ts';
import type { Acting } from '../../credentials/party-commands.ts';
import { applicationIds, heldIds, wholeIdentifier } from '../../credentials/short-ids.ts';
import type { Connection, PartyWords } from '../../profile/connection.ts';
import { CommandFailure, exitCodes } from '../../terminal/failure.ts';
import { printFields, printTable } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printable, printJson } from '../../terminal/terminal.ts';
import { blockOf } from '../../transactions/blocks.ts';

/** Those that the service still stores for whoever signs. */
export async function listHeld({ connection, words, terminal }: Acting): Promise<void> {
  const signer = await connection.walletSigner();
  const headers = await holderHeaders(signer, connection.service, { purpose: 'download-all' });
  const { data } = await connection.service.downloadExtended({ address: signer.address }, { headers });
  const held = data.map(({ vc, status }) => ({
    vcId: String(vc.id),
    name: nameOf(vc),
    status,
    issuer: String(vc.issuer),
    validUntil: String(vc.validUntil),
  }));
  if (words.json) return printJson(terminal, { credentials: held });
  if (held.length === 0) {
    terminal.remark(
      'No credential waits for you here. Apply for one: symbolon vc apply TEMPLATE --set NAME=VALUE',
    );
    return;
  }
  const rows = held.map(({ vcId, name, status, validUntil }) => [printable(name), status, validUntil, vcId]);
  printTable(terminal, [['NAME', 'STATUS', 'VALID UNTIL', 'ID'], ...rows]);
}

/** What whoever acts has in a list of their own. */
const listOf = (connection: Connection, { as }: PartyWords): Promise<readonly string[]> =>
  as === 'issuer' ? applicationIds(connection) : heldIds(connection);

/** The template's name stands beside what every credential is. */
const nameOf = ({ type }: JsonObject): string => (Array.isArray(type) ? String(type[1] ?? '') : '');

interface DownloadWords {
  readonly out: string;
  readonly force?: boolean;
  readonly issuerCopy?: boolean;
}

export async function download(
  { connection, words, terminal }: Acting<DownloadWords>,
  word: string,
): Promise<void> {
  const { out, force = false, issuerCopy = false } = words;
  const vcId = await wholeIdentifier(word, () => listOf(connection, words));
  const signer = await connection.walletSigner();
  const credential = await downloadUnverified(connection.service, { signer, vcId, isIssuer: issuerCopy });
  const status = await requireGenuine(connection, credential, {
    vcId: vcId.trim().toLowerCase(),
    ...(issuerCopy ? { issuer: didOfSigner(signer) } : { holder: didOfSigner(signer) }),
  });
  await writeDocumentFile(out, credential, { mayReplace: force });
  if (status !== 'active')
    terminal.remark([`WARNING: this credential is ${status}.`, 'No verifier will accept it as it is.']);
  const { validUntil, credentialSubject } = credential;
  const name = nameOf(credential);
  const subject = isJsonObject(credentialSubject) ? credentialSubject : {};
  const attributes = Object.keys(subject).filter((key) => key !== 'id');
  if (words.json)
    return printJson(terminal, { vcId, file: out, name, validUntil: validUntil ?? null, attributes });
  const fields = { credential: vcId, 'valid until': validUntil, attributes: attributes.join(', ') };
  printFields(terminal, `The credential "${printable(name)}" is in ${out}, for you alone.`, fields);
  terminal.remark(`Next: symbolon vp create ${shellWord(out)} --reveal NAME --out presentation.json`);
}

/** What the ledger says of its status. What a service hands over is not kept on its word. */
async function requireGenuine(
  { ledger, pins }: Connection,
  credential: JsonObject,
  expected: Pick<CredentialExpectation, 'vcId' | 'holder' | 'issuer'>,
): Promise<LedgerStatus> {
  const { problem, status } = await verifyCredential(credential, { ...expected, ledger, pins });
  if (!problem) return status;
  throw new CommandFailure(
    `The credential was not written.\nWhat the service handed over ${problem.detail}.\nDo not use this service before you know why.`,
    exitCodes.notVerified,
    { code: problem.name },
  );
}

export async function showStatus(
  { connection, words, terminal }: Acting<{ readonly issuer?: string }>,
  word: string,
): Promise<void> {
  const { issuer } = words;
  const vcId = await wholeIdentifier(word, () => listOf(connection, words));
  const found = await connection.service.getCredentialStatus({ vcId, ...given({ issuer }) });
  // Asked for is this credential, whichever one the service speaks of.
  const asked = { vcId: vcId.trim().toLowerCase(), issuer: issuer ?? found.issuer };
  const counting = await byLedger(connection, found, asked);
  const { status, changedAt, txHash, saidBy } = counting;
  const block = await blockOf(connection, txHash);
  const facts = { ...counting, ...given({ block }) };
  if (words.json) return printJson(terminal, facts);
  printFields(terminal, meanings[status] ?? status, {
    credential: vcId,
    issuer: asked.issuer,
    since: changedAt ?? undefined,
    'said by': saidBy === 'ledger' ? 'the ledger' : 'the service: the profile pins no registry',
    transaction: txHash ?? undefined,
    block,
  });
}

type Status = Awaited<ReturnType<Connection['service']['getCredentialStatus']>>;

type CountingStatus = Status & { readonly saidBy: 'ledger' | 'service' };

/**
 * What the node reads in the pinned registry counts; the transaction that the service names is told only if it is of the
 * block of that. Without a pin, which registry it is is the service's word, and so is this.
 */
async function byLedger(
  connection: Connection,
  told: Status,
  asked: Pick<Status, 'vcId' | 'issuer'>,
): Promise<CountingStatus> {
  const { ledger, pins } = connection;
  const { credentialRegistry } = pins;
  if (credentialRegistry === undefined) return { ...told, saidBy: 'service' };
  const source = ledgerFactsSource({ ledger, pins: { ...pins, credentialRegistry } });
  const found = await source.getCredentialStatus(asked);
  const block = await blockOf(connection, told.txHash);
  const isOfIt = block !== undefined && String(block) === found.record?.ledgerSeq;
  return { ...found, txHash: isOfIt ? told.txHash : null, saidBy: 'ledger' };
}

const meanings: Readonly<Record<string, string>> = {
  Active: 'Active: it counts, as long as it has not expired.',
  Suspended: 'Suspended: it does not count until its issuer reinstates it.',
  Revoked: 'Revoked: it does not count any more, for good.',
};
