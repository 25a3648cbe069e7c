/**
 * What tests of light clients share: a real node in memory whose blocks a made-up network of validators signs, as
 * CometBFT does: its block H+1 carries the hash of our header of H. It has the ending of a test, though it holds none,
 * because only tests may know the node.
 */
import type { TestContext } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { appHashOf } from '@symbolon/core/ledger/execution/close-block';
import { consensusHeaderHash } from '@symbolon/core/light/consensus-encoding';
import type { LightBlock } from '@symbolon/core/light/light-block';
import {
  type BlockChoice,
  makeChain,
  sha256,
  type TestValidator,
} from '@symbolon/core/light/testing/made-up-chain';
import { LedgerHeaderSchema } from '@symbolon/core/proto/ledger_pb';
import type { JsonObject } from '@symbolon/wire/json/json';
import { isReadError, messageFromJson } from '@symbolon/wire/json/message-json';
import type { TrustAnchor } from '../light/trust-anchor.ts';
import type { Transport } from '../transport/transport.ts';
import { lightBlockJson } from './light-block-json.ts';
import { openTestChain, type TestChain } from './test-chain.test.ts';

export const networkName = 'test-network';

export const anchorOf = ({ header }: LightBlock): TrustAnchor => ({
  chainId: header.chainId,
  seq: header.height,
  hash: encodeHex(consensusHeaderHash(header, sha256)),
});

/** Who validates block H, and what is otherwise than usual in it. */
export interface TestNetworkOrder {
  readonly setAt: (height: bigint) => readonly TestValidator[];
  readonly choices?: Readonly<Record<number, BlockChoice>>;
}

/** The application hashes of a chain: of block H+1, by our header of H. */
export async function appHashesOf({
  client,
  node,
}: Pick<TestChain, 'client' | 'node'>): Promise<Uint8Array[]> {
  const hashes: Uint8Array[] = [];
  for (let seq = 1n; seq <= node.chain.head.seq; seq += 1n) {
    const { result } = await client.getLedger({ seq });
    const header = messageFromJson(LedgerHeaderSchema, (result?.header ?? {}) as JsonObject);
    if (isReadError(header)) throw new TypeError(header.error);
    hashes.push(appHashOf(header, sha256));
  }
  return hashes;
}

const firstHeight = 2n;

/** The blocks 2 to H+1 that a network would have made over these. */
export function networkBlocks(
  appHashes: readonly Uint8Array[],
  { setAt, choices }: TestNetworkOrder,
  startMs: number,
): LightBlock[] {
  const sets = Array.from({ length: appHashes.length + 1 }, (_, index) => setAt(firstHeight + BigInt(index)));
  const startSeconds = BigInt(Math.floor(startMs / 1_000));
  const appHashAt = (height: bigint): Uint8Array => appHashes[Number(height) - 2] as Uint8Array;
  return makeChain({ chainId: networkName, firstHeight, startSeconds, sets, appHashAt }, choices);
}

/** A node that shows these blocks; `asked` counts how many it was asked for. */
export function showing(
  transport: Transport,
  blocks: () => readonly LightBlock[],
  asked: bigint[] = [],
): Transport {
  return async (method, path, body) => {
    const [, text] = /^\/getLightBlock\?seq=(\d+)$/.exec(path) ?? [];
    if (text === undefined) return transport(method, path, body);
    asked.push(BigInt(text));
    const found = blocks().find(({ header }) => header.height === BigInt(text));
    return found
      ? { error_code: 0, result: lightBlockJson(found) }
      : { error_code: 4, error_desc: 'not known yet' };
  };
}

export interface TestNetwork extends TestChain {
  readonly nowMs: number;
  /** Made anew after each block of the ledger. */
  sign(): Promise<LightBlock[]>;
}

/** A chain of a node, and the network that signs it from now on. */
export async function openTestNetwork(t: TestContext, order: TestNetworkOrder): Promise<TestNetwork> {
  const chain = await openTestChain(t);
  const nowMs = Date.now();
  return {
    ...chain,
    nowMs,
    sign: async () => networkBlocks(await appHashesOf(chain), order, nowMs - 1_800_000),
  };
}
