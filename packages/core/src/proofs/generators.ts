/**
 * The points that messages are bound to, and the scalar that binds a signature to its key, header and interface:
 * the draft's `create_generators` and `calculate_domain`.
 */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { assert } from '../basics/assert.ts';
import { concatBytes, encodeUtf8 } from '../basics/bytes.ts';
import { bbsLimits } from '../limits/documents.ts';
import type { BbsInterface, BbsStatement } from './proof-engine.ts';
import { expandMessage, hashToScalar, integerBytes } from './scalars.ts';
import { interfaceIds, tag } from './suite.ts';

interface Known {
  /** What the next point is hashed from. */
  seed: Uint8Array;
  readonly points: Uint8Array[];
}

/** Points are constants that take milliseconds each, so those made once are kept; there are never more than a limit. */
const known = new Map<BbsInterface, Known>();

function knownOf(kind: BbsInterface): Known {
  const found = known.get(kind);
  if (found !== undefined) return found;
  const id = interfaceIds[kind];
  const seed = expandMessage(tag(id, 'MESSAGE_GENERATOR_SEED'), tag(id, 'SIG_GENERATOR_SEED_'));
  const made: Known = { seed, points: [] };
  known.set(kind, made);
  return made;
}

/** The point of the domain and one for each message, compressed, 48 bytes each. */
export function createGenerators(kind: BbsInterface, messageCount: number): Uint8Array[] {
  const isCount = Number.isInteger(messageCount) && messageCount >= 0;
  assert(isCount && messageCount <= bbsLimits.messagesMax, `${messageCount} messages`);
  const id = interfaceIds[kind];
  const made = knownOf(kind);
  while (made.points.length <= messageCount) {
    const number = integerBytes(made.points.length + 1, 8);
    made.seed = expandMessage(concatBytes(made.seed, number), tag(id, 'SIG_GENERATOR_SEED_'));
    const point = bls12_381.G1.hashToCurve(made.seed, { DST: tag(id, 'SIG_GENERATOR_DST_') });
    made.points.push(point.toBytes(true));
  }
  return made.points.slice(0, messageCount + 1);
}

/** What the domain is hashed from: key, number of messages, generators, interface and header. */
export function domainInput(statement: BbsStatement, generators: readonly Uint8Array[]): Uint8Array {
  return concatBytes(
    statement.publicKey,
    integerBytes(generators.length - 1, 8),
    ...generators,
    encodeUtf8(interfaceIds[statement.interface]),
    integerBytes(statement.header.length, 8),
    statement.header,
  );
}

export const domainTag = (kind: BbsInterface): Uint8Array => tag(interfaceIds[kind], 'H2S_');

/** Signed before the first message: whoever changes key, header, number of messages or interface changes this. */
export const calculateDomain = (statement: BbsStatement, generators: readonly Uint8Array[]): bigint =>
  hashToScalar(domainInput(statement, generators), domainTag(statement.interface));
