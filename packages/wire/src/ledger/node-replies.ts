/**
 * What a node says about itself and about keys. Several of these replies carry no envelope: the public clients read
 * them that way. Pure renderers; the facts come from the node.
 */
import { successEnvelope } from '../http/envelope.ts';
import { type JsonObject, jsonInteger } from '../json/json.ts';

export interface NodeIdentity {
  readonly networkName: string;
  readonly networkId: string;
  readonly nodeVersion: string;
  readonly ledgerVersion: string;
  readonly overlayVersion: string;
  readonly currentTime: Date;
  readonly socketPort: number;
}

/** Clients look for the version under the network's own name: `<network>_version`. */
export function helloReply(identity: NodeIdentity): JsonObject {
  return {
    current_time: clockText(identity.currentTime),
    hash_type: 0,
    ledger_version: identity.ledgerVersion,
    network_id: identity.networkId,
    overlay_version: identity.overlayVersion,
    websocket_address: identity.socketPort,
    [`${identity.networkName}_version`]: identity.nodeVersion,
  };
}

/** `2024-01-01 00:00:00.000000`, in universal time. */
const clockText = (time: Date): string => `${time.toISOString().slice(0, -1).replace('T', ' ')}000`;

export interface ChainCounts {
  readonly transactionCount: bigint;
  readonly accountCount: bigint;
}

export const statusReply = ({ transactionCount, accountCount }: ChainCounts): JsonObject =>
  successEnvelope({
    account_count: jsonInteger(accountCount),
    transaction_count: jsonInteger(transactionCount),
  });

export interface ModulesView extends ChainCounts {
  readonly ledgerSequence: bigint;
  /** The newest ledger this node knows of anywhere; equal to its own when it has caught up. */
  readonly newestLedgerSequence: bigint;
  readonly validationAddress: string;
  readonly waitingTransactions: number;
  readonly currentTime: Date;
  readonly uptimeSeconds: number;
  readonly peers: number;
  readonly consensusType: string;
  readonly socketPort: number;
  readonly socketClients: number;
}

export function modulesStatusReply(view: ModulesView): JsonObject {
  return {
    'consensus manager': { type: view.consensusType },
    glue_manager: {
      system: { current_time: clockText(view.currentTime), process_uptime: view.uptimeSeconds },
      transaction_size: view.waitingTransactions,
    },
    ledger_manager: {
      account_count: jsonInteger(view.accountCount),
      chain_max_ledger_seq: jsonInteger(view.newestLedgerSequence),
      hash_type: 'sha256',
      ledger_sequence: jsonInteger(view.ledgerSequence),
      time: clockText(view.currentTime),
      tx_count: jsonInteger(view.transactionCount),
      validation_address: view.validationAddress,
    },
    peer_manager: { connected: view.peers },
    websocket_server: { clients: view.socketClients, listen_port: view.socketPort },
  };
}

export interface ConsensusView {
  readonly type: string;
  readonly isLeader: boolean;
  readonly leader: string;
  readonly validators: readonly string[];
  readonly replicaId: number;
  readonly viewNumber: number;
  readonly quorumSize: number;
  readonly faultNumber: number;
  readonly lastLedgerSeq: bigint;
}

export const consensusInfoReply = (view: ConsensusView): JsonObject => ({
  fault_number: view.faultNumber,
  is_leader: view.isLeader,
  last_exe_seq: jsonInteger(view.lastLedgerSeq),
  leader: view.leader,
  quorum_size: view.quorumSize,
  replica_id: view.replicaId,
  type: view.type,
  validators: [...view.validators],
  view_active: true,
  view_number: view.viewNumber,
});

/** getPeerAddresses: without peers there is no result at all. */
export const peerAddressesReply = (): JsonObject => ({ error_code: 0, error_desc: '' });

/** getContractTx: the index behind it is not kept, so the list is always empty. */
export const contractTransactionsReply = (): JsonObject => successEnvelope({ transactions: [] });

export interface KeyPairView {
  readonly address: string;
  readonly publicKey: string;
  /** The 32 raw bytes in hex, like the private key's below. */
  readonly publicKeyRaw: string;
  readonly privateKey: string;
}

/** The real node adds the private key under a secret built into it; nobody reads that, so it is not made. */
export const keyPairReply = (pair: KeyPairView): JsonObject =>
  successEnvelope({
    address: pair.address,
    private_key: pair.privateKey,
    public_key: pair.publicKey,
    public_key_raw: pair.publicKeyRaw,
    sign_type: 'ed25519',
  });

export const addressOfPublicKeyReply = (address: string, publicKey: string): JsonObject =>
  successEnvelope({ address, public_key: publicKey, sign_type: 'ed25519' });

export const addressOfPrivateKeyReply = (
  pair: KeyPairView & { readonly privateKeyRaw: string },
): JsonObject =>
  successEnvelope({
    address: pair.address,
    private_key: pair.privateKey,
    private_raw: pair.privateKeyRaw,
    public_key: pair.publicKey,
    public_key_raw: pair.publicKeyRaw,
    sign_type: 'ed25519',
  });
