/** The transaction that an entry of a DID log names by its terms: rebuilt, and hashed. */
import { create } from '@bufbuild/protobuf';
import { encodeHex, type Sha256 } from '../basics/bytes.ts';
import { operationTypes } from '../ledger/terms/operation-types.ts';
import { encodeTransaction } from '../ledger/terms/transaction.ts';
import { type Transaction, TransactionSchema } from '../proto/ledger_pb.ts';
import { type DidLogEntry, didLogKey } from './did-log.ts';

/** The one transaction that may set this text. Its version guard refuses it when another change came first. */
export function didLogTransaction(text: string, entry: DidLogEntry, subject: string): Transaction {
  const { source, ...terms } = entry.terms;
  const version = BigInt(Math.max(1, entry.version - 1));
  const setMetadata = { key: didLogKey, value: text, version };
  const sourceAddress = source === undefined ? '' : subject;
  return create(TransactionSchema, {
    ...terms,
    sourceAddress: source ?? subject,
    operations: [{ type: operationTypes.setMetadata, sourceAddress, setMetadata }],
  });
}

export const didLogHash = (
  { text, entry, subject }: { text: string; entry: DidLogEntry; subject: string },
  sha256: Sha256,
): string => encodeHex(sha256(encodeTransaction(didLogTransaction(text, entry, subject))));
