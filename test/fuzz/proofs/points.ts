/** Points of BLS12-381's first curve that no honest prover writes. */
import type { Random } from '../../crash/seeded-random.ts';

export const pointBytes = 48;
const modulus =
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base % modulus];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** Whether a point has this x: y^2 = x^3 + 4 has a solution. */
const isOnCurve = (x: bigint): boolean => x < modulus && power(x ** 3n + 4n, (modulus - 1n) / 2n) === 1n;

/** On the curve, and, but for one in 2^125, not in the group. The first two have order 3. */
export function strayPoints(random: Random, count: number): Uint8Array[] {
  const ofOrder3 = Uint8Array.of(0x80, ...new Uint8Array(pointBytes - 1));
  const points = [ofOrder3, ofOrder3.with(0, 0xa0)];
  while (points.length < count) {
    const x = Uint8Array.from({ length: pointBytes }, () => random.below(256));
    x[0] &= 0x1f;
    const mark = random.chance(0.5) ? 0xa0 : 0x80;
    if (isOnCurve(BigInt(`0x${Buffer.from(x).toString('hex')}`))) points.push(x.with(0, x[0] | mark));
  }
  return points;
}
