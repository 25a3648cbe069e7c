/**
 * A store whose files are truncated, flipped or gone: the node says what is wrong and does not start, or starts, and
 * says it and stops once it has read so far, or it works with everything as it was, or proving the chain names the
 * damage. It never runs with another head, never answers with something else than it did before, and never hangs. Where
 * the database under it ends the process over a damaged table, the next start says what is wrong.
 *
 * SYMBOLON_DAMAGE_SEED repeats a seed.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import { LedgerNode } from '@symbolon/ledger-node/node/node';
import { nodeConfigSchema } from '@symbolon/ledger-node/node/node-config';
import { openNodeFolder, soloValidator, storePath } from '@symbolon/ledger-node/node/node-folder';
import { serveNode } from '@symbolon/ledger-node/operation/serve-node';
import { clearFilters, overwrite } from '@symbolon/ledger-node/store/damage-fixture';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import { StoreCorrupt } from '@symbolon/ledger-node/store/store-errors';
import { readSubmit } from '@symbolon/wire/ledger/transaction-requests';
import { campaignCases } from '../support/campaign.ts';
import { send } from '../support/http.ts';
import { type Person, person, richest } from '../support/people.ts';
import { hashOf, makeChain, operations, type SignedItem, signTransaction } from '../support/running-node.ts';
import { startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { removeFolder, tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { type FileKind, filesOfKind, type Harm, harm } from './damage.ts';
import type { Complaint, Finding, Question } from './damage-child.ts';
import { chooseSeed, createRandom, type Random } from './seeded-random.ts';

const childScript = fileURLToPath(new URL('./damage-child.ts', import.meta.url));
/** Nothing here takes a second; what takes this long has stopped. */
const patienceMs = 60_000;

/** How often each kind of file comes to each kind of harm. */
const cases: readonly [FileKind, Partial<Record<Harm, number>>][] = [
  ['table', { flip: 90, truncate: 10, zeros: 10, delete: 3 }],
  ['log', { flip: 50, truncate: 15, zeros: 10, delete: 2 }],
  ['manifest', { flip: 30, truncate: 10, zeros: 5, delete: 1 }],
  ['current', { flip: 12, truncate: 3, zeros: 1, delete: 1 }],
  ['head', { flip: 20, truncate: 5, zeros: 2, delete: 1 }],
];

/** What the command is shown, one of each. */
const commandHarms: Readonly<Record<FileKind, Harm>> = {
  table: 'flip',
  log: 'truncate',
  manifest: 'delete',
  current: 'delete',
  head: 'flip',
};

const people = Array.from({ length: 5 }, (_, index) => person(`owner ${index}`));

function* transactions(): Iterable<SignedItem> {
  const sign = (source: Person, nonce: number, wanted: object[]) =>
    signTransaction(
      {
        source_address: source.address,
        nonce,
        fee_limit: 50_000_000,
        gas_price: 1,
        operations: wanted as never,
      },
      [source],
    );
  yield sign(
    richest,
    1,
    people.map(({ address }) => operations.createAccount(address, 10_000_000_000)),
  );
  for (let round = 1; round <= 16; round++) {
    for (const [index, source] of people.entries()) {
      const other = people[(index + 1) % people.length] as Person;
      const wanted: object[] = [operations.payCoin(other.address, round)];
      if (round % 4 === index % 4) wanted.push(operations.issueAsset(`A${index}`, round));
      wanted.push(operations.setMetadata(`key ${round % 3}`, `${source.address}${round}`.repeat(60)));
      yield sign(source, round, wanted);
    }
  }
}

interface Template {
  readonly folder: string;
  readonly hashes: readonly string[];
}

/** A chain that lies in several tables and a log, as a long life with small buffers and a sudden end leave it. */
async function makeTemplate(context: TestContext): Promise<Template> {
  const folder = tempFolder(context);
  const asKilled = tempFolder(context);
  await makeChain(folder);
  const opened = await openNodeFolder(folder);
  const { rules } = opened;
  const validator = soloValidator(opened);
  const items = [...transactions()];
  const chapters = 3;
  for (let chapter = 0; chapter < chapters; chapter++) {
    const store = await LevelStore.open(storePath(folder), { writeBufferBytes: 64 * 1024 });
    const settings = { signatureWorkers: 0, blockIntervalMs: 1 };
    const onFailure = (error: unknown) => assert.ifError(error);
    const node = await LedgerNode.open({ store, rules, validator, settings, onFailure });
    const from = Math.floor((items.length * chapter) / chapters);
    const to = Math.floor((items.length * (chapter + 1)) / chapters);
    for (const item of items.slice(from, to)) await execute(node, item);
    // Closing would leave the log empty.
    if (chapter === chapters - 1) cpSync(folder, asKilled, { recursive: true });
    await node.close();
  }
  for (const kind of ['table', 'log', 'manifest'] as const) {
    const files = filesOfKind(storePath(asKilled), kind);
    assert.ok(
      files.some((name) => statSync(join(storePath(asKilled), name)).size > 0),
      kind,
    );
  }
  return { folder: asKilled, hashes: items.map(hashOf) };
}

async function execute(node: LedgerNode, item: SignedItem): Promise<void> {
  const request = readSubmit({}, { items: [item] });
  assert.ok('items' in request);
  const [submission] = request.items;
  assert.ok(submission?.kind === 'signed');
  const before = node.chain.head.txCount;
  const { refusal } = await node.submit(submission.blob, submission.signatures);
  assert.equal(refusal, undefined);
  await until('the transaction is executed', () => node.chain.head.txCount > before);
}

/** Everything a client can learn, as paths. */
const pathsOf = ({ hashes }: Template): string[] => [
  '/getLedger?with_validator=true&with_fee=true',
  ...[richest, ...people].map(({ address }) => `/getAccount?address=${address}`),
  ...people.map(({ address }) => `/getStateProof?address=${address}&key=key%201`),
  ...hashes.map((hash) => `/getTransactionHistory?hash=${hash}`),
];

class ProcessEnded extends Error {}

/** The process that looks, replaced when a folder has ended or stopped it. */
class Examiner {
  #child: ChildProcess | undefined;

  async examine(question: Question): Promise<Finding> {
    // What the database says about itself when it gives up is not for the report.
    this.#child ??= fork(childScript, { execArgv: [], stdio: ['ignore', 'inherit', 'ignore', 'ipc'] });
    const child = this.#child;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), patienceMs);
    const { signal } = timeout;
    try {
      child.send(question);
      const ended = once(child, 'exit', { signal }).then(([code, name]) => `ended with ${name ?? code}`);
      const answered = once(child, 'message', { signal }).then(([finding]) => finding as Finding);
      const result = await Promise.race([answered, ended]);
      if (typeof result === 'object') return result;
      throw new ProcessEnded(result);
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      clearTimeout(timer);
      timeout.abort();
    }
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

/** Damage is named as such, in words, with the exit code of damage. */
function assertNamed({ name, message, exitCode }: Complaint): void {
  assert.match(name, /^(StoreCorrupt|ChainDamaged)$/, message);
  assert.equal(exitCode, 65);
  assert.doesNotMatch(message, /\n\s+at /, 'no stack trace');
}

type End = 'refused' | 'stopped' | 'found by proof' | 'harmless';

/** What kind of end a damaged store came to; throws when it is none that is allowed. */
function judge(finding: Finding, sound: Finding): End {
  const { refused, stopped, answers, provedHead, disproved } = finding;
  if (refused) {
    assertNamed(refused);
    return 'refused';
  }
  for (const [index, { status, text }] of (answers ?? []).entries()) {
    // A request that meets the damage fails; what is answered is right.
    if (status !== 500) assert.equal(text, sound.answers?.[index]?.text);
  }
  if (!disproved) assert.equal(provedHead, sound.provedHead);
  else assertNamed(disproved);
  const isWhole = answers?.every(({ status }) => status === 200);
  assert.ok(disproved || isWhole, 'requests failed, but the chain proved to be whole');
  if (stopped) {
    assertNamed(stopped);
    assert.match(stopped.readiness, /^store: failed, a table of the store is damaged$/m);
    assert.match(stopped.metrics, /^symbolon_ledger_store_sound 0$/m);
    assert.ok(disproved, 'the node stopped, but the chain proved to be whole');
    return 'stopped';
  }
  return disproved ? 'found by proof' : 'harmless';
}

/** Every case as a folder with something harmed in it, one at a time. */
function* damagedFolders(context: TestContext, template: Template, random: Random) {
  const room = tempFolder(context);
  for (const [kind, harms] of cases) {
    for (const [how, times] of Object.entries(harms) as [Harm, number][]) {
      for (const _ of campaignCases(Array.from({ length: times }), 3)) {
        const folder = join(room, 'node');
        cpSync(template.folder, folder, { recursive: true });
        const done = harm(storePath(folder), kind, { how, random });
        yield { kind, how, done, folder };
        removeFolder(folder);
      }
    }
  }
}

test('a damaged store is named, or does no harm', async (context) => {
  const seed = chooseSeed('SYMBOLON_DAMAGE_SEED');
  context.diagnostic(`SYMBOLON_DAMAGE_SEED=${seed}`);
  const template = await makeTemplate(context);
  const paths = pathsOf(template);
  const examiner = new Examiner();
  context.after(() => examiner.close());
  const undamaged = join(tempFolder(context), 'node');
  cpSync(template.folder, undamaged, { recursive: true });
  const sound = await examiner.examine({ folder: undamaged, paths });
  assert.equal(judge(sound, sound), 'harmless');

  const counts = new Map<string, number>();
  const problems: string[] = [];
  for (const { kind, how, done, folder } of damagedFolders(context, template, createRandom(seed))) {
    try {
      const end = await examiner.examine({ folder, paths }).then(
        (finding) => judge(finding, sound),
        async (error) => {
          if (!(error instanceof ProcessEnded) || kind !== 'table') throw error;
          assert.equal(error.message, 'ended with SIGABRT');
          const next = judge(await examiner.examine({ folder, paths }), sound);
          assert.equal(next, 'refused');
          return 'refused by the next start';
        },
      );
      const name = `${kind} ${how}: ${end}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    } catch (error) {
      problems.push(`${done}\n  ${(error as Error).message.slice(0, 500)}`);
    }
  }
  for (const [name, count] of counts) context.diagnostic(`${name} ${count}`);
  assert.equal(problems.join('\n'), '', `with SYMBOLON_DAMAGE_SEED=${seed}`);
});

test('the command names the damage and ends with 65', async (context) => {
  const template = await makeTemplate(context);
  const random = createRandom(1);
  for (const kind of Object.keys(commandHarms) as FileKind[]) {
    const folder = join(tempFolder(context), 'node');
    cpSync(template.folder, folder, { recursive: true });
    const done = harm(storePath(folder), kind, { how: commandHarms[kind], random });
    for (const words of [['start', '--port', '0', '--socket-port', '0'], ['verify']]) {
      const [command, ...options] = words as [string];
      const run = () => symbolon(context, ['node', command, '--data', folder, ...options]);
      const first = await run();
      // The database may be the first to meet a damaged table, and ends the process without a word.
      const { code, out, err } = first.signal === 'SIGABRT' && kind === 'table' ? await run() : first;
      assert.equal(code, 65, `${command} after ${done}: ${out}${err}`);
      assert.match(err, /damaged/i);
      assert.doesNotMatch(err, /\n\s+at /);
    }
  }
});

/** The tables of a running node. */
const tablesOf = (folder: string): string[] =>
  filesOfKind(storePath(folder), 'table').map((name) => join(storePath(folder), name));

async function untilReadThrough(url: string): Promise<void> {
  await until('the tables are read through', async () =>
    /^store: ok$/m.test((await send(`${url}/readyz?verbose`)).text),
  );
}

test('a row that a query finds damaged, long after the check, stops the node', async (context) => {
  const { folder, hashes } = await makeTemplate(context);
  const served = await serveNode(await openNodeFolder(folder), {
    config: nodeConfigSchema.parse({ port: 0, socketPort: 0, signatureWorkers: 0 }),
    log: createLog({ level: 'silent' }),
    metrics: createMetrics({ withProcess: false }),
  });
  context.after(() => served.close());
  await untilReadThrough(served.httpUrl);
  // What the first owner wrote in the fifth round: the transaction's record has it, too.
  const written = Buffer.from(`${people[0]?.address}5`);
  for (const path of tablesOf(folder)) {
    const table = readFileSync(path);
    for (let at = table.indexOf(written); at >= 0; at = table.indexOf(written, at + 1))
      overwrite(path, at, Uint8Array.of(0));
  }
  const hash = hashes[1 + 4 * people.length];
  const { status } = await send(`${served.httpUrl}/getTransactionHistory?hash=${hash}`);
  assert.equal(status, 500);
  const reason = await Promise.race([served.failed, sleep(patienceMs, 'nothing', { ref: false })]);
  assert.ok(reason instanceof StoreCorrupt, String(reason));
  // What it said last holds for a moment.
  await until('the node is not ready', async () =>
    /^store: failed, a table of the store is damaged$/m.test(
      (await send(`${served.httpUrl}/readyz?verbose`)).text,
    ),
  );
  const { text: metrics } = await send(`${served.httpUrl}/metrics`);
  assert.match(metrics, /^symbolon_ledger_store_sound 0$/m);
});

test('a filter that changes under a running node ends it with 65, and the next start refuses', async (context) => {
  const { folder } = await makeTemplate(context);
  const words = ['node', 'start', '--data', folder, '--port', '0', '--socket-port', '0'];
  const node = startSymbolon(context, words);
  await untilReadThrough(await node.printed(/Ledger node +(http:\S+)/));
  for (const path of tablesOf(folder)) clearFilters(path);
  const ended = await Promise.race([node.ended, sleep(patienceMs, undefined, { ref: false })]);
  assert.ok(ended, 'the node runs on');
  for (const { code, err } of [ended, await symbolon(context, words)]) {
    assert.equal(code, 65, err);
    assert.match(err, /^The chain is damaged: store .* is damaged: table \d+\.ldb has a damaged block/m);
  }
});
