/** What the node and the thread of its index say to each other. */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { profiles } from '@symbolon/core/keys/profile';
import type { ChainParameters, LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import type { LedgerRefusal } from '@symbolon/core/ledger/terms/codes';
import { FeeConfigSchema, ValidatorSetSchema } from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
import { rulesOf } from '../chain/ledger-rules.ts';
import type { Reached } from './explorer-index.ts';
import type { BlockRows } from './fed-block.ts';
import type { IndexRequest, IndexRouteName } from './index-queries.ts';

/** One question, whichever it is. */
export type IndexQuestion = {
  readonly [Name in IndexRouteName]: { readonly name: Name; readonly request: IndexRequest<Name> };
}[IndexRouteName];

export type ToThread =
  | { readonly kind: 'blocks'; readonly blocks: readonly BlockRows[] }
  | {
      readonly kind: 'ask';
      readonly number: number;
      readonly question: IndexQuestion;
      readonly headSeq: bigint;
    }
  /** The index is of another chain, or of blocks that this one does not have. */
  | { readonly kind: 'beginAgain' }
  | { readonly kind: 'close' };

export type FromThread =
  /** Opened, or so many blocks further. */
  | { readonly kind: 'reached'; readonly reached: Reached }
  | { readonly kind: 'answer'; readonly number: number; readonly answer: string | LedgerRefusal }
  /** The question could not be answered by a defect of ours. */
  | { readonly kind: 'broken'; readonly number: number; readonly problem: string };

/** What the thread is started with: messages cannot carry functions, so the rules are made there again. */
export interface IndexThreadData {
  readonly folder: string;
  readonly beginAgain: boolean;
  readonly profile: string;
  readonly parameters: Omit<ChainParameters, 'fees' | 'validators'>;
  readonly fees: Uint8Array;
  readonly validators: Uint8Array;
}

export function threadDataOf(
  { keys, parameters: { fees, validators, ...parameters } }: LedgerRules,
  place: Pick<IndexThreadData, 'folder' | 'beginAgain'>,
): IndexThreadData {
  return {
    ...place,
    profile: keys.profile.name,
    parameters,
    fees: toBinary(FeeConfigSchema, fees),
    validators: toBinary(ValidatorSetSchema, validators),
  };
}

export const rulesOfThread = ({ profile, parameters, fees, validators }: IndexThreadData): LedgerRules =>
  rulesOf(createKeyFormat(profiles[profile], sha256), {
    ...parameters,
    fees: fromBinary(FeeConfigSchema, fees),
    validators: fromBinary(ValidatorSetSchema, validators),
  });
