/** `symbolon wallet add|apply`: how credentials come into the wallet. Only what is genuine by the ledger's word is kept. */
import { int64Max } from '@symbolon/core/limits/consensus';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import type { JsonObject } from '@symbolon/wire/json/json';
import { readCredentialFile } from '../../credentials/document-files.ts';
import type { Acting } from '../../credentials/party-commands.ts';
import { lookUpTemplate } from '../../credentials/template-lookup.ts';
import { CommandFailure, exitCodes, unsuccessful, usageFailure } from '../../terminal/failure.ts';
import { printable, printJson, type Terminal } from '../../terminal/terminal.ts';
import { type CollectedFields, collectFields } from '../../wallet/field-offers.ts';
import { keepGenuine, type WalletRefusal } from '../../wallet/keeping.ts';
import { type Fetched, fetchWaiting, obtainCredential } from '../../wallet/obtaining.ts';
import { paidInWords } from '../../wallet/paid-request.ts';
import { priceInWords } from '../../wallet/people-words.ts';
import { nativeAsset } from '../../wallet/spending.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import { assertFits } from '../vc/applying.ts';
import { readValues, type ValueWords } from '../vc/values.ts';
import { shortId, stepsFor, titleOf, type WalletWords, withWallet } from './owner-wallet.ts';

interface AddWords extends WalletWords {
  readonly fromService?: boolean;
}

export async function add(acting: Acting<AddWords>, file: string | undefined): Promise<void> {
  const { words, terminal } = acting;
  const document = file === undefined ? undefined : await readCredentialFile(file);
  await withWallet(acting, async (wallet) => {
    const fromFile = document ? await keepFile(wallet, document) : nothing;
    const tell = stepsFor(terminal, words.json);
    const fetched = !document || words.fromService ? await fetchWaiting(wallet, tell) : nothing;
    const added = [...fromFile.added, ...fetched.added];
    const fields = document ? noFields : await collectFields(wallet);
    const total = wallet.credentials.all().length + wallet.fields.kept().length;
    const { refused } = fetched;
    const hasForged = refused.some(isForged) || fields.refused.some((one) => one.isForged);
    if (words.json) {
      const ids = [...added.map(({ id }) => String(id)), ...fields.kept.map(({ id }) => id)];
      const problem =
        hasForged && unsuccessful('The service handed over what is not genuine.', exitCodes.notVerified);
      const notKept = [...refused.map((one) => ({ ...one })), ...fields.refused.map(toldField)];
      printJson(terminal, { added: ids, total, notKept, ...problem });
    } else {
      tellFields(terminal, fields);
      if (fields.kept.length === 0 || added.length > 0) tellAdded(acting, { added, refused }, total);
    }
    // What was kept is kept; that a service hands over what is not genuine is not to be missed.
    if (hasForged) process.exitCode = exitCodes.notVerified;
  });
}

/** One that its issuer has revoked since is no forgery; it is of no use any more. */
const isForged = ({ name }: WalletRefusal): boolean => name !== 'revoked';

const nothing: Fetched = { added: [], refused: [] };
const noFields: CollectedFields = { kept: [], refused: [] };

const toldField = ({ id, title, detail }: CollectedFields['refused'][number]) => ({
  ...{ credential: id, title, name: 'notAsOffered', detail },
});

function tellFields(terminal: Terminal, { kept, refused }: CollectedFields): void {
  for (const { id, title } of kept) terminal.print(`Kept: "${printable(title)}", ${shortId(id)}`);
  for (const { id, title, detail, isForged: isBad } of refused)
    terminal.remark(
      `${isBad ? 'NOT KEPT' : 'Given up'}: "${printable(title)}", ${shortId(id)}: ${printable(detail)}.`,
    );
}

async function keepFile(wallet: Wallet, document: JsonObject): Promise<Fetched> {
  const kept = await keepGenuine(wallet, document);
  if ('refusal' in kept) throw fileNotKept(kept.refusal);
  return { added: kept.isNew ? [document] : [], refused: [] };
}

function fileNotKept({ name, detail }: WalletRefusal): CommandFailure {
  const advice =
    name === 'otherHolder'
      ? 'Say whose wallet it is for: --as <person> or --key <file>.'
      : 'Ask its issuer for another one.';
  return new CommandFailure(
    `The credential is not kept.\nIt ${printable(detail)}.\n${advice}`,
    exitCodes.notVerified,
    { code: name },
  );
}

function tellAdded({ terminal }: Acting<AddWords>, { added, refused }: Fetched, total: number): void {
  const have = `The wallet has ${total === 1 ? 'one credential' : `${total} credentials`}.`;
  if (added.length === 0) terminal.print(`Nothing new. ${have}`);
  for (const { id, type } of added) {
    const title = titleOf({ type: Array.isArray(type) ? type.map(String) : [] } as never);
    terminal.print(`Kept: "${title}", ${shortId(String(id))}`);
  }
  for (const refusal of refused) {
    const { credential, detail } = refusal;
    const what = `${shortId(printable(credential))} ${printable(detail)}.`;
    terminal.remark(
      isForged(refusal)
        ? [`NOT KEPT: ${what}`, 'Do not use this service before you know why.']
        : `Left out: ${what}`,
    );
  }
  if (added.length > 0) terminal.remark(`${have} See them: symbolon wallet list`);
}

interface ApplyWords extends WalletWords, ValueWords {
  readonly payUpTo?: bigint;
}

export async function applyAndKeep(acting: Acting<ApplyWords>, template: string): Promise<void> {
  const { connection, words, terminal } = acting;
  const attributes = await readValues(words);
  const found = await lookUpTemplate(connection, template);
  assertFits(found, attributes);
  const { payUpTo = 0n } = words;
  assertPayable(found.price, payUpTo);
  // The owner says how much at the terminal; the day's count goes on, for an agent that shares the wallet.
  const perDay = payUpTo > 0n ? int64Max : 0n;
  const cap = { perPayment: payUpTo, perDay, raisedBy: '--pay-up-to <amount>' };
  const caps = new Map([[nativeAsset, cap]]);
  const order = { templateId: found.templateId, attributes };
  const obtained = await withWallet(
    acting,
    (wallet) => obtainCredential(wallet, order, stepsFor(terminal, words.json)),
    caps,
  );
  if (words.json) {
    const paid = 'paid' in obtained && obtained.paid ? { ...obtained.paid } : undefined;
    return printJson(terminal, { ...obtained, ...(paid && { paid }) });
  }
  const title = printable(found.templateName);
  const id = shortId(obtained.credentialId);
  if (obtained.state === 'waiting') {
    terminal.print(`You applied for "${title}", ${id}. The issuer decides.`);
    terminal.remark('Fetch it when it is issued: symbolon wallet add');
    return;
  }
  terminal.print(`Kept: "${title}", ${id}. ${obtained.paid ? paidInWords(obtained.paid) : 'It was free'}.`);
  terminal.remark(`See it: symbolon wallet show ${id}`);
}

/** Before anything is signed: what it costs, in words of this command. */
function assertPayable(price: CredentialReply<'getTemplate'>['price'], payUpTo: bigint): void {
  if (!price || price.amount === '0') return;
  const words = priceInWords(price, printable);
  if (price.asset !== nativeAsset)
    throw usageFailure(
      `You did not apply.\nIt costs ${words}, and this command pays in Gas alone.\nA wallet for agents pays in tokens: symbolon mcp --token`,
    );
  if (payUpTo === 0n)
    throw usageFailure(
      `You did not apply.\nIt costs ${words}, and a fee.\nSay the most that you would pay, such as: --pay-up-to 1.5gas`,
    );
}
