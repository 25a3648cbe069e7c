/**
 * The parameters of the ledger's queries, one table a query. Names that only public clients send are listed too, with a
 * note that says so. A name that is not listed is refused.
 */
import { flag, integer, neverBlank, type ParameterValues, textQuery } from '../http/parameters.ts';

const address = { address: textQuery('Address of the account that is asked about') };
const metadataKey = { key: textQuery('One metadata key; blank for all') };
const assetName = {
  code: textQuery('Asset code, together with issuer; both blank for all'),
  issuer: textQuery('Asset issuer, together with code'),
  type: integer('Asset type, 0; another one goes with code and issuer'),
};
const seq = { seq: integer('Block number; blank for the latest') };
const limit = { limit: integer('How many to show, at most 1000; 0 or less: 1000') };
const paging = { start: integer('How many to skip; below 0: none'), ...limit };
const hash = { hash: neverBlank(textQuery('Transaction hash, 64 hex digits')) };

export const queryParameters = {
  none: {},
  keyPair: { sign_type: textQuery('Kind of the key; ed25519, the only one, if absent') },
  account: { ...address, ...metadataKey, ...assetName },
  address,
  assets: { ...address, ...assetName },
  metadata: { ...address, ...metadataKey },
  addressOfKey: {
    private_key: textQuery('Private key, encoded with prefix and checksum; for tests only'),
    public_key: textQuery('Public key in hex with prefix and checksum, 76 digits'),
  },
  stateProof: {
    ...address,
    key: textQuery('A metadata key of the account'),
    code: textQuery('Asset code, together with issuer'),
    issuer: textQuery('Asset issuer, together with code'),
  },
  history: {
    ...hash,
    ledger_seq: neverBlank(integer('Only transactions of the block with this number')),
    ...paging,
  },
  cache: { ...hash, ...limit },
  blob: {
    blob: textQuery('The serialized transaction in hex'),
    env: flag('true when the blob is an envelope with signatures'),
  },
  page: paging,
  ledger: {
    ...seq,
    ledger_seq: integer('What an older client for Java calls seq'),
    with_validator: flag('true adds the validators'),
    with_consvalue: flag('true adds the consensus value'),
    with_fee: flag('true adds the fee configuration'),
    with_block_reward: flag('true adds the block reward'),
  },
  ledgerSeq: seq,
} as const;

/** What a request gives of the parameters of one query. */
export type QueryOf<Name extends keyof typeof queryParameters> = ParameterValues<
  (typeof queryParameters)[Name]
>;
