/** What the committed module is metered with. To change a number is to change the protocol. */
import { contractLimits } from '@symbolon/core/limits/limits';
import type { MeteringOptions } from './meter-module.ts';

export const meteringOptions: MeteringOptions = {
  stackBytesMax: contractLimits.stackBytesMax,
  heapBytesMax: contractLimits.memoryBytesMax,
  // A copy moves some ten bytes in a nanosecond and one gas stands for a few nanoseconds.
  bulkBytesPerGasLog2: 5,
};
