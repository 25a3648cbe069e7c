/** What the node tells of its network's consensus: who proposed last, and how many validators may fail. */
import { equalBytes } from '@symbolon/core/basics/bytes';
import type { ValidatorSet } from '@symbolon/core/proto/ledger_pb';
import { isJsonObject, parseJsonOrNothing } from '@symbolon/wire/json/json';
import type { Chain } from '../../chain/chain.ts';
import { findBlock } from '../../chain/chain-reader.ts';
import type { Driver } from '../driver.ts';
import type { CometFacts } from './comet-watch.ts';

export function consensusOf(
  chain: Pick<Chain, 'head' | 'rows' | 'validators' | 'readCommit'>,
  facts: Pick<CometFacts, 'publicKey'> | undefined,
): Driver['consensus'] {
  const { validators } = chain.validators;
  const key = facts?.publicKey;
  const replicaId = key ? validators.findIndex(({ publicKey }) => equalBytes(publicKey, key)) : -1;
  const leader = findBlock(chain.rows, chain.head.seq)?.consensusValue?.proposer ?? '';
  const faultNumber = mayFail(chain.validators);
  return {
    type: 'cometbft',
    isLeader: replicaId >= 0 && validators[replicaId]?.address === leader,
    leader,
    replicaId,
    viewNumber: roundOf(chain.readCommit(chain.head.seq - 1n)),
    quorumSize: validators.length - faultNumber,
    faultNumber,
  };
}

/** However they are chosen, so many together have less than a third of the power. */
export function mayFail({ validators }: ValidatorSet): number {
  const powers = validators.map(({ pledgeCoinAmount }) => pledgeCoinAmount);
  const total = powers.reduce((sum, power) => sum + power, 0n);
  let failed = 0n;
  let count = 0;
  for (const power of powers.sort((left, right) => (left < right ? 1 : -1))) {
    failed += power;
    if (3n * failed >= total) break;
    count++;
  }
  return count;
}

/** In which round the validators agreed; 0, the first, where it is not known. */
function roundOf(lightBlock: Uint8Array | undefined): number {
  const value = lightBlock && parseJsonOrNothing(Buffer.from(lightBlock).toString('utf8'));
  const signed = isJsonObject(value) ? value.signed_header : undefined;
  const commit = isJsonObject(signed) ? signed.commit : undefined;
  return isJsonObject(commit) && typeof commit.round === 'number' ? commit.round : 0;
}
