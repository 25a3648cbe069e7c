/**
 * The blobs that mutation starts from: every transaction of the vectors, in both layouts, and fresh ones with each
 * operation, each optional field and conditions of all kinds.
 */
import { readFileSync } from 'node:fs';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { isReadError } from '@symbolon/wire/json/message-json';
import { transactionFromRecord } from '@symbolon/wire/ledger/transaction-json';
import { person, richest } from '../support/people.ts';
import { operations } from '../support/running-node.ts';

const vectorsFile = new URL('../../packages/core/vectors/ledger/transactions.json', import.meta.url);

function vectorBlobs(): Uint8Array[] {
  const { vectors } = parseJson(readFileSync(vectorsFile, 'utf8')) as { vectors: JsonObject[] };
  return vectors.map(({ transaction_blob: blob }) => Uint8Array.from(Buffer.from(blob as string, 'hex')));
}

const conditions = [
  'LEDGER_SEQ > 0 && LEDGER_TIME >= 1',
  '(1 + 2) * 3 == 9 || 1.5e3 / 2 < .5',
  `jsonpath(account("${richest.address}"), ".balance") >= 100`,
  'min(1, 2) < max(3, 4), "a" + "b" == "ab", strfind("abc", "b") == 1',
  '((((((1 < 2)))))) && !(2 == 3)',
];

const other = person('somebody').address;
const privilege = {
  master_weight: '5',
  signers: [{ address: other, weight: 3 }],
  tx_threshold: '4',
  type_thresholds: [{ type: 7, threshold: 2 }],
};

const everyOperation: readonly JsonObject[] = [
  operations.payCoin(other, 5, { metadata: 'note', source_address: richest.address }),
  operations.createAccount(other, 1_000_000),
  {
    type: 1,
    create_account: {
      dest_address: other,
      priv: { master_weight: 1, thresholds: { tx_threshold: 1, type_thresholds: [] } },
      metadatas: [{ key: 'a', value: 'b', version: 1 }],
      init_balance: 7,
    },
  },
  { type: 1, create_account: { contract: { payload: 'function init() {}' }, init_input: '{}' } },
  operations.issueAsset('CNY', 2n ** 62n),
  operations.payAsset(other, { issuer: richest.address, code: 'CNY', amount: 3 }),
  operations.setMetadata('key', 'value', { version: 1 }),
  operations.setMetadata('key', '', { delete_flag: true }),
  operations.log('topic', 'one', 'two'),
  operations.setPrivilege(privilege),
  { type: 5, set_signer_weight: { master_weight: 1, signers: [{ address: other, weight: 1 }] } },
  { type: 6, set_threshold: { tx_threshold: 1, type_thresholds: [{ type: 1, threshold: 1 }] } },
  { type: 10, upgrade_contract: { dest_address: other, payload: 'x', owner: other } },
];

function encode(nonce: number, fields: JsonObject): Uint8Array {
  const terms = { source_address: richest.address, nonce, fee_limit: 100_000_000, gas_price: 1 };
  const transaction = transactionFromRecord({ ...terms, ...fields });
  if (isReadError(transaction)) throw new Error(transaction.error);
  return encodeTransaction(transaction);
}

/** The fresh ones are the richest's, with this nonce. */
export function blobCorpus(nonce = 1): readonly Uint8Array[] {
  return [
    ...vectorBlobs(),
    ...everyOperation.map((operation) => encode(nonce, { operations: [operation] })),
    ...conditions.map((condition) =>
      encode(nonce, {
        operations: [operations.payCoin(other, 1, { expr_condition: condition })],
        expr_condition: condition,
      }),
    ),
    encode(nonce, { operations: [...everyOperation], metadata: 'all of them', ceil_ledger_seq: 1_000_000 }),
  ];
}
