/**
 * A store whose files are truncated, flipped or gone: the node says what is wrong and does not start, or it works
 * with everything as it was, or proving the chain names the damage. It never runs with another head, never answers
 * with something else than it did before, and never hangs.
 *
 * SYMBOLON_DAMAGE_SEED repeats a seed.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LedgerNode } from '@symbolon/ledger-node/node/node';
import { openNodeFolder, storePath } from '@symbolon/ledger-node/node/node-folder';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import { readSubmit } from '@symbolon/wire/ledger/transaction-requests';
import { type Person, person, richest } from '../support/people.ts';
import { hashOf, makeChain, operations, type SignedItem, signTransaction } from '../support/running-node.ts';
import { symbolon } from '../support/symbolon-process.ts';
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
  const { rules, validator } = await openNodeFolder(folder);
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

/** The process that looks, replaced when a folder has ended or stopped it. */
class Examiner {
  #child: ChildProcess | undefined;

  async examine(question: Question): Promise<Finding> {
    this.#child ??= fork(childScript, { execArgv: [] });
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
      throw new Error(`the process ${result}`);
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

/** What kind of end a damaged store came to; throws when it is none that is allowed. */
function judge(finding: Finding, sound: Finding): 'refused' | 'found by proof' | 'harmless' {
  const { refused, answers, provedHead, disproved } = finding;
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
  return disproved ? 'found by proof' : 'harmless';
}

/** Every case as a folder with something harmed in it, one at a time. */
function* damagedFolders(context: TestContext, template: Template, random: Random) {
  const room = tempFolder(context);
  for (const [kind, harms] of cases) {
    for (const [how, times] of Object.entries(harms) as [Harm, number][]) {
      for (let time = 0; time < times; time++) {
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
      const end = judge(await examiner.examine({ folder, paths }), sound);
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
      const { code, out, err } = await symbolon(context, ['node', command, '--data', folder, ...options]);
      assert.equal(code, 65, `${command} after ${done}: ${out}${err}`);
      assert.match(err, /damaged/i);
      assert.doesNotMatch(err, /\n\s+at /);
    }
  }
});
