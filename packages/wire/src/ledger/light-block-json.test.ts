/** Light blocks as a real CometBFT tells them (scripts/record-light-vectors.mjs), read, verified, and damaged. */
import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { concatBytes, encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import { consensusHeaderHash } from '@symbolon/core/light/consensus-encoding';
import { type LightBlock, msOfTime } from '@symbolon/core/light/light-block';
import {
  type LightTools,
  verifyLightBlock,
  verifyTrustedBlock,
} from '@symbolon/core/light/light-verification';
import { lightLimits } from '@symbolon/core/limits/light';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { readLightBlock } from './light-block-json.ts';

const file = path.resolve(import.meta.dirname, '../../../core/vectors/light.json');
const { blocks: recorded } = JSON.parse(readFileSync(file, 'utf8')) as { blocks: JsonObject[] };
const spkiHead = parseHex('302a300506032b6570032100') as Uint8Array;

const tools: LightTools = {
  sha256: (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()),
  verifyVote: ({ publicKey, message, signature }) => {
    const key = Buffer.from(concatBytes(spkiHead, publicKey));
    return verify(null, message, createPublicKey({ key, format: 'der', type: 'spki' }), signature);
  },
};

function blockOf(json: JsonValue | undefined): LightBlock {
  const reading = readLightBlock(json);
  assert.ok(reading.success, reading.success ? '' : reading.error.message);
  return reading.block;
}

const blocks = recorded.map(blockOf);
const [first, last] = [blocks[0] as LightBlock, blocks.at(-1) as LightBlock];
const terms = { nowMs: msOfTime(last.header.time) + 5_000, trustingPeriodMs: 3_600_000 };
const at = (height: bigint): LightBlock =>
  blocks.find(({ header }) => header.height === height) as LightBlock;
const power = ({ validators }: LightBlock): bigint => validators.reduce((sum, one) => sum + one.power, 0n);

describe('blocks of a real CometBFT', () => {
  test('have absent votes, votes for no block, several rounds and changes of validators', () => {
    const kinds = new Set(blocks.flatMap(({ commit }) => commit.votes.map(({ kind }) => kind)));
    assert.deepEqual([...kinds].sort(), ['absent', 'block', 'nil']);
    assert.ok(blocks.some(({ commit }) => commit.round > 0));
    assert.ok(new Set(blocks.map(({ header }) => encodeHex(header.validatorsHash))).size >= 4);
  });

  test('hash to what their commits and successors say', () => {
    for (const [index, { header, commit }] of blocks.entries()) {
      const hash = encodeHex(consensusHeaderHash(header, tools.sha256));
      assert.equal(hash, encodeHex(commit.blockId.hash));
      const next = blocks[index + 1];
      if (next) assert.equal(encodeHex(next.header.lastBlockId.hash), hash);
    }
  });

  test('every signature in them verifies, those for no block too', async () => {
    const { voteBytes } = await import('@symbolon/core/light/consensus-encoding');
    for (const { header, commit, validators } of blocks)
      for (const [index, vote] of commit.votes.entries()) {
        if (vote.kind === 'absent') continue;
        const message = voteBytes(header.chainId, commit, vote);
        const { publicKey } = validators[index] as LightBlock['validators'][number];
        assert.equal(await tools.verifyVote({ publicKey, message, signature: vote.signature }), true);
      }
  });

  test('are believed one after the other', async () => {
    const hash = first.commit.blockId.hash;
    const { chainId, height } = first.header;
    const known = { chainId, height, hash };
    assert.equal((await verifyTrustedBlock(known, first, terms, tools)).verified, true);
    for (const [index, block] of blocks.slice(1).entries()) {
      const verdict = await verifyLightBlock(blocks[index] as LightBlock, block, terms, tools);
      assert.ok(verdict.verified, JSON.stringify(verdict));
    }
  });

  test('are believed over a jump exactly where more than a third in common has signed', async () => {
    let refused = 0;
    for (const [from, trusted] of blocks.entries())
      for (const block of blocks.slice(from + 2)) {
        const keys = new Set(
          block.commit.votes.flatMap((vote, index) =>
            vote.kind === 'block' ? [encodeHex(block.validators[index]?.publicKey as Uint8Array)] : [],
          ),
        );
        const common = trusted.validators.filter(({ publicKey }) => keys.has(encodeHex(publicKey)));
        const isEnough = common.reduce((sum, one) => sum + one.power, 0n) * 3n > power(trusted);
        const verdict = await verifyLightBlock(trusted, block, terms, tools);
        assert.equal(verdict.verified, isEnough);
        if (verdict.verified) continue;
        refused += 1;
        assert.equal(verdict.refusal.name, 'tooLittleTrustedPower');
      }
    assert.ok(refused > 10, `${refused} jumps`);
  });
});

type Path = readonly (string | number)[];

/** The same JSON with one member otherwise; undefined takes it out. */
function changed(json: JsonValue, where: Path, value: JsonValue | undefined): JsonValue {
  const copy = structuredClone(json) as JsonObject;
  const owner = where.slice(0, -1).reduce<JsonObject>((inner, name) => inner[name] as JsonObject, copy);
  const name = where.at(-1) as string;
  if (value === undefined) delete owner[name];
  else owner[name] = value;
  return copy;
}

/** Every text and number of a document, with where it stands. */
function leavesOf(json: JsonValue, where: Path = []): [Path, string | number][] {
  if (typeof json === 'string' || typeof json === 'number') return [[where, json]];
  if (typeof json !== 'object' || json === null) return [];
  const isList = Array.isArray(json);
  return Object.entries(json).flatMap(([name, value]) =>
    leavesOf(value as JsonValue, [...where, isList ? Number(name) : name]),
  );
}

const header: Path = ['signed_header', 'header'];
const commit: Path = ['signed_header', 'commit'];
const vote: Path = [...commit, 'signatures', 0];
const validator: Path = ['validators', 0];
const sample = recorded[3] as JsonObject;

describe('what is no light block is not read', () => {
  const many = (count: number, path: Path): JsonValue =>
    Array(count).fill(
      path.reduce<JsonValue>((inner, name) => (inner as JsonObject)[name] as JsonValue, sample),
    );
  const cases: readonly [name: string, where: Path, value: JsonValue | undefined][] = [
    ['a member that is not known', [...header, 'extra'], 1],
    ['no height', [...header, 'height'], undefined],
    ['height 0', [...header, 'height'], '0'],
    ['a height below 0', [...header, 'height'], '-1'],
    ['a height of more than 63 bits', [...header, 'height'], '9223372036854775808'],
    ['a height with a zero before it', [...header, 'height'], '05'],
    ['a height that is a number', [...header, 'height'], 5],
    ['no chain', [...header, 'chain_id'], ''],
    ['a chain with too long a name', [...header, 'chain_id'], 'x'.repeat(lightLimits.chainIdCharsMax + 1)],
    ['a chain with half a character', [...header, 'chain_id'], '\ud800'],
    ['a day that does not exist', [...header, 'time'], '2026-02-30T00:00:00Z'],
    ['ten digits of a second', [...header, 'time'], '2026-01-30T00:00:00.1234567890Z'],
    ['another time zone', [...header, 'time'], '2026-01-30T00:00:00+01:00'],
    ['no validators hash', [...header, 'validators_hash'], ''],
    ['half a hash', [...header, 'data_hash'], 'AB'],
    ['a hash that is no hex', [...header, 'next_validators_hash'], 'G'.repeat(64)],
    ['an application hash of 33 bytes', [...header, 'app_hash'], 'AB'.repeat(33)],
    ['half a byte of an application hash', [...header, 'app_hash'], 'A'],
    ['an address of 19 bytes', [...header, 'proposer_address'], 'AB'.repeat(19)],
    ['a version of 65 bits', [...header, 'version', 'block'], '18446744073709551616'],
    ['half a last block', [...header, 'last_block_id', 'hash'], ''],
    ['a round below 0', [...commit, 'round'], -1],
    ['a round of 32 bits', [...commit, 'round'], 2 ** 31],
    ['half a round', [...commit, 'round'], 0.5],
    ['a commit of no block', [...commit, 'block_id', 'hash'], ''],
    ['a block of no parts', [...commit, 'block_id', 'parts', 'total'], 0],
    ['no votes', [...commit, 'signatures'], []],
    ['too many votes', [...commit, 'signatures'], many(lightLimits.validatorsMax + 1, vote)],
    ['an unknown kind of vote', [...vote, 'block_id_flag'], 4],
    ['an absent vote with a signature', [...vote, 'block_id_flag'], 1],
    ['a vote without a signature', [...vote, 'signature'], null],
    ['a signature of 63 bytes', [...vote, 'signature'], Buffer.alloc(63).toString('base64')],
    ['a signature of 65 bytes', [...vote, 'signature'], Buffer.alloc(65).toString('base64')],
    ['a signature in hex', [...vote, 'signature'], '00'.repeat(64)],
    ['no validators', ['validators'], []],
    ['too many validators', ['validators'], many(lightLimits.validatorsMax + 1, validator)],
    ['another kind of key', [...validator, 'pub_key', 'type'], 'tendermint/PubKeySecp256k1'],
    ['a key of 31 bytes', [...validator, 'pub_key', 'value'], Buffer.alloc(31).toString('base64')],
    ['a validator without power', [...validator, 'voting_power'], '0'],
    ['power below 0', [...validator, 'voting_power'], '-5'],
    ['power above the whole', [...validator, 'voting_power'], String(lightLimits.totalPowerMax + 1n)],
  ];
  for (const [name, where, value] of cases)
    test(name, () => assert.equal(readLightBlock(changed(sample, where, value)).success, false));

  test('no object at all', () => {
    for (const json of [undefined, null, [], 'light', 7, {}] as JsonValue[])
      assert.equal(readLightBlock(json).success, false);
  });
});

/** Each character another one that the same kind of text may have. */
function* oneCharacterOtherwise(leaf: string | number): Generator<string | number> {
  if (typeof leaf === 'number') {
    yield leaf + 1;
    yield leaf ^ 2;
    return;
  }
  for (let index = 0; index < leaf.length; index += 1) {
    const is = leaf[index] as string;
    const other = /[0-9]/.test(is) ? String((Number(is) + 1) % 10) : is === 'B' ? 'C' : 'B';
    yield leaf.slice(0, index) + other + leaf.slice(index + 1);
  }
}

/** All that is verified of a block; of votes how much power is behind them. */
const essenceOf = ({ header: shown, validators }: LightBlock): string =>
  JSON.stringify([shown, validators], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value instanceof Uint8Array ? encodeHex(value) : value,
  );

describe('one character otherwise, anywhere in a light block', () => {
  for (const height of [7n, 13n, 20n])
    test(`of block ${height}: refused, or nothing of what is verified changes`, async () => {
      const index = blocks.findIndex((block) => block.header.height === height);
      const [json, trusted] = [recorded[index] as JsonObject, at(height - 1n)];
      const genuine = essenceOf(at(height));
      let [refused, alike] = [0, 0];
      for (const [where, leaf] of leavesOf(json))
        for (const other of oneCharacterOtherwise(leaf)) {
          const reading = readLightBlock(changed(json, where, other));
          const verdict = reading.success
            ? await verifyLightBlock(trusted, reading.block, terms, tools)
            : undefined;
          if (!verdict?.verified) {
            refused += 1;
            continue;
          }
          assert.equal(reading.success && essenceOf(reading.block), genuine, where.join('.'));
          alike += 1;
        }
      assert.ok(refused > 500 && alike > 0, `${refused} refused, ${alike} alike`);
    });
});
