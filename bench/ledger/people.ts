/**
 * The accounts of a synthetic chain, the same in every run: the first ones have keys and send, the rest only
 * receive, so their addresses are made from hashes instead of real keys.
 */
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { createKeyFormat, type KeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { sha256 } from '@symbolon/ledger-node/chain/ledger-rules';
import { publicKeyOf } from '@symbolon/ledger-node/signatures/ed25519';

/** A multiple of the connections, so that a sender's transfers always take the same connection, in order. */
export const senders = 5_120;

export const benchKeys: KeyFormat = createKeyFormat(zetrixProfile, sha256);

export const seedOf = (name: string): Uint8Array => sha256(encodeUtf8(`symbolon bench: ${name}`));

export const senderSeed = (index: number): Uint8Array => seedOf(`sender ${index}`);

export function addressOfPerson(index: number): string {
  const publicKey = index < senders ? publicKeyOf(senderSeed(index)) : seedOf(`receiver ${index}`);
  return benchKeys.addressOf(publicKey);
}
