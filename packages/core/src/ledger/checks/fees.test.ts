import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { parseHex } from '../../basics/bytes.ts';
import { int64Max } from '../../limits/consensus.ts';
import { FeeConfigSchema, OperationSchema, SignatureSchema } from '../../proto/ledger_pb.ts';
import { codes } from '../terms/codes.ts';
import { encodeTransaction, openTransaction, type SignedTransaction } from '../terms/transaction.ts';
import { createTestLedger, operation } from '../testing/test-ledger.ts';
import { checkFeeLimit, gasOf, operationGas } from './fees.ts';

const vectorsOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../vectors/ledger/${name}`, import.meta.url), 'utf8'));
const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const bytesOf = (text: string): Uint8Array => parseHex(text) as Uint8Array;
const { rules, sign } = createTestLedger({ sha256 });
const { fees } = rules.parameters;

interface FeeVector {
  readonly transaction: string;
  readonly operation_gas: number;
  readonly self_gas: number;
  readonly gas_price: string;
  readonly minimum_fee: string;
}
interface TransactionVector {
  readonly name: string;
  readonly layout: string;
  readonly transaction_blob: string;
  readonly blob_is_canonical: boolean;
  readonly signatures?: { readonly public_key: string; readonly sign_data: string }[];
}
const transactions: TransactionVector[] = vectorsOf('transactions.json').vectors;
const feeVectors: FeeVector[] = vectorsOf('ledger.json').fees;

function open(name: string): SignedTransaction {
  const vector = transactions.find((each) => `${each.layout}: ${each.name}` === name);
  assert(vector, name);
  const signatures = (vector.signatures ?? []).map(({ public_key, sign_data }) =>
    create(SignatureSchema, { publicKey: public_key, signData: bytesOf(sign_data) }),
  );
  const signed = openTransaction(bytesOf(vector.transaction_blob), signatures, sha256);
  assert(signed);
  return signed;
}

const withTerms = (signed: SignedTransaction, terms: { feeLimit: bigint; gasPrice: bigint }) => ({
  ...signed,
  transaction: { ...signed.transaction, ...terms },
});

describe('fee vectors', () => {
  for (const vector of feeVectors) {
    it(vector.transaction, () => {
      const signed = open(vector.transaction);
      assert.equal(operationGas(signed.transaction.operations, fees), BigInt(vector.operation_gas));
      assert.equal(signed.transaction.gasPrice, BigInt(vector.gas_price));
      const gas = gasOf(signed, fees);
      assert.equal(gas, BigInt(vector.self_gas));
      const due = BigInt(vector.minimum_fee);
      assert.equal(gas * signed.transaction.gasPrice, due);
      const codeAt = (feeLimit: bigint): number =>
        checkFeeLimit(withTerms(signed, { feeLimit, gasPrice: signed.transaction.gasPrice }), fees)?.code ??
        0;
      if (due > int64Max) return assert.equal(codeAt(int64Max), codes.invalidParameter);
      assert.equal(codeAt(due), 0);
      assert.equal(codeAt(int64Max), 0);
      assert.equal(codeAt(due - 1n), codes.feeTooLow);
      assert.equal(codeAt(0n), codes.feeTooLow);
    });
  }

  it('a blob that is not canonical pays for the bytes that were received', () => {
    const vector = transactions.find((each) => !each.blob_is_canonical)!;
    const signed = open(`${vector.layout}: ${vector.name}`);
    assert(signed.blob.length > encodeTransaction(signed.transaction).length);
    // A tag and a length of one byte for a blob this short, 147 bytes for each signature.
    const envelopeBytes = signed.blob.length + 2 + 147 * signed.signatures.length;
    assert.equal(gasOf(signed, fees), BigInt(envelopeBytes));
  });
});

describe('operation gas', () => {
  const contract = operation('createAccount', { contract: { payload: 'x' } });
  const issue = operation('issueAsset', { code: 'CNY', amount: 1n });

  it('adds up over the operations', () => {
    const free = [
      operation('payCoin', {}),
      operation('payAsset', {}),
      operation('setMetadata', {}),
      operation('log', {}),
      operation('setPrivilege', {}),
      operation('createAccount', {}),
      operation('createAccount', { contract: { payload: '', owner: 'x' } }),
      create(OperationSchema, { type: 10 }),
    ];
    assert.equal(operationGas(free, fees), 0n);
    assert.equal(operationGas([issue, ...free, contract, issue], fees), 11_000_000n);
    assert.equal(operationGas([], fees), 0n);
  });

  it('has the prices of the chain', () => {
    const free = create(FeeConfigSchema, { gasPrice: 1n });
    assert.equal(operationGas([contract, issue], free), 0n);
    const own = create(FeeConfigSchema, { createContractGas: 3n, issueAssetGas: 4n });
    assert.equal(operationGas([contract, issue], own), 7n);
  });

  it('goes by the type, not by a body that happens to be there', () => {
    const dressed = operation('log', { topic: 't' }, { issueAsset: { code: 'CNY', amount: 1n } });
    assert.equal(operationGas([dressed], fees), 0n);
  });
});

describe('the fee limit', () => {
  const { signed } = sign({ operations: [operation('log', { topic: 't' })], signers: ['alice', 'bob'] });
  const gas = gasOf(signed, fees);

  it('a signature is paid for like any other byte', () => {
    const single = sign({ operations: [operation('log', { topic: 't' })] }).signed;
    assert.equal(gas - gasOf(single, fees), 147n);
  });

  it('a fee beyond 64 bits is a parameter error, before the limit is looked at', () => {
    const highest = int64Max / gas;
    const codeAt = (gasPrice: bigint, feeLimit: bigint) =>
      checkFeeLimit(withTerms(signed, { gasPrice, feeLimit }), fees)?.code ?? 0;
    assert.equal(codeAt(highest, int64Max), 0);
    assert.equal(codeAt(highest, 0n), codes.feeTooLow);
    assert.equal(codeAt(highest + 1n, int64Max), codes.invalidParameter);
    assert.equal(codeAt(highest + 1n, 0n), codes.invalidParameter);
  });

  it('the largest int64 itself can be due', () => {
    // 511 divides 2^63 - 1.
    const terms = { gasPrice: int64Max / 511n, feeLimit: int64Max };
    const sized = (envelopeBytes: number) => ({ ...withTerms(signed, terms), envelopeBytes });
    assert.equal(checkFeeLimit(sized(511), fees), undefined);
    assert.equal(checkFeeLimit(sized(512), fees)?.code, codes.invalidParameter);
  });

  it('nothing is due at a price of 0', () => {
    assert.equal(checkFeeLimit(withTerms(signed, { gasPrice: 0n, feeLimit: 0n }), fees), undefined);
  });
});
