/**
 * The ledger's wire shapes as schemas: what the OpenAPI document prints, what typed clients infer, and which members the
 * readers of requests know. A transaction is read by its protobuf messages instead, in more shapes than are documented
 * (`transaction-folds.ts`); replies are made by the `*-replies.ts` files, and tests hold both against the schemas.
 */
import * as z from 'zod';

/** A 64-bit integer as a bare JSON number: a number where that is exact, else a bigint. */
export const int64 = z
  .custom<number | bigint>((value) => typeof value === 'bigint' || Number.isSafeInteger(value))
  .meta({ type: 'integer', format: 'int64' });

/** Where requests take an integer they take its decimal text too. */
export const int64Input = z.union([int64, z.string().regex(/^-?[0-9]*$/)]);

const hex = z.string().regex(/^[0-9a-f]*$/);
const code = z.int().min(0).max(999).describe('0 on success');
const description = z.string().describe('What exactly went wrong; blank on success');

/** The envelope around a result. */
export const enveloped = <Result extends z.ZodType>(result: Result) =>
  z.looseObject({ error_code: code, error_desc: description, result: result.nullable().optional() });

/** What is answered instead of a reply that has no envelope. */
export const refusal = z
  .looseObject({ error_code: code.min(1), error_desc: description, result: z.null().optional() })
  .meta({ id: 'Refusal' });

export const metadataEntry = z
  .looseObject({ key: z.string().optional(), value: z.string().optional(), version: int64.optional() })
  .meta({ id: 'MetadataEntry' });

const assetKey = z
  .looseObject({ code: z.string().optional(), issuer: z.string().optional(), type: z.int().optional() })
  .meta({ id: 'AssetKey' });

export const asset = z
  .looseObject({ amount: int64.optional(), key: assetKey.nullable().optional() })
  .meta({ id: 'Asset', description: 'An amount of one asset' });

const signer = z
  .looseObject({ address: z.string().optional(), weight: int64.optional() })
  .meta({ id: 'Signer' });

const typeThreshold = z
  .looseObject({ type: z.int().optional(), threshold: int64.optional() })
  .meta({ id: 'TypeThreshold', description: 'The weight that one type of operation needs' });

const privilege = z
  .looseObject({
    master_weight: int64.optional(),
    signers: z.array(signer.nullable()).optional(),
    thresholds: z
      .looseObject({
        tx_threshold: int64.optional(),
        type_thresholds: z.array(typeThreshold.nullable()).optional(),
      })
      .nullable()
      .optional(),
  })
  .meta({ id: 'Privilege', description: 'Who controls an account' });

const contract = z
  .looseObject({
    type: z.int().optional(),
    payload: z.string().optional().describe('The contract code'),
    version: int64.optional(),
    owner: z.string().optional(),
  })
  .meta({ id: 'Contract' });

export const accountBase = z
  .looseObject({
    address: z.string(),
    balance: int64.optional().describe('In the smallest unit'),
    nonce: int64.optional().describe('Of the last executed transaction'),
    assets_hash: hex.optional(),
    metadatas_hash: hex.optional(),
    contract: contract.nullable().optional(),
    priv: privilege.nullable().optional(),
  })
  .meta({ id: 'AccountBase' });

export const account = accountBase
  .extend({ assets: z.array(asset).nullable(), metadatas: z.array(metadataEntry).nullable() })
  .meta({ id: 'Account', description: 'An account with its assets and metadata' });

const note = z
  .string()
  .optional()
  .describe(
    'Note in hex. On input any other text is its UTF-8 form: say metadata_text for a text that looks like hex',
  );
const noteAsText = z.string().optional().describe('The note as text, where it is one');

/** Fields that requests may also give flat or as text are described in their nested form. */
const operation = z
  .looseObject({
    type: z.int().describe('Operation code'),
    source_address: z.string().optional(),
    metadata: note,
    metadata_text: noteAsText,
    expr_condition: z.string().optional(),
    create_account: z
      .looseObject({
        dest_address: z.string().optional(),
        contract: contract.nullable().optional(),
        priv: privilege.nullable().optional(),
        metadatas: z.array(metadataEntry.nullable()).optional(),
        init_balance: int64.optional(),
        init_input: z.string().optional(),
      })
      .nullable()
      .optional(),
    issue_asset: z
      .looseObject({ code: z.string().optional(), amount: int64.optional() })
      .nullable()
      .optional(),
    pay_asset: z
      .looseObject({
        dest_address: z.string().optional(),
        asset: asset.nullable().optional(),
        input: z.string().optional(),
      })
      .nullable()
      .optional(),
    set_metadata: metadataEntry.extend({ delete_flag: z.boolean().optional() }).nullable().optional(),
    pay_coin: z
      .looseObject({
        dest_address: z.string().optional(),
        amount: int64.optional(),
        input: z.string().optional(),
      })
      .nullable()
      .optional(),
    log: z
      .looseObject({ topic: z.string().optional(), datas: z.array(z.string()).optional() })
      .nullable()
      .optional(),
    set_privilege: z
      .looseObject({
        master_weight: z.string().optional(),
        signers: z.array(signer.nullable()).optional(),
        tx_threshold: z.string().optional(),
        type_thresholds: z.array(typeThreshold.nullable()).optional(),
      })
      .nullable()
      .optional(),
    upgrade_contract: z
      .looseObject({
        dest_address: z.string().optional().describe('The contract'),
        s_payload: z.boolean().optional().describe('Whether the code changes: then payload is given'),
        payload: z.string().optional().describe('The new code'),
        s_owner: z.boolean().optional().describe('Whether the owner changes: then owner is given'),
        owner: z.string().optional().describe('The new owner'),
      })
      .nullable()
      .optional(),
  })
  .meta({ id: 'Operation' });

export const transaction = z
  .looseObject({
    source_address: z.string().optional(),
    nonce: int64.optional(),
    fee_limit: int64.optional(),
    gas_price: int64.optional(),
    ceil_ledger_seq: int64.optional(),
    chain_id: int64.optional(),
    expr_condition: z.string().optional(),
    metadata: note,
    metadata_text: noteAsText,
    operations: z.array(operation).optional(),
  })
  .meta({ id: 'Transaction' });

export const signature = z
  .looseObject({ public_key: z.string(), sign_data: z.string() })
  .meta({ id: 'Signature' });

const transactionEnvelope = z.looseObject({
  signatures: z.array(signature).optional(),
  transaction,
  trigger: z.looseObject({ transaction: z.looseObject({ hash: hex, index: int64.optional() }) }).optional(),
});

export const executedTransaction = transactionEnvelope
  .extend({
    actual_fee: int64,
    close_time: int64.describe('Microseconds since 1970'),
    contract_tx_hashes: z.array(hex).optional(),
    error_code: code,
    error_desc: z.string(),
    hash: hex,
    ledger_seq: int64,
    tx_size: z.int(),
  })
  .meta({ id: 'ExecutedTransaction' });

export const waitingTransaction = transactionEnvelope
  .extend({
    error_code: code.optional(),
    error_desc: z.string().optional(),
    hash: hex,
    incoming_time: int64,
    status: z.string(),
  })
  .meta({ id: 'WaitingTransaction' });

export const transactionList = <Element extends z.ZodType>(element: Element) =>
  enveloped(
    z.looseObject({
      total_count: z.int().describe('How many the question is about, whichever of them are shown'),
      transactions: z.array(element),
    }),
  );

export const ledgerHeader = z
  .looseObject({
    seq: int64,
    hash: hex.optional(),
    previous_hash: hex.optional(),
    account_tree_hash: hex.optional(),
    close_time: int64.optional(),
    consensus_value_hash: hex.optional(),
    version: int64.optional(),
    tx_count: int64
      .optional()
      .describe('Signed transactions executed since the first block, without those that contracts triggered'),
    validators_hash: hex.optional(),
    fees_hash: hex.optional(),
    reserve: z.string().optional(),
    chain_id: int64.optional(),
  })
  .meta({ id: 'LedgerHeader' });

export const ledger = z.looseObject({
  header: ledgerHeader,
  validators: z.array(z.string()).optional(),
  fees: z.looseObject({ gas_price: int64.optional(), base_reserve: int64.optional() }).optional(),
  consensus_value: z.looseObject({}).optional(),
  block_reward: int64.optional(),
  validators_reward: z.record(z.string(), int64).optional(),
});

export const validator = z.looseObject({ address: z.string(), pledge_coin_amount: int64.optional() });

const submitResult = z.looseObject({ error_code: code, error_desc: description, hash: hex.optional() });

export const submitReplySchema = enveloped(z.looseObject({ hash: hex })).extend({
  results: z.array(submitResult),
  success_count: z.int(),
});

export const submitItem = z.looseObject({
  transaction_blob: z.string().optional().describe('Serialized transaction, hex'),
  signatures: z.array(signature).optional().describe('Of the blob; no other members than these'),
  transaction_json: transaction.optional().describe('In place of the blob and its signatures'),
  private_keys: z.array(z.string()).optional().describe('For tests only: the node signs transaction_json'),
});

/** What an evaluation may say beside the transaction. */
export const evaluationMembers = { signature_number: int64Input.optional() };

export const callContractBody = z.looseObject({
  contract_address: z.string().optional(),
  code: z.string().optional().describe('Used when contract_address is blank'),
  input: z.string().optional(),
  contract_balance: int64Input.optional(),
  fee_limit: int64Input.optional(),
  gas_price: int64Input.optional(),
  opt_type: z.int().min(0).max(2).optional().describe('0 init, 1 main, 2 query'),
  source_address: z.string().optional(),
});

export const multiQueryItem = z.looseObject({
  url: z.string(),
  method: z.string().optional(),
  jsonData: z.unknown().optional(),
});

export const sandboxResult = z
  .looseObject({
    hash: hex.optional(),
    logs: z.record(z.string(), z.array(z.string()).nullable()).nullable(),
    query_rets: z.array(z.looseObject({})).nullable(),
    stat: z.looseObject({
      apply_time: z.number(),
      memory_usage: z.number(),
      stack_usage: z.number(),
      step: z.number(),
    }),
    txs: z
      .array(
        z.looseObject({
          transaction_env: transactionEnvelope,
          actual_fee: int64.optional(),
          gas: int64.optional(),
          error_code: code.optional(),
          error_desc: z.string().optional(),
        }),
      )
      .nullable(),
  })
  .meta({ id: 'SandboxResult' });
