/**
 * `symbolon service reconcile`: a ledger that has lost what the service recorded gets it again. Says what is lacking
 * and what would be done; does it when somebody says yes. A ledger that is another chain is refused, unless the
 * operator says that the service shall go on with it.
 */
import { credentialMove } from '@symbolon/core/credential/application-states';
import { ownChainLimits } from '@symbolon/credential-service/limits/service-limits';
import type { Reconciled, Situation } from '@symbolon/credential-service/reconcile/reconcile';
import { createLedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import { askYesAtTerminal } from '../../terminal/ask-yes.ts';
import { CommandFailure, usageFailure } from '../../terminal/failure.ts';
import { printable, printJson, processTerminal, type Terminal } from '../../terminal/terminal.ts';
import { withRecords } from './records.ts';

interface ReconcileWords {
  readonly data: string;
  readonly node?: string;
  readonly yes?: boolean;
  readonly acceptOtherChain?: boolean;
  readonly json?: boolean;
}

export async function runReconcile(
  words: ReconcileWords,
  terminal: Terminal = processTerminal,
): Promise<void> {
  const { data, node, acceptOtherChain: isOther = false, json } = words;
  const {
    acceptOtherChain,
    compareWithLedger: examineLedger,
    reconcile,
  } = await import('@symbolon/credential-service/reconcile/reconcile');
  await withRecords(
    data,
    async (records, { nodeUrl }) => {
      const parts = { records, client: createLedgerClient(httpTransport(nodeUrl)) };
      const situation = await examineLedger(parts);
      assertChoice(situation, isOther);
      if (!json) terminal.print(situationLines(situation, isOther));
      if (!isOther && !isWork(situation)) return tell(terminal, words, { situation });
      if (!(await isConfirmed(words, isOther))) return tell(terminal, words, { situation });
      if (isOther) {
        await acceptOtherChain(parts, situation);
        if (json) return printJson(terminal, { ...factsOf(situation), accepted: true });
        return terminal.print('The service goes on with this chain, and makes its registries on it anew.');
      }
      tell(terminal, words, { situation, again: await reconcile(parts, situation) });
    },
    node === undefined ? {} : { overrides: { nodeUrl: node } },
  );
}

function assertChoice({ change, words }: Situation, isOther: boolean): void {
  if (isOther && change === undefined) throw usageFailure(`${words}\nThere is no other chain to accept.`);
  if (!isOther && change === 'replaced')
    throw new CommandFailure(
      `${words}\nWhat was signed for one chain is not handed to another.\n` +
        'Start the right node, or name it with --node. Only if the old chain is given up for good: --accept-other-chain',
    );
}

/** Whether the ledger lacks something that nobody has been left to do yet. */
const isLacking = ({ lacking, lostRegistries }: Situation): boolean =>
  lacking.statuses.some(({ isOwed }) => !isOwed) ||
  [lostRegistries, lacking.entries, lacking.transactions, lacking.templates].some((list) => list.length > 0);

/** Whether there is something that the service itself can do. */
const isWork = (situation: Situation): boolean =>
  situation.change !== undefined ||
  isLacking(situation) ||
  [situation.lacking.newer, situation.lacking.paidTemplates].some((list) => list.length > 0);

async function isConfirmed({ yes, json }: ReconcileWords, isOther: boolean): Promise<boolean> {
  if (yes) return true;
  const ask = json ? undefined : askYesAtTerminal();
  const question = isOther ? 'Leave all of it behind?' : 'Record it again, and accept the ledger then?';
  return (await ask?.(question)) ?? false;
}

function factsOf(situation: Situation) {
  const { change, lacking, lostRegistries } = situation;
  return {
    ledger: change ?? 'known',
    lacking: {
      registries: lostRegistries.length,
      credentials: lacking.entries.length,
      templates: lacking.templates.length,
      transactions: lacking.transactions.length,
      statuses: lacking.statuses.length,
    },
    newer: { statuses: lacking.newer.length },
    records: recordsOf(situation),
  };
}

/** Every one of them. */
function recordsOf({ lacking, lostRegistries }: Situation) {
  return {
    registries: [...lostRegistries],
    credentials: lacking.entries.map(({ vcId }) => vcId),
    templates: lacking.templates.map(({ id, name, version }) => ({ id, name, version })),
    transactions: lacking.transactions.map(({ hash, owner, act }) => ({ hash, owner, kind: act.kind })),
    statuses: lacking.statuses.map(({ vcId, issuer, change, onLedger }) => ({
      vcId,
      issuer,
      status: credentialMove(change).to,
      onLedger,
    })),
    newer: lacking.newer.map(({ vcId, issuer, onLedger }) => ({ vcId, issuer, onLedger })),
  };
}

function situationLines(situation: Situation, isOther: boolean): readonly string[] {
  const { words, lacking, owed } = situation;
  const newer = lacking.newer.map(({ vcId, onLedger }) => `${onLedger}  ${vcId}`);
  return [
    words,
    ...(isLacking(situation)
      ? lackingLines(situation, isOther)
      : [owed.length === 0 ? 'Nothing is lacking.' : 'There is nothing that the service can record again.']),
    ...(newer.length > 0
      ? ['The ledger has gone on, and its word counts:', ...listed('statuses', newer)]
      : []),
  ];
}

function lackingLines({ lacking, lostRegistries }: Situation, isOther: boolean): readonly string[] {
  const { entries, templates, transactions, statuses } = lacking;
  const changes = statuses.map(({ vcId, change }) => `${credentialMove(change).to}  ${vcId}`);
  return [
    'The ledger lacks:',
    ...(lostRegistries.length > 0 ? [`  the registries: ${lostRegistries.join(', ')}`] : []),
    ...listed(
      'templates',
      templates.map(({ name, version }) => `${printable(name)} ${version}`),
    ),
    ...listed(
      'credentials',
      entries.map(({ vcId }) => vcId),
    ),
    ...listed('statuses', changes),
    `  ${transactions.length} transactions that were signed by others and are kept here (--json lists them)`,
    isOther
      ? 'None of it comes to this chain.'
      : 'What is signed is handed in again as it is, entries are recorded anew; then the ledger is accepted as it is.',
  ];
}

function listed(name: string, items: readonly string[]): readonly string[] {
  const more = items.length - ownChainLimits.toldMax;
  return [
    `  ${items.length} ${name}`,
    ...items.slice(0, ownChainLimits.toldMax).map((item) => `    ${item}`),
    ...(more > 0 ? [`    and ${more} more; --json lists all`] : []),
  ];
}

interface Told {
  readonly situation: Situation;
  readonly again?: Reconciled;
}

function tell(
  terminal: Terminal,
  { json, acceptOtherChain: isOther = false }: ReconcileWords,
  { situation, again }: Told,
): void {
  // What stays behind with a chain is owed to nobody.
  const stuck = again?.stuck ?? (isOther ? [] : situation.owed);
  if (json)
    printJson(terminal, {
      ...factsOf(situation),
      ...(again && {
        recorded: {
          credentials: again.entries,
          templates: again.templates,
          statusChanges: again.statusChanges,
          payments: again.payments,
        },
      }),
      left: stuck.map((one) => ({ ...one })),
    });
  else if (again)
    terminal.print([
      `Recorded again: ${again.entries} credentials, ${again.templates} templates, ${again.statusChanges} status changes, ${again.payments} payments.`,
      'The ledger is accepted. A running service goes on within seconds.',
    ]);
  else if (isWork(situation)) terminal.print('Nothing was changed. Say --yes to do it.');
  if (stuck.length === 0) return;
  const lines = stuck.map(({ what, owner, why }) => printable(`${what}, of ${owner}: ${why}`));
  throw new CommandFailure(
    ['Left for their owners, and for another run:', ...listed('records', lines)].join('\n'),
  );
}
