import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  answers,
  createReadiness,
  findingsText,
  firstProblem,
  type HealthCheck,
  type HealthVerdict,
} from './readiness.ts';

const named = (name: string, check: HealthCheck['check']): HealthCheck => ({
  name,
  problem: `${name} does not answer`,
  check,
});
const saying = (name: string, verdict: HealthVerdict) => named(name, async () => verdict);

describe('readiness', () => {
  const fine = named(
    'first',
    answers(async () => 'anything'),
  );
  const broken = (name: string) => named(name, () => Promise.reject(new Error('inner detail')));

  test('is nothing but the first problem', async () => {
    assert.equal(firstProblem(await createReadiness([fine, fine])()), undefined);
    const findings = await createReadiness([fine, broken('second'), broken('third')])();
    assert.equal(firstProblem(findings), 'second does not answer');
    assert.doesNotMatch(findingsText(findings), /inner detail/);
  });

  test('does not wait for what hangs', async () => {
    const hangs = named('it', () => new Promise(() => undefined));
    assert.equal(firstProblem(await createReadiness([fine, hangs], 10)()), 'it does not answer');
  });

  test('asks once for all who ask at the same time', async () => {
    let count = 0;
    const ask = createReadiness([
      named(
        'counted',
        answers(async () => void count++),
      ),
    ]);
    await Promise.all(Array.from({ length: 100 }, () => ask()));
    assert.equal(count, 1);
  });

  test('what is only being looked at, or worth knowing, is said and stands in nobody`s way', async () => {
    const findings = await createReadiness([
      fine,
      saying('database', { state: 'checking', detail: 'its pages are being checked' }),
      saying('clock', { state: 'warning', detail: 'it is behind' }),
    ])();
    assert.equal(firstProblem(findings), undefined);
    assert.equal(
      findingsText(findings),
      'first: ok\ndatabase: checking, its pages are being checked\nclock: warning, it is behind\n',
    );
  });
});
