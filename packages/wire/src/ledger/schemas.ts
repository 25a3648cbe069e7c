/**
 * The ledger's wire shapes as schemas: what the OpenAPI document prints, what typed clients infer, and which members
 * the readers of requests know. A transaction is read by its protobuf messages instead, in more shapes than are
 * documented (`transaction-folds.ts`); replies are made by the `*-replies.ts` files, and tests hold both against the
 * schemas.
 */
import * as z from 'zod';
import { code, description, enveloped, int64Field } from '../http/envelope-schemas.ts';

export { enveloped, int64Field };

/** Where requests take an integer they take its decimal text too. */
export const int64Input = z.union([int64Field, z.string().regex(/^-?[0-9]*$/)]);

/** What may be left out; of messages and their lists null says the same. */
const [text, whole] = [z.string().optional(), int64Field.optional()];
const part = <Members extends z.core.$ZodLooseShape>(members: Members) =>
  z.looseObject(members).nullable().optional();
const parts = <Item extends z.ZodType>(item: Item) => z.array(item.nullable()).optional();

const hex = z.string().regex(/^[0-9a-f]*$/);

/** What is answered instead of a reply that has no envelope. */
export const refusal = z
  .looseObject({
    error_code: code.min(1),
    error_desc: description,
    result: z.null().optional(),
    request_id: text,
  })
  .meta({ id: 'Refusal' });

export const metadataEntry = z
  .looseObject({ key: text, value: text, version: whole })
  .meta({ id: 'MetadataEntry' });

const assetKey = z
  .looseObject({ code: text, issuer: text, type: z.int().optional() })
  .meta({ id: 'AssetKey' });

export const asset = z
  .looseObject({ amount: whole, key: assetKey.nullable().optional() })
  .meta({ id: 'Asset', description: 'An amount of one asset' });

const signer = z.looseObject({ address: text, weight: whole }).meta({ id: 'Signer' });

const typeThreshold = z
  .looseObject({ type: z.int().optional(), threshold: whole })
  .meta({ id: 'TypeThreshold', description: 'The weight that one type of operation needs' });

const privilege = z
  .looseObject({
    master_weight: whole,
    signers: parts(signer),
    thresholds: part({ tx_threshold: whole, type_thresholds: parts(typeThreshold) }),
  })
  .meta({ id: 'Privilege', description: 'Who controls an account' });

const contract = z
  .looseObject({
    type: z.int().optional(),
    payload: text.describe('Source code of the contract, in JavaScript'),
    version: whole,
    owner: text,
  })
  .meta({ id: 'Contract' });

export const accountBase = z
  .looseObject({
    address: z.string(),
    balance: whole,
    nonce: whole.describe('Sequence number of the last executed transaction; the next one is 1 more'),
    assets_hash: hex.optional(),
    metadatas_hash: hex.optional(),
    contract: contract.nullable().optional(),
    priv: privilege.nullable().optional(),
  })
  .meta({ id: 'AccountBase' });

export const account = accountBase
  .extend({ assets: z.array(asset).nullable(), metadatas: z.array(metadataEntry).nullable() })
  .meta({ id: 'Account', description: 'An account with its assets and metadata' });

const note = text.describe(
  'Note in hex. On input any other text is its UTF-8 form: say metadata_text for a text that looks like hex',
);
const noteAsText = text.describe('The note as text, where it is one');

/** Fields that requests may also give flat or as text are described in their nested form. */
const operation = z
  .looseObject({
    type: z.int().describe('Code of the operation, which says which of the bodies is given'),
    source_address: text,
    metadata: note,
    metadata_text: noteAsText,
    expr_condition: text,
    create_account: part({
      dest_address: text,
      contract: contract.nullable().optional(),
      priv: privilege.nullable().optional(),
      metadatas: parts(metadataEntry),
      init_balance: whole,
      init_input: text,
    }),
    issue_asset: part({ code: text, amount: whole }),
    pay_asset: part({ dest_address: text, asset: asset.nullable().optional(), input: text }),
    set_metadata: metadataEntry.extend({ delete_flag: z.boolean().optional() }).nullable().optional(),
    pay_coin: part({ dest_address: text, amount: whole, input: text }),
    log: part({ topic: text, datas: z.array(z.string()).optional() }),
    set_privilege: part({
      master_weight: text,
      signers: parts(signer),
      tx_threshold: text,
      type_thresholds: parts(typeThreshold),
    }),
    upgrade_contract: part({
      dest_address: text.describe('Address of the contract that is upgraded'),
      s_payload: z.boolean().optional().describe('Whether the code changes: then payload is given'),
      payload: text.describe('Source code from then on'),
      s_owner: z.boolean().optional().describe('Whether the owner changes: then owner is given'),
      owner: text.describe('Address of the account that may upgrade it from then on'),
    }),
  })
  .meta({ id: 'Operation' });

export const transaction = z
  .looseObject({
    source_address: text,
    nonce: whole,
    fee_limit: whole,
    gas_price: whole,
    ceil_ledger_seq: whole,
    chain_id: whole,
    expr_condition: text,
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
  trigger: z.looseObject({ transaction: z.looseObject({ hash: hex, index: whole }) }).optional(),
});

export const executedTransaction = transactionEnvelope
  .extend({
    actual_fee: int64Field,
    close_time: int64Field,
    contract_tx_hashes: z.array(hex).optional(),
    error_code: code,
    error_desc: z.string(),
    hash: hex,
    ledger_seq: int64Field,
    tx_size: z.int(),
  })
  .meta({ id: 'ExecutedTransaction' });

export const waitingTransaction = transactionEnvelope
  .extend({
    error_code: code.optional(),
    error_desc: text,
    hash: hex,
    incoming_time: int64Field,
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
    seq: int64Field,
    hash: hex.optional(),
    previous_hash: hex.optional(),
    account_tree_hash: hex.optional(),
    close_time: whole,
    consensus_value_hash: hex.optional(),
    version: whole,
    tx_count: whole.describe(
      'Signed transactions executed since the first block, without those that contracts triggered',
    ),
    validators_hash: hex.optional(),
    fees_hash: hex.optional(),
    reserve: text,
    chain_id: whole,
  })
  .meta({ id: 'LedgerHeader' });

export const ledger = z.looseObject({
  header: ledgerHeader,
  validators: z.array(z.string()).optional(),
  fees: z
    .looseObject({
      gas_price: whole,
      base_reserve: whole,
      block_reward: whole,
      create_contract_gas: whole,
      issue_asset_gas: whole,
    })
    .optional(),
  consensus_value: z.looseObject({}).optional(),
  block_reward: whole,
  validators_reward: z.record(z.string(), int64Field).optional(),
});

export const validator = z.looseObject({ address: z.string(), pledge_coin_amount: whole });

const submitResult = z.looseObject({ error_code: code, error_desc: description, hash: hex.optional() });

export const submitReplySchema = enveloped(z.looseObject({ hash: hex })).extend({
  results: z.array(submitResult),
  success_count: z.int(),
});

export const submitItem = z.looseObject({
  transaction_blob: text,
  signatures: z.array(signature).optional().describe('Of the blob; no other members than these'),
  transaction_json: transaction.optional().describe('In place of the blob and its signatures'),
  private_keys: z.array(z.string()).optional().describe('For tests only: the node signs transaction_json'),
});

/** What an evaluation may say beside the transaction. */
export const evaluationMembers = { signature_number: int64Input.optional() };

export const callContractBody = z.looseObject({
  contract_address: text,
  code: text.describe('Used when contract_address is blank'),
  input: text,
  contract_balance: int64Input.optional(),
  fee_limit: int64Input.optional(),
  gas_price: int64Input.optional(),
  opt_type: z.int().min(0).max(2).optional().describe('0 init, 1 main, 2 query'),
  source_address: text,
});

export const multiQueryItem = z.looseObject({
  url: z.string(),
  method: text,
  jsonData: z.unknown().optional(),
});

export const sandboxResult = z
  .looseObject({
    hash: hex.optional(),
    logs: z.record(z.string(), z.array(z.string()).nullable()).nullable(),
    query_rets: z
      .array(
        z.looseObject({
          result: z.looseObject({ type: z.string(), value: z.unknown() }).optional(),
          error: z.unknown().optional(),
        }),
      )
      .nullable(),
    returned: z
      .looseObject({ type: z.enum(['string', 'bool']), value: z.union([z.string(), z.boolean()]) })
      .optional()
      .describe('What the called contract returned; an executed transaction keeps no record of it'),
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
          actual_fee: whole,
          gas: whole,
          error_code: code.optional(),
          error_desc: text,
        }),
      )
      .nullable(),
  })
  .meta({ id: 'SandboxResult' });

const tracedCall = z
  .looseObject({
    contract_address: z.string().describe('The contract that was running'),
    code_address: text.describe('Whose code it ran, where that is another contract'),
    entry: z.enum(['init', 'main', 'query']).describe('Its function that was called'),
    input: z.string().describe('The beginning of what it was given'),
    operation_index: z.int().describe('The place of the operation that started it, from 0'),
    function: text.describe('The function of the ledger that it had called'),
    exception: text.describe('What the last one threw'),
    line: z.int().optional().describe('In which line of its code, from 1'),
    source: text.describe('What stands in that line'),
  })
  .meta({ id: 'TracedCall' });

/** testTransaction and callContract. */
export const trialReply = enveloped(sandboxResult).extend({
  trace: z
    .array(tracedCall)
    .optional()
    .describe('Of a contract that failed: the contracts that had called each other, the outermost first'),
});
