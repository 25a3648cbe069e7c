import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { refuse } from '@symbolon/core/ledger/terms/codes';
import {
  AccountSchema,
  AssetStoreSchema,
  ConsensusValueSchema,
  FeeConfigSchema,
  LedgerHeaderSchema,
  MetadataEntrySchema,
  PbftProofSchema,
  TransactionEnvSchema,
  TransactionSchema,
  ValidatorSetSchema,
} from '@symbolon/core/proto/ledger_pb';
import { refusalEnvelope } from '../http/envelope.ts';
import { type JsonObject, stringifyJson } from '../json/json.ts';
import * as replies from './replies.ts';
import { ledgerRoutes } from './routes.ts';

const genesis = create(AccountSchema, {
  address: 'genesis',
  balance: 100000000000000000n,
  priv: { masterWeight: 1n, thresholds: { txThreshold: 1n } },
});
const asset = create(AssetStoreSchema, { key: { issuer: 'i', code: 'CNY' }, amount: 1000n });
const entry = (key: string) => create(MetadataEntrySchema, { key, value: 'v1', version: 1n });
const header = create(LedgerHeaderSchema, {
  seq: 2n,
  hash: Uint8Array.of(1),
  accountTreeHash: Uint8Array.of(0xaa),
  closeTime: 1700000010000000n,
  version: 1000n,
  txCount: 1n,
});

/** The reply, having checked that the route documents such a reply. */
function documented<Reply>(route: keyof typeof ledgerRoutes, reply: Reply): Reply {
  ledgerRoutes[route].reply.parse(reply);
  return reply;
}

describe('account replies', () => {
  it('shows a fresh genesis account as the interface document does, and its nonce', () => {
    const reply = documented(
      'getGenesisAccount',
      replies.accountReply({ account: genesis, assets: [], metadata: [] }),
    );
    assert.deepEqual(reply, {
      error_code: 0,
      error_desc: '',
      result: {
        address: 'genesis',
        assets: null,
        balance: 100000000000000000n,
        metadatas: null,
        nonce: 0,
        priv: { master_weight: 1, thresholds: { tx_threshold: 1 } },
      },
    });
    assert.match(stringifyJson(reply), /"balance":100000000000000000,/);
  });

  it('shows assets, metadata and the three faces of contract', () => {
    const withContract = (contract?: { payload?: string }) =>
      replies.accountBaseReply(create(AccountSchema, { address: 'a', contract })).result as JsonObject;
    assert.ok(!('contract' in withContract()));
    assert.equal(withContract({}).contract, null);
    assert.deepEqual(withContract({ payload: 'code' }).contract, { payload: 'code' });
    const reply = replies.accountReply({ account: genesis, assets: [asset], metadata: [entry('k1')] });
    documented('getAccount', reply);
    documented('getAccountBase', replies.accountBaseReply(genesis));
    const { assets, metadatas } = reply.result as { assets: unknown; metadatas: unknown };
    assert.deepEqual(assets, [{ amount: 1000, key: { code: 'CNY', issuer: 'i' } }]);
    assert.deepEqual(metadatas, [{ key: 'k1', value: 'v1', version: 1 }]);
  });

  it('shows every number, and leaves defaults out where conditions and contracts read it', () => {
    const account = create(AccountSchema, { address: 'a' });
    assert.deepEqual(documented('getAccountBase', replies.accountBaseReply(account)).result, {
      address: 'a',
      balance: 0,
      nonce: 0,
      priv: { master_weight: 0, thresholds: { tx_threshold: 0 } },
    });
    assert.deepEqual(replies.accountAsRead(account), { address: 'a' });
    const blank = replies.accountMetadataReply([create(MetadataEntrySchema, { key: 'k', version: 1n })]);
    assert.deepEqual({ ...(blank.result as JsonObject) }, { k: { key: 'k', value: '', version: 1 } });
  });

  it('shows assets as a list, or the one that was named', () => {
    const shown = { amount: 1000, key: { code: 'CNY', issuer: 'i' } };
    assert.deepEqual(documented('getAccountAssets', replies.accountAssetsReply([asset])).result, [shown]);
    assert.deepEqual(documented('getAccountAssets', replies.accountAssetReply(asset)).result, {
      asset: shown,
    });
    assert.equal(documented('getAccountAssets', replies.accountAssetsReply([])).result, null);
    assert.equal(replies.accountAssetReply(undefined).result, null);
  });

  it('keys metadata by key, whatever the key is', () => {
    const hostile = ['k1', '__proto__', 'constructor', 'toString', '"', '\u2028'];
    const reply = documented('getAccountMetaData', replies.accountMetadataReply(hostile.map(entry)));
    const parsed = JSON.parse(stringifyJson(reply)) as { result: Record<string, unknown> };
    assert.deepEqual(Object.keys(parsed.result), hostile);
    assert.equal(replies.accountMetadataReply([]).result, null);
  });

  it('documents how a missing account is answered', () => {
    const reply = documented('getAccount', refusalEnvelope(replies.accountMissing));
    assert.deepEqual(reply, { error_code: 4, error_desc: 'account not exist', result: null });
  });
});

describe('ledger replies', () => {
  it('show the header and nothing that was not asked for', () => {
    assert.deepEqual(documented('getLedger', replies.ledgerReply({ header })).result, {
      header: {
        account_tree_hash: 'aa',
        chain_id: 0,
        close_time: 1700000010000000,
        hash: '01',
        seq: 2,
        tx_count: 1,
        version: 1000,
      },
    });
  });

  it('show validators as addresses, fees, rewards and the consensus value', () => {
    const proof = create(PbftProofSchema, { commits: [{ pbft: { type: 2, roundNumber: 1n } }] });
    const transaction = create(TransactionSchema, { nonce: 1n });
    const envelope = create(TransactionEnvSchema, { transaction: toBinary(TransactionSchema, transaction) });
    const reply = replies.ledgerReply({
      header,
      validators: create(ValidatorSetSchema, { validators: [{ address: 'v' }] }),
      fees: create(FeeConfigSchema, { gasPrice: 1n }),
      consensusValue: {
        value: create(ConsensusValueSchema, {
          ledgerSeq: 2n,
          previousProof: toBinary(PbftProofSchema, proof),
          txset: { txs: [envelope] },
          validation: {},
        }),
        transactions: [{ envelope, transaction }],
        previousProof: proof,
      },
      reward: { block: 8n, byValidator: { v: 8n } },
    });
    const { header: _, ...rest } = documented('getLedger', reply).result as Record<string, unknown>;
    assert.deepEqual(rest, {
      validators: ['v'],
      fees: { base_reserve: 0, block_reward: 0, create_contract_gas: 0, gas_price: 1, issue_asset_gas: 0 },
      consensus_value: {
        ledger_seq: 2,
        previous_proof: '0a060a0408011002',
        previous_proof_plain: { commits: [{ pbft: { round_number: 1, type: 2 } }] },
        txset: { txs: [{ transaction: { nonce: 1 } }] },
        validation: null,
      },
      block_reward: 8,
      validators_reward: { v: 8 },
    });
  });

  it('show an empty block and a first proof as null', () => {
    const value = create(ConsensusValueSchema, { ledgerSeq: 2n });
    const json = replies.consensusValueToJson({ value, transactions: [], previousProof: undefined });
    assert.deepEqual(json, { ledger_seq: 2, previous_proof_plain: null, txset: null });
  });

  it('show validators with their pledges', () => {
    const set = create(ValidatorSetSchema, { validators: [{ address: 'v', pledgeCoinAmount: 1n }] });
    const reply = documented('getLedgerValidators', replies.ledgerValidatorsReply(set));
    assert.deepEqual(reply.result, { validators: [{ address: 'v', pledge_coin_amount: 1 }] });
  });
});

describe('state proofs', () => {
  it('bind a value, or its absence, to a header', () => {
    const view = { header, stateKey: 'account/a', proofBase64: 'AAA=' };
    const present = documented(
      'getStateProof',
      replies.stateProofReply({ ...view, value: Uint8Array.of(5) }),
    );
    const { header: _, ...rest } = present.result as Record<string, unknown>;
    assert.deepEqual(rest, { ledger_seq: 2, proof: 'AAA=', root: 'aa', state_key: 'account/a', value: '05' });
    const absent = documented('getStateProof', replies.stateProofReply({ ...view, value: undefined }));
    assert.equal((absent.result as { value: unknown }).value, null);
    documented('getStateProof', refusalEnvelope(refuse('invalidParameter')));
  });
});
