/** What tests of proof engines share: a signature over twelve messages, and orders to derive and verify from it. */

import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { bbsLimits } from '@symbolon/core/limits/documents';
import type {
  BbsMessage,
  DeriveOrder,
  ProofEngine,
  ProofOrder,
  ProofStatement,
  RangeParameters,
  SignOrder,
} from '@symbolon/core/proofs/proof-engine';
import { generateSecretKey } from '@symbolon/core/proofs/scalars';

/** What a test works with: made once for a suite, because an engine takes a while to start. */
export interface ProofWorld {
  readonly engine: ProofEngine;
  readonly order: SignOrder;
  readonly signature: Uint8Array;
  readonly setMembership: RangeParameters;
}

/** Attributes 3 to 6 are integers; the others are text. */
const integers: Readonly<Record<number, bigint>> = {
  3: 80_000n,
  4: 0n,
  5: bbsLimits.integerMax,
  6: 5_000_000_000n,
};
export const birthDate = 3;

export const typedMessages = (count = 12): BbsMessage[] =>
  Array.from({ length: count }, (_, index) => {
    const integer = integers[index];
    return integer === undefined ? { bytes: encodeUtf8(`attribute${index}: value ${index}`) } : { integer };
  });

export const secretKeyOf = (seed: number): Uint8Array =>
  generateSecretKey(new Uint8Array(32).fill(seed)) as Uint8Array;

export async function makeProofWorld(engine: ProofEngine): Promise<ProofWorld> {
  const secretKey = secretKeyOf(1);
  const publicKey = await engine.publicKeyOf(secretKey);
  const header = encodeUtf8('{"id":"did:zid:1","holder":"did:zid:2"}');
  const order: SignOrder = { interface: 'typed', publicKey, secretKey, header, messages: typedMessages() };
  const [signature, parameters] = [await engine.sign(order), await engine.makeRangeParameters()];
  return { engine, order, signature, setMembership: { method: 'set-membership', parameters } };
}

export const bulletproofs: RangeParameters = { method: 'bulletproofs' };

/** Reveals 0, 1 and 8 of the twelve, with ranges if asked. */
export function deriveOrder(world: ProofWorld, changes: Partial<ProofStatement> = {}): DeriveOrder {
  const { messages, interface: kind, publicKey, header } = world.order;
  return {
    interface: kind,
    publicKey,
    header,
    messages,
    signature: world.signature,
    messageCount: messages.length,
    revealed: [0, 1, 8].map((index) => ({ index, message: messages[index] })),
    ranges: [],
    rangeParameters: bulletproofs,
    context: encodeUtf8('{"challenge":"c"}'),
    nonce: new Uint8Array(32).fill(9),
    ...changes,
  };
}

export const proofOrder = (
  { messages: _, signature: __, ...statement }: DeriveOrder,
  proof: Uint8Array,
  changes: Partial<ProofStatement> = {},
): ProofOrder => ({ ...statement, proof, ...changes });

export const saltOf = (text: string): BbsMessage => ({ bytes: encodeUtf8(`$salt: ${text}`) });

/** The same messages and a salt, and a commitment to them all. */
export interface CommittedWorld extends ProofWorld {
  readonly commitment: Uint8Array;
}

export async function commitWorld(world: ProofWorld): Promise<CommittedWorld> {
  const { engine } = world;
  const order = { ...world.order, messages: [...world.order.messages, saltOf('one')] };
  const signature = await engine.sign(order);
  return { ...world, order, signature, commitment: await engine.commit(order) };
}
