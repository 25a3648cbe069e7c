/**
 * Clients before servers that lie. Each flow of the SDK is carried out once with a real node and a real service, and what
 * they answer is taken down. Then it is carried out again and again on that tape, each time with one lie in the answers
 * (`lies.ts`), while every key is watched (`flow.ts`). Whatever a key was put under is opened without the flow's code
 * (`statements.ts`) and compared with the order (`judge.ts`). A run may fail in words, or end as ordered; it may not sign,
 * show, pay or believe anything else.
 *
 * A lie that succeeds is printed with its flow, route, path and kind. `npm test -- test/lies/lies.test.ts --name <flow>`
 * runs the lies about one flow, SYMBOLON_LIES_ONLY those whose name contains a text, and SYMBOLON_LIES_SEED makes the same
 * random choices again.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { chooseSeed, createRandom } from '../crash/seeded-random.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { type Finding, findings, isNamed, judge, orderedOf, type Run, runOn } from './judge.ts';
import { liesAbout } from './lies.ts';
import { flowNames, type Recorded, recordFlows } from './recorded-flows.ts';

const owner = ownerOfSuite();
const seed = chooseSeed('SYMBOLON_LIES_SEED');
const only = process.env.SYMBOLON_LIES_ONLY ?? '';
const liesMin = 2_000;

let recorded: Recorded;
before(async () => {
  recorded = await recordFlows(owner);
});

interface Tally {
  lies: number;
  refused: number;
  /** Refusals whose words name what was lied about. */
  named: number;
  readonly found: Map<Finding, string[]>;
}
const newTally = (): Tally => ({ lies: 0, refused: 0, named: 0, found: new Map() });
const total = newTally();

const textOf = ({ lies, refused, named, found }: Tally): string => {
  const counts = findings.map((finding) => `${found.get(finding)?.length ?? 0} ${finding}`).join(', ');
  return `${lies} lies, ${refused} refused (${named} by name): ${counts}`;
};

/** Carries the flow out before one liar after the other. */
async function tell(name: string): Promise<Tally> {
  const { flow, tape, other, terms, secrets } = recorded.of(name);
  const honest = await honestRun(name);
  const tally = newTally();
  for (const lie of liesAbout(tape, other, createRandom(seed))) {
    if (!lie.name.includes(only)) continue;
    const run = await runOn(flow, lie.tell(tape), { honest: tape, terms });
    tally.lies += 1;
    if ('error' in run) {
      tally.refused += 1;
      if (isNamed(run.error, lie)) tally.named += 1;
    }
    for (const finding of judge(flow, honest, run, secrets))
      tally.found.set(finding, [...(tally.found.get(finding) ?? []), `${lie.name}${wordsOf(run)}`]);
  }
  return tally;
}

function addUp({ lies, refused, named, found }: Tally): void {
  total.lies += lies;
  total.refused += refused;
  total.named += named;
  for (const [finding, names] of found)
    total.found.set(finding, [...(total.found.get(finding) ?? []), ...names]);
}

const wordsOf = ({ error }: Run): string =>
  error instanceof Error ? ` (${error.name}: ${error.message})` : '';

/** Without a lie: as ordered, or nothing that follows means anything. */
async function honestRun(name: string): Promise<Run> {
  const { flow, tape, terms } = recorded.of(name);
  const run = await runOn(flow, tape, { honest: tape, terms });
  if ('error' in run) throw run.error;
  const isOrdered = orderedOf(flow);
  const other = run.statements.find((statement) => !isOrdered(statement));
  if (other)
    assert.deepEqual(
      other,
      flow.ordered.find(({ kind }) => kind === other.kind),
      'honest servers get the order signed',
    );
  assert.ok(run.statements.length >= flow.ordered.length, 'everything that is ordered is signed');
  return run;
}

const shownMax = 12;

describe('no lie of a server is signed, shown, paid or believed', () => {
  for (const name of flowNames)
    test(name, async (context) => {
      const tally = await tell(name);
      addUp(tally);
      context.diagnostic(textOf(tally));
      const lines = [...tally.found].flatMap(([finding, names]) =>
        names.slice(0, shownMax).map((lie) => `${finding}: ${lie}`),
      );
      assert.ok(lines.length === 0, [`${textOf(tally)}; SYMBOLON_LIES_SEED=${seed}`, ...lines].join('\n'));
    });

  test('lies are many', (context) => {
    context.diagnostic(`SYMBOLON_LIES_SEED=${seed}: ${textOf(total)}`);
    assert.ok(only !== '' || total.lies >= liesMin, `${total.lies} lies`);
  });
});
