/**
 * What the service knows to have been recorded and the ledger does not have: entries of credentials, and transactions
 * that issuers have signed. Everything is compared, whatever is known of how the ledger came to be as it is: reading
 * once more is cheap, and what is not looked for stays lost.
 */
import { assert } from '@symbolon/core/basics/assert';
import { parseHex } from '@symbolon/core/basics/bytes';
import type { RecordedStatus } from '@symbolon/core/credential/application-states';
import { type StatusChange, statusChanges } from '@symbolon/core/credential/registry-calls';
import type { Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import { decodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { Turns } from '@symbolon/host/work/turns';
import { addressOfIssuer } from '../access/signatures.ts';
import { allPages } from '../database/paging.ts';
import type { Queries } from '../database/schema.ts';
import { type CredentialSummary, listCredentials } from '../issuance/credential-rows.ts';
import type { CredentialLedger } from '../ledger/credential-ledger.ts';
import type { SignedBlob } from '../ledger/hand-in.ts';
import type { CredentialEntry } from '../ledger/registrar.ts';
import { listSigned, type SignedTransactionRow } from '../ledger/signed-transaction-rows.ts';
import { ownChainLimits, recordLimits } from '../limits/service-limits.ts';
import { compareStatus } from '../status/compare-status.ts';
import { type ComparedTemplates, compareOwedTemplates } from '../status/owed-watch.ts';
import { findAnchorIntent, listPaid, listRegisteredVersions, type PaidRow } from './reconcile-rows.ts';

export interface LackingEntry extends Pick<CredentialSummary, 'vcId' | 'issuer' | 'verificationMethod'> {
  /** As its issuer has signed it; absent where that cannot be recorded any more. */
  readonly entry?: CredentialEntry;
}

/** A transaction that somebody has signed, with what it does. */
export interface LackingTransaction {
  readonly hash: string;
  /** The DID or address of whoever signed. */
  readonly owner: string;
  readonly signed: SignedBlob;
  readonly source: string;
  readonly nonce: bigint;
  readonly act: SignedAct;
}

export type SignedAct =
  | { readonly kind: 'template'; readonly template: Pick<Template, 'id' | 'name' | 'version'> }
  | { readonly kind: StatusChange; readonly vcIds: readonly string[] }
  | { readonly kind: 'payment' };

/** A credential whose status the ledger knows better. */
export interface NewerStatus extends Pick<CredentialSummary, 'vcId' | 'issuer'> {
  readonly onLedger: RecordedStatus;
}

/** A credential whose status the ledger has lost. */
export interface LostStatus extends NewerStatus {
  readonly change: StatusChange;
  /** Whether it was found before that the ledger cannot be given it again. */
  readonly isOwed: boolean;
}

export interface Lacking extends ComparedTemplates {
  readonly entries: readonly LackingEntry[];
  readonly transactions: readonly LackingTransaction[];
  readonly templates: readonly Template[];
  readonly statuses: readonly LostStatus[];
  readonly newer: readonly NewerStatus[];
}

export interface ComparisonSources {
  readonly queries: Queries;
  readonly ledger: Pick<CredentialLedger, 'readEntry' | 'readTemplate' | 'outcomeOf'>;
  readonly keys: KeyFormat;
  /** What is older belongs to another chain. */
  readonly since: number;
}

export async function findLacking(compared: ComparisonSources): Promise<Lacking> {
  const turns = new Turns(ownChainLimits.questionsAtOnce);
  const credentials = await compareCredentials(compared, turns);
  const transactions = await lackingTransactions(compared, turns);
  const templates = await lackingTemplates(compared, turns);
  const owed = await compareOwedTemplates(compared, turns);
  return { ...credentials, ...owed, transactions, templates };
}

async function compareCredentials(
  compared: ComparisonSources,
  turns: Turns,
): Promise<Pick<Lacking, 'entries' | 'statuses' | 'newer'>> {
  const { queries, ledger, keys, since } = compared;
  const entries: LackingEntry[] = [];
  const statuses: LostStatus[] = [];
  const newer: NewerStatus[] = [];
  const compareOne = async (credential: CredentialSummary) => {
    const { vcId, issuer, verificationMethod } = credential;
    const found = await ledger.readEntry(addressOfIssuer(issuer, keys), vcId);
    const entry = found ? undefined : await signedEntry(queries, credential);
    const lacking = found ? undefined : { vcId, issuer, verificationMethod, ...(entry && { entry }) };
    return { credential, lacking, status: await compareStatus(compared, credential, found) };
  };
  let cursor: string | undefined;
  do {
    const page = await listCredentials(queries, {
      limit: recordLimits.pageRowsMax,
      ...(cursor !== undefined && { cursor }),
    });
    const ones = page.items.filter(({ createdAt }) => createdAt >= since);
    const found = await Promise.all(ones.map((one) => turns.run(() => compareOne(one))));
    for (const { credential, lacking, status } of found) {
      const { vcId, issuer, owedChange } = credential;
      if (lacking) entries.push(lacking);
      if (!status) continue;
      const { onLedger, lost } = status;
      if (lost) statuses.push({ vcId, issuer, change: lost, onLedger, isOwed: owedChange !== null });
      else newer.push({ vcId, issuer, onLedger });
    }
    cursor = page.next;
  } while (cursor !== undefined);
  return { entries, statuses, newer };
}

/** What the registrar has recorded for a credential; an older registry took entries that none takes any more. */
async function signedEntry(
  queries: Queries,
  { vcId, anchorTx, digest }: CredentialSummary,
): Promise<CredentialEntry | undefined> {
  const intent = await findAnchorIntent(queries, anchorTx);
  const entries: readonly CredentialEntry[] = intent ? JSON.parse(intent.entries) : [];
  return entries.find(
    (one) => one.credential === vcId && one.digest === digest && one.commitment !== undefined,
  );
}

async function lackingTransactions(
  compared: ComparisonSources,
  turns: Turns,
): Promise<readonly LackingTransaction[]> {
  const { queries, ledger, since } = compared;
  const lacking: LackingTransaction[] = [];
  const keepLacking = async (ones: readonly LackingTransaction[]): Promise<void> => {
    const outcomes = await Promise.all(ones.map(({ hash }) => turns.run(() => ledger.outcomeOf(hash))));
    if (outcomes.some(({ kind }) => kind === 'unknown')) throw new Fault('ledgerUnreachable');
    lacking.push(...ones.filter((_, index) => outcomes[index].kind !== 'executed'));
  };
  for await (const page of allPages<SignedTransactionRow>((after) => listSigned(queries, { since, after })))
    await keepLacking(page.map(registryCallOf));
  for await (const page of allPages<PaidRow>((after) => listPaid(queries, { since, after })))
    await keepLacking(page.map(paymentOf));
  return lacking;
}

function registryCallOf({ hash, owner, ...signed }: SignedTransactionRow): LackingTransaction {
  const { source, nonce, input } = transactionIn(signed.blob);
  assert(input !== undefined, 'a kept transaction calls a registry');
  const { method, params } = JSON.parse(input) as { method: string; params: Record<string, unknown> };
  const kind = statusChanges.find((change) => change === method);
  const { templateId: id, templateName: name, version } = params as Record<string, string>;
  const act: SignedAct = kind
    ? { kind, vcIds: params.credentials as string[] }
    : { kind: 'template', template: { id, name, version } };
  const { blob, publicKey, signature } = signed;
  return { hash, owner, signed: { blob, publicKey, signature }, source, nonce, act };
}

function paymentOf({ hash, payer: owner, signed: text }: PaidRow): LackingTransaction {
  const signed = JSON.parse(text) as SignedBlob;
  const { source, nonce } = transactionIn(signed.blob);
  return { hash, owner, signed, source, nonce, act: { kind: 'payment' } };
}

function transactionIn(blob: string) {
  const bytes = parseHex(blob);
  const transaction = bytes && decodeTransaction(bytes);
  assert(transaction, 'what was executed is a transaction');
  const { sourceAddress: source, nonce, operations } = transaction;
  return { source, nonce, input: operations.at(-1)?.payCoin?.input };
}

async function lackingTemplates(
  { queries, ledger, since }: ComparisonSources,
  turns: Turns,
): Promise<readonly Template[]> {
  const lacking: Template[] = [];
  for await (const page of allPages<Template>((_, offset) =>
    listRegisteredVersions(queries, { since, offset }),
  )) {
    const found = await Promise.all(
      page.map(({ id, version }) => turns.run(() => ledger.readTemplate(id, version))),
    );
    lacking.push(...page.filter((_, index) => found[index] === undefined));
  }
  return lacking;
}
