/**
 * Results of verification sessions count if a key signed them that this profile knows: the keys of a service are
 * remembered at first use, and others are refused until the user says that they are good.
 */
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { sessionLimits } from '@symbolon/core/limits/waiting';
import { SdkError } from '@symbolon/sdk/errors/errors';
import type { Connection, PartyWords } from '../../profile/connection.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { type RequestWords, request } from './session.ts';

interface ServiceKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: { readonly kid: string; readonly kty: string; readonly crv: string; readonly x: string };
}

function makeKey(kid: string): ServiceKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { kid, privateKey, jwk: { kid, kty: 'OKP', crv: 'Ed25519', x } };
}

const [first, second] = [makeKey('k1'), makeKey('k2')];
/** Under the name of the first. */
const impostor = makeKey('k1');

/** A service that shows these keys and signs a good result with one of them. */
function serviceWith(shown: readonly ServiceKey[], signing: ServiceKey) {
  let asked = '';
  return {
    requestVerification: async (body: object) => {
      asked = JSON.stringify(body);
      return { presentationId: 'p1' };
    },
    getResultKeys: async () => ({ keys: shown.map(({ jwk }) => jwk) }),
    async *watchVerification() {
      yield resultEvent(signing, asked);
    },
  };
}

function resultEvent(signing: ServiceKey, asked: string) {
  const text = JSON.stringify({
    presentationId: 'p1',
    verified: true,
    status: 'VERIFIED',
    verifiedClaims: {},
    credentials: [],
    requestHash: createHash('sha256').update(asked).digest('hex'),
  });
  const timestamp = new Date().toISOString();
  const header = JSON.stringify({ alg: 'EdDSA', kid: signing.kid, b64: false, crit: ['b64'] });
  const head = Buffer.from(header).toString('base64url');
  const proof = sign(null, Buffer.from(`${head}.${timestamp}.${text}`), signing.privateKey);
  const result_signature = `${head}..${proof.toString('base64url')}`;
  return { status: 'VERIFIED', signed_result: text, timestamp, result_signature };
}

interface Asking {
  readonly serviceUrl?: string;
  /** What the service tells of the session. */
  readonly watch?: (query: unknown, options: { readonly signal: AbortSignal }) => AsyncIterable<object>;
}

function profileIn(context: TestContext) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-pins-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const profileFile = path.join(folder, 'work.json');
  const remarks: string[] = [];
  const terminal: Terminal = {
    print: () => undefined,
    remark: (lines) => void remarks.push(...[lines].flat()),
    isWatched: false,
    hasColours: false,
  };
  const ask = (
    shown: readonly ServiceKey[],
    signing: ServiceKey,
    { serviceUrl = 'https://a.example/', watch, ...more }: Partial<RequestWords> & Asking = {},
  ) => {
    const service = { ...serviceWith(shown, signing), ...(watch && { watchVerification: watch }) };
    const connection = { service, serviceUrl, profileFile } as unknown as Connection;
    const words = { profile: 'work', ask: ['name'], wait: true, json: true, ...more } as PartyWords &
      RequestWords;
    return request(connection, words, terminal);
  };
  return { ask, remarks, terminal, profileFile, pinsFile: path.join(folder, 'work.pins.json') };
}

const isChanged = (error: unknown) => {
  assert.ok(error instanceof CommandFailure, String(error));
  assert.match(error.message, /--accept-new-keys/);
  return true;
};

describe('keys of results', () => {
  test('are remembered at first use, for their owner alone', async (context) => {
    const { ask, remarks, pinsFile } = profileIn(context);
    assert.equal(await ask([first], first), 'verified');
    assert.match(remarks.join('\n'), /k1/);
    assert.equal(statSync(pinsFile).mode & 0o777, 0o600);
    assert.ok(readFileSync(pinsFile, 'utf8').includes(first.jwk.x));
    assert.equal(await ask([first], first), 'verified');
  });

  test('that are others are shown and refused, under an old name and under a new one', async (context) => {
    const { ask, pinsFile } = profileIn(context);
    await ask([first], first);
    const before = readFileSync(pinsFile, 'utf8');
    await assert.rejects(ask([impostor], impostor), isChanged);
    await assert.rejects(ask([first, second], second), isChanged);
    await assert.rejects(ask([first, impostor], impostor), isChanged);
    assert.equal(readFileSync(pinsFile, 'utf8'), before);
    assert.equal(await ask([first], first), 'verified');
  });

  test('that are others get no session, also if nobody waits for the result', async (context) => {
    const { ask, pinsFile } = profileIn(context);
    assert.equal(await ask([first], first, { wait: false }), 'open');
    assert.ok(!existsSync(pinsFile), 'nothing is remembered before a result counts');
    await ask([first], first);
    assert.equal(await ask([first], first, { wait: false }), 'open');
    await assert.rejects(ask([impostor], impostor, { wait: false }), isChanged);
  });

  test('are taken once the user says so, in the place of the old ones', async (context) => {
    const { ask } = profileIn(context);
    await ask([first], first);
    assert.equal(await ask([first, second], second, { acceptNewKeys: true }), 'verified');
    assert.equal(await ask([first, second], first), 'verified');
    assert.equal(await ask([second], second), 'verified');
    // Given up, perhaps because others have it.
    await assert.rejects(ask([second], first), SdkError);
    await assert.rejects(ask([first], first), isChanged);
    await assert.rejects(ask([impostor], impostor), isChanged);
  });

  test('are those of one service', async (context) => {
    const { ask } = profileIn(context);
    await ask([first], first);
    assert.equal(await ask([second], second, { serviceUrl: 'https://b.example' }), 'verified');
    await assert.rejects(ask([second], second, { serviceUrl: 'https://a.example/api' }), isChanged);
  });

  test('are not guessed from a file that is damaged or that others can write', async (context) => {
    const { ask, pinsFile } = profileIn(context);
    await ask([first], first);
    chmodSync(pinsFile, 0o622);
    await assert.rejects(ask([first], first), /can be changed by others/);
    chmodSync(pinsFile, 0o600);
    for (const text of ['', '{}', '{"form":"symbolon-pins-1","resultKeys":{"https://a.example":"x"}}']) {
      writeFileSync(pinsFile, text);
      await assert.rejects(ask([first], first), CommandFailure);
    }
  });
});

test('the result of an earlier session is no answer, though the same was asked', async (context) => {
  const { terminal, profileFile } = profileIn(context);
  const honest = serviceWith([first], first);
  const words = { profile: 'work', ask: ['name'], wait: true, json: true } as unknown as PartyWords &
    RequestWords;
  const connectionTo = (service: object) =>
    ({ service, serviceUrl: 'https://a.example/', profileFile }) as unknown as Connection;
  assert.equal(await request(connectionTo(honest), words, terminal), 'verified');
  // It has none of the service's keys, and answers with what it has heard before.
  const between = { ...honest, requestVerification: async () => ({ presentationId: 'p1' }) };
  await assert.rejects(request(connectionTo(between), words, terminal), /requestHash/);
});

describe('waiting for a result', () => {
  /** A service that never comes to an end, and the moment at which it is given up. */
  function endless(context: TestContext) {
    const over = new AbortController();
    const waited: number[] = [];
    context.mock.method(AbortSignal, 'timeout', (ms: number) => {
      waited.push(ms);
      return over.signal;
    });
    async function* watch(_query: unknown, { signal }: { readonly signal: AbortSignal }) {
      for (let told = 0; ; told += 1) {
        if (told === 3) over.abort();
        signal.throwIfAborted();
        yield { status: 'CREATED' };
      }
    }
    return { watch, waited };
  }

  test('ends when the session must have ended, whatever the service goes on saying', async (context) => {
    const { ask } = profileIn(context);
    const { watch, waited } = endless(context);
    const isOver = (error: unknown) => {
      assert.ok(error instanceof CommandFailure, String(error));
      assert.match(error.message, /without a result\.\nIts time is over/);
      return true;
    };
    await assert.rejects(ask([first], first, { watch, minutes: 2 }), isOver);
    await assert.rejects(ask([first], first, { watch }), isOver);
    const { answerLeaseMs: submissionLeaseMs, sessionMinutesDefault } = sessionLimits;
    assert.deepEqual(
      waited,
      [2, sessionMinutesDefault].map((minutes) => minutes * 60_000 + submissionLeaseMs),
    );
  });

  test('ends with the stream, and a failure of the service is told as that', async (context) => {
    const { ask } = profileIn(context);
    const early = async function* () {
      yield { status: 'FETCHED' };
    };
    await assert.rejects(ask([first], first, { watch: early }), /closed the stream early/);
    const broken = async function* () {
      yield { status: 'CREATED' };
      throw new Error('out of order');
    };
    await assert.rejects(ask([first], first, { watch: broken }), /out of order/);
  });
});
