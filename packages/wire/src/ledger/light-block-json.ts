/**
 * A light block as nodes send it (`GET /getLightBlock`): header, commit and validators in the JSON of CometBFT's RPC,
 * read strictly. Whoever sends one may be anybody, so every length is bounded and every member that is not known is
 * refused; whether what it says is true is for `core/src/light`.
 */
import { parseExactBase64, parseHex } from '@symbolon/core/basics/bytes';
import { unixMsOf } from '@symbolon/core/basics/calendar';
import type { BlockId, CommitVote, ConsensusTime, LightBlock } from '@symbolon/core/light/light-block';
import { int64Max } from '@symbolon/core/limits/consensus';
import { lightLimits } from '@symbolon/core/limits/light';
import * as z from 'zod';
import type { JsonValue } from '../json/json.ts';

const hashPattern = /^[0-9A-Fa-f]{64}$/;
const hash = z.string().regex(hashPattern);
/** Empty where there is nothing yet, as in the first block. */
const hashOrNone = z.string().regex(/^([0-9A-Fa-f]{64})?$/);
const address = z.string().regex(/^[0-9A-Fa-f]{40}$/);

/** A decimal number of digits, as CometBFT writes those of 64 bits. */
const decimal = (min: bigint, max: bigint) =>
  z
    .string()
    .regex(/^(0|[1-9][0-9]{0,19})$/)
    .refine((text) => !isDecimal(text) || (BigInt(text) >= min && BigInt(text) <= max));
const isDecimal = (text: string): boolean => /^[0-9]{1,20}$/.test(text);
const unsigned64Max = 2n ** 64n - 1n;

const timePattern = /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?Z$/;
const time = z
  .string()
  .max(30)
  .refine((text) => timeOf(text) !== undefined);
const bytes = (length: number) =>
  z
    .string()
    .max(Math.ceil(length / 3) * 4)
    .refine((text) => parseExactBase64(text)?.length === length);

const blockId = z.strictObject({
  hash,
  parts: z.strictObject({ total: z.int().min(1).max(lightLimits.partsMax), hash }),
});
const noBlockId = z.strictObject({
  hash: z.literal(''),
  parts: z.strictObject({ total: z.literal(0), hash: z.literal('') }),
});

const height = decimal(1n, int64Max);
const header = z.strictObject({
  version: z.strictObject({
    block: decimal(0n, unsigned64Max),
    app: decimal(0n, unsigned64Max).optional(),
  }),
  // CometBFT allows any text; networks have names of plain characters.
  chain_id: z.string().regex(new RegExp(`^[\\x20-\\x7e]{1,${lightLimits.chainIdCharsMax}}$`)),
  height,
  time,
  last_block_id: z.union([blockId, noBlockId]),
  last_commit_hash: hashOrNone,
  data_hash: hashOrNone,
  validators_hash: hash,
  next_validators_hash: hash,
  consensus_hash: hashOrNone,
  app_hash: z.string().regex(/^([0-9A-Fa-f]{2}){0,32}$/),
  last_results_hash: hashOrNone,
  evidence_hash: hashOrNone,
  proposer_address: address,
});

/** The year 1 is how Go writes no time. */
const noTime = '0001-01-01T00:00:00Z';
const flags = { absent: 1, block: 2, nil: 3 } as const;
const vote = z.union([
  z.strictObject({
    block_id_flag: z.literal(flags.absent),
    validator_address: z.literal(''),
    timestamp: z.literal(noTime),
    signature: z.null(),
  }),
  z.strictObject({
    block_id_flag: z.union([z.literal(flags.block), z.literal(flags.nil)]),
    validator_address: address,
    timestamp: time,
    signature: bytes(64),
  }),
]);

const validator = z.strictObject({
  address,
  pub_key: z.strictObject({ type: z.literal('tendermint/PubKeyEd25519'), value: bytes(32) }),
  voting_power: decimal(1n, lightLimits.totalPowerMax),
  /** Whose turn it is to propose: no hash covers it, and nothing here goes by it. */
  proposer_priority: z.string().regex(/^(0|-?[1-9][0-9]{0,18})$/),
});

/** What `getLightBlock` replies in its `result`. */
export const lightBlockResult = z.strictObject({
  signed_header: z.strictObject({
    header,
    commit: z.strictObject({
      height,
      round: z.int().min(0).max(lightLimits.roundMax),
      block_id: blockId,
      signatures: z.array(vote).min(1).max(lightLimits.validatorsMax),
    }),
  }),
  validators: z.array(validator).min(1).max(lightLimits.validatorsMax),
});

/** A light block, or what in the JSON is not one's. */
export type LightBlockReading =
  | { readonly success: true; readonly block: LightBlock }
  | { readonly success: false; readonly error: z.ZodError };

export function readLightBlock(json: JsonValue | undefined): LightBlockReading {
  const check = lightBlockResult.safeParse(json);
  if (!check.success) return { success: false, error: check.error };
  const { signed_header: signed, validators } = check.data;
  return {
    success: true,
    block: {
      header: headerOf(signed.header),
      commit: {
        height: BigInt(signed.commit.height),
        round: signed.commit.round,
        blockId: blockIdOf(signed.commit.block_id),
        votes: signed.commit.signatures.map(voteOf),
      },
      validators: validators.map((one) => ({
        address: hexOf(one.address),
        publicKey: base64Of(one.pub_key.value),
        power: BigInt(one.voting_power),
      })),
    },
  };
}

const headerOf = (json: z.output<typeof header>): LightBlock['header'] => ({
  version: { block: BigInt(json.version.block), app: BigInt(json.version.app ?? 0) },
  chainId: json.chain_id,
  height: BigInt(json.height),
  time: checkedTime(json.time),
  lastBlockId: blockIdOf(json.last_block_id),
  lastCommitHash: hexOf(json.last_commit_hash),
  dataHash: hexOf(json.data_hash),
  validatorsHash: hexOf(json.validators_hash),
  nextValidatorsHash: hexOf(json.next_validators_hash),
  consensusHash: hexOf(json.consensus_hash),
  appHash: hexOf(json.app_hash),
  lastResultsHash: hexOf(json.last_results_hash),
  evidenceHash: hexOf(json.evidence_hash),
  proposerAddress: hexOf(json.proposer_address),
});

const blockIdOf = (json: z.output<typeof blockId> | z.output<typeof noBlockId>): BlockId => ({
  hash: hexOf(json.hash),
  partsTotal: json.parts.total,
  partsHash: hexOf(json.parts.hash),
});

function voteOf(json: z.output<typeof vote>): CommitVote {
  if (json.block_id_flag === flags.absent) return { kind: 'absent' };
  return {
    kind: json.block_id_flag === flags.block ? 'block' : 'nil',
    address: hexOf(json.validator_address),
    time: checkedTime(json.timestamp),
    signature: base64Of(json.signature),
  };
}

function timeOf(text: string): ConsensusTime | undefined {
  const [, whole, fraction = ''] = timePattern.exec(text) ?? [];
  const ms = whole === undefined ? undefined : unixMsOf(`${whole}Z`);
  return ms === undefined
    ? undefined
    : { seconds: BigInt(ms / 1_000), nanos: Number(fraction.padEnd(9, '0')) };
}

// The schema has seen that these can be read.
const checkedTime = (text: string): ConsensusTime => timeOf(text) as ConsensusTime;
const hexOf = (text: string): Uint8Array => parseHex(text) as Uint8Array;
const base64Of = (text: string): Uint8Array => parseExactBase64(text) as Uint8Array;
