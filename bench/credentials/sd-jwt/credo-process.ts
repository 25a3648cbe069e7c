/**
 * The other side of the SD-JWT rounds: Credo's agent, without a network, its records in memory and its keys with Node's
 * cryptography, which is the fastest it can be given.
 */
import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Agent, DidKey, InjectionSymbols, Kms, type Module, RecordNotFoundError } from '@credo-ts/core';
import { WebSocket } from 'ws';
import { answerWork } from '../rounds.ts';
import { attributes, binding, shown, vct } from './sample.ts';

interface KeptRecord {
  readonly id: string;
  readonly type: string;
}

/** As much of a store as an agent asks for here. */
class MemoryStorage {
  readonly supportsCursorPagination = false;
  readonly #records = new Map<string, KeptRecord>();
  async save(_context: unknown, record: KeptRecord): Promise<void> {
    this.#records.set(record.id, record);
  }
  update = this.save;
  async delete(_context: unknown, { id }: KeptRecord): Promise<void> {
    this.#records.delete(id);
  }
  async deleteById(_context: unknown, _kind: unknown, id: string): Promise<void> {
    this.#records.delete(id);
  }
  async getById(_context: unknown, kind: { readonly type: string }, id: string): Promise<KeptRecord> {
    const found = this.#records.get(id);
    if (!found) throw new RecordNotFoundError(`no record ${id}`, { recordType: kind.type });
    return found;
  }
  async getAll(_context: unknown, { type }: { readonly type: string }): Promise<KeptRecord[]> {
    return [...this.#records.values()].filter((one) => one.type === type);
  }
  async findByQuery(_context: unknown, { type }: { readonly type: string }, query: Record<string, unknown>) {
    return (await this.getAll(undefined, { type })).filter((one) => isFound(one, query));
  }
}

function isFound(record: KeptRecord, { $or, $and, $not: _not, ...tags }: Record<string, unknown>): boolean {
  const own = (record as unknown as { getTags(): Record<string, unknown> }).getTags();
  const parts = (value: unknown) => value as readonly Record<string, unknown>[];
  return (
    Object.entries(tags).every(([name, wanted]) => wanted === undefined || isTag(own[name], wanted)) &&
    (!$or || parts($or).some((one) => isFound(record, one))) &&
    (!$and || parts($and).every((one) => isFound(record, one)))
  );
}

const isTag = (own: unknown, wanted: unknown): boolean =>
  Array.isArray(wanted) ? Array.isArray(own) && wanted.every((one) => own.includes(one)) : own === wanted;

const dsaEncoding = 'ieee-p1363';
const keys = new Map<string, { readonly secret: KeyObject; readonly publicJwk: Kms.KmsJwkPublic }>();
const keyService = {
  backend: 'node',
  isOperationSupported: () => true,
  getPublicKey: async (_context: unknown, keyId: string) => keys.get(keyId)?.publicJwk ?? null,
  async createKey(_context: unknown) {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keyId = randomBytes(16).toString('hex');
    const publicJwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: keyId } as Kms.KmsJwkPublic;
    keys.set(keyId, { secret: pair.privateKey, publicJwk });
    return { keyId, publicJwk };
  },
  async sign(_context: unknown, { keyId, data }: { readonly keyId: string; readonly data: Uint8Array }) {
    const key = keys.get(keyId);
    if (!key) throw new Error(`no key ${keyId}`);
    return { signature: new Uint8Array(sign('sha256', data, { key: key.secret, dsaEncoding })) };
  },
  async verify(_context: unknown, { key, data, signature }: Kms.KmsVerifyOptions) {
    const jwk = key.publicJwk ?? keys.get(key.keyId as string)?.publicJwk;
    const imported = createPublicKey({ key: { ...jwk } as object as never, format: 'jwk' });
    return verify('sha256', data, { key: imported, dsaEncoding }, signature)
      ? { verified: true, publicJwk: jwk }
      : { verified: false };
  },
  randomBytes: (_context: unknown, { length }: { readonly length: number }) => randomBytes(length),
};

const memoryModule: Module = {
  register: (manager) => manager.registerInstance(InjectionSymbols.StorageService, new MemoryStorage()),
};

const agent = new Agent({
  config: { autoUpdateStorageOnStartup: true },
  dependencies: {
    FileSystem: class {} as never,
    EventEmitterClass: EventEmitter,
    fetch,
    WebSocketClass: WebSocket as never,
  },
  modules: {
    memory: memoryModule,
    keyManagement: new Kms.KeyManagementModule({ backends: [keyService as never], defaultBackend: 'node' }),
  },
});
await agent.initialize();
const newKey = () => agent.kms.createKey({ type: { kty: 'EC', crv: 'P-256' } });
const issuing = await newKey();
const { didState } = await agent.dids.create({ method: 'key', options: { keyId: issuing.keyId } });
if (!didState.did) throw new Error(`no DID: ${JSON.stringify(didState)}`);
const didUrl = `${didState.did}#${DidKey.fromDid(didState.did).publicJwk.fingerprint}`;
const holding = await newKey();
const holderKey = Kms.PublicJwk.fromPublicJwk(holding.publicJwk as Kms.KmsJwkPublicEc);
// A credential has the bare key, and its agent looks for the secret one by a name made of that.
keys.set(holderKey.legacyKeyId, keys.get(holding.keyId) as NonNullable<ReturnType<typeof keys.get>>);

answerWork({
  async issue(): Promise<string> {
    const { compact } = await agent.sdJwtVc.sign({
      payload: { vct, exp: Math.floor(Date.now() / 1_000) + 31_536_000, ...attributes },
      disclosureFrame: { _sd: Object.keys(attributes) },
      issuer: { method: 'did', didUrl },
      holder: { method: 'jwk', jwk: holderKey },
    });
    return compact;
  },
  derive: (text: string) =>
    agent.sdJwtVc.present({
      sdJwtVc: text,
      presentationFrame: Object.fromEntries(shown.map((key) => [key, true])),
      verifierMetadata: { ...binding, issuedAt: Math.floor(Date.now() / 1_000) },
    }),
  async verify(text: string): Promise<boolean> {
    const verdict = await agent.sdJwtVc.verify({ compactSdJwtVc: text, keyBinding: binding });
    if (!verdict.isValid) throw verdict.error;
    return true;
  },
});
