/**
 * For tests only: a small service behind a real server on a free port, with API keys, idempotency keys and the sealed
 * layer, and a client of that layer.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  publicEncrypt,
} from 'node:crypto';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { assert as invariant } from '@symbolon/core/basics/assert';
import { parseBase58 } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { answerLabel } from '@symbolon/wire/http/sealed-envelope';
import {
  type ApiScope,
  type Caller,
  defineServiceRoute,
  type ServiceHandlers,
  type ServiceRoute,
} from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { z } from 'zod';
import { DatabaseError } from '../database/common/database-error.ts';
import type { HttpObservation } from '../http/server.ts';
import type { IdempotencyStore, KeptAnswer } from './idempotency-keys.ts';
import { createSealedLayer, generateSealKeys, type SealedLayer } from './sealed-layer.ts';
import { createServiceServer, type ServiceServerOptions } from './service-server.ts';

const common = {
  group: 'thing',
  carries: 'plain',
  reply: z.looseObject({}),
  faults: [] as ServiceRoute['faults'],
} as const;
const thing = z.strictObject({ name: z.string().max(5), size: z.number().optional() });

export const routes = {
  put: defineServiceRoute({
    ...common,
    method: 'POST',
    path: '/v1/thing',
    aliases: ['/thing'],
    sealedPath: '/v1/enc/thing',
    access: 'optionalKey',
    cost: 'light',
    isIdempotent: true,
    summary: 'Keeps a thing',
    body: thing,
    faults: ['templateExists'],
    read: ({ body }) => body,
  }),
  own: defineServiceRoute({
    ...common,
    method: 'POST',
    path: '/v1/own',
    refusesIdempotencyKey: true,
    sealedPath: '/v1/enc/own',
    access: 'key',
    scope: 'issue',
    cost: 'heavy',
    bodyBytesMax: 100,
    summary: 'Tells the caller who they are',
    body: z.looseObject({}),
    read: ({ body }) => body,
  }),
  sign: defineServiceRoute({
    ...common,
    method: 'POST',
    path: '/v1/sign',
    access: 'key',
    scope: 'bbs',
    isKeyInBody: true,
    cost: 'light',
    summary: 'Takes its key from the body',
    body: z.strictObject({ authorization: z.string().optional(), data: z.string() }),
    read: ({ body }) => ({ data: body.data }),
  }),
  find: defineServiceRoute({
    ...common,
    method: 'GET',
    path: '/1.0/identifiers/:did',
    access: 'open',
    cost: 'light',
    summary: 'Shows its parameters',
    params: z.object({ did: z.string() }),
    query: z.object({ versionId: z.string().max(3).optional() }),
    read: ({ params, query }) => ({ ...params, ...query }),
  }),
  note: defineServiceRoute({
    ...common,
    method: 'GET',
    path: '/v1/thing/noted',
    notesReading: true,
    access: 'open',
    cost: 'light',
    summary: 'Notes who reads it',
    read: () => ({}),
  }),
  renew: defineServiceRoute({
    ...common,
    method: 'POST',
    path: '/v1/thing/renew',
    sealedPath: '/v1/thing/enc/renew',
    access: 'open',
    cost: 'light',
    summary: 'Reads no body',
    read: () => ({}),
  }),
  drop: defineServiceRoute({
    ...common,
    method: 'DELETE',
    path: '/v1/thing/:name',
    access: 'open',
    cost: 'light',
    summary: 'Fails in the way its parameter says',
    params: z.object({ name: z.string() }),
    read: ({ params }) => params,
  }),
};

const failures: Readonly<Record<string, () => unknown>> = {
  bug: () => invariant(false, 'inner detail'),
  error: () => {
    throw new Error('inner detail');
  },
  ledger: () => {
    throw new Fault('ledgerFailed', { cause: new Error('inner detail') });
  },
  busy: () => {
    throw new DatabaseError('contention', 'inner detail');
  },
};

/** What takes as long as the test wants. */
interface SlowWork {
  readonly begun: PromiseWithResolvers<void>;
  readonly mayEnd: PromiseWithResolvers<void>;
}

interface Done {
  readonly kept: string[];
  readonly answered: string[];
  readonly slow: SlowWork;
}

/** Notes what was really done. */
function handlersOf({ kept, answered, slow }: Done): ServiceHandlers<typeof routes> {
  return {
    put: async ({ name }, { caller, rawBody, signal, whenAnswered }) => {
      whenAnswered?.(async () => void answered.push(name));
      if (name === 'wait' && signal) await once(signal, 'abort');
      if (name === 'slow') {
        slow.begun.resolve();
        await slow.mayEnd.promise;
      }
      if (name === 'taken') throw new Fault('templateExists', { detail: 'taken already' });
      kept.push(name);
      return { name, count: kept.length, keyId: caller.keyId ?? null, raw: rawBody ?? null };
    },
    own: async (_request, { caller }) => ({ keyId: caller.keyId ?? null, did: caller.did ?? null }),
    sign: async ({ data }, { caller }) => ({ data, keyId: caller.keyId ?? null }),
    find: async (request, { header }) => ({
      status: 201,
      contentType: 'application/did',
      text: JSON.stringify({ ...request, accept: header('accept') }),
      headers: { 'x-extra': 'yes' },
    }),
    note: async () => ({ count: kept.push('noted') }),
    renew: async () => ({ count: kept.push('renewed') }),
    drop: async ({ name }) => {
      failures[name]?.();
      return { dropped: name };
    },
  };
}

export const apiKeys: ReadonlyMap<string, Omit<Caller, 'address'>> = new Map([
  ['key-issuer', { keyId: 'issuer', did: 'did:zid:1', scopes: new Set<ApiScope>(['issue']) }],
  ['key-bbs', { keyId: 'bbs', scopes: new Set<ApiScope>(['bbs']) }],
]);

/** A store of keys as a service would have, for one process. */
function memoryIdempotency(): IdempotencyStore {
  const entries = new Map<string, { fingerprint: string; answer?: KeptAnswer }>();
  return {
    async begin({ key, caller, fingerprint }) {
      const id = `${caller} ${key}`;
      const known = entries.get(id);
      if (known && known.fingerprint !== fingerprint) return { outcome: 'mismatch' };
      if (known)
        return known.answer ? { outcome: 'replay', answer: known.answer } : { outcome: 'inProgress' };
      entries.set(id, { fingerprint });
      return {
        outcome: 'go',
        finish: async (answer) => void entries.set(id, { fingerprint, answer }),
        release: async () => void entries.delete(id),
      };
    },
  };
}

export interface ServiceLogLine {
  readonly level: string;
  readonly fields: { err?: Error; requestId?: string; route?: string; code?: string };
}

export async function startService(
  test: TestContext,
  options: Partial<ServiceServerOptions<typeof routes>> = {},
) {
  const lines: ServiceLogLine[] = [];
  const observations: HttpObservation<string>[] = [];
  const kept: string[] = [];
  const answered: string[] = [];
  const slow = { begun: Promise.withResolvers<void>(), mayEnd: Promise.withResolvers<void>() };
  const write = (level: string) => (fields: object) => {
    lines.push({ level, fields });
  };
  const server = createServiceServer({
    routes,
    handlers: handlersOf({ kept, answered, slow }),
    authenticate: async (token) => apiKeys.get(token),
    rates: { light: { perMinute: 6_000 }, heavy: { perMinute: 6_000 } },
    idempotency: memoryIdempotency(),
    logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    observe: (observation) => observations.push(observation),
    ...options,
  });
  test.after(() => server.close());
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  return { server, port, lines, observations, kept, answered, slow };
}

export async function makeSeal(): Promise<{ seal: SealedLayer; sealer: Sealer }> {
  const keys = await generateSealKeys({ kid: 'k1', rsaBits: 2048 });
  const seal = createSealedLayer({ keys: async () => [keys] });
  const rsa = createPublicKey(
    createPrivateKey({ key: Buffer.from(keys.rsaPrivateKeyPkcs8), format: 'der', type: 'pkcs8' }),
  );
  const [published] = (await seal.publicKeys()).keys as unknown as [{ x25519PublicKey: string }];
  const x = Buffer.from(parseBase58(published.x25519PublicKey, 64) as Uint8Array).toString('base64url');
  const theirs = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
  const sealer: Sealer = (path, text) => {
    const own = generateKeyPairSync('x25519');
    const shared = diffieHellman({ privateKey: own.privateKey, publicKey: theirs });
    const keyFor = (info: string) => Buffer.from(hkdfSync('sha256', shared, '', info, 32));
    const iv = Buffer.alloc(12, 1);
    const cipher = createCipheriv('aes-256-gcm', keyFor(''), iv).setAAD(Buffer.from(path));
    const body = Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    return {
      body: body.toString('base64url'),
      headers: {
        secretKey: publicEncrypt({ key: rsa, oaepHash: 'sha256' }, keyFor('')).toString('base64url'),
        x25519PubKey: String(own.publicKey.export({ format: 'jwk' }).x),
      },
      open(answer) {
        const bytes = Buffer.from(answer, 'base64url');
        const opener = createDecipheriv('aes-256-gcm', keyFor(answerLabel), bytes.subarray(0, 12));
        opener.setAAD(Buffer.from(path)).setAuthTag(bytes.subarray(-16));
        return JSON.parse(
          `${opener.update(bytes.subarray(12, -16), undefined, 'utf8')}${opener.final('utf8')}`,
        );
      },
    };
  };
  return { seal, sealer };
}

export type Sealer = (
  path: string,
  text: string,
) => { body: string; headers: Record<string, string>; open(answer: string): JsonObject };
