/**
 * Whether the CometBFT that connects runs this chain: its genesis has the chain id that our genesis makes, the same
 * validators, and begins where ours ends. Our first block needs no consensus, every node makes it from its genesis
 * document; so CometBFT's first height is 2, and a block has the same number on both sides.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { LedgerHeader, ValidatorSet } from '@symbolon/core/proto/ledger_pb';
import type { RequestInitChain } from 'cosmjs-types/tendermint/abci/types';

/** The height at which CometBFT begins. */
export const firstHeight = 2n;

/** The name of the chain in CometBFT, of at most 50 characters: whoever has another genesis document has another. */
export const cometChainId = (genesis: Pick<LedgerHeader, 'hash'>): string =>
  `symbolon-${encodeHex(genesis.hash).slice(0, 32)}`;

/** Why the two do not fit together; nothing when they do. */
export function genesisProblem(
  { chainId, initialHeight, validators }: Pick<RequestInitChain, 'chainId' | 'initialHeight' | 'validators'>,
  ours: { readonly genesis: Pick<LedgerHeader, 'hash'>; readonly validators: ValidatorSet },
): string | undefined {
  const expected = cometChainId(ours.genesis);
  if (chainId !== expected)
    return `its chain_id is ${JSON.stringify(chainId)}, our genesis.json makes ${expected}`;
  if (initialHeight !== firstHeight)
    return `its initial_height is ${initialHeight}, it has to be ${firstHeight}: our genesis block is number 1`;
  const [theirSet, ourSet] = [
    validators.map(({ pubKey, power }) => `${encodeHex(pubKey.ed25519 ?? new Uint8Array(0))} ${power}`),
    ours.validators.validators.map(
      ({ publicKey, pledgeCoinAmount }) => `${encodeHex(publicKey)} ${pledgeCoinAmount}`,
    ),
  ].map((set) => set.sort().join('\n'));
  return theirSet === ourSet ? undefined : 'its validators are not those of our genesis.json';
}
