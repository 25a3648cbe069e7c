import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { int64Max } from '../../limits/consensus.ts';
import { type Operation, OperationSchema } from '../../proto/ledger_pb.ts';
import { codes, type LedgerRefusal } from '../terms/codes.ts';
import {
  createTestLedger,
  operation,
  pairsInOrder,
  type TransactionOrder,
  type Violation,
} from '../testing/test-ledger.ts';
import { checkSource, checkTransaction, sourceOf } from './check-transaction.ts';
import { gasOf } from './fees.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const { account, address, rules, sign } = createTestLedger({ sha256, gasPrice: 2n, baseReserve: 50n });
const nextSeq = 9n;
const balance = 1_000_000n;
const feeLimit = 100_000n;
const note = (fields: Partial<Operation> = {}): Operation =>
  operation('log', { topic: 't' }, fields as Partial<Omit<Operation, '$typeName'>>);

/** Everything that is asked at submit once the account is known, in order. */
function judge(order: TransactionOrder, held = balance): LedgerRefusal | undefined {
  const { signed, signedBy } = sign({ operations: [note()], feeLimit, ...order });
  return (
    checkTransaction(signed, rules, nextSeq) ?? checkSource(signed, account('alice', held), signedBy, rules)
  );
}
const codeOf = (order: TransactionOrder, held?: bigint): number => judge(order, held)?.code ?? 0;

const { invalidParameter, expressionError, expressionFalse, timeout } = codes;
const tooLong = `1${' '.repeat(4096)}`;
const violations: Violation<TransactionOrder>[] = [
  { rule: 'chain_id', code: invalidParameter, fields: { chainId: 1n } },
  { rule: 'size', code: codes.transactionTooBig, fields: { metadata: new Uint8Array(1_048_576) } },
  {
    rule: 'signatures',
    code: invalidParameter,
    fields: { signers: Array.from({ length: 101 }, (_, index) => `signer ${index}`) },
  },
  { rule: 'no operation', code: codes.noOperations, fields: { operations: [] } },
  {
    rule: 'too many operations',
    code: codes.tooManyOperations,
    fields: { operations: Array.from({ length: 101 }, () => create(OperationSchema)) },
  },
  { rule: 'metadata', code: invalidParameter, fields: { metadata: new Uint8Array(262_145) } },
  { rule: 'negative ceil_ledger_seq', code: invalidParameter, fields: { ceilLedgerSeq: -1n } },
  { rule: 'past ceil_ledger_seq', code: timeout, fields: { ceilLedgerSeq: nextSeq - 1n } },
  { rule: 'negative fee_limit', code: invalidParameter, fields: { feeLimit: -1n } },
  { rule: 'gas_price below the chain’s', code: invalidParameter, fields: { gasPrice: 1n } },
  { rule: 'negative gas_price', code: invalidParameter, fields: { gasPrice: -1n } },
  { rule: 'expression too long', code: invalidParameter, fields: { exprCondition: tooLong } },
  {
    rule: 'expressions of operations too long',
    code: invalidParameter,
    fields: { operations: [note({ exprCondition: tooLong, type: 99, sourceAddress: 'nobody' })] },
  },
  { rule: 'expression in error', code: expressionError, fields: { exprCondition: '1 >' } },
  { rule: 'expression false', code: expressionFalse, fields: { exprCondition: '1 > 2' } },
  {
    rule: 'operation source',
    code: codes.invalidAddress,
    fields: { operations: [note({ sourceAddress: 'nobody', metadata: new Uint8Array(262_145) })] },
  },
  {
    rule: 'operation metadata',
    code: invalidParameter,
    fields: { operations: [note({ metadata: new Uint8Array(262_145), exprCondition: '1 >' })] },
  },
  {
    rule: 'operation expression in error',
    code: expressionError,
    fields: { operations: [note({ exprCondition: '1 >', type: 99 })] },
  },
  {
    rule: 'operation expression false',
    code: expressionFalse,
    fields: { operations: [operation('payCoin', { amount: -1n }, { exprCondition: '1 > 2' })] },
  },
  { rule: 'operation type', code: invalidParameter, fields: { operations: [note({ type: 99 })] } },
  {
    rule: 'operation body',
    code: codes.sourceIsDestination,
    fields: { operations: [operation('payCoin', { destAddress: address('alice') })] },
  },
  { rule: 'weight', code: codes.weightTooLow, fields: { signers: ['bob'] } },
  { rule: 'balance', code: codes.lowBalance, fields: { feeLimit: balance } },
  { rule: 'fee beyond 64 bits', code: invalidParameter, fields: { gasPrice: int64Max } },
  { rule: 'fee limit', code: codes.feeTooLow, fields: { feeLimit: 0n } },
];

describe('the checks before execution', () => {
  it('have nothing against a proper transaction', () => {
    assert.equal(judge({}), undefined);
  });

  for (const { rule, code, fields } of violations) {
    it(`${rule}: ${code}`, () => assert.equal(codeOf(fields), code));
  }

  it('of two violations the one whose rule comes first decides', () => {
    for (const { first, both, name } of pairsInOrder(violations)) {
      // Many rules share code 2, so the description must be that of the first rule too.
      assert.deepEqual(judge(both), judge(first.fields), name);
    }
  });

  it('finish with one operation before they look at the next', () => {
    const badBody = operation('payCoin', { amount: -1n });
    const badSource = note({ sourceAddress: 'nobody' });
    const first = judge({ operations: [note(), badBody, badSource] });
    assert.deepEqual([first?.code, first?.description.slice(0, 12)], [invalidParameter, 'operation 1:']);
    assert.equal(codeOf({ operations: [badSource, badBody] }), codes.invalidAddress);
  });
});

describe('bounds, exactly at and one beyond', () => {
  /** A transaction whose envelope has exactly this many bytes. */
  function sized(bytes: number): TransactionOrder {
    const order = (lastBytes: number): TransactionOrder => ({
      operations: [262_144, 262_144, 262_144, lastBytes].map((length) =>
        operation('setMetadata', { key: 'k', value: 'x'.repeat(length) }),
      ),
      feeLimit: 10n ** 7n,
    });
    const { envelopeBytes } = sign(order(260_000)).signed;
    return order(260_000 + bytes - envelopeBytes);
  }

  it('envelope: 1048575 bytes', () => {
    assert.equal(sign(sized(1_048_575)).signed.envelopeBytes, 1_048_575);
    assert.equal(codeOf(sized(1_048_575), 10n ** 8n), 0);
    assert.equal(codeOf(sized(1_048_576), 10n ** 8n), codes.transactionTooBig);
  });

  it('signatures: 100', () => {
    const signers = (count: number) => [
      'alice',
      ...Array.from({ length: count - 1 }, (_, each) => `${each}`),
    ];
    assert.equal(codeOf({ signers: signers(100) }), 0);
    assert.equal(codeOf({ signers: signers(101) }), invalidParameter);
  });

  it('operations: 1 to 100', () => {
    assert.equal(codeOf({ operations: Array.from({ length: 100 }, () => note()) }), 0);
    assert.equal(codeOf({ operations: Array.from({ length: 101 }, () => note()) }), codes.tooManyOperations);
  });

  it('metadata of transaction and operation: 262144 bytes', () => {
    const metadata = new Uint8Array(262_144);
    const order = { metadata, operations: [note({ metadata })], feeLimit: 10n ** 7n };
    assert.equal(codeOf(order, 10n ** 8n), 0);
  });

  it('ceil_ledger_seq: 0 means none, otherwise not before the block it would stand in', () => {
    for (const ceilLedgerSeq of [0n, nextSeq, nextSeq + 1n, int64Max])
      assert.equal(codeOf({ ceilLedgerSeq }), 0);
    for (const ceilLedgerSeq of [1n, nextSeq - 1n]) assert.equal(codeOf({ ceilLedgerSeq }), timeout);
    assert.equal(codeOf({ ceilLedgerSeq: -1n }), invalidParameter);
  });

  it('gas_price: the chain’s own is enough', () => {
    assert.equal(codeOf({ gasPrice: 2n }), 0);
    assert.equal(codeOf({ gasPrice: 1n }), invalidParameter);
  });

  it('expressions: 4096 bytes, and what only a block can tell is let through', () => {
    const padded = (text: string, bytes: number) => text + ' '.repeat(bytes - text.length);
    for (const exprCondition of [
      padded('1', 4096),
      'LEDGER_SEQ > 5',
      `account("${address('nobody')}") != ""`,
    ]) {
      assert.equal(codeOf({ exprCondition }), 0);
      assert.equal(codeOf({ operations: [note({ exprCondition })] }), 0);
    }
    assert.equal(codeOf({ exprCondition: padded('1', 4097) }), invalidParameter);
    assert.equal(codeOf({ operations: [note({ exprCondition: padded('1', 4097) })] }), invalidParameter);
    const together = (bytes: number) => ({
      exprCondition: padded('1', 2000),
      operations: [
        note({ exprCondition: padded('1', 1000) }),
        note({ exprCondition: padded('1', bytes - 3000) }),
      ],
    });
    assert.equal(codeOf(together(4096)), 0);
    assert.equal(codeOf(together(4097)), invalidParameter);
    assert.equal(codeOf({ exprCondition: `"${'é'.repeat(2046)}" == ""` }), invalidParameter);
  });

  it('balance: what remains above the fee limit is at least the reserve', () => {
    assert.equal(codeOf({}, feeLimit + 50n), 0);
    assert.equal(codeOf({}, feeLimit + 49n), codes.lowBalance);
    assert.equal(codeOf({ feeLimit: int64Max }, int64Max), codes.lowBalance);
    assert.equal(codeOf({ feeLimit: int64Max - 50n }, int64Max), 0);
  });

  it('fee_limit: exactly what is due', () => {
    // The limit is part of the transaction, so it is looked for among limits of the same length.
    const { signed } = sign({ operations: [note()], feeLimit: 600n });
    const due = gasOf(signed, rules.parameters.fees) * 2n;
    assert(due > 128n && due < 16_384n);
    assert.equal(codeOf({ feeLimit: due }), 0);
    assert.equal(codeOf({ feeLimit: due - 1n }), codes.feeTooLow);
  });
});

describe('operation types', () => {
  it('that are old, unknown or not served are parameter errors', () => {
    const bodies = { setSignerWeight: {}, setThreshold: {} };
    for (const type of [-1, 0, 5, 6, 11, 100, 2 ** 31 - 1]) {
      assert.equal(codeOf({ operations: [create(OperationSchema, { type, ...bodies })] }), invalidParameter);
    }
  });

  it('with another type’s body are parameter errors', () => {
    const dressed = create(OperationSchema, { type: 7, log: { topic: 't' } });
    assert.equal(codeOf({ operations: [dressed] }), invalidParameter);
  });
});

describe('the source of an operation', () => {
  it('is the transaction’s unless it names its own', () => {
    const { transaction } = sign({ operations: [note(), note({ sourceAddress: address('bob') })] }).signed;
    assert.deepEqual(
      transaction.operations.map((each) => sourceOf(each, transaction)),
      [address('alice'), address('bob')],
    );
  });

  it('must be an address, also where it is the transaction’s', () => {
    assert.equal(
      codeOf({ operations: [note({ sourceAddress: address('bob').toLowerCase() })] }),
      codes.invalidAddress,
    );
    const { signed } = sign({ operations: [note()] });
    const from = { ...signed, transaction: { ...signed.transaction, sourceAddress: 'nobody' } };
    assert.equal(checkTransaction(from, rules, nextSeq)?.code, codes.invalidAddress);
  });
});
