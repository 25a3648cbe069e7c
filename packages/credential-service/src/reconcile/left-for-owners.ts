/**
 * What stays lost until its owner does something, in words for whoever runs the service: transactions that wait for
 * something, and what the ledger can never be given again as it was signed. Told by every run, in one order.
 */
import type { Template } from '@symbolon/core/documents/model';
import type { OwedTemplate } from '../status/owed-rows.ts';
import type { Lacking, LackingTransaction, LostStatus, SignedAct } from './lacking.ts';

export interface Stuck {
  readonly what: string;
  readonly owner: string;
  readonly why: string;
}

/** A transaction that was not handed in, and why. */
export interface HeldTransaction {
  readonly transaction: LackingTransaction;
  readonly why: string;
}

export const againWords = (kind: SignedAct['kind']): string =>
  kind === 'template'
    ? 'register it again'
    : kind === 'payment'
      ? 'the payer keeps the money'
      : `${kind} it again`;

const isLostFor = (kind: SignedAct['kind']): string =>
  `the ledger has lost it, and the number of its transaction is used otherwise: ${againWords(kind)}`;

const isKept =
  'it is kept here as it was signed: with --yes it is handed in, or it is told what it waits for';

const templateWords = ({ name, version }: { readonly name: string; readonly version: string }): string =>
  `template "${name}" ${version}`;

function actWords({ act, hash }: LackingTransaction): string {
  if (act.kind === 'payment') return `payment ${hash}`;
  if (act.kind === 'template') return templateWords(act.template);
  return `${act.kind} of ${act.vcIds.join(', ')}`;
}

const lostTemplate = (one: Pick<OwedTemplate, 'name' | 'version' | 'owner'>): Stuck => ({
  what: templateWords(one),
  owner: one.owner,
  why: isLostFor('template'),
});

const lostStatus = ({ change, vcId, issuer }: LostStatus): Stuck => ({
  what: `${change} of ${vcId}`,
  owner: issuer,
  why: isLostFor(change),
});

const statusAct = ({ change, vcId }: LostStatus): string => `${change} ${vcId}`;
const templateAct = ({ id, version }: Pick<Template, 'id' | 'version'>): string =>
  `template ${id} ${version}`;

/** What was found owed by an earlier run, and still is. */
export function tellOwed({ statuses, owedTemplates, transactions }: Lacking): readonly Stuck[] {
  const isWaiting = waitingIn(transactions);
  const owed = statuses.filter(({ isOwed }) => isOwed);
  return [
    ...owedTemplates.map(lostTemplate),
    ...owed.map((one) => ({ ...lostStatus(one), ...(isWaiting(statusAct(one)) && { why: isKept }) })),
  ];
}

/** What is left when all has been tried: what waits is told by what it waits for, the rest by what its owner has to do. */
export function tellLeft(
  { transactions, templates, owedTemplates, statuses }: Lacking,
  held: readonly HeldTransaction[],
  isTaken: ReadonlySet<string>,
): readonly Stuck[] {
  const isWaiting = waitingIn(transactions.filter(({ hash }) => !isTaken.has(hash)));
  const stillHeld = held.filter(
    ({ transaction: { act, hash } }) => act.kind === 'payment' || !isTaken.has(hash),
  );
  return [
    ...stillHeld.map(({ transaction, why }) => ({
      what: actWords(transaction),
      owner: transaction.owner,
      why,
    })),
    ...owedTemplates.map(lostTemplate),
    ...lostTemplatesOf(templates, isWaiting).map((one) => lostTemplate({ ...one, owner: one.issuer })),
    ...statuses.filter((one) => !isWaiting(statusAct(one))).map(lostStatus),
  ];
}

/** Those that no kept transaction brings back. */
export const lostTemplatesOf = (
  templates: readonly Template[],
  isWaiting: (act: string) => boolean,
): readonly Template[] => templates.filter((one) => !isWaiting(templateAct(one)));

/** Whether some of these transactions does a thing, by its kind and name. */
export function waitingIn(transactions: readonly LackingTransaction[]): (act: string) => boolean {
  const waiting = new Set(transactions.flatMap(({ act }) => actNames(act)));
  return (act) => waiting.has(act);
}

function actNames(act: SignedAct): readonly string[] {
  if (act.kind === 'payment') return [];
  if (act.kind === 'template') return [templateAct(act.template)];
  return act.vcIds.map((vcId) => `${act.kind} ${vcId}`);
}
