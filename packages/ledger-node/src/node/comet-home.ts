/**
 * The home folder of the CometBFT beside a node of a network: its settings, keys and genesis document, in the layout that
 * CometBFT 0.38 reads. Whoever has `priv_validator_key.json` votes; whoever uses it on two machines at once is jailed.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { consensusAddress } from '@symbolon/core/ledger/terms/validators';
import { sha256 } from '@symbolon/host/work/sha256';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { firstHeight } from '../drivers/comet/handshake.ts';
import { cometLimits } from '../limits/node-limits.ts';
import { publicKeyOf } from '../signatures/ed25519.ts';

export interface CometHomeOrder extends CometHomeSettings, CometKeys {
  /** `genesis.json`: the same text on every node of the network. */
  readonly genesis: string;
}

export interface CometHomeSettings {
  /** What it calls itself in its log and to its peers. */
  readonly name: string;
  /** Where the node listens for it. */
  readonly abci: string;
  readonly rpcPort: number;
  /** Where its peers reach it: on this machine alone, if no other address is said. */
  readonly p2pHost?: string;
  readonly p2pPort: number;
  /** Those that it calls, each `id@host:port`. */
  readonly peers: readonly string[];
  /** The socket on which the signer of its validator calls it (`unix:///path`); without, the key is in its home. */
  readonly signer?: string | undefined;
  /** How long it waits after a block for the votes of the others. */
  readonly commitMs: number;
  /** From which block it is believed; it begins with a snapshot then, and not with the first block. */
  readonly stateSync?: TrustedStart | undefined;
}

export interface CometKeys {
  /** The key with which it votes; none where a signer has it. */
  readonly validatorSeed?: Uint8Array | undefined;
  /** The key by which its peers know it. */
  readonly peerSeed: Uint8Array;
}

export interface TrustedStart {
  /** CometBFTs of the network that are asked for blocks, two at least; one may stand twice. */
  readonly rpcServers: readonly string[];
  /** A block that is trusted, and its hash in CometBFT's spelling. */
  readonly height: string;
  readonly hash: string;
}

export interface GenesisValidator {
  /** Raw Ed25519, in hex. */
  readonly publicKey: string;
  readonly power: number;
  readonly name: string;
}

const addressOf = (publicKey: Uint8Array): string =>
  encodeHex(consensusAddress(publicKey, sha256)).toUpperCase();

const publicKeyJson = (publicKey: Uint8Array): JsonObject => ({
  type: 'tendermint/PubKeyEd25519',
  value: Buffer.from(publicKey).toString('base64'),
});

const privateKeyJson = (seed: Uint8Array): JsonObject => ({
  type: 'tendermint/PrivKeyEd25519',
  value: Buffer.concat([seed, publicKeyOf(seed)]).toString('base64'),
});

/** How peers name the holder of a key. */
export const peerIdOf = (seed: Uint8Array): string => addressOf(publicKeyOf(seed)).toLowerCase();

/** CometBFT's genesis document of a chain. Evidence of misbehaviour counts for two days, in which anybody can bring it. */
export const cometGenesis = (
  chainId: string,
  validators: readonly GenesisValidator[],
  time: Date,
): JsonObject => ({
  genesis_time: time.toISOString(),
  chain_id: chainId,
  initial_height: String(firstHeight),
  consensus_params: {
    block: { max_bytes: '20971520', max_gas: '-1' },
    evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
    validator: { pub_key_types: ['ed25519'] },
    version: { app: '0' },
    abci: { vote_extensions_enable_height: '0' },
  },
  validators: validators.map(({ publicKey, power, name }) => {
    const key = Buffer.from(publicKey, 'hex');
    return { address: addressOf(key), pub_key: publicKeyJson(key), power: String(power), name };
  }),
  app_hash: '',
});

/** Makes the folder, which must not be there. */
export async function writeCometHome(home: string, order: CometHomeOrder): Promise<void> {
  await writeCometKeys(home, order);
  await writeCometSettings(home, order);
}

export const cometSettingsPath = (home: string): string => join(home, 'config/config.toml');

const put = (file: string, content: string): Promise<void> =>
  writeFile(file, `${content.trimEnd()}\n`, { mode: 0o600, flag: 'wx', flush: true });

/** The home with its keys alone: what is made before it is known of which network they are. */
export async function writeCometKeys(home: string, { validatorSeed, peerSeed }: CometKeys): Promise<void> {
  await mkdir(home, { mode: 0o700, recursive: true });
  for (const folder of ['config', 'data']) await mkdir(join(home, folder), { mode: 0o700 });
  const putJson = (file: string, content: JsonObject): Promise<void> =>
    put(join(home, file), stringifyJson(content, 2));
  if (validatorSeed) {
    const publicKey = publicKeyOf(validatorSeed);
    await putJson('config/priv_validator_key.json', {
      address: addressOf(publicKey),
      pub_key: publicKeyJson(publicKey),
      priv_key: privateKeyJson(validatorSeed),
    });
    await putJson('data/priv_validator_state.json', { height: '0', round: 0, step: 0 });
  }
  await putJson('config/node_key.json', { priv_key: privateKeyJson(peerSeed) });
}

/** Into a home with keys: of which network it is, and who its peers are. The settings come last: with them it is whole. */
export async function writeCometSettings(
  home: string,
  order: CometHomeSettings & Pick<CometHomeOrder, 'genesis'>,
): Promise<void> {
  await put(join(home, 'config/genesis.json'), order.genesis);
  await put(cometSettingsPath(home), settingsText(order));
}

/** How often peers look for what the others lack: so much more often than there are blocks that it does not set their pace. */
const gossipMs = (commitMs: number): number => Math.max(5, Math.min(100, Math.round(commitMs / 10)));

/** Everything else is as CometBFT has it by itself. Peers may share an address, as they do on one machine. */
const settingsText = (order: CometHomeSettings): string => {
  const { name, abci, rpcPort, p2pHost = '127.0.0.1', p2pPort, peers, commitMs, stateSync } = order;
  const signer = order.signer === undefined ? '' : `${signerLine(order.signer)}\n`;
  return `proxy_app = "${abci}"
moniker = "${name}"
log_level = "error"
${signer}
[rpc]
laddr = "tcp://127.0.0.1:${rpcPort}"
max_body_bytes = ${cometLimits.rpcBodyBytesMax}

[p2p]
laddr = "tcp://${p2pHost}:${p2pPort}"
persistent_peers = "${peers.join(',')}"
persistent_peers_max_dial_period = "5s"
pex = false
addr_book_strict = false
allow_duplicate_ip = true
max_num_inbound_peers = 200

[mempool]
max_tx_bytes = ${cometLimits.mempoolTxBytesMax}

[consensus]
timeout_commit = "${commitMs}ms"
peer_gossip_sleep_duration = "${gossipMs(commitMs)}ms"

[tx_index]
indexer = "null"
${stateSync ? stateSyncText(stateSync) : ''}`;
};

const signerLine = (address: string): string => `priv_validator_laddr = "${address}"`;

/** Has a CometBFT listen for its signer, from its next start on. */
export async function setSignerAddress(home: string, address: string): Promise<void> {
  const file = cometSettingsPath(home);
  const settings = (await readFile(file, 'utf8')).replace(/^\s*priv_validator_laddr\s*=.*\n/m, '');
  // What stands before the first section is CometBFT's own.
  await writeFile(file, `${signerLine(address)}\n${settings}`, { flush: true });
}

/** Has a CometBFT that has no blocks begin with a snapshot, or with its blocks where nothing is given. The rest of its settings stays. */
export async function setStateSync(home: string, start: TrustedStart | undefined): Promise<void> {
  const file = cometSettingsPath(home);
  const settings = (await readFile(file, 'utf8')).replace(stateSyncSection, '').trimEnd();
  await writeFile(file, `${settings}\n${start ? stateSyncText(start) : ''}`, { flush: true });
}

/** With the blank lines before it, up to the next section. */
const stateSyncSection = /\s*^\[statesync\]$(?:\n(?!\[).*)*/m;

const stateSyncText = ({ rpcServers, height, hash }: TrustedStart): string => `
[statesync]
enable = true
rpc_servers = "${rpcServers.join(',')}"
trust_height = ${height}
trust_hash = "${hash}"
trust_period = "168h0m0s"
discovery_time = "5s"
`;
