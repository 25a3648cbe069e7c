/**
 * Made-up transactions for the model test: a few people who pay, issue, note and regroup, mostly within the
 * rules and now and then against every one of them. Each plan becomes a signed blob for the ledger and a plain
 * object for the naive ledger; what it says about nonce and ceiling is relative to the moment it is sent.
 */
import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { type Operation, OperationSchema } from '../../proto/ledger_pb.ts';
import type { NaiveLedger } from './naive-ledger.ts';
import type {
  NaiveCondition,
  NaiveOperation,
  NaivePrivilege,
  NaiveTransaction,
} from './naive-transaction.ts';
import { operation, type TestLedger } from './test-ledger.ts';

export const actors = ['alice', 'bob', 'carol', 'dave'];
/** Without accounts at first. */
export const newcomers = ['frank', 'grace'];
/** Holds nearly all that fits and sends nothing, so that payments to it overflow. */
export const whale = 'whale';

/** One plan of a transaction; `endsBlock` closes the block after it. */
export interface Plan {
  readonly source: string;
  readonly signers: string[];
  readonly nonceStep: bigint;
  readonly chainId: bigint;
  readonly ceilStep: bigint | undefined;
  readonly feeLimit: bigint;
  readonly gasPrice: bigint;
  readonly condition: NaiveCondition | undefined;
  readonly operations: NaiveOperation[];
  readonly endsBlock: boolean;
}

/** The usual, and one time in `every` one of the exceptions. */
function usually<Value>(usual: fc.Arbitrary<Value>, every: number, exceptions: Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: every - 1, arbitrary: usual },
    { weight: 1, arbitrary: fc.constantFrom(...exceptions) },
  );
}
const always = <Value>(value: Value): fc.Arbitrary<Value> => fc.constant(value);

const amount = usually(fc.bigInt({ min: 0n, max: 300n }), 6, [
  ...[-1n, 99n, 100n, 101n, 40_000n, 10n ** 6n, 2n ** 62n, 2n ** 63n - 1n],
]);
const assetCode = usually(fc.constantFrom('A', 'a/b'), 40, ['', ' A', 'é'.repeat(32), 'é'.repeat(33)]);
const metadataKey = usually(fc.constantFrom('k', 'k/'), 40, ['', '€'.repeat(341), '€'.repeat(342)]);
const version = usually(always(0n), 3, [1n, 2n, 3n, -1n]);
const plainPrivilege: NaivePrivilege = { masterWeight: 1n, signers: [], txThreshold: 1n, typeThresholds: [] };
const contractPrivilege: NaivePrivilege = { ...plainPrivilege, masterWeight: 0n };

/** Rights that a new account is given, mostly the plain ones. */
function newPrivilege(signer: string) {
  const signs = { address: signer, weight: 2n };
  const none = { signers: [{ ...signs, weight: 0n }], typeThresholds: [{ type: 1, threshold: 0n }] };
  return usually<NaivePrivilege | undefined>(always(plainPrivilege), 20, [
    contractPrivilege,
    { ...plainPrivilege, masterWeight: -1n },
    { ...plainPrivilege, txThreshold: -1n },
    { ...plainPrivilege, signers: [signs], typeThresholds: [{ type: 7, threshold: 2n }] },
    { ...plainPrivilege, ...none },
    { ...plainPrivilege, signers: [signs, signs] },
    undefined,
  ]);
}

/** Bodies of operations among people with these addresses. */
function bodies(address: (name: string) => string, reserved: string) {
  const anyone = usually(fc.constantFrom(...[...actors, ...newcomers].map(address)), 40, [
    ...[address(whale), address(whale), reserved, '', 'nonsense'],
  ]);
  const issuer = usually(always(address('alice')), 6, [address('bob'), address('bob'), 'nonsense', '']);
  const newAccount = {
    kind: always('createAccount' as const),
    initBalance: amount,
    metadatas: fc.array(fc.record({ key: metadataKey, value: always('born'), version }), { maxLength: 1 }),
  };
  const createAccount = fc.record({
    ...newAccount,
    dest: usually(fc.constantFrom(...newcomers.map(address)), 4, [address('bob'), '', 'nonsense', reserved]),
    code: always(''),
    priv: newPrivilege(address('bob')),
  });
  const createContract = fc.record({
    ...newAccount,
    dest: usually(always(''), 10, [address('frank')]),
    code: always('function init() {}'),
    priv: usually(always(contractPrivilege), 10, [plainPrivilege]),
  });
  const issueAsset = fc.record({ kind: always('issueAsset' as const), code: assetCode, amount });
  const payAsset = fc.record({
    kind: always('payAsset' as const),
    dest: anyone,
    asset: fc.option(fc.record({ issuer, code: assetCode, amount }), { nil: undefined, freq: 20 }),
  });
  const setMetadata = fc.record({
    kind: always('setMetadata' as const),
    key: metadataKey,
    value: fc.constantFrom('', 'one', 'two'),
    version,
    isDelete: usually(always(false), 4, [true]),
  });
  const payCoin = fc.record({ kind: always('payCoin' as const), dest: anyone, amount });
  const log = fc.record({
    kind: always('log' as const),
    topic: usually(always('t'), 10, ['', 'é'.repeat(64), 'é'.repeat(65)]),
    datas: usually<string[]>(always([]), 10, [['x'], ['']]),
  });
  const weight = usually(fc.constantFrom(0n, 1n, 2n, 2n ** 32n - 1n), 20, [2n ** 32n, -1n]);
  const threshold = usually(fc.constantFrom(0n, 1n, 2n, 3n), 20, [-1n]);
  const type = usually(fc.constantFrom(1, 2, 3, 4, 7, 8, 9, 100), 20, [0, 101]);
  const setPrivilege = fc.record({
    kind: always('setPrivilege' as const),
    masterWeight: usually(fc.constantFrom('', '', '1', '2', '4294967295'), 10, ['0', '01', '4294967296']),
    signers: fc.array(fc.record({ address: anyone, weight }), { maxLength: 2 }),
    txThreshold: usually(fc.constantFrom('', '', '1', '2', '0'), 20, ['-1', '9223372036854775807']),
    typeThresholds: fc.array(fc.record({ type, threshold }), { maxLength: 2 }),
  });
  const unknown = fc.record({ kind: always('unknown' as const), type: fc.constantFrom(0, 5, 6, 10) });
  return fc.oneof(
    { weight: 10, arbitrary: createAccount },
    { weight: 2, arbitrary: createContract },
    { weight: 15, arbitrary: issueAsset },
    { weight: 20, arbitrary: payAsset },
    { weight: 20, arbitrary: setMetadata },
    { weight: 25, arbitrary: payCoin },
    { weight: 5, arbitrary: log },
    { weight: 12, arbitrary: setPrivilege },
    { weight: 1, arbitrary: unknown },
  );
}

/** Plans of up to 30 transactions. `conditions` may stand on transactions and operations. */
export function plansOf(
  address: (name: string) => string,
  reserved: string,
  conditions: NaiveCondition[],
): fc.Arbitrary<Plan[]> {
  const everybody = [...actors, ...newcomers];
  const condition = usually<NaiveCondition | undefined>(always(undefined), 15, conditions);
  const source = usually(always(''), 4, [...everybody.map(address), address('bob'), 'nonsense']);
  const operationPlan = fc
    .record({ body: bodies(address, reserved), source, condition })
    .map(({ body, ...common }): NaiveOperation => ({ ...body, ...common }));
  const plan: fc.Arbitrary<Plan> = fc.record({
    source: usually(fc.constantFrom('alice', 'alice', 'bob', 'bob', 'carol', 'dave'), 10, newcomers),
    signers: fc.oneof(
      { weight: 3, arbitrary: always(everybody) },
      { weight: 1, arbitrary: fc.subarray(everybody) },
    ),
    nonceStep: usually(always(1n), 30, [0n, 2n]),
    chainId: usually(always(0n), 60, [1n]),
    ceilStep: usually<bigint | undefined>(always(undefined), 20, [-1n, 0n, 1n]),
    feeLimit: usually(always(20_000n), 10, [0n, 400n, 5_000n, 10n ** 12n]),
    gasPrice: usually(always(1n), 20, [0n, 3n, 3n, 2n ** 62n]),
    condition,
    operations: usually(fc.array(operationPlan, { minLength: 1, maxLength: 3 }), 60, [[]]),
    endsBlock: fc.boolean(),
  });
  return fc.array(plan, { minLength: 1, maxLength: 30, size: 'max' });
}

function operationOf(plan: NaiveOperation): Operation {
  const common = { sourceAddress: plan.source, exprCondition: plan.condition?.text ?? '' };
  switch (plan.kind) {
    case 'createAccount': {
      const { dest, code, priv, initBalance, metadatas } = plan;
      const contract = code === '' ? undefined : { payload: code };
      const thresholds = priv && { txThreshold: priv.txThreshold, typeThresholds: [...priv.typeThresholds] };
      const privilege = priv && { masterWeight: priv.masterWeight, signers: [...priv.signers], thresholds };
      const fields = { destAddress: dest, contract, priv: privilege, initBalance, metadatas: [...metadatas] };
      return operation('createAccount', fields, common);
    }
    case 'payAsset': {
      const { asset, dest } = plan;
      const sent = asset && { key: { issuer: asset.issuer, code: asset.code }, amount: asset.amount };
      return operation('payAsset', { destAddress: dest, asset: sent }, common);
    }
    case 'payCoin':
      return operation('payCoin', { destAddress: plan.dest, amount: plan.amount }, common);
    case 'setMetadata': {
      const { key, value, version: asked, isDelete } = plan;
      return operation('setMetadata', { key, value, version: asked, deleteFlag: isDelete }, common);
    }
    case 'log':
      return operation('log', { topic: plan.topic, datas: [...plan.datas] }, common);
    case 'setPrivilege': {
      const { masterWeight, txThreshold, signers, typeThresholds } = plan;
      const lists = { signers: [...signers], typeThresholds: [...typeThresholds] };
      return operation('setPrivilege', { masterWeight, txThreshold, ...lists }, common);
    }
    case 'issueAsset':
      return operation('issueAsset', { code: plan.code, amount: plan.amount }, common);
    case 'unknown':
      return create(OperationSchema, { type: plan.type, ...common });
  }
}

/** The transaction of a plan at this moment of the naive ledger, in both forms. */
export function realize(
  plan: Plan,
  naive: NaiveLedger,
  { seq, ledger }: { seq: bigint; ledger: TestLedger },
) {
  const source = ledger.address(plan.source);
  const terms = {
    nonce: (naive.accounts.get(source)?.nonce ?? 0n) + plan.nonceStep,
    chainId: plan.chainId,
    ceilLedgerSeq: plan.ceilStep === undefined ? 0n : seq + plan.ceilStep,
    feeLimit: plan.feeLimit,
    gasPrice: plan.gasPrice,
  };
  const verified = ledger.sign({
    source: plan.source,
    signers: plan.signers,
    ...terms,
    exprCondition: plan.condition?.text ?? '',
    operations: plan.operations.map(operationOf),
  });
  // A tag and a length before the blob, 147 bytes for each signature.
  const { length } = verified.signed.blob;
  const envelopeBytes = 1 + (length < 128 ? 1 : length < 16_384 ? 2 : 3) + length + 147 * plan.signers.length;
  const { condition: whole, operations } = plan;
  const signers = new Set(plan.signers.map(ledger.address));
  const plain: NaiveTransaction = { source, ...terms, condition: whole, operations, signers, envelopeBytes };
  return { verified, plain };
}
