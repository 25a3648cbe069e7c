/**
 * How much contracts may do in one block of this node. Time decides, because gas says only roughly how long a contract
 * takes: on a fast machine a block holds more calls than on a slow one. It is the time that this thread computed, not
 * that of the clock: where the machine has much else to do, blocks would shrink while what each of them costs beside its
 * contracts stays, and the queue would grow. What a block holds is what every node executes; how much it was given is
 * nobody else's business.
 */
import { contractWorkLimits } from '../limits/node-limits.ts';

/** For one block. Its time begins when it is asked first, which is after the first contract. */
export function contractRoom(computedMs: () => number = threadMs): (contractGas: bigint) => boolean {
  const { blockGasMax, blockMsMax } = contractWorkLimits;
  let beganMs: number | undefined;
  return (contractGas) => {
    const now = computedMs();
    beganMs ??= now;
    return contractGas < blockGasMax && now - beganMs < blockMsMax;
  };
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
