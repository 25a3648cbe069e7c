/**
 * The accounts of a synthetic chain, the same in every run: the first ones have keys and send, the rest only
 * receive, so their addresses are made from hashes instead of real keys. And what a sender signs, as a body of
 * submitTransaction.
 */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import { encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { createKeyFormat, type KeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
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

const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface Sender {
  readonly address: string;
  readonly publicKey: string;
  readonly key: KeyObject;
}

export function senderOf(seed: Uint8Array): Sender {
  const publicKey = publicKeyOf(seed);
  return {
    address: benchKeys.addressOf(publicKey),
    publicKey: benchKeys.encodePublicKey(publicKey),
    key: createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' }),
  };
}

type Terms = Exclude<MessageInitShape<typeof TransactionSchema>, { $typeName: string }>;

export function signedBody({ address, publicKey, key }: Sender, nonce: number, terms: Terms): string {
  const whole = { ...terms, sourceAddress: address, nonce: BigInt(nonce), gasPrice: 1n };
  const blob = encodeTransaction(create(TransactionSchema, whole));
  const signatures = [{ sign_data: encodeHex(sign(null, blob, key)), public_key: publicKey }];
  return JSON.stringify({ items: [{ transaction_blob: encodeHex(blob), signatures }] });
}
