/** When a block of a network closes, as every node has it alike. */
import type { ConsensusTime } from '@symbolon/core/light/light-block';

/** CometBFT's time in microseconds; strictly rising, also where CometBFT's differs by less than one. */
export function closeTimeAfter(before: bigint, { seconds, nanos }: ConsensusTime): bigint {
  const micros = seconds * 1_000_000n + BigInt(Math.floor(nanos / 1_000));
  return micros > before ? micros : before + 1n;
}
