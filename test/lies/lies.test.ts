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
import { after, before, describe, test } from 'node:test';
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

const total = { lies: 0, failed: 0, named: 0, found: new Map<Finding, number>() };
after(() => {
  const counts = findings.map((finding) => `${total.found.get(finding) ?? 0} × ${finding}`).join(', ');
  const refusals = `${total.failed} were refused, ${total.named} of them by name`;
  process.stdout.write(`${total.lies} lies with seed ${seed}: ${counts}; ${refusals}\n`);
});

/** Carries the flow out before one liar after the other; resolves to the lies that succeeded. */
async function succeeded(name: string): Promise<string[]> {
  const { flow, tape, other, terms, secrets } = recorded.of(name);
  const honest = await honestRun(name);
  const lies = liesAbout(tape, other, createRandom(seed)).filter((lie) => lie.name.includes(only));
  const found: string[] = [];
  for (const lie of lies) {
    const run = await runOn(flow, lie.tell(tape), { honest: tape, terms });
    total.lies += 1;
    if ('error' in run) {
      total.failed += 1;
      if (isNamed(run.error, lie)) total.named += 1;
    }
    for (const finding of judge(flow, honest, run, secrets)) {
      total.found.set(finding, (total.found.get(finding) ?? 0) + 1);
      found.push(`${finding}: ${lie.name}${wordsOf(run)}`);
    }
  }
  return found;
}

const wordsOf = ({ error }: Run): string =>
  error instanceof Error ? ` (${error.name}: ${error.message})` : '';

/** Without a lie: as ordered, or nothing that follows means anything. */
async function honestRun(name: string): Promise<Run> {
  const { flow, tape, terms } = recorded.of(name);
  const run = await runOn(flow, tape, { honest: tape, terms });
  if ('error' in run) throw run.error;
  const isOrdered = orderedOf(flow);
  for (const statement of run.statements)
    if (!isOrdered(statement))
      assert.deepEqual(statement, flow.ordered[0], 'an honest server gets the order signed');
  assert.ok(run.statements.length >= flow.ordered.length, 'everything that is ordered is signed');
  return run;
}

describe('no lie of a server is signed, shown, paid or believed', () => {
  for (const name of flowNames)
    test(name, async () => {
      const found = await succeeded(name);
      assert.ok(found.length === 0, `${found.length} lies succeeded:\n${found.slice(0, 40).join('\n')}`);
    });

  test('lies are many', () => {
    assert.ok(only !== '' || total.lies >= liesMin, `${total.lies} lies`);
  });
});
