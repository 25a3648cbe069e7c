import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { encodeHex, equalBytes, parseHex } from '../../basics/bytes.ts';
import {
  ConsensusValueSchema,
  FeeConfigSchema,
  LedgerHeaderSchema,
  LedgerSchema,
  ValidatorSetSchema,
} from '../../proto/ledger_pb.ts';
import { codes } from '../terms/codes.ts';
import { encodeEntry, stateKeys } from '../terms/state.ts';
import { envelopeOf } from '../terms/transaction.ts';
import { createTestLedger, MemoryState, operation } from '../testing/test-ledger.ts';
import { closeBlock, closeGenesis, consensusValueHash, genesisChanges, withHash } from './close-block.ts';
import { executeBlock } from './execute-block.ts';

const vectorsUrl = new URL('../../../vectors/ledger/ledger.json', import.meta.url);
const vectors = JSON.parse(readFileSync(vectorsUrl, 'utf8'));
const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const bytesOf = (text: string): Uint8Array => parseHex(text) as Uint8Array;
const ledger = createTestLedger({ sha256 });
const { account, address, block: context, rules, sign } = ledger;
const root = sha256(Uint8Array.of(1));

describe('the genesis vector', () => {
  const { config, header: expected, ...vector } = vectors.genesis_zetrix_layout;
  // The operation prices are ours: the vector's chain has none.
  const parameters = {
    chainId: BigInt(config.chain_id),
    ledgerVersion: BigInt(config.ledger_version),
    genesisAddress: config.genesis_account,
    genesisBalance: BigInt(config.genesis_balance),
    slogan: config.slogan,
    fees: create(FeeConfigSchema, {
      gasPrice: BigInt(config.fees.gas_price),
      baseReserve: BigInt(config.fees.base_reserve),
    }),
    validators: create(ValidatorSetSchema, {
      validators: config.validators.map((each: string) => ({ address: each })),
    }),
  };
  // Our state tree is another one by design; given the vector's root, everything else is the same.
  const { header, consensusValue } = closeGenesis(bytesOf(expected.account_tree_hash), {
    ...rules,
    parameters,
  });

  it('has every field and the hash', () => {
    assert.equal(header.seq, BigInt(expected.seq));
    assert.equal(header.version, BigInt(expected.version));
    assert.equal(header.reserve, expected.reserve);
    assert.equal(header.chainId, BigInt(expected.chain_id));
    assert.equal(encodeHex(header.consensusValueHash), expected.consensus_value_hash);
    assert.equal(encodeHex(header.validatorsHash), expected.validators_hash);
    assert.equal(encodeHex(header.feesHash), expected.fees_hash);
    assert.equal(encodeHex(header.hash), expected.hash);
    assert.deepEqual([header.previousHash.length, header.closeTime, header.txCount], [0, 0n, 0n]);
  });

  it('hashes exactly the vector’s bytes', () => {
    const hashed: string[] = [];
    const listening = (bytes: Uint8Array): Uint8Array => {
      hashed.push(encodeHex(bytes));
      return sha256(bytes);
    };
    closeGenesis(bytesOf(expected.account_tree_hash), { ...rules, parameters, sha256: listening });
    for (const text of [
      'validator_set_hex',
      'fee_config_hex',
      'consensus_value_hex',
      'ledger_bytes_hashed_hex',
    ]) {
      assert(hashed.includes(vector[text]), text);
    }
    assert.equal(encodeHex(toBinary(ConsensusValueSchema, consensusValue)), vector.consensus_value_hex);
  });

  it('starts with one account that holds everything, in the vector’s bytes', () => {
    const changes = genesisChanges(parameters);
    assert.deepEqual([...changes.keys()], [stateKeys.account(config.genesis_account)]);
    const account = changes.get(stateKeys.account(config.genesis_account))!;
    assert.equal(encodeHex(encodeEntry(account)), vector.accounts[0].account_hex);
  });

  it('another parameter makes another chain', () => {
    const hashOf = (changed: Partial<typeof parameters>): string => {
      const closed = closeGenesis(root, { ...rules, parameters: { ...parameters, ...changed } });
      return encodeHex(closed.header.hash);
    };
    const fees = (fields: object) => ({ fees: create(FeeConfigSchema, { gasPrice: 1000n, ...fields }) });
    const variants = [
      {},
      { chainId: 1n },
      { ledgerVersion: 1001n },
      { slogan: 'another' },
      { validators: create(ValidatorSetSchema) },
      fees({ gasPrice: 1n }),
      fees({ baseReserve: 1n }),
      fees({ createContractGas: 1n }),
      fees({ issueAssetGas: 1n }),
    ];
    assert.equal(new Set(variants.map(hashOf)).size, variants.length);
  });
});

describe('published hashes', () => {
  it('of a header of the older network: same rule, fees hash and reserve with exchanged numbers', () => {
    const { header: published } = vectors.genesis_bumo_published;
    const header = create(LedgerHeaderSchema, {
      seq: BigInt(published.seq),
      accountTreeHash: bytesOf(published.account_tree_hash),
      consensusValueHash: bytesOf(published.consensus_value_hash),
      version: BigInt(published.version),
      validatorsHash: bytesOf(published.validators_hash),
      feesHash: bytesOf(published.fees_hash),
    });
    // The fees hash ends the message: 1 tag byte, 1 length byte, 32 bytes.
    const inOlderLayout = (bytes: Uint8Array): Uint8Array => {
      const exchanged = bytes.slice();
      assert.equal(exchanged.at(-34), (11 << 3) | 2);
      exchanged[exchanged.length - 34] = (10 << 3) | 2;
      return sha256(exchanged);
    };
    assert.equal(encodeHex(withHash(header, [], inOlderLayout).hash), published.hash);
  });

  it('of fees and of the first consensus value', () => {
    const [feeVector, valueVector] = vectors.single_hashes;
    const fees = create(FeeConfigSchema, { gasPrice: 1000n, baseReserve: 10_000_000n });
    const { header } = closeGenesis(root, { ...rules, parameters: { ...rules.parameters, fees } });
    assert.equal(encodeHex(toBinary(FeeConfigSchema, fees)), feeVector.hex);
    assert.equal(encodeHex(header.feesHash), feeVector.sha256);
    const value = create(ConsensusValueSchema, { ledgerUpgrade: { newLedgerVersion: 1000n } });
    assert.equal(encodeHex(toBinary(ConsensusValueSchema, value)), valueVector.hex);
    assert.equal(encodeHex(consensusValueHash(value, sha256)), valueVector.sha256);
  });
});

describe('a closed block', () => {
  const note = operation('log', { topic: 't' });
  const failing = operation('setMetadata', { key: 'none', deleteFlag: true });
  const transactions = [
    sign({ nonce: 1n, operations: [note] }),
    sign({ nonce: 2n, operations: [failing] }),
    sign({ nonce: 9n, operations: [note] }),
    sign({ nonce: 3n, operations: [note] }),
    sign({ nonce: 4n, operations: [failing] }),
  ];
  const before = () => new MemoryState([account('alice', 1_000_000_000n)]);
  const previous = closeGenesis(root, rules).header;
  const proof = Uint8Array.of(1, 2, 3);
  const seal = (chosen = transactions, stateRoot = root, previousProof = proof) => {
    const executed = executeBlock(before(), chosen, { block: context, rules });
    return { executed, ...closeBlock(executed, stateRoot, { previous, previousProof, rules }) };
  };
  const { executed, header, consensusValue } = seal();
  const envelopes = executed.transactions.map(({ verified }) => envelopeOf(verified.signed));

  it('follows the block before it', () => {
    assert.deepEqual([header.seq, header.closeTime], [context.seq, context.closeTime]);
    assert.deepEqual(header.previousHash, previous.hash);
    assert.deepEqual(header.accountTreeHash, root);
    assert.equal(header.reserve, '');
    assert.equal(header.version, previous.version);
    assert.deepEqual(header.feesHash, previous.feesHash);
    assert.deepEqual(header.validatorsHash, previous.validatorsHash);
  });

  it('counts what is recorded, failures included, and nothing that was set aside', () => {
    assert.equal(executed.dropped[0].refusal.code, codes.badNonce);
    assert.equal(header.txCount, 4n);
    const later = { ...previous, txCount: 100n };
    const closed = closeBlock(executed, root, { previous: later, previousProof: proof, rules });
    assert.equal(closed.header.txCount, 104n);
  });

  it('states its transactions, the failed ones by their place, and the proof of the block before', () => {
    assert.deepEqual(consensusValue.txset?.txs, envelopes);
    assert.deepEqual(consensusValue.validation?.errorTxIds, [1, 3]);
    assert.deepEqual(consensusValue.validation?.expireTxIds, []);
    assert.deepEqual(consensusValue.previousProof, proof);
    assert.deepEqual(consensusValue.previousLedgerHash, previous.hash);
    assert.deepEqual([consensusValue.ledgerSeq, consensusValue.closeTime], [context.seq, context.closeTime]);
    assert.equal(seal(transactions.slice(0, 1)).consensusValue.validation, undefined);
  });

  it('is named by the hash of its header without the hash, and of all its transactions', () => {
    const bare = create(LedgerHeaderSchema, { ...header, hash: new Uint8Array(0) });
    const bytes = toBinary(LedgerSchema, create(LedgerSchema, { header: bare, transactionEnvs: envelopes }));
    assert.deepEqual(header.hash, sha256(bytes));
    assert.deepEqual(header.consensusValueHash, sha256(toBinary(ConsensusValueSchema, consensusValue)));
    assert.deepEqual(withHash(header, envelopes, sha256), header, 'a hash that is there is left out');
  });

  it('has another name when anything about it is different', () => {
    const variants = [
      seal(),
      seal(transactions.slice(0, 4)),
      seal([]),
      seal(transactions, sha256(root)),
      seal(transactions, root, Uint8Array.of(9)),
      seal([sign({ nonce: 1n, operations: [note], signers: ['alice', 'bob'] }), ...transactions.slice(1)]),
    ];
    assert.equal(new Set(variants.map((each) => encodeHex(each.header.hash))).size, variants.length);
    assert(equalBytes(seal().header.hash, header.hash), 'and the same name again when nothing is');
  });

  it('keeps the received bytes of a blob that is not canonical', () => {
    const { signed, signedBy } = transactions[0];
    // nonce 1 as a varint of two bytes
    const at = signed.blob.indexOf(0x10);
    assert.equal(signed.blob[at + 1], 1);
    const blob = Uint8Array.of(
      ...signed.blob.subarray(0, at + 1),
      0x81,
      0x00,
      ...signed.blob.subarray(at + 2),
    );
    const received = { signed: { ...signed, blob, hash: sha256(blob) }, signedBy };
    const closed = seal([received]);
    assert.deepEqual(closed.consensusValue.txset?.txs[0].transaction, blob);
    assert.equal(closed.executed.transactions[0].outcome.failure, undefined);
    assert.equal(closed.executed.changes.has(stateKeys.account(address('alice'))), true);
  });
});
