/** Accounts and what they own, as queries. Reads the committed state only. */
import { randomBytes } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { assert } from '@symbolon/core/basics/assert';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { refuse } from '@symbolon/core/ledger/terms/codes';
import { type StateEntry, stateKeys } from '@symbolon/core/ledger/terms/state';
import { queryLimits } from '@symbolon/core/limits/requests';
import {
  type Account,
  type AssetStore,
  AssetStoreSchema,
  type MetadataEntry,
  MetadataEntrySchema,
} from '@symbolon/core/proto/ledger_pb';
import {
  addressOfPrivateKeyReply,
  addressOfPublicKeyReply,
  keyPairReply,
} from '@symbolon/wire/ledger/node-replies';
import {
  accountAssetReply,
  accountAssetsReply,
  accountBaseReply,
  accountMetadataReply,
  accountMissing,
  accountReply,
  stateProofReply,
} from '@symbolon/wire/ledger/replies';
import type { AssetName } from '@symbolon/wire/ledger/requests';
import type { LedgerHandlers } from '@symbolon/wire/ledger/routes';
import { hashPairs } from '../chain/hash-pairs.ts';
import { stateRows } from '../chain/rows.ts';
import { proveState } from '../chain/state-proof.ts';
import type { LedgerNode } from '../node/node.ts';
import { publicKeyOf } from '../signatures/ed25519.ts';

export function createAccountHandlers(node: LedgerNode) {
  const { keys, parameters } = node.chain.rules;

  const describe = async (account: Account, asset: AssetName | undefined, key: string | undefined) =>
    accountReply({
      account,
      assets: await readAssets(node, account.address, asset),
      metadata: await readMetadata(node, account.address, key),
    });

  const keyPairOf = (seed: Uint8Array) => {
    const raw = publicKeyOf(seed);
    return {
      address: keys.addressOf(raw),
      privateKey: keys.encodePrivateKey(seed),
      privateKeyRaw: encodeHex(seed),
      publicKey: keys.encodePublicKey(raw),
      publicKeyRaw: encodeHex(raw),
    };
  };

  return {
    getGenesisAccount: () => {
      const account = node.account(parameters.genesisAddress);
      return account ? describe(account, undefined, undefined) : accountMissing;
    },

    getAccount: ({ address, asset, key }) => {
      const account = node.account(address);
      return account ? describe(account, asset, key) : accountMissing;
    },

    getAccountBase: ({ address }) => {
      const account = node.account(address);
      return account ? accountBaseReply(account) : accountMissing;
    },

    getAccountAssets: async ({ address, asset }) => {
      if (!node.account(address)) return accountMissing;
      const assets = await readAssets(node, address, asset);
      return asset ? accountAssetReply(assets[0]) : accountAssetsReply(assets);
    },

    getAccountMetaData: async ({ address, key }) =>
      node.account(address) ? accountMetadataReply(await readMetadata(node, address, key)) : accountMissing,

    getStateProof: async ({ address, entry }) => {
      const stateKey =
        entry === undefined
          ? stateKeys.account(address)
          : 'key' in entry
            ? stateKeys.metadata(address, entry.key)
            : stateKeys.asset(address, entry.asset);
      const { header, value, proof } = await proveState(node.chain, stateKey, hashPairs);
      return stateProofReply({ header, stateKey, value, proofBase64: Buffer.from(proof).toString('base64') });
    },

    createKeyPair: () => keyPairReply(keyPairOf(randomBytes(32))),

    getAddress: ({ privateKey, publicKey }) => {
      const raw = publicKey === undefined ? undefined : keys.parsePublicKey(publicKey);
      if (publicKey !== undefined && !raw)
        return refuse('invalidPublicKey', 'public_key is not an encoded public key');
      if (privateKey === undefined) {
        assert(raw && publicKey !== undefined, 'one of the keys is given');
        return addressOfPublicKeyReply({
          address: keys.addressOf(raw),
          publicKey,
          publicKeyRaw: encodeHex(raw),
        });
      }
      const seed = keys.parsePrivateKey(privateKey);
      if (!seed) return refuse('invalidPrivateKey', 'private_key is not an encoded private key');
      const pair = keyPairOf(seed);
      return publicKey === undefined || pair.publicKey === publicKey.toLowerCase()
        ? addressOfPrivateKeyReply(pair)
        : refuse('invalidPublicKey', 'public_key does not belong to private_key');
    },
  } satisfies Partial<LedgerHandlers>;
}

async function readAssets(
  node: LedgerNode,
  address: string,
  asset: AssetName | undefined,
): Promise<AssetStore[]> {
  if (asset)
    return one(asset.type === 0 ? node.chain.state.read(stateKeys.asset(address, asset)) : undefined);
  const rows = await readOwned(node, stateKeys.assets(address));
  return rows.map((bytes) => fromBinary(AssetStoreSchema, bytes));
}

async function readMetadata(
  node: LedgerNode,
  address: string,
  key: string | undefined,
): Promise<MetadataEntry[]> {
  if (key !== undefined) return one(node.chain.state.read(stateKeys.metadata(address, key)));
  const rows = await readOwned(node, stateKeys.metadatas(address));
  return rows.map((bytes) => fromBinary(MetadataEntrySchema, bytes));
}

const one = <Entry extends AssetStore | MetadataEntry>(entry: StateEntry | undefined): Entry[] =>
  entry ? [entry as Entry] : [];

/** The first entries of an account in key order, as many as one answer may hold; the rest is asked for by name. */
async function readOwned(node: LedgerNode, prefix: string): Promise<Uint8Array[]> {
  const owned: Uint8Array[] = [];
  let bytes = 0;
  for await (const [, value] of node.chain.rows.scanAll(stateRows(prefix))) {
    bytes += value.length;
    if (owned.length >= queryLimits.accountEntriesMax || bytes > queryLimits.bodyBytesMax) break;
    owned.push(value);
  }
  return owned;
}
