/** Against what CometBFT's own signer (`privval.FilePV`) answered to the same questions, byte for byte. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import { ballotBytes, emptyExtensionBytes } from '@symbolon/core/light/consensus-encoding';
import type { LastSigned } from '@symbolon/core/voting/signing-rule';
import { Vote } from 'cosmjs-types/tendermint/types/types';
import { AbciFrames, FrameError, lengthPrefix } from '../abci/frames.ts';
import { publicKeyOf, signEd25519 } from '../signatures/ed25519.ts';
import { answerBytes, readRequest, type SignerAnswer } from './privval-messages.ts';
import { stateUpTo } from './signed-state.ts';
import { VoteSigner } from './vote-signer.ts';

interface Recorded {
  readonly signed: readonly { readonly what: string; readonly bytes: string }[];
  readonly seed: string;
  readonly chain: string;
  readonly exchanges: readonly {
    readonly what: string;
    readonly request: string;
    readonly answer: string;
    readonly refused: boolean;
  }[];
}
const recorded: Recorded = JSON.parse(readFileSync(new URL('comet-exchanges.json', import.meta.url), 'utf8'));
const bytesOf = (hex: string) => parseHex(hex) as Uint8Array;
const seed = bytesOf(recorded.seed);
const key = { publicKey: publicKeyOf(seed), sign: async (bytes: Uint8Array) => signEd25519(seed, bytes) };

const framed = (hex: string): Uint8Array => [...new AbciFrames(10_240).read(bytesOf(hex))][0] as Uint8Array;
const requestNamed = (what: string) => {
  const found = recorded.exchanges.find((exchange) => exchange.what === what);
  assert.ok(found, what);
  return readRequest(framed(found.request));
};

function newSigner(changes: Partial<ConstructorParameters<typeof VoteSigner>[0]> = {}) {
  const saved: LastSigned[] = [];
  const refused: string[] = [];
  const passed: string[] = [];
  const signer = new VoteSigner({
    chainId: recorded.chain,
    key,
    last: stateUpTo(0n),
    save: async (signed) => void saved.push(signed),
    onRefused: (reason) => refused.push(reason),
    onPassed: (reason) => passed.push(reason),
    ...changes,
  });
  return { signer, saved, refused, passed };
}

describe('the signer of a validator', () => {
  test('answers as the one of CometBFT', async () => {
    const { signer } = newSigner();
    for (const { what, request, answer, refused } of recorded.exchanges) {
      const said = await signer.answer(readRequest(framed(request)));
      assert.equal(said.kind === 'refused', refused, what);
      if (refused) continue;
      const bytes = answerBytes(said);
      assert.equal(encodeHex(Buffer.concat([lengthPrefix(bytes.length), bytes])), answer, what);
    }
  });

  test('says of what it refuses why, in a message that CometBFT reads', async () => {
    const { signer, refused } = newSigner({ last: stateUpTo(9n) });
    const said = await signer.answer(requestNamed('a prevote'));
    assert.deepEqual(said.kind === 'refused' && said.asked, 'vote');
    assert.match(refused[0] as string, /height 5, round 0, prevote is over/);
    const text = Buffer.from(answerBytes(said)).toString('latin1');
    assert.ok(text.includes(refused[0] as string));
  });

  test('tells a step that is over apart from what contradicts a signature', async () => {
    const { signer, refused, passed } = newSigner();
    await signer.answer(requestNamed('a precommit'));
    // As after a crash of CometBFT in the middle of the height: first what was signed before, then the same again.
    assert.equal((await signer.answer(requestNamed('a prevote'))).kind, 'refused');
    assert.equal((await signer.answer(requestNamed('the same precommit at another time'))).kind, 'vote');
    assert.match(passed.join(), /^height 5, round \d, prevote is over: [^,]+, round \d, precommit$/);
    assert.deepEqual(refused, []);
    await signer.answer(requestNamed('a precommit for another block'));
    assert.match(refused.join(), /^something else was signed of height 5/);
    assert.equal(passed.length, 1);
  });

  test('tells no signature before it is on the disk', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { signer } = newSigner({ save: () => promise });
    let told: SignerAnswer | undefined;
    const answer = signer.answer(requestNamed('a prevote')).then((said) => {
      told = said;
    });
    await new Promise((done) => setTimeout(done, 20));
    assert.equal(told, undefined);
    resolve();
    await answer;
    assert.equal((told as SignerAnswer | undefined)?.kind, 'vote');
  });

  test('signs nothing more when the disk or the key has failed', async () => {
    const failures = [
      { save: () => Promise.reject(new Error('the disk is full')) },
      { key: { ...key, sign: () => Promise.reject(new Error('the token is away')) } },
      { key: { ...key, sign: async () => new Uint8Array(64) } },
    ];
    for (const failure of failures) {
      const { signer, saved } = newSigner(failure);
      await assert.rejects(
        signer.answer(requestNamed('a prevote')),
        /disk is full|token is away|do not hold/,
      );
      await assert.rejects(signer.answer(requestNamed('ping')));
      assert.deepEqual(saved, []);
    }
  });

  test('goes on from what was saved, and from nothing else', async () => {
    const { signer, saved } = newSigner();
    await signer.answer(requestNamed('a precommit'));
    const again = newSigner({ last: saved[0] as LastSigned });
    const said = await again.signer.answer(requestNamed('the same precommit at another time'));
    assert.equal(said.kind, 'vote');
    assert.deepEqual(again.saved, []);
    assert.equal((await again.signer.answer(requestNamed('a precommit for another block'))).kind, 'refused');
  });

  test('extends no vote, and knows no other kind of one', async () => {
    const { signer, saved } = newSigner();
    const request = requestNamed('a precommit');
    assert.ok(request.kind === 'vote');
    for (const changes of [{ extension: Uint8Array.of(1) }, { type: 0 }, { type: 32 }, { type: 3 }]) {
      const vote: Vote = Vote.fromPartial({ ...request.vote, ...changes });
      assert.equal((await signer.answer({ ...request, vote })).kind, 'refused', JSON.stringify(changes));
    }
    const proposal = requestNamed('a proposal');
    assert.ok(proposal.kind === 'proposal');
    const noBlock = { hash: new Uint8Array(0), partSetHeader: { total: 0, hash: new Uint8Array(0) } };
    for (const changes of [{ blockId: noBlock }, { type: 2 }, { polRound: 7 }])
      assert.equal(
        (await signer.answer({ ...proposal, proposal: { ...proposal.proposal, ...changes } })).kind,
        'refused',
      );
    assert.deepEqual(saved, []);
  });
});

test('what is signed is what CometBFT signs', () => {
  const block = (byte: number) => ({
    hash: new Uint8Array(32).fill(byte),
    partsTotal: byte,
    partsHash: new Uint8Array(32).fill(byte + 1),
  });
  const time = { seconds: 1_700_000_000n, nanos: 123_456_789 };
  const precommit = { kind: 'precommit', height: 7n, round: 2, time, blockId: block(3) } as const;
  const later = { seconds: 1_700_000_002n, nanos: 5 };
  const proposal = { kind: 'proposal', height: 7n, round: 3, time: later, blockId: block(4) } as const;
  const prevote = {
    kind: 'prevote',
    height: 7n,
    round: 0,
    time: { seconds: 1_700_000_001n, nanos: 0 },
  } as const;
  const { chain } = recorded;
  const ours: Readonly<Record<string, Uint8Array>> = {
    precommit: ballotBytes(chain, precommit),
    extension: emptyExtensionBytes(chain, precommit),
    prevote: ballotBytes(chain, { ...prevote, blockId: undefined }),
    proposal: ballotBytes(chain, { ...proposal, lockedRound: -1 }),
    proposalLocked: ballotBytes(chain, { ...proposal, lockedRound: 0 }),
  };
  assert.equal(recorded.signed.length, 5);
  for (const { what, bytes } of recorded.signed)
    assert.equal(encodeHex(ours[what] ?? new Uint8Array(0)), bytes, what);
});

describe('what is no question to a signer', () => {
  const cases: Readonly<Record<string, string>> = {
    'nothing at all': '',
    'an answer': '1200',
    'a field that there is not': '4a00',
    'a number': '0801',
    'two questions': '3a003a00',
    'more than it says': '3a05',
    'a member that is not known': '0a021a00',
    'a vote that is none': '1a040a02ffff',
    'a text in the place of a vote': '1a0408011001',
  };
  for (const [what, hex] of Object.entries(cases))
    test(`${what} is refused`, () => assert.throws(() => readRequest(bytesOf(hex)), FrameError));

  test('any bytes at all', () => {
    const whole = framed(recorded.exchanges.find(({ what }) => what === 'a proposal')?.request ?? '');
    for (let at = 0; at < whole.length; at++) {
      for (const cut of [whole.subarray(0, at), whole.with(at, (whole[at] as number) ^ 0xff)])
        try {
          readRequest(cut);
        } catch (error) {
          assert.ok(error instanceof FrameError, String(error));
        }
    }
  });
});
