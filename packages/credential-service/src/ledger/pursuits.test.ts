/** Work that goes on: joined by whoever asks for it, told late, ended with the service. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { createPursuits } from './pursuits.ts';

const isFault = (code: FaultName) => (error: unknown) => error instanceof Fault && error.code === code;

function fresh(waitMs = 50) {
  const failures: unknown[] = [];
  return { pursuits: createPursuits({ waitMs, onFailure: (error) => failures.push(error) }), failures };
}

describe('a pursuit', () => {
  test('is begun once, and all who ask for it get its end', async () => {
    const { pursuits } = fresh(5_000);
    let begun = 0;
    const work = async () => {
      begun += 1;
      await sleep(5);
      return begun;
    };
    assert.deepEqual(await Promise.all([1, 2, 3].map(() => pursuits.join('one', work))), [1, 1, 1]);
    assert.equal(await pursuits.join('one', work), 2, 'one that has ended is begun anew');
  });

  test('goes on when nobody waits any more', async () => {
    const { pursuits } = fresh(5);
    const { promise, resolve } = Promise.withResolvers<string>();
    const awaited: boolean[] = [];
    const joined = pursuits.join('one', async ({ isAwaited }) => {
      awaited.push(isAwaited());
      const end = await promise;
      awaited.push(isAwaited());
      return end;
    });
    await assert.rejects(joined, isFault('ledgerUnconfirmed'));
    resolve('done');
    const again = pursuits.join('one', async () => 'another');
    assert.equal(await again, 'done', 'whoever asks again waits for the same');
    assert.deepEqual(awaited.length, 2);
  });

  test('that has not had its turn is not said to be unconfirmed, unless nobody else is', async () => {
    const { pursuits } = fresh(5);
    const { promise, resolve } = Promise.withResolvers<string>();
    let stillMs = 0;
    const work = () =>
      pursuits.join('one', async ({ setInLine }) => {
        setInLine(() => stillMs);
        await promise;
        setInLine(undefined);
        await sleep(50);
        return 'done';
      });
    await assert.rejects(work(), isFault('overloaded'));
    stillMs = 60_000;
    await assert.rejects(work(), isFault('ledgerUnconfirmed'));
    stillMs = 0;
    resolve('your turn');
    await assert.rejects(work(), isFault('ledgerUnconfirmed'));
    await pursuits.close();
  });

  test('that fails tells whoever waits, and the log where nobody does', async () => {
    const { pursuits, failures } = fresh(5);
    const failure = new Error('no');
    await assert.rejects(
      pursuits.join('at once', () => Promise.reject(failure)),
      failure,
    );
    const { promise, reject } = Promise.withResolvers<never>();
    await assert.rejects(
      pursuits.join('late', () => promise),
      isFault('ledgerUnconfirmed'),
    );
    reject(failure);
    await sleep(1);
    assert.deepEqual(failures, [failure]);
  });

  test('that is resumed is awaited by nobody', async () => {
    const { pursuits } = fresh(5_000);
    const awaited: boolean[] = [];
    const work = async ({ isAwaited }: { isAwaited(): boolean }) => {
      await sleep(1);
      awaited.push(isAwaited());
      throw new Fault('ledgerFailed');
    };
    const resumed = pursuits.resume('one', work);
    assert.ok(pursuits.isUnderWay('one'));
    await resumed;
    assert.deepEqual(awaited, [false]);
    assert.equal(pursuits.isUnderWay('one'), false);
  });

  test('ends with the service', async () => {
    const { pursuits } = fresh(5_000);
    const joined = pursuits.join('one', ({ signal }) => sleep(60_000, undefined, { signal }));
    const refused = assert.rejects(joined, isFault('ledgerUnconfirmed'));
    await pursuits.close();
    await refused;
    await assert.rejects(
      pursuits.join('two', async () => 1),
      isFault('overloaded'),
    );
  });
});
