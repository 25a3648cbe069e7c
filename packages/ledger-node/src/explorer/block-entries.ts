/** Everything that the index keeps of one block, as rows: each transaction, who had part in it, what it changed. */
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import type { OwnedHashes } from '@symbolon/core/ledger/execution/state-trees';
import { accountOfKey, type StateReader } from '@symbolon/core/ledger/terms/state';
import type { Account, LedgerHeader, Transaction, TransactionEnvStore } from '@symbolon/core/proto/ledger_pb';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { effectsToJson } from '@symbolon/wire/ledger/explorer/effects';
import { type BlockFigures, figuresToJson, type IndexTotals } from '@symbolon/wire/ledger/explorer/replies';
import { accountRoles } from '@symbolon/wire/ledger/explorer/schemas';
import { destinationOf, shortTransaction } from '@symbolon/wire/ledger/explorer/short-transaction';
import type { Row } from '../store/store.ts';
import type { AccountBook } from './account-book.ts';
import {
  accountTransactionRow,
  blockHashRow,
  blockOfHashRow,
  encodeNumbers,
  figuresRow,
  placedRow,
  placeOf,
  placeRow,
} from './index-rows.ts';
import type { Replayed } from './replica.ts';

type Role = (typeof accountRoles)[number];

const roleBit = (role: Role): number => 1 << accountRoles.indexOf(role);

/** The parts that a row of an account's transactions says. */
export const rolesOf = (bits: number): Role[] => accountRoles.filter((role) => bits & roleBit(role));

const nothing = new Uint8Array(0);

/** One transaction that has a record: signed, or triggered by a contract. */
interface Recorded {
  readonly record: TransactionEnvStore;
  readonly transaction: Transaction;
  readonly index: number;
  readonly bytes: number;
}

export class BlockEntries {
  readonly #header: LedgerHeader;
  readonly #book: AccountBook;
  readonly #isAddress: (text: string) => boolean;
  readonly #rows: Row[] = [];
  readonly #signers = new Set<string>();
  #transactions = 0;
  #failed = 0;
  #triggered = 0;
  #operations = 0;
  #fees = 0n;
  #bytes = 0;
  #accounts = 0;
  #contracts = 0;

  constructor(header: LedgerHeader, book: AccountBook, isAddress: (text: string) => boolean) {
    this.#header = header;
    this.#book = book;
    this.#isAddress = isAddress;
  }

  /** A signed transaction and what it triggered, whose records follow its own. */
  add(replayed: Replayed, records: readonly TransactionEnvStore[]): void {
    const { record, index, signed, signedBy, outcome, changes, isContract } = replayed;
    const { transaction, envelopeBytes: bytes } = signed;
    this.#record({ record, transaction, index, bytes }, { replayed, root: index });
    const place = placeOf(this.#header.seq, index);
    this.#rows.push([placedRow('S', place), nothing]);
    if (record.errorCode !== 0) {
      this.#rows.push([placedRow('F', place), nothing]);
      this.#failed++;
    }
    for (const [offset, { signed: made }] of outcome.triggered.entries()) {
      const at = index + 1 + offset;
      const entry = {
        record: records[at],
        transaction: made.transaction,
        index: at,
        bytes: made.envelopeBytes,
      };
      this.#record(entry, { replayed: { signedBy: new Set(), changes: [], isContract }, root: index });
    }
    const effects = effectsToJson({
      seq: this.#header.seq,
      index,
      errorCode: record.errorCode,
      errorDescription: record.errorDesc,
      changes,
      acting: [
        { hash: record.hash, ...actingPart(transaction), triggeredBy: undefined },
        ...outcome.triggered.map(({ signed: made, trigger }) => ({
          hash: made.hash,
          ...actingPart(made.transaction),
          triggeredBy: trigger.transaction?.hash,
        })),
      ],
    });
    this.#rows.push([placedRow('E', place), jsonBytes(effects)]);
    for (const signer of signedBy) this.#signers.add(signer);
    this.#transactions++;
    this.#triggered += outcome.triggered.length;
    this.#fees += record.actualFee;
  }

  #record(
    { record, transaction, index, bytes }: Recorded,
    { replayed, root }: { replayed: Pick<Replayed, 'signedBy' | 'changes' | 'isContract'>; root: number },
  ): void {
    const { seq } = this.#header;
    const { isContract } = replayed;
    const place = placeOf(seq, index);
    const short = shortTransaction({ record, transaction, index, bytes, callsContract: isContract });
    this.#rows.push([placedRow('T', place), jsonBytes(short)]);
    this.#rows.push([placeRow(record.hash), encodeNumbers([seq, BigInt(index), BigInt(root)])]);
    for (const [address, bits] of this.#parts(transaction, replayed)) {
      this.#rows.push([accountTransactionRow(address, place), Uint8Array.of(bits)]);
      this.#book.count(address);
    }
    this.#operations += transaction.operations.length;
    this.#bytes += bytes;
  }

  /** Which part each account had, as bits. What is no address is nobody's. */
  #parts(
    transaction: Transaction,
    { signedBy, changes, isContract }: Pick<Replayed, 'signedBy' | 'changes' | 'isContract'>,
  ): ReadonlyMap<string, number> {
    const parts = new Map<string, number>();
    const add = (address: string | undefined, role: Role): void => {
      if (address && this.#isAddress(address)) parts.set(address, (parts.get(address) ?? 0) | roleBit(role));
    };
    const { sourceAddress, operations } = transaction;
    add(sourceAddress, 'source');
    for (const operation of operations) {
      add(operation.sourceAddress, 'operation_source');
      const destination = destinationOf(operation);
      add(destination, 'destination');
      const { payCoin, payAsset, upgradeContract } = operation;
      if (destination && (payCoin || payAsset || upgradeContract) && isContract(destination))
        add(destination, 'contract');
    }
    for (const { key, before } of changes)
      if (!before && key.startsWith('account/')) add(accountOfKey(key), 'created');
    for (const signer of signedBy) if (signer !== sourceAddress) add(signer, 'signer');
    return parts;
  }

  /** Accounts that the block created, in the order of their creation; those of its validators, too. */
  addAccounts(before: StateReader, { hashedChanges }: Pick<OwnedHashes, 'hashedChanges'>): void {
    const { seq } = this.#header;
    for (const [key, entry] of hashedChanges) {
      if (!key.startsWith('account/') || before.read(key)) continue;
      const address = accountOfKey(key);
      const isContract = Boolean((entry as Account).contract?.payload);
      const place = placeOf(seq, this.#accounts);
      this.#rows.push([placedRow('N', place), encodeUtf8(address)]);
      if (isContract) this.#rows.push([placedRow('C', place), encodeUtf8(address)]);
      this.#book.born(address, seq, isContract);
      this.#accounts++;
      if (isContract) this.#contracts++;
    }
  }

  *rows(previousCloseTime: bigint): Iterable<Row> {
    const { seq, hash } = this.#header;
    yield* this.#rows;
    yield* this.#book.rows();
    yield [blockHashRow(seq), hash];
    yield [blockOfHashRow(hash), encodeNumbers([seq])];
    yield [figuresRow(seq), jsonBytes(figuresToJson(this.#figures(previousCloseTime)))];
  }

  /** What is counted with this block, from what was counted before it. */
  totals(before: Omit<IndexTotals, 'seq'>): IndexTotals {
    return {
      seq: this.#header.seq,
      transactions: before.transactions + BigInt(this.#transactions),
      failed: before.failed + BigInt(this.#failed),
      triggered: before.triggered + BigInt(this.#triggered),
      operations: before.operations + BigInt(this.#operations),
      fees: before.fees + this.#fees,
      accounts: before.accounts + BigInt(this.#accounts),
      contracts: before.contracts + BigInt(this.#contracts),
    };
  }

  #figures(previousCloseTime: bigint): BlockFigures {
    const { seq, hash, closeTime } = this.#header;
    return {
      seq,
      hash,
      closeTime,
      previousCloseTime,
      transactions: this.#transactions,
      failed: this.#failed,
      triggered: this.#triggered,
      operations: this.#operations,
      fees: this.#fees,
      bytes: this.#bytes,
      signers: this.#signers.size,
      accountsCreated: this.#accounts,
    };
  }
}

const actingPart = ({ sourceAddress, operations }: Transaction) => ({ sourceAddress, operations });

const jsonBytes = (json: JsonObject): Uint8Array => encodeUtf8(stringifyJson(json));
