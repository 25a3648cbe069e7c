/** What a node tells `/metrics` about its chain, queue and store. */
import type { Metrics } from '@symbolon/host/telemetry/metrics';
import type { CometDriver } from '../drivers/comet/comet-driver.ts';
import type { LedgerNode } from '../node/node.ts';
import type { LevelStore } from '../store/level-store.ts';

export interface MeasuredNode {
  readonly node: LedgerNode;
  readonly store: Pick<LevelStore, 'tablesChecked' | 'isSound'>;
}

export function measureNode({ node, store }: MeasuredNode, metrics: Metrics): void {
  const { chain, queue } = node;
  metrics.gauge({ name: 'ledger_block', help: 'Number of the last block' }, () => Number(chain.head.seq));
  metrics.gauge({ name: 'ledger_accounts', help: 'Accounts in the state' }, () => Number(chain.accountCount));
  const gauges: readonly (readonly [name: string, help: string, read: () => number])[] = [
    [
      'ledger_block_time_seconds',
      'When the last block closed, in seconds since 1970',
      () => Number(chain.head.closeTime / 1_000n) / 1_000,
    ],
    [
      'ledger_time_ahead_seconds',
      "How far the last block closed ahead of this machine's clock; 0 usually",
      () => Math.max(0, node.aheadMs / 1_000),
    ],
    [
      'ledger_waiting_seconds',
      'How long transactions have waited without any block being made',
      () => node.driver.waitingMs / 1_000,
    ],
    [
      'ledger_store_tables_bytes',
      'Bytes of the tables that were there when the store was opened',
      () => store.tablesChecked.total,
    ],
    [
      'ledger_store_tables_checked_bytes',
      'Of these, bytes that have been read through since',
      () => store.tablesChecked.checked,
    ],
    [
      'ledger_store_sound',
      '0 once damage was found in the store, 1 otherwise',
      () => (store.isSound ? 1 : 0),
    ],
  ];
  for (const [name, help, read] of gauges) metrics.gauge({ name, help }, read);
  metrics.gauge({ name: 'ledger_queue_transactions', help: 'Transactions that wait' }, () => queue.size);
  const executed = metrics.counter({ name: 'ledger_transactions_total', help: 'Transactions executed' });
  const failed = metrics.counter({ name: 'ledger_transactions_failed_total', help: 'Of these, failed ones' });
  const accepted = metrics.counter({ name: 'ledger_submissions_accepted_total', help: 'Submissions queued' });
  const refused = metrics.counter({ name: 'ledger_submissions_refused_total', help: 'Submissions refused' });
  const dropped = metrics.counter({
    name: 'ledger_dropped_total',
    help: 'Queued transactions that had to leave',
  });
  if (node.cometDriver) measureNetwork(node.cometDriver, metrics);
  node.watch({
    block({ executed: block }) {
      executed.add(block.transactions.length);
      failed.add(block.transactions.filter(({ outcome }) => outcome.failure).length);
    },
    submitted: ({ refusal }) => (refusal ? refused : accepted).add(),
    dropped: () => dropped.add(),
  });
}

/** What a node of a network knows of its CometBFT besides. */
function measureNetwork(driver: CometDriver, metrics: Metrics): void {
  const gauges: readonly (readonly [name: string, help: string, read: () => number])[] = [
    [
      'ledger_network_connected',
      '1 while CometBFT is connected, else 0',
      () => Number(driver.network.isConnected),
    ],
    [
      'ledger_network_height',
      'The last block of CometBFT; 0 while it does not answer',
      () => Number(driver.network.height ?? 0n),
    ],
    [
      'ledger_network_behind_blocks',
      'Blocks that CometBFT has and this node has not; 0 or 1 usually',
      () => Math.max(0, driver.network.behind),
    ],
    [
      'ledger_network_catching_up',
      '1 while CometBFT fetches blocks that others have already, else 0',
      () => Number(driver.network.isCatchingUp),
    ],
    [
      'ledger_network_validator_power',
      'Power of this validator; 0 of a node that only follows, or is jailed',
      () => driver.network.power,
    ],
    [
      'ledger_network_validator_jailed',
      '1 once this validator was proved to have signed two blocks of a height, until it is pardoned',
      () => Number(driver.network.isJailed),
    ],
    ['ledger_network_peers', 'Nodes that CometBFT is connected to', () => driver.network.peers],
    ['ledger_network_mempool', 'Transactions that wait in CometBFT', () => driver.network.waiting],
    ['ledger_network_offers', 'Transactions that are to be handed to CometBFT', () => driver.network.toOffer],
    [
      'ledger_network_missed_blocks',
      'Blocks since the start that were agreed on without the vote of this validator',
      () => driver.network.missedBlocks,
    ],
    ['ledger_network_execute_seconds', 'What executing the last block took', () => driver.seconds.execute],
    ['ledger_network_write_seconds', 'What writing the last block took', () => driver.seconds.write],
  ];
  for (const [name, help, read] of gauges) metrics.gauge({ name, help }, read);
  const answered = metrics.histogram(
    {
      name: 'ledger_network_abci_seconds',
      help: 'How long questions of CometBFT took, by method, with what they waited for',
      label: 'method',
    },
    abciSecondsBuckets,
  );
  driver.onAnswered = (kind, seconds) => answered.observe(seconds, kind);
}

const abciSecondsBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
