/**
 * The clock seam. Services take a `Clock` instead of asking the machine, so that tests and replays decide what time it
 * is. The wall clock may step backwards; rules about order (a block never closes before its parent) belong to the
 * chain, not here.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Microseconds since 1970, the unit of the ledger's close times. */
  nowMicros(): bigint;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  nowMicros: () => BigInt(Date.now()) * 1000n,
};
