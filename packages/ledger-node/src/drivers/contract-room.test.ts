import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { contractWorkLimits } from '../limits/node-limits.ts';
import { contractRoom } from './contract-room.ts';

const { blockGasMax, blockMsMax } = contractWorkLimits;

describe('the room for contracts in a block', () => {
  it('ends with its time, which begins with the first question', () => {
    let now = 5_000;
    const hasRoom = contractRoom(() => now);
    now += 10 * blockMsMax;
    assert.equal(hasRoom(1n), true);
    now += blockMsMax - 1;
    assert.equal(hasRoom(2n), true);
    now += 1;
    assert.equal(hasRoom(3n), false);
  });

  it('goes on while the thread rests, however long that is by the clock', async () => {
    const before = process.threadCpuUsage();
    const hasRoom = contractRoom();
    assert.equal(hasRoom(1n), true);
    await setTimeout(2 * blockMsMax);
    // Whatever else this thread did meanwhile is no rest: other tests may run in it.
    const { user, system } = process.threadCpuUsage(before);
    assert.equal(hasRoom(2n), user + system < blockMsMax * 1_000);
  });

  it('ends with its gas, however little time that took', () => {
    const hasRoom = contractRoom(() => 0);
    assert.deepEqual([hasRoom(blockGasMax - 1n), hasRoom(blockGasMax)], [true, false]);
  });
});
