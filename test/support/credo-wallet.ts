/**
 * A wallet that others have written, Credo, with its keys and records in memory and without a network: every request it
 * makes goes to a service of a test, whatever host it names.
 */
import {
  createCipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
  sign,
  verify,
} from 'node:crypto';
import { EventEmitter } from 'node:events';
import {
  Agent,
  DidDocument,
  DidsModule,
  InjectionSymbols,
  JsonTransformer,
  Kms,
  RecordNotFoundError,
  SdJwtVcModule,
  X509Module,
} from '@credo-ts/core';
import { OpenId4VcModule } from '@credo-ts/openid4vc';
import WebSocket from 'ws';
import type { Owner } from './owner.ts';

/** Rows of every record, by type and id; found by comparing tags. */
class MemoryStorage {
  readonly supportsCursorPagination = false;
  readonly #rows = new Map<string, { readonly type: string; readonly record: never }>();

  #key = (type: string, id: string): string => JSON.stringify([type, id]);

  async save(_context: unknown, record: never): Promise<void> {
    const { type, id } = record as { type: string; id: string };
    this.#rows.set(this.#key(type, id), { type, record });
  }

  async update(context: unknown, record: never): Promise<void> {
    await this.save(context, record);
  }

  async delete(_context: unknown, record: never): Promise<void> {
    const { type, id } = record as { type: string; id: string };
    this.#rows.delete(this.#key(type, id));
  }

  async deleteById(_context: unknown, { type }: { type: string }, id: string): Promise<void> {
    this.#rows.delete(this.#key(type, id));
  }

  async getById(_context: unknown, { type }: { type: string }, id: string): Promise<never> {
    const row = this.#rows.get(this.#key(type, id));
    if (!row) throw new RecordNotFoundError(`there is no ${type} ${id}`, { recordType: type });
    return row.record;
  }

  async getAll(_context: unknown, { type }: { type: string }): Promise<never[]> {
    return [...this.#rows.values()].filter((row) => row.type === type).map(({ record }) => record);
  }

  async findByQuery(
    context: unknown,
    kind: { type: string },
    query: Record<string, unknown>,
  ): Promise<never[]> {
    const all = await this.getAll(context, kind);
    return all.filter((record) => fits((record as { getTags(): Tags }).getTags(), query));
  }
}

type Tags = Readonly<Record<string, unknown>>;

/** Of a list every value must be there; of `$or` one of the queries must fit. */
function fits(tags: Tags, { $or, ...wanted }: Tags): boolean {
  const isSame = (name: string, value: unknown): boolean =>
    Array.isArray(value)
      ? value.every((one) => Array.isArray(tags[name]) && tags[name].includes(one))
      : value === undefined || tags[name] === value;
  return (
    Object.entries(wanted).every(([name, value]) => isSame(name, value)) &&
    (!Array.isArray($or) || $or.some((one: Tags) => fits(tags, one)))
  );
}

type Jwk = Record<string, unknown> & { kty: string; crv?: string };

interface EncryptOrder {
  readonly key: {
    readonly keyAgreement: {
      readonly keyId: string;
      readonly externalPublicJwk: Jwk;
      readonly apu?: Uint8Array;
      readonly apv?: Uint8Array;
    };
  };
  readonly data: Uint8Array;
  readonly encryption: { readonly algorithm: 'A128GCM' | 'A256GCM'; readonly aad: Uint8Array };
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
const lengthFirst = (bytes: Uint8Array): Buffer => Buffer.concat([word(bytes.length), bytes]);

/** Keys in memory, of P-256 and Ed25519. */
class MemoryKeys {
  readonly backend = 'memory';
  readonly #keys = new Map<string, { readonly key: KeyObject; readonly publicJwk: Jwk }>();

  isOperationSupported(
    _context: unknown,
    operation: { operation: string; algorithm?: string; type?: Jwk },
  ): boolean {
    const { operation: name, algorithm, type } = operation;
    if (name === 'sign' || name === 'verify') return ['ES256', 'EdDSA', 'Ed25519'].includes(algorithm ?? '');
    if (name === 'createKey') return ['P-256', 'Ed25519'].includes(type?.crv ?? '');
    return ['randomBytes', 'deleteKey', 'encrypt'].includes(name);
  }

  async getPublicKey(_context: unknown, keyId: string): Promise<Jwk | null> {
    return this.#keys.get(keyId)?.publicJwk ?? null;
  }

  async createKey(_context: unknown, { type, keyId = randomUUID() }: { type: Jwk; keyId?: string }) {
    const { privateKey, publicKey } =
      type.crv === 'P-256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519');
    const publicJwk = { ...(publicKey.export({ format: 'jwk' }) as Jwk), kid: keyId };
    this.#keys.set(keyId, { key: privateKey, publicJwk });
    return { keyId, publicJwk };
  }

  async importKey(_context: unknown, { privateJwk }: { privateJwk: Jwk & { kid?: string } }) {
    const keyId = privateJwk.kid ?? randomUUID();
    const key = createPrivateKey({ key: privateJwk as never, format: 'jwk' });
    const publicJwk = { ...(createPublicKey(key).export({ format: 'jwk' }) as Jwk), kid: keyId };
    this.#keys.set(keyId, { key, publicJwk });
    return { keyId, publicJwk };
  }

  async deleteKey(_context: unknown, { keyId }: { keyId: string }): Promise<boolean> {
    return this.#keys.delete(keyId);
  }

  async sign(_context: unknown, { keyId, data }: { keyId: string; data: Uint8Array }) {
    const found = this.#keys.get(keyId);
    if (!found) throw new Error(`there is no key ${keyId}`);
    const { key } = found;
    const signature =
      key.asymmetricKeyType === 'ec'
        ? sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' })
        : sign(null, data, key);
    return { signature: new Uint8Array(signature) };
  }

  async verify(
    _context: unknown,
    order: {
      key: { publicJwk?: Jwk; keyId?: string };
      data: Uint8Array;
      signature: Uint8Array;
      algorithm: string;
    },
  ) {
    const { key: named, data, signature, algorithm } = order;
    const publicJwk = named.publicJwk ?? this.#keys.get(named.keyId ?? '')?.publicJwk;
    const key = createPublicKey({ key: publicJwk as never, format: 'jwk' });
    const isGood =
      algorithm === 'ES256'
        ? verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature)
        : verify(null, data, key, signature);
    return isGood ? { verified: true as const, publicJwk } : { verified: false as const };
  }

  /** For a key of somebody else, by ECDH-ES as RFC 7518 has it. */
  async encrypt(_context: unknown, order: EncryptOrder) {
    const { key: named, data, encryption } = order;
    const { keyId, externalPublicJwk, apu = new Uint8Array(0), apv = new Uint8Array(0) } = named.keyAgreement;
    const found = this.#keys.get(keyId);
    if (!found) throw new Error(`there is no key ${keyId}`);
    const publicKey = createPublicKey({ key: externalPublicJwk as never, format: 'jwk' });
    const secret = diffieHellman({ privateKey: found.key, publicKey });
    const bits = encryption.algorithm === 'A256GCM' ? 256 : 128;
    const info = [
      lengthFirst(Buffer.from(encryption.algorithm)),
      lengthFirst(apu),
      lengthFirst(apv),
      word(bits),
    ];
    const hash = createHash('sha256')
      .update(Buffer.concat([word(1), secret, ...info]))
      .digest();
    const iv = randomBytes(12);
    const cipher = createCipheriv(`aes-${bits}-gcm`, hash.subarray(0, bits / 8), iv).setAAD(encryption.aad);
    const encrypted = Buffer.concat([cipher.update(data), cipher.final()]);
    return { encrypted, iv, tag: cipher.getAuthTag() };
  }

  async decrypt(): Promise<never> {
    throw new Error('not needed here');
  }

  randomBytes(_context: unknown, { length }: { length: number }): Uint8Array {
    return new Uint8Array(randomBytes(length));
  }
}

class NoFiles {
  readonly dataPath = '';
  readonly cachePath = '';
  readonly tempPath = '';
  #refuse = async (): Promise<never> => {
    throw new Error('there are no files here');
  };
  exists = async (): Promise<boolean> => false;
  createDirectory = this.#refuse;
  copyFile = this.#refuse;
  write = this.#refuse;
  read = this.#refuse;
  delete = this.#refuse;
  downloadToFile = this.#refuse;
}

export interface CredoOrder {
  /** What issuers and types are named by: requests to it go to the service. */
  readonly publicUrl: string;
  /** Where the service really is. */
  readonly url: string;
}

/** `did:web` by the same way as everything else. */
const webResolver = (get: typeof fetch) => ({
  supportedMethods: ['web'],
  allowsCaching: false,
  allowsLocalDidRecord: false,
  async resolve(_context: unknown, did: string) {
    const [, , host, ...path] = did.split(':');
    const answer = await get(`https://${decodeURIComponent(host)}/${path.join('/')}/did.json`);
    const document = (await answer.text()).replaceAll('"JsonWebKey"', '"JsonWebKey2020"');
    // Credo 0.6.3 knows this kind of key by its older name alone.
    const didDocument = JsonTransformer.fromJSON(JSON.parse(document), DidDocument);
    return { didDocument, didDocumentMetadata: {}, didResolutionMetadata: {} };
  },
});

export async function startCredo(owner: Owner, { publicUrl, url }: CredoOrder) {
  /** Every address that was asked for. */
  const asked: string[] = [];
  const get = (async (input: string | URL | Request, init?: RequestInit) => {
    const address = input instanceof Request ? input.url : String(input);
    asked.push(address);
    if (!address.startsWith(`${publicUrl}/`)) throw new Error(`the wallet asks elsewhere: ${address}`);
    const target = `${url}${address.slice(publicUrl.length)}`;
    return input instanceof Request ? fetch(new Request(target, input)) : fetch(target, init);
  }) as typeof fetch;
  const storage = {
    register(manager: { registerInstance(token: unknown, instance: unknown): void }) {
      manager.registerInstance(InjectionSymbols.StorageService, new MemoryStorage());
    },
  };
  const agent = new Agent({
    config: { autoUpdateStorageOnStartup: true } as never,
    dependencies: {
      FileSystem: NoFiles,
      EventEmitterClass: EventEmitter,
      fetch: get,
      WebSocketClass: WebSocket,
    } as never,
    modules: {
      storage: storage as never,
      kms: new Kms.KeyManagementModule({ backends: [new MemoryKeys() as never] }),
      dids: new DidsModule({ resolvers: [webResolver(get) as never], registrars: [] }),
      sdJwtVc: new SdJwtVcModule(),
      x509: new X509Module(),
      openid4vc: new OpenId4VcModule({}),
    },
  });
  await agent.initialize();
  owner.after(() => agent.shutdown());
  return { agent, asked };
}
