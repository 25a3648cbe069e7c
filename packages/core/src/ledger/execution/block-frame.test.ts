import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { BrokenInvariant } from '../../basics/assert.ts';
import { encodeHex, parseHex } from '../../basics/bytes.ts';
import { blockLimits } from '../../limits/consensus.ts';
import {
  type Account,
  ConsensusValueSchema,
  FeeConfigSchema,
  LedgerHeaderSchema,
  type MetadataEntry,
  type Misbehavior,
  MisbehaviorSchema,
} from '../../proto/ledger_pb.ts';
import type { BlockFrame } from '../terms/chain-parameters.ts';
import { codes } from '../terms/codes.ts';
import { stateKeys } from '../terms/state.ts';
import {
  consensusAddress,
  encodeValidators,
  parseValidators,
  sortValidators,
  validatorSetOf,
} from '../terms/validators.ts';
import { createTestLedger, MemoryState, operation, type TestChain } from '../testing/test-ledger.ts';
import type { VerifiedTransaction } from './apply-transaction.ts';
import { contractsHaveRoom } from './block-frame.ts';
import { frameProblem } from './block-rules.ts';
import { appHashOf, closeBlock, genesisChanges } from './close-block.ts';
import { type ExecutedBlock, executeBlock } from './execute-block.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const vectorsUrl = new URL('../../../vectors/ledger/network.json', import.meta.url);
const vectors = JSON.parse(readFileSync(vectorsUrl, 'utf8'));
const network: TestChain = { sha256, network: { council: 'council', powers: { ann: 3, ben: 2, cat: 1 } } };
const ledger = createTestLedger(network);
const { address, publicKey, sign, validatorEntry } = ledger;
const [ann, ben, cat] = [validatorEntry('ann', 3), validatorEntry('ben', 2), validatorEntry('cat', 1)];
const council = address('council');
const entryKey = stateKeys.metadata(council, 'validators');

/** The first state of the network, with some Gas for people. */
function firstState(on = ledger): MemoryState {
  const state = new MemoryState(['alice', 'council'].map((name) => on.account(name, 10n ** 9n)));
  const changes = new Map(genesisChanges(on.rules.parameters));
  changes.delete(stateKeys.account(council));
  state.advance(changes);
  return state;
}

const execute = (
  transactions: VerifiedTransaction[],
  { before = firstState(), on = ledger, ...frame }: { before?: MemoryState; on?: typeof ledger } & BlockFrame,
): ExecutedBlock => executeBlock(before, transactions, { block: { ...on.block, ...frame }, rules: on.rules });

const evidence = (name: string, fields: Partial<Misbehavior> = {}): Misbehavior =>
  create(MisbehaviorSchema, {
    address: consensusAddress(publicKey(name), sha256),
    type: 1,
    height: 5n,
    ...fields,
  });
const sets = (entries: Parameters<typeof encodeValidators>[0], version = 0n) =>
  sign({
    source: 'council',
    operations: [operation('setMetadata', { key: 'validators', value: encodeValidators(entries), version })],
  });
const storedIn = (block: ExecutedBlock) => block.changes.get(entryKey) as MetadataEntry | undefined;
const balanceIn = (block: ExecutedBlock, name: string) =>
  (block.changes.get(stateKeys.account(address(name))) as Account | undefined)?.balance;
const updatesOf = ({ validatorUpdates }: ExecutedBlock) =>
  new Map(validatorUpdates.map((it) => [encodeHex(it.publicKey), it.power]));
const mark = { height: 5, kind: 'duplicateVote' } as const;

describe('the first state of a network', () => {
  it('has the council’s account, with the entry that says who validates', () => {
    const changes = genesisChanges(ledger.rules.parameters);
    const stored = changes.get(entryKey) as MetadataEntry;
    assert.deepEqual([stored.value, stored.version], [encodeValidators([ann, ben, cat]), 1n]);
    assert.equal((changes.get(stateKeys.account(council)) as Account).balance, 0n);
    assert.equal(changes.size, 3);
  });

  it('has no second account where the council’s is the genesis account', () => {
    const on = createTestLedger({ ...network, network: { council: 'genesis', powers: { ann: 1 } } });
    const changes = genesisChanges(on.rules.parameters);
    assert.equal(changes.size, 2);
    const { balance } = changes.get(stateKeys.account(address('genesis'))) as Account;
    assert.equal(balance, on.rules.parameters.genesisBalance);
  });
});

describe('a block of a network', () => {
  it('pays its fees and the reward to its proposer, whole', () => {
    const log = sign({ operations: [operation('log', { topic: 't' })] });
    const on = createTestLedger({ ...network, blockReward: 7n });
    const block = execute([log], { on, proposer: ben.payTo });
    const fee = block.transactions[0].outcome.actualFee;
    assert(fee > 0n);
    assert.equal(balanceIn(block, 'ben'), fee + 7n);
    assert.deepEqual([balanceIn(block, 'ann'), balanceIn(block, 'cat')], [undefined, undefined]);
  });

  it('is none without a proposer', () => {
    assert.throws(() => execute([], { proposer: undefined }), BrokenInvariant);
  });

  it('names those whom the state before it says, and tells what the state after it changes', () => {
    const block = execute([sets([{ ...ann, power: 9 }, ben, validatorEntry('dan', 4)])], {});
    assert.deepEqual(block.validators, validatorSetOf(sortValidators([ann, ben, cat])));
    assert.deepEqual(
      updatesOf(block),
      new Map([
        [ann.publicKey, 9n],
        [cat.publicKey, 0n],
        [validatorEntry('dan', 4).publicKey, 4n],
      ]),
    );
    const state = firstState();
    state.advance(block.changes);
    const next = execute([], { before: state });
    assert.deepEqual(
      next.validators,
      validatorSetOf(sortValidators([{ ...ann, power: 9 }, ben, validatorEntry('dan', 4)])),
    );
    assert.deepEqual(next.validatorUpdates, []);
  });

  it('tells no change where an account to be paid is another, or a change failed', () => {
    const moved = execute([sets([{ ...ann, payTo: address('zoe') }, ben, cat])], {});
    assert.deepEqual([storedIn(moved)?.version, moved.validatorUpdates], [2n, []]);
    const failed = execute([sets([ann], 7n)], {});
    assert.deepEqual([storedIn(failed), failed.validatorUpdates], [undefined, []]);
  });

  it('postpones contracts by the gas of the protocol alone, whatever room is offered', () => {
    const { contractGasMax } = blockLimits;
    assert.deepEqual(
      [contractsHaveRoom(contractGasMax - 1n), contractsHaveRoom(contractGasMax)],
      [true, false],
    );
    const asked: bigint[] = [];
    executeBlock(firstState(), [sign({ operations: [operation('log', { topic: 't' })] })], {
      block: ledger.block,
      rules: ledger.rules,
      hasRoom: (gas) => asked.push(gas) > 0,
    });
    assert.deepEqual(asked, []);
  });
});

describe('misbehaviour', () => {
  it('jails whom it names, takes their power and is a version of the entry', () => {
    const block = execute([], { misbehavior: [evidence('ben')] });
    const stored = storedIn(block);
    assert.deepEqual(
      [stored?.value, stored?.version],
      [encodeValidators([ann, { ...ben, jailed: mark }, cat]), 2n],
    );
    assert.deepEqual(updatesOf(block), new Map([[ben.publicKey, 0n]]));
    assert.equal(block.validators.validators.length, 3);
  });

  it('comes before the transactions: what was signed for the version before is refused', () => {
    const release = sets([ann, ben, cat], 1n);
    const block = execute([release], { misbehavior: [evidence('ben')] });
    assert.equal(block.transactions[0].outcome.failure?.code, codes.badMetadataVersion);
    assert.equal(storedIn(block)?.version, 2n);
    assert.deepEqual(updatesOf(block), new Map([[ben.publicKey, 0n]]));
  });

  it('can be lifted by a transaction of the same block, if that was meant for any version', () => {
    const block = execute([sets([ann, ben, cat])], { misbehavior: [evidence('ben')] });
    assert.equal(storedIn(block)?.version, 3n);
    assert.deepEqual(block.validatorUpdates, []);
  });

  it('jails all but the last one', () => {
    const misbehavior = ['cat', 'ann', 'ben'].map((name) => evidence(name));
    const block = execute([], { misbehavior });
    const parsed = parseValidators(storedIn(block)?.value ?? '', ledger.rules.keys);
    assert('entries' in parsed);
    assert.deepEqual(
      parsed.entries.flatMap(({ payTo, jailed }) => (jailed ? [] : [payTo])),
      [ben.payTo],
    );
  });

  it('of strangers, of no known kind, or told again changes nothing', () => {
    const nothing = [evidence('zoe'), evidence('ann', { type: 0 }), evidence('ann', { type: 3 })];
    assert.equal(execute([], { misbehavior: nothing }).changes.size, 0);
    const state = firstState();
    state.advance(execute([], { misbehavior: [evidence('ben')] }).changes);
    assert.equal(execute([], { before: state, misbehavior: [evidence('ben')] }).changes.size, 0);
  });

  it('means nothing on a chain of one node', () => {
    const on = createTestLedger({ sha256 });
    const block = executeBlock(firstState(), [], {
      block: { ...on.block, misbehavior: [evidence('ben')] },
      rules: on.rules,
    });
    assert.equal(block.changes.size, 0);
  });
});

describe('the vector of a block', () => {
  const { block: vector } = vectors;
  const bytesOf = (text: string): Uint8Array => parseHex(text) as Uint8Array;
  const parameters = {
    ...ledger.rules.parameters,
    chainId: BigInt(vector.chain_id),
    fees: create(FeeConfigSchema, { gasPrice: BigInt(vector.gas_price) }),
  };
  const { header, consensusValue } = closeBlock(
    {
      ...execute([], {}),
      context: {
        seq: BigInt(vector.seq),
        closeTime: BigInt(vector.close_time),
        validators: validatorSetOf(vector.signed_by),
        proposer: vector.proposer,
        misbehavior: vector.misbehavior.map((it: { address: string; type: number; height: number }) =>
          create(MisbehaviorSchema, { ...it, address: bytesOf(it.address), height: BigInt(it.height) }),
        ),
        hashBefore: () => undefined,
      },
      validators: validatorSetOf(sortValidators(vector.named)),
    },
    bytesOf(vector.state_root),
    {
      previous: create(LedgerHeaderSchema, {
        hash: bytesOf(vector.previous_hash),
        reserve: vector.previous_reserve,
        txCount: BigInt(vector.tx_count_before),
      }),
      previousProof: new Uint8Array(0),
      rules: { ...ledger.rules, parameters },
    },
  );

  it('has consensus value, header and app hash to the byte', () => {
    assert.equal(encodeHex(toBinary(ConsensusValueSchema, consensusValue)), vector.consensus_value_hex);
    assert.equal(encodeHex(header.validatorsHash), vector.validators_hash);
    assert.equal(header.reserve, vector.reserve);
    assert.equal(encodeHex(header.hash), vector.hash);
    assert.equal(encodeHex(toBinary(LedgerHeaderSchema, header)), vector.header_hex);
    assert.equal(encodeHex(appHashOf(header, sha256)), vector.app_hash);
  });
});

describe('what consensus may say of a block', () => {
  const { parameters } = ledger.rules;
  const { parameters: alone } = createTestLedger({ sha256 }).rules;
  const problem = (frame: BlockFrame, of = parameters) => frameProblem(frame, of.validators, of);

  it('is a validator who proposed it, and who misbehaved', () => {
    assert.equal(problem({ proposer: ann.payTo }), undefined);
    assert.equal(problem({ proposer: cat.payTo, misbehavior: [evidence('zoe')] }), undefined);
    assert.equal(problem({ proposer: undefined, misbehavior: [] }, alone), undefined);
    assert.equal(problem({}, alone), undefined);
  });

  const rows: [name: string, frame: BlockFrame, of: typeof parameters, words: RegExp][] = [
    ['nobody', {}, parameters, /none of its validators/],
    ['no name', { proposer: '' }, parameters, /none of its validators/],
    ['a stranger', { proposer: address('zoe') }, parameters, /none of its validators/],
    [
      'misbehaviour of nobody',
      { proposer: ann.payTo, misbehavior: [evidence('ann', { address: new Uint8Array(19) })] },
      parameters,
      /cannot be a validator/,
    ],
    ['a proposer of one node', { proposer: ann.payTo }, alone, /blocks of one node do not/],
    ['misbehaviour of one node', { misbehavior: [evidence('ann')] }, alone, /blocks of one node do not/],
  ];
  for (const [name, frame, of, words] of rows)
    it(`is not ${name}`, () => assert.match(problem(frame, of) ?? '', words));
});
