/** Signatures that were made elsewhere: read, and checked against the bytes that they are to be over. */
import { create } from '@bufbuild/protobuf';
import { equalBytes, parseHex } from '@symbolon/core/basics/bytes';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { type Signature, SignatureSchema } from '@symbolon/core/proto/ledger_pb';
import { isJsonObject, parseJsonOrNothing } from '@symbolon/wire/json/json';
import { verifyWithWebCrypto } from '../keys/signer.ts';
import { usualKeyFormat } from '../keys/usual-keys.ts';
import { openItem } from './transaction-texts.ts';

/** What is wrong with a text that is to hold signatures. */
export type ForeignProblem = 'unreadable' | 'otherTransaction' | 'wrong';

/** The signatures of a text, all of them good for this transaction; or what is wrong with it. */
export async function readForeignSignatures(
  text: string,
  { blob }: Pick<SignedTransaction, 'blob'>,
): Promise<readonly Signature[] | ForeignProblem> {
  const value = parseJsonOrNothing(text.trim());
  const item = openItem(value);
  if (item && !equalBytes(item.blob, blob)) return 'otherTransaction';
  const single = item
    ? undefined
    : isJsonObject(value)
      ? signatureOf(value.public_key, value.sign_data)
      : signatureOf(...text.trim().split(/[\s:]+/));
  const signatures = item?.signatures ?? (single ? [single] : []);
  if (signatures.length === 0) return 'unreadable';
  for (const signature of signatures) if (!(await isGoodSignature(signature, blob))) return 'wrong';
  return signatures;
}

function signatureOf(...words: readonly unknown[]): Signature | undefined {
  const [publicKey, text] = words;
  if (words.length !== 2 || typeof publicKey !== 'string' || typeof text !== 'string') return undefined;
  const signData = parseHex(text.toLowerCase());
  return signData && create(SignatureSchema, { publicKey, signData });
}

export async function isGoodSignature(
  { publicKey, signData }: Signature,
  message: Uint8Array,
): Promise<boolean> {
  const key = usualKeyFormat.parsePublicKey(publicKey);
  return key !== undefined && verifyWithWebCrypto({ publicKey: key, message, signature: signData });
}

/** One of each key. */
export function joinedSignatures(
  before: readonly Signature[],
  more: readonly Signature[],
): readonly Signature[] {
  const keys = new Set(before.map(({ publicKey }) => publicKey));
  return [...before, ...more.filter(({ publicKey }) => !keys.has(publicKey))];
}

/** The account that a key signs for; empty for a key of another network. */
export const signerAddress = ({ publicKey }: Signature): string =>
  usualKeyFormat.signerOf(publicKey)?.address ?? '';
