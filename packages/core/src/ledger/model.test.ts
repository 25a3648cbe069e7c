/**
 * Random transactions, good and bad, through `executeBlock`, compared after every block with the naive ledger:
 * same codes, same fees, same state. fast-check prints the seed and the smallest case when they differ.
 */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { type Operation, OperationSchema } from '../proto/ledger_pb.ts';
import type { VerifiedTransaction } from './apply-transaction.ts';
import { type ExecutedBlock, executeBlock } from './execute-block.ts';
import { ownerOf } from './state.ts';
import { bornAccount, type NaiveAccount, NaiveLedger, weightFor } from './testing/naive-ledger.ts';
import type { NaiveCondition, NaiveOperation, NaiveTransaction } from './testing/naive-transaction.ts';
import { createTestLedger, MemoryState, operation, type TestLedger } from './testing/test-ledger.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

// People and what may be said about them

const actors = ['alice', 'bob', 'carol', 'dave'];
const newcomers = ['frank', 'grace'];
const balances: Record<string, bigint> = { alice: 10n ** 9n, bob: 10n ** 6n, carol: 60_000n, dave: 20_150n };
/** Holds nearly all that fits and sends nothing, so that payments to it overflow. */
const whale = 'whale';
const whaleBalance = 2n ** 63n - 1_000n;

const { address, rules } = createTestLedger({ sha256 });
const reserved = rules.keys.addressOfText('1');
const people = [...actors, ...newcomers, whale].map(address);

const condition = (text: string, atExecution: NaiveCondition['atExecution']): NaiveCondition => ({
  text,
  atSubmit: 0,
  atExecution,
});
const conditions: NaiveCondition[] = [
  { text: '1 > 2', atSubmit: 20, atExecution: () => 20 },
  { text: '1 >', atSubmit: 21, atExecution: () => 21 },
  condition('LEDGER_SEQ > 0', () => 0),
  condition('LEDGER_SEQ < 0 || LEDGER_TIME < 0', () => 20),
  condition(`account("${address('frank')}") != ""`, (accounts) => (accounts.has(address('frank')) ? 0 : 21)),
  condition(`jsonpath(account("${address('bob')}"), ".balance") > 900000`, (accounts) =>
    (accounts.get(address('bob'))?.balance ?? 0n) > 900_000n ? 0 : 20,
  ),
  condition(`jsonpath(account("${address('alice')}"), ".nonce") < 4`, (accounts) =>
    (accounts.get(address('alice'))?.nonce ?? 0n) < 4n ? 0 : 20,
  ),
];

// Made-up transactions

/** Mostly the usual, sometimes one of the others. */
const mostly = <Value>(usual: Value, ...others: Value[]): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

const anyone = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...[...actors, ...newcomers].map(address)) },
  { weight: 1, arbitrary: fc.constantFrom(address(whale), reserved, '', 'nonsense') },
);
const amount = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 300n }) },
  { weight: 1, arbitrary: fc.constantFrom(-1n, 99n, 100n, 40_000n, 10n ** 6n, 2n ** 62n, 2n ** 63n - 1n) },
);
const assetCode = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('A', 'a/b') },
  { weight: 1, arbitrary: fc.constantFrom('', ' A', 'é'.repeat(32), 'é'.repeat(33)) },
);
const metadataKey = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('k', 'k/') },
  { weight: 1, arbitrary: fc.constantFrom('', '€'.repeat(341), '€'.repeat(342)) },
);
const version = mostly(0n, 1n, 2n, 3n, -1n);
const weight = fc.constantFrom(0n, 1n, 1n, 2n, 3n, 2n ** 32n - 1n, 2n ** 32n, -1n);
const signerList = fc.array(fc.record({ address: anyone, weight }), { maxLength: 2 });
const typeThresholdList = fc.array(
  fc.record({
    type: fc.constantFrom(1, 2, 3, 4, 7, 7, 8, 9, 100, 0, 101),
    threshold: fc.constantFrom(0n, 1n, 2n, 3n, -1n),
  }),
  { maxLength: 2 },
);
const plainPrivilege = { masterWeight: 1n, signers: [], txThreshold: 1n, typeThresholds: [] };

const body = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('createAccount' as const),
      dest: anyone,
      code: mostly('', 'function init() {}'),
      priv: mostly<typeof plainPrivilege | undefined>(
        plainPrivilege,
        { ...plainPrivilege, masterWeight: 0n },
        { ...plainPrivilege, masterWeight: -1n },
        { ...plainPrivilege, txThreshold: -1n },
        undefined,
      ),
      initBalance: amount,
      metadatas: fc.array(fc.record({ key: metadataKey, value: fc.constant('born'), version }), {
        maxLength: 1,
      }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('issueAsset' as const), code: assetCode, amount }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('payAsset' as const),
      dest: anyone,
      asset: fc.option(fc.record({ issuer: anyone, code: assetCode, amount }), { nil: undefined, freq: 10 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('setMetadata' as const),
      key: metadataKey,
      value: fc.constantFrom('', 'one', 'two'),
      version,
      isDelete: mostly(false, true, true, false),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('payCoin' as const), dest: anyone, amount }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('log' as const),
      topic: mostly('t', '', 'é'.repeat(64), 'é'.repeat(65)),
      datas: mostly<string[]>([], ['x'], ['']),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('setPrivilege' as const),
      masterWeight: fc.constantFrom('', '', '1', '2', '0', '4294967295', '4294967296', '01'),
      signers: signerList,
      txThreshold: fc.constantFrom('', '', '1', '1', '2', '0', '-1', '9223372036854775807'),
      typeThresholds: typeThresholdList,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('unknown' as const), type: fc.constantFrom(0, 5, 6, 10) }),
  },
);
const operationPlan: fc.Arbitrary<NaiveOperation> = fc
  .tuple(
    body,
    fc.oneof({ weight: 5, arbitrary: fc.constant('') }, { weight: 2, arbitrary: anyone }),
    maybe(conditions),
  )
  .map(([fields, source, its]) => ({ ...fields, source, condition: its }));

function maybe(values: NaiveCondition[]): fc.Arbitrary<NaiveCondition | undefined> {
  return fc.option(fc.constantFrom(...values), { nil: undefined, freq: 8 }).map((value) => value);
}

const transactionPlan = fc.record({
  source: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...actors) },
    { weight: 1, arbitrary: fc.constantFrom(...newcomers) },
  ),
  signers: fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([...actors, ...newcomers]) },
    { weight: 1, arbitrary: fc.subarray<string>([...actors, ...newcomers]) },
  ),
  nonceStep: fc.oneof(
    { weight: 30, arbitrary: fc.constant(1n) },
    { weight: 1, arbitrary: fc.constantFrom(0n, 2n) },
  ),
  chainId: fc.oneof({ weight: 60, arbitrary: fc.constant(0n) }, { weight: 1, arbitrary: fc.constant(1n) }),
  ceilStep: fc.oneof(
    { weight: 20, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(-1n, 0n, 1n) },
  ),
  feeLimit: mostly(20_000n, 0n, 400n, 5_000n, 10n ** 12n),
  gasPrice: fc.oneof(
    { weight: 20, arbitrary: fc.constant(1n) },
    { weight: 2, arbitrary: fc.constantFrom(0n, 3n, 2n ** 62n) },
  ),
  condition: maybe(conditions),
  operations: fc.oneof(
    { weight: 40, arbitrary: fc.array(operationPlan, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant([]) },
  ),
  endsBlock: fc.boolean(),
});
type Plan = typeof transactionPlan extends fc.Arbitrary<infer Value> ? Value : never;
const plans = fc.array(transactionPlan, { minLength: 1, maxLength: 30, size: 'max' });

// From a plan to a blob and to the naive form

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
function realize(plan: Plan, naive: NaiveLedger, { seq, ledger }: { seq: bigint; ledger: TestLedger }) {
  const source = address(plan.source);
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
  const signers = new Set(plan.signers.map(address));
  const plain: NaiveTransaction = { source, ...terms, condition: whole, operations, signers, envelopeBytes };
  return { verified, plain };
}

// The two ledgers side by side

function start(options: { baseReserve?: bigint; blockReward?: bigint; validators?: string[] }) {
  const chain = { baseReserve: 0n, blockReward: 0n, validators: ['validator'], ...options };
  const prices = { gasPrice: 1n, createContractGas: 2_000n, issueAssetGas: 1_000n };
  const ledger = createTestLedger({ sha256, ...chain, ...prices });
  const accounts = [...actors, whale].map((name) => ledger.account(name, balances[name] ?? whaleBalance));
  const state = new MemoryState(accounts);
  const naive = new NaiveLedger({
    ...chain,
    ...prices,
    validators: chain.validators.map(address),
    addresses: new Set([...people, reserved]),
    reserved: new Set([reserved]),
  });
  for (const { address: owner, balance } of accounts) naive.accounts.set(owner, bornAccount(balance));
  return { ledger, state, naive, chain };
}

/** What the real state says, in the naive form. */
function naiveViewOf(state: MemoryState): Map<string, NaiveAccount> {
  const view = new Map<string, NaiveAccount>();
  for (const entry of state.entries.values()) {
    if (entry.$typeName !== 'symbolon.ledger.v1.Account') continue;
    const { balance, nonce, priv } = entry;
    view.set(entry.address, {
      ...bornAccount(balance),
      nonce,
      masterWeight: priv!.masterWeight,
      txThreshold: priv!.thresholds!.txThreshold,
      signers: new Map(priv!.signers.map((signer) => [signer.address, signer.weight])),
      typeThresholds: new Map(
        priv!.thresholds!.typeThresholds.map(({ type, threshold }) => [type, threshold]),
      ),
    });
  }
  for (const [key, entry] of state.entries) {
    const owner = view.get(ownerOf(key))!;
    if (entry.$typeName === 'symbolon.ledger.v1.AssetStore') {
      owner.assets.set(`${entry.key!.issuer} ${entry.key!.code}`, entry.amount);
    } else if (entry.$typeName === 'symbolon.ledger.v1.MetadataEntry') {
      owner.metadata.set(entry.key, { value: entry.value, version: entry.version });
    }
  }
  return view;
}

const gasIn = (accounts: ReadonlyMap<string, NaiveAccount>): bigint =>
  [...accounts.values()].reduce((total, { balance }) => total + balance, 0n);

function assetsIn(accounts: ReadonlyMap<string, NaiveAccount>): Map<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const { assets } of accounts.values()) {
    for (const [name, held] of assets) totals.set(name, (totals.get(name) ?? 0n) + held);
  }
  return totals;
}

/** What the transactions of a block issued, by `issuer code`. */
function addIssued(issued: Map<string, bigint>, plain: NaiveTransaction): void {
  for (const each of plain.operations) {
    if (each.kind !== 'issueAsset') continue;
    const name = `${each.source || plain.source} ${each.code}`;
    issued.set(name, (issued.get(name) ?? 0n) + each.amount);
  }
}

/** Nobody acts without the weight for it: seen in the state before the block, so for its first transaction. */
function assertWeight(
  before: ReadonlyMap<string, NaiveAccount>,
  plain: NaiveTransaction,
  code: number,
): void {
  const reaches = (who: string, threshold: (account: NaiveAccount) => bigint): boolean => {
    const account = before.get(who);
    return !account || weightFor(account, who, plain.signers) >= threshold(account);
  };
  assert(reaches(plain.source, (account) => account.txThreshold));
  const [first] = plain.operations;
  if (code !== 0 || first.kind !== 'payCoin') return;
  assert(
    reaches(first.source || plain.source, (account) => account.typeThresholds.get(7) ?? account.txThreshold),
  );
}

describe('the ledger and the naive ledger', () => {
  const chains = fc.record({
    baseReserve: fc.constantFrom(0n, 100n),
    blockReward: fc.constantFrom(0n, 7n),
    validators: fc.constantFrom<string[]>(['validator'], ['bob', 'validator', 'alice']),
  });

  it('agree after every block on codes, fees and state; nothing appears or vanishes', () => {
    fc.assert(
      fc.property(chains, plans, (options, planned) => {
        const { ledger, state, naive, chain } = start(options);
        const supply = gasIn(naive.accounts);
        const issued = new Map<string, bigint>();
        let seq = 2n;
        let blocks = 0n;
        let waiting: { verified: VerifiedTransaction; plain: NaiveTransaction; expected: object }[] = [];
        const closeBlock = (): void => {
          naive.closeBlock(seq);
          const before = naiveViewOf(state);
          const transactions = waiting.map(({ verified }) => verified);
          const block = { seq, closeTime: 1_000n * seq };
          const result = executeBlock(state, transactions, { block, rules: ledger.rules });
          const outcomes = outcomesOf(result);
          for (const { verified, expected } of waiting) assert.deepEqual(outcomes.get(verified), expected);
          state.advance(result.changes);
          blocks += 1n;
          const after = naiveViewOf(state);
          assert.deepEqual(after, naive.accounts);
          assert.equal(gasIn(after), supply + blocks * chain.blockReward);
          for (const { verified, plain } of waiting) {
            if (outcomes.get(verified)!.code === 0) addIssued(issued, plain);
          }
          assert.deepEqual(assetsIn(after), issued);
          const first = waiting.at(0);
          const code = first && outcomes.get(first.verified)!.code;
          if (first && code !== undefined) assertWeight(before, first.plain, code);
          waiting = [];
          seq += 1n;
        };
        for (const plan of planned) {
          const { verified, plain } = realize(plan, naive, { seq, ledger });
          waiting.push({ verified, plain, expected: naive.execute(plain, seq) });
          if (plan.endsBlock) closeBlock();
        }
        closeBlock();
      }),
      { numRuns: 150 },
    );
  });
});

/** By transaction: dropped with a code, or executed with code and fee. */
function outcomesOf({ dropped, executed }: ExecutedBlock) {
  const outcomes = new Map<VerifiedTransaction, { dropped?: number; code?: number; fee?: bigint }>();
  for (const { verified, refusal } of dropped) outcomes.set(verified, { dropped: refusal.code });
  for (const { verified, outcome } of executed) {
    outcomes.set(verified, { code: outcome.failure?.code ?? 0, fee: outcome.actualFee });
  }
  return outcomes;
}

describe('cutting a sequence into blocks', () => {
  it('makes no difference to anybody but the validators, who share the same total', () => {
    const arbitrary = fc.tuple(fc.constantFrom(0n, 100n), plans, fc.infiniteStream(fc.boolean()));
    const validators = ['validator one', 'validator two'];
    fc.assert(
      fc.property(arbitrary, ([baseReserve, planned, cuts]) => {
        const { ledger, naive } = start({ baseReserve, validators });
        const transactions = planned.map((plan) => {
          const { verified, plain } = realize({ ...plan, ceilStep: undefined }, naive, { seq: 2n, ledger });
          naive.execute(plain, 2n);
          return verified;
        });
        const run = (endsBlock: (index: number) => boolean) => {
          const { state } = start({ baseReserve, validators });
          const outcomes: unknown[] = [];
          let seq = 2n;
          for (let from = 0; from < transactions.length; ) {
            let to = from + 1;
            while (to < transactions.length && !endsBlock(to)) to++;
            const block = { seq, closeTime: 1_000n * seq };
            const result = executeBlock(state, transactions.slice(from, to), { block, rules: ledger.rules });
            outcomes.push(...transactions.slice(from, to).map((each) => outcomesOf(result).get(each)));
            state.advance(result.changes);
            from = to;
            seq += 1n;
          }
          const view = naiveViewOf(state);
          const paid = gasIn(new Map([...view].filter(([who]) => validators.map(address).includes(who))));
          for (const name of validators) view.delete(address(name));
          return { outcomes, view, paid };
        };
        const whole = run(() => false);
        assert.deepEqual(
          run(() => true),
          whole,
        );
        assert.deepEqual(
          run(() => cuts.next().value),
          whole,
        );
      }),
      { numRuns: 60 },
    );
  });
});
