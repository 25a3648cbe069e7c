/**
 * A good request for every route of the table, with what a running chain has in it: the point from which requests
 * are spoiled. A route without an entry here fails the test.
 */

import type { JsonObject } from '@symbolon/wire/json/json';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { type Person, richest } from '../support/people.ts';
import { hashOf, operations, type SignedItem, signTransaction } from '../support/running-node.ts';

export interface GoodRequest {
  readonly name: string;
  readonly group: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: JsonObject | undefined;
}

/** What is known of the chain when a request is made. */
export interface ChainFacts {
  readonly executed: SignedItem;
  readonly sender: Person;
  /** The sender's next nonce, as far as anybody knows. */
  readonly nonce: number;
}

type Shape = { readonly query?: Record<string, string | number>; readonly body?: Record<string, unknown> };

function transactionOf({ sender, nonce }: ChainFacts): JsonObject {
  return {
    source_address: sender.address,
    nonce,
    fee_limit: 100_000_000,
    gas_price: 1,
    metadata: 'note',
    ceil_ledger_seq: 0,
    expr_condition: 'LEDGER_SEQ > 0',
    operations: [
      operations.payCoin(richest.address, 1),
      operations.setMetadata('key', 'value', { version: 0 }),
      operations.issueAsset('CNY', 10),
      operations.payAsset(richest.address, { issuer: sender.address, code: 'CNY', amount: 1 }),
      operations.setPrivilege({ signers: [{ address: richest.address, weight: 1 }], type_thresholds: [] }),
      operations.log('topic', 'data'),
    ],
  };
}

const shapes: Readonly<Record<keyof typeof ledgerRoutes, (facts: ChainFacts) => Shape>> = {
  getGenesisAccount: () => ({}),
  createKeyPair: () => ({ query: { sign_type: 'ed25519' } }),
  getAccount: ({ sender }) => ({
    query: { address: sender.address, key: 'key', code: 'CNY', issuer: sender.address, type: 0 },
  }),
  getAccountBase: ({ sender }) => ({ query: { address: sender.address } }),
  getAccountAssets: ({ sender }) => ({
    query: { address: sender.address, code: 'CNY', issuer: sender.address, type: 0 },
  }),
  getAccountMetaData: ({ sender }) => ({ query: { address: sender.address, key: 'key' } }),
  getAddress: ({ sender }) => ({ query: { private_key: sender.privateKey, public_key: sender.publicKey } }),
  getStateProof: ({ sender }) => ({ query: { address: sender.address, key: 'key' } }),
  getTransactionHistory: ({ executed }) => ({
    query: { hash: hashOf(executed), ledger_seq: 2, start: 0, limit: 10 },
  }),
  getTransactionCache: ({ executed }) => ({ query: { hash: hashOf(executed), limit: 10 } }),
  getTransactionBlob: (facts) => ({ body: { transfer: transactionOf(facts) } }),
  getTransactionFromBlob: ({ executed }) => ({ query: { blob: executed.transaction_blob, env: 'false' } }),
  submitTransaction: (facts) => ({
    body: {
      items: [
        { transaction_json: transactionOf(facts), private_keys: [facts.sender.privateKey] },
        signTransaction({ ...transactionOf(facts), nonce: facts.nonce + 1 }, [facts.sender]),
      ],
    },
  }),
  testTransaction: (facts) => ({
    body: { items: [{ transaction_json: transactionOf(facts), signature_number: 1 }] },
  }),
  getContractTx: () => ({ query: { start: 0, limit: 10 } }),
  getLedger: () => ({
    query: {
      seq: 2,
      with_validator: 'true',
      with_consvalue: 'true',
      with_fee: 'true',
      with_block_reward: 'true',
    },
  }),
  getLedgerValidators: () => ({ query: { seq: 2 } }),
  getLightBlock: () => ({ query: { seq: 2 } }),
  callContract: ({ sender }) => ({
    body: {
      contract_address: sender.address,
      code: 'function query() {}',
      input: '{}',
      contract_balance: 100,
      fee_limit: 100,
      gas_price: 1,
      opt_type: 2,
      source_address: sender.address,
    },
  }),
  getExplorerOverview: () => ({}),
  getTransactions: () => ({ query: { limit: 10, triggered: 'true', ledger_seq: 2, cursor: 'AAAA' } }),
  getAccountTransactions: ({ sender }) => ({ query: { address: sender.address, limit: 10, cursor: 'AAAA' } }),
  getTransactionEffects: ({ executed }) => ({ query: { hash: hashOf(executed) } }),
  getAccounts: () => ({ query: { limit: 10, contracts: 'true', cursor: 'AAAA' } }),
  getLedgerFigures: () => ({ query: { from_seq: 1, to_seq: 2, limit: 10, cursor: 'AAAA' } }),
  searchLedger: ({ sender }) => ({ query: { q: sender.address } }),
  multiQuery: ({ sender, executed, nonce }) => ({
    body: {
      items: [
        { url: `/getAccount?address=${sender.address}`, method: 'GET' },
        { url: `getTransactionHistory?hash=${hashOf(executed)}` },
        { url: '/testTransaction', method: 'POST', jsonData: transactionOf({ sender, executed, nonce }) },
        { url: '/getStateProof?address=x&key=y' },
      ],
    },
  }),
  hello: () => ({}),
  getStatus: () => ({}),
  getModulesStatus: () => ({}),
  getConsensusInfo: () => ({}),
  getPeerAddresses: () => ({}),
};

export const routeNames = Object.keys(ledgerRoutes) as (keyof typeof ledgerRoutes)[];

export function goodRequest(name: keyof typeof ledgerRoutes, facts: ChainFacts): GoodRequest {
  const { query = {}, body } = shapes[name](facts);
  const texts = Object.entries(query).map(([key, value]) => [key, String(value)]);
  return {
    name,
    group: ledgerRoutes[name].group,
    query: Object.fromEntries(texts),
    body: body as JsonObject | undefined,
  };
}
