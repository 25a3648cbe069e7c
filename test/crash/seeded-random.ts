/**
 * Chance that can be repeated: a small generator started from a number. A test prints its seed, and the same seed
 * (given in the environment) makes the same choices again, as far as time does not choose as well.
 */
import { randomInt } from 'node:crypto';

export interface Random {
  /** From 0 up to but without `end`. */
  below(end: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** The seed from the environment, or a fresh one. */
export function chooseSeed(variable: string): number {
  const given = process.env[variable];
  return given === undefined || given === '' ? randomInt(2 ** 32) : Number(given) >>> 0;
}

/** The generator "mulberry32". */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (end: number): number => Math.floor((next() / 2 ** 32) * end);
  return {
    below,
    chance: (probability) => next() < probability * 2 ** 32,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
  };
}
