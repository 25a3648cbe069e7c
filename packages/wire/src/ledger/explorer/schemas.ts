/** The explorer's replies as schemas; `replies.ts`, `short-transaction.ts` and `effects.ts` make them. */
import * as z from 'zod';
import { enveloped, int64Field } from '../../http/envelope-schemas.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const reach = { indexed_seq: int64Field, head_seq: int64Field };
const assetMembers = { code: z.string(), issuer: z.string() };

const shortOperation = z
  .looseObject({
    type: z.int(),
    source_address: z.string().optional(),
    dest_address: z.string().optional(),
    amount: int64Field.optional(),
    asset: z.looseObject(assetMembers).optional(),
    code: z.string().optional(),
    key: z.string().optional(),
    topic: z.string().optional(),
    input: z.string().optional(),
    is_deletion: z.boolean().optional(),
    creates_contract: z.boolean().optional(),
    calls_contract: z.boolean().optional(),
    is_cut: z.boolean().optional(),
  })
  .meta({ id: 'ShortOperation' });

export const accountRoles = [
  'source',
  'operation_source',
  'destination',
  'created',
  'contract',
  'signer',
] as const;

const shortMembers = {
  hash,
  ledger_seq: int64Field,
  index: z.int(),
  close_time: int64Field,
  source_address: z.string(),
  nonce: int64Field,
  error_code: z.int(),
  actual_fee: int64Field,
  tx_size: z.int(),
  signature_count: z.int(),
  triggered_count: z.int(),
  triggered_by: hash.optional(),
  operation_count: z.int(),
  operations: z.array(shortOperation),
};
const shortTransaction = z.looseObject(shortMembers).meta({ id: 'ShortTransaction' });
const accountTransaction = z
  .looseObject({ roles: z.array(z.enum(accountRoles)), ...shortMembers })
  .meta({ id: 'AccountTransaction' });

const accountFacts = z
  .looseObject({
    address: z.string(),
    created_seq: int64Field,
    is_contract: z.boolean(),
    transaction_count: int64Field,
  })
  .meta({ id: 'ListedAccount' });

const blockFigures = z
  .looseObject({
    seq: int64Field,
    hash,
    close_time: int64Field,
    block_time: int64Field,
    transaction_count: z.int(),
    failed_count: z.int(),
    triggered_count: z.int(),
    operation_count: z.int(),
    fees: int64Field,
    size: z.int(),
    signer_count: z.int(),
    accounts_created: z.int(),
  })
  .meta({ id: 'BlockFigures' });

const page = <Name extends string, Item extends z.ZodType>(name: Name, item: Item) =>
  enveloped(
    z.looseObject({
      ...({ [name]: z.array(item) } as Record<Name, z.ZodArray<Item>>),
      next_cursor: z.string().nullable(),
      ...reach,
    }),
  );

export const transactionPage = page('transactions', shortTransaction);
export const accountTransactionPage = page('transactions', accountTransaction);
export const accountPage = page('accounts', accountFacts);
export const figuresPage = page('ledgers', blockFigures);

export const overview = enveloped(
  z.looseObject({
    head_seq: int64Field,
    close_time: int64Field,
    block_time: int64Field,
    transaction_count: int64Field,
    account_count: int64Field,
    validator_count: z.int(),
    waiting_count: z.int(),
    waiting_lately: z.array(z.looseObject({ time: z.int(), waiting: z.int() })),
    index: z
      .looseObject({
        indexed_seq: int64Field,
        transaction_count: int64Field,
        failed_count: int64Field,
        triggered_count: int64Field,
        operation_count: int64Field,
        fees: int64Field,
        account_count: int64Field,
        contract_count: int64Field,
      })
      .nullable(),
  }),
);

const changedNumber = z.looseObject({ before: int64Field, after: int64Field });
const metadataState = z
  .looseObject({ value: z.string(), value_chars: z.int(), version: int64Field })
  .nullable();
const contractState = z
  .looseObject({ owner: z.string(), payload: z.string(), payload_chars: z.int() })
  .nullable();
const privilegeState = z.looseObject({}).nullable();

const changedAccount = z
  .looseObject({
    address: z.string(),
    is_created: z.boolean().optional(),
    balance: changedNumber.optional(),
    nonce: changedNumber.optional(),
    assets: z.array(z.looseObject({ ...assetMembers, before: int64Field, after: int64Field })).optional(),
    metadatas: z
      .array(z.looseObject({ key: z.string(), before: metadataState, after: metadataState }))
      .optional(),
    priv: z.looseObject({ before: privilegeState, after: privilegeState }).optional(),
    contract: z.looseObject({ before: contractState, after: contractState }).optional(),
  })
  .meta({ id: 'ChangedAccount' });

export const effects = enveloped(
  z.looseObject({
    hash,
    ledger_seq: int64Field,
    index: z.int(),
    error_code: z.int(),
    error_desc: z.string(),
    accounts: z.array(changedAccount),
    logs: z.array(
      z.looseObject({ hash, address: z.string(), topic: z.string(), datas: z.array(z.string()) }),
    ),
    triggered: z.array(z.looseObject({ hash, source_address: z.string(), triggered_by: z.string() })),
    changes_left_out: z.int(),
    logs_left_out: z.int(),
    texts_cut: z.int(),
    ...reach,
  }),
);

export const searchResults = page(
  'results',
  z.looseObject({
    kind: z.enum(['block', 'transaction', 'account']),
    seq: int64Field.optional(),
    hash: hash.optional(),
    ledger_seq: int64Field.optional(),
    address: z.string().optional(),
    is_contract: z.boolean().optional(),
  }),
);
