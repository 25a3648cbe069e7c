/**
 * What an order to a proof engine must look like. Everything that reaches the engine has passed here, so that
 * nothing of a wrong length, count or kind does; whatever is wrong is the caller's fault and says so.
 */

import { equalBytes } from '@symbolon/core/basics/bytes';
import { bbsLimits } from '@symbolon/core/limits/documents';
import { hiddenMessagesOf, parsePlainProof } from '@symbolon/core/proofs/plain-proofs';
import {
  type BbsMessage,
  type BbsStatement,
  type CommitOrder,
  type DeriveOrder,
  type PlainDeriveOrder,
  type PlainProofOrder,
  type PlainStatement,
  ProofEngineError,
  type ProofStatement,
  type SignOrder,
} from '@symbolon/core/proofs/proof-engine';
import { isMessage, parseScalar } from '@symbolon/core/proofs/scalars';
import {
  bbsPublicKeyBytes,
  bbsSignatureBytes,
  pointBytes,
  secretKeyBytes,
} from '@symbolon/core/proofs/sizes';
import { isRangeParameters, looksLikePoint } from './proof-layout.ts';

function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new ProofEngineError('invalidInput', what);
}

const isBytes = (value: unknown, lengthMax: number): value is Uint8Array =>
  value instanceof Uint8Array && value.length <= lengthMax;

const isIndex = (value: number, count: number): boolean =>
  Number.isInteger(value) && value >= 0 && value < count;

/** Whether the bytes may be a public key: of the right length, compressed and not the point at infinity. */
export const isPublicKey = (key: unknown): key is Uint8Array =>
  key instanceof Uint8Array && key.length === bbsPublicKeyBytes && looksLikePoint(key);

/** Whether the bytes may be a signature: a point that is not infinity, and a scalar that is not 0. */
export function isSignature(signature: unknown): signature is Uint8Array {
  if (!(signature instanceof Uint8Array) || signature.length !== bbsSignatureBytes) return false;
  return looksLikePoint(signature) && parseScalar(signature.subarray(pointBytes)) !== undefined;
}

export function checkSecretKey(secretKey: Uint8Array): void {
  const isKey = secretKey instanceof Uint8Array && secretKey.length === secretKeyBytes;
  must(isKey && parseScalar(secretKey) !== undefined, 'the secret key is not a scalar of 32 bytes');
}

type StatementHead = Pick<BbsStatement, 'interface' | 'header'>;

function checkMessages(statement: StatementHead, messages: readonly BbsMessage[]): void {
  must(Array.isArray(messages), 'messages are missing');
  const count = messages.length;
  must(
    count > 0 && count <= bbsLimits.messagesMax,
    `${count} messages, 1 to ${bbsLimits.messagesMax} are possible`,
  );
  let bytes = statement.header.length;
  for (const [index, message] of messages.entries()) {
    must(
      isMessage(statement.interface, message),
      `message ${index} is too long, too large or of the wrong kind`,
    );
    if ('bytes' in message) bytes += message.bytes.length;
  }
  must(bytes <= bbsLimits.signedBytesMax, 'header and messages are too long');
}

function checkHead({ interface: kind, header }: StatementHead): void {
  must(kind === 'plain' || kind === 'typed', 'the interface is unknown');
  must(isBytes(header, bbsLimits.signedBytesMax), 'the header is missing or too long');
}

/** Of everything that is signed or verified. The key itself is judged where it is used. */
export function checkStatement(statement: StatementHead, messages: readonly BbsMessage[]): void {
  checkHead(statement);
  checkMessages(statement, messages);
}

export function checkSignOrder(order: SignOrder): void {
  checkSecretKey(order.secretKey);
  must(isPublicKey(order.publicKey), 'the public key is not a point of 96 bytes');
  checkStatement(order, order.messages);
}

export const checkCommitOrder = ({ header, messages }: CommitOrder): void =>
  checkStatement({ interface: 'typed', header }, messages);

/** Whether the bytes can be a commitment at all is the engine's to find out. */
function checkCommitment({ commitment, revealed, messageCount, ...statement }: ProofStatement): void {
  if (commitment === undefined) return;
  must(statement.interface === 'typed', 'only typed messages are committed to');
  must(commitment instanceof Uint8Array && commitment.length === pointBytes, 'a commitment has 48 bytes');
  must(
    revealed.every(({ index }) => index < messageCount - 1),
    'the salt is never revealed',
  );
}

function checkRevealed({ revealed, messageCount }: ProofStatement): void {
  must(Array.isArray(revealed), 'revealed messages are missing');
  let before = -1;
  for (const { index } of revealed) {
    must(isIndex(index, messageCount), `there is no message ${index}`);
    must(index > before, 'revealed messages are not in ascending order');
    before = index;
  }
}

function checkRanges({
  revealed,
  ranges,
  rangeParameters,
  messageCount,
  ...statement
}: ProofStatement): void {
  must(Array.isArray(ranges) && ranges.length <= bbsLimits.rangesMax, 'too many ranges');
  must(ranges.length === 0 || statement.interface === 'typed', 'only typed messages have ranges');
  const taken = new Set(revealed.map(({ index }) => index));
  for (const { index, min, max } of ranges) {
    must(isIndex(index, messageCount), `there is no message ${index}`);
    must(!taken.has(index), `message ${index} is revealed, or has two ranges`);
    taken.add(index);
    must(typeof min === 'bigint' && typeof max === 'bigint', 'bounds are integers');
    must(min >= 0n && min <= max, `the bounds of message ${index} are not in order`);
    must(
      min <= bbsLimits.integerMax && max <= bbsLimits.boundMax,
      `the bounds of message ${index} are too large`,
    );
  }
  const { method } = rangeParameters;
  must(method === 'bulletproofs' || method === 'set-membership', 'the range method is unknown');
  if (rangeParameters.method === 'set-membership') {
    const { parameters } = rangeParameters;
    must(parameters instanceof Uint8Array && isRangeParameters(parameters), 'these are not range parameters');
  }
}

/** Of proofs, made or verified. */
export function checkProofStatement(order: ProofStatement): void {
  const { messageCount } = order;
  must(isIndex(messageCount - 1, bbsLimits.messagesMax), `${messageCount} messages`);
  checkRevealed(order);
  checkHead(order);
  // A proof may reveal nothing at all.
  const messages = order.revealed.map(({ message }) => message);
  if (messages.length > 0) checkMessages(order, messages);
  checkRanges(order);
  checkCommitment(order);
  must(isBytes(order.context, bbsLimits.contextBytesMax), 'the context is missing or too long');
  must(isBytes(order.nonce, bbsLimits.nonceBytesMax), 'the nonce is missing or too long');
}

const isSame = (left: BbsMessage, right: BbsMessage): boolean =>
  'bytes' in left
    ? 'bytes' in right && equalBytes(left.bytes, right.bytes)
    : 'integer' in right && left.integer === right.integer;

export function checkDeriveOrder(order: DeriveOrder): void {
  checkProofStatement(order);
  must(isPublicKey(order.publicKey), 'the public key is not a point of 96 bytes');
  must(isSignature(order.signature), 'this is not a BBS signature');
  checkStatement(order, order.messages);
  must(order.messages.length === order.messageCount, 'the number of messages differs');
  for (const { index, message } of order.revealed) {
    must(isSame(message, order.messages[index]), `revealed message ${index} is not the signed one`);
  }
  for (const { index, min, max } of order.ranges) {
    const message = order.messages[index];
    must('integer' in message, `message ${index} is not an integer`);
    if (message.integer < min || message.integer > max) {
      throw new ProofEngineError('outOfRange', `message ${index} lies outside its range`);
    }
  }
}

function checkPlainStatement(
  { header, presentationHeader }: PlainStatement,
  messages: readonly Uint8Array[],
): void {
  const head = { interface: 'plain', header } as const;
  checkHead(head);
  must(
    isBytes(presentationHeader, bbsLimits.presentationHeaderBytesMax),
    'the presentation header is missing or too long',
  );
  // A proof may reveal nothing at all.
  if (messages.length > 0)
    checkMessages(
      head,
      messages.map((bytes) => ({ bytes })),
    );
}

function checkIndexes(indexes: readonly number[], messageCount: number): void {
  let before = -1;
  for (const index of indexes) {
    must(isIndex(index, messageCount), `there is no message ${index}`);
    must(index > before, 'revealed messages are not in ascending order');
    before = index;
  }
}

export function checkPlainDeriveOrder(order: PlainDeriveOrder): void {
  const { messages, revealed } = order;
  must(isPublicKey(order.publicKey), 'the public key is not a point of 96 bytes');
  must(isSignature(order.signature), 'this is not a BBS signature');
  must(Array.isArray(messages) && messages.length > 0, 'messages are missing');
  checkPlainStatement(order, messages);
  must(Array.isArray(revealed), 'revealed messages are missing');
  checkIndexes(revealed, messages.length);
}

/** False for what is no key or no proof, before a library sees any of it. Throws for an order that makes no sense. */
export function isPlainProofOrder(order: PlainProofOrder): boolean {
  const { revealed, proof, publicKey } = order;
  must(
    Array.isArray(revealed) && revealed.length <= bbsLimits.messagesMax,
    'revealed messages are missing or too many',
  );
  checkPlainStatement(
    order,
    revealed.map(({ message }) => message),
  );
  checkIndexes(
    revealed.map(({ index }) => index),
    bbsLimits.messagesMax,
  );
  if (!(proof instanceof Uint8Array) || !isPublicKey(publicKey)) return false;
  const hidden = hiddenMessagesOf(proof.length);
  if (hidden === undefined) return false;
  const messageCount = hidden + revealed.length;
  const isCounted = messageCount > 0 && messageCount <= bbsLimits.messagesMax;
  return (
    isCounted && revealed.every(({ index }) => index < messageCount) && parsePlainProof(proof) !== undefined
  );
}
