/**
 * A token of a hardware module and what its keys are used for here: AES-256-GCM, to wrap other keys, and Ed25519. Keys
 * are named by kind and id; where they lie inside the token is found and remembered here. Nothing in here can take a
 * secret key out of the token.
 */
import { randomBytes } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import { hsmLimits } from '../limits/server-limits.ts';
import { attribute, type FunctionName, mechanism, objectClass } from './constants.ts';
import type { Cryptoki, NativeArgument } from './cryptoki.ts';
import {
  aesTemplate,
  ed25519SignatureBytes,
  edwardsCurves,
  edwardsPrivateTemplate,
  edwardsPublicTemplate,
  type KeyQuery,
  type KeyReference,
  queryTemplate,
  readEdwardsPoint,
  type TokenKey,
} from './key-templates.ts';
import {
  allocate,
  copyIn,
  erase,
  type NativeBlock,
  packGcmParameters,
  packMechanism,
  packQuery,
  packTemplate,
  packWord,
  readAnswers,
  readWord,
  type TokenTemplate,
  wordBytes,
} from './native-memory.ts';
import { expectOk, hasPkcs11Code, Pkcs11Error } from './pkcs11-error.ts';
import { openPkcs11Module, type Pkcs11Module } from './pkcs11-module.ts';
import { type Session, TokenSessions } from './token-sessions.ts';

export interface TokenSettings {
  /** Path of the module's library. */
  readonly module: string;
  readonly tokenLabel: string;
  readonly pin: string;
}

export interface GcmInput {
  readonly iv: Uint8Array;
  readonly aad: Uint8Array;
  /** Encrypting: what to encrypt. Decrypting: ciphertext and tag. */
  readonly bytes: Uint8Array;
}

export interface NewKey {
  readonly label: string;
  /** Random, if left out. */
  readonly id?: string;
}

/** What a key says of itself; undefined where the module does not tell. */
export interface KeyProtection {
  readonly isSensitive: boolean | undefined;
  readonly isExtractable: boolean | undefined;
  readonly wasNeverExtractable: boolean | undefined;
}

/** What a key does to some bytes. */
interface KeyUse {
  readonly key: KeyReference;
  /** A new one for each try. */
  readonly mechanism: () => NativeBlock;
  readonly input: Uint8Array;
  readonly outputBytesMax: number;
}

const gcmTagBytes = 16;
const newIdBytes = 16;

export class HardwareToken {
  readonly #module: Pkcs11Module;
  readonly #cryptoki: Cryptoki;
  readonly #sessions: TokenSessions;
  readonly #handles = new Map<string, number>();
  #handlesOf = 0;

  private constructor(module: Pkcs11Module, sessions: TokenSessions) {
    this.#module = module;
    this.#cryptoki = module.cryptoki;
    this.#sessions = sessions;
  }

  /** Opens the one token with this label and logs in. */
  static async open({ module: file, tokenLabel, pin }: TokenSettings): Promise<HardwareToken> {
    const pinBytes = Buffer.byteLength(pin, 'utf8');
    if (pinBytes === 0 || pinBytes > hsmLimits.pinBytesMax)
      throw new Pkcs11Error('argumentInvalid', `A PIN has 1 to ${hsmLimits.pinBytesMax} bytes.`);
    const module = await openPkcs11Module(file);
    try {
      const sessions = await TokenSessions.open({ ...module, tokenLabel, pin });
      return new HardwareToken(module, sessions);
    } catch (error) {
      await module.close();
      throw error;
    }
  }

  /** The keys that fit, in no order; a thousand at most. */
  listKeys(query: KeyQuery): Promise<TokenKey[]> {
    const template = queryTemplate(query);
    return this.#sessions.run(async (session) => {
      const handles = await this.#find(session, template, hsmLimits.keysListedMax);
      const keys: TokenKey[] = [];
      for (const handle of handles) {
        const wanted = [
          [attribute.id, hsmLimits.keyIdBytesMax],
          [attribute.label, hsmLimits.labelBytesMax],
        ] as const;
        // A key with a longer name than ours have is none of ours.
        const [id, label] = await this.#read(session, handle, wanted).catch(orNothing);
        if (id?.length && label)
          keys.push({ kind: query.kind, id: id.toString('hex'), label: label.toString('utf8') });
      }
      return keys;
    });
  }

  async generateAesKey({ label, id = freshId() }: NewKey): Promise<TokenKey> {
    const template = aesTemplate({ label, id });
    await this.#sessions.run(
      ({ handle: session }) =>
        this.#do(
          'C_GenerateKey',
          session,
          packMechanism(mechanism.aesKeyGen),
          packTemplate(template),
          template.length,
          allocate(wordBytes),
        ),
      { isChange: true },
    );
    return { kind: 'aes', id, label };
  }

  async generateEd25519Key({ label, id = freshId() }: NewKey): Promise<TokenKey> {
    const make = (curve: Uint8Array) =>
      this.#sessions.run(
        async ({ handle: session }) => {
          const forPublic = edwardsPublicTemplate({ label, id }, curve);
          const forPrivate = edwardsPrivateTemplate({ label, id });
          await this.#do(
            'C_GenerateKeyPair',
            session,
            packMechanism(mechanism.edwardsKeyPairGen),
            packTemplate(forPublic),
            forPublic.length,
            packTemplate(forPrivate),
            forPrivate.length,
            allocate(wordBytes),
            allocate(wordBytes),
          );
        },
        { isChange: true },
      );
    const [byIdentifier, byName] = edwardsCurves as [Uint8Array, Uint8Array];
    await make(byIdentifier).catch((error) => {
      if (!hasPkcs11Code(error, unknownCurve)) throw error;
      return make(byName);
    });
    return { kind: 'ed25519', id, label };
  }

  /** The ciphertext and then the tag. */
  encrypt(key: KeyReference, input: GcmInput): Promise<Uint8Array> {
    return this.#transform(['C_EncryptInit', 'C_Encrypt'], {
      key,
      mechanism: () => gcmMechanism(input),
      input: input.bytes,
      outputBytesMax: input.bytes.length + gcmTagBytes,
    });
  }

  decrypt(key: KeyReference, input: GcmInput): Promise<Uint8Array> {
    return this.#transform(['C_DecryptInit', 'C_Decrypt'], {
      key,
      mechanism: () => gcmMechanism(input),
      input: input.bytes,
      outputBytesMax: input.bytes.length,
    });
  }

  /** An Ed25519 signature of the message itself, not of a digest. */
  async sign(key: KeyReference, message: Uint8Array): Promise<Uint8Array> {
    assert(key.kind === 'ed25519', 'only Ed25519 keys sign');
    const signature = await this.#transform(['C_SignInit', 'C_Sign'], {
      key,
      mechanism: () => packMechanism(mechanism.eddsa),
      input: message,
      outputBytesMax: ed25519SignatureBytes,
    });
    if (signature.length === ed25519SignatureBytes) return signature;
    throw new Pkcs11Error('answerMalformed', 'The hardware module made a signature of a wrong length.');
  }

  /** The 32 bytes of an Ed25519 public key. */
  publicKey(key: KeyReference): Promise<Uint8Array> {
    assert(key.kind === 'ed25519', 'only Ed25519 keys have a public key');
    const template = byId(key, objectClass.publicKey);
    return this.#sessions.run(async (session) => {
      const handle = onlyOne(await this.#find(session, template, 2), key.id);
      const [point] = await this.#read(session, handle, [[attribute.ecPoint, 128]]);
      return readEdwardsPoint(point);
    });
  }

  protectionOf(key: KeyReference): Promise<KeyProtection> {
    return this.#sessions.run(async (session) => {
      const handle = await this.#handleOf(session, key);
      const wanted = [attribute.sensitive, attribute.extractable, attribute.neverExtractable];
      const answers = await this.#read(
        session,
        handle,
        wanted.map((type) => [type, 1] as const),
      );
      const [isSensitive, isExtractable, wasNeverExtractable] = answers.map((byte) => byte && byte[0] !== 0);
      return { isSensitive, isExtractable, wasNeverExtractable };
    });
  }

  /** Destroys a key for good, its public part included. */
  destroyKey(key: KeyReference): Promise<void> {
    return this.#sessions.run(
      async (session) => {
        const handle = await this.#handleOf(session, key);
        const publicKeys = byId(key, objectClass.publicKey);
        const others = key.kind === 'ed25519' ? await this.#find(session, publicKeys, 2) : [];
        this.#handles.delete(nameOf(key));
        for (const object of [handle, ...others]) await this.#do('C_DestroyObject', session.handle, object);
      },
      { isChange: true },
    );
  }

  /** Waits for what is under way, forgets the PIN and lets go of the module. */
  async close(): Promise<void> {
    await this.#sessions.close();
    await this.#module.close();
  }

  async #do(name: FunctionName, ...args: readonly NativeArgument[]): Promise<void> {
    expectOk(name, await this.#cryptoki.call(name, ...args));
  }

  /** An operation of two calls, the first of which names mechanism and key. */
  #transform(
    [init, act]: readonly [FunctionName, FunctionName],
    { key, mechanism, input: given, outputBytesMax }: KeyUse,
  ): Promise<Uint8Array> {
    assert(given.length <= hsmLimits.messageBytesMax, 'what a hardware key works on is bounded');
    return this.#sessions.run(async (session) => {
      await this.#do(init, session.handle, mechanism(), await this.#handleOf(session, key));
      const input = copyIn(given);
      const output = allocate(outputBytesMax);
      const length = packWord(outputBytesMax);
      try {
        await this.#do(act, session.handle, input, given.length, output, length);
        const size = readWord(length.bytes);
        if (size > outputBytesMax)
          throw new Pkcs11Error(
            'answerMalformed',
            'The hardware module claims to have written past the end.',
          );
        return Uint8Array.from(output.bytes.subarray(0, size));
      } finally {
        // One of them held a key in clear, or may have.
        erase(input);
        erase(output);
      }
    });
  }

  async #handleOf(session: Session, key: KeyReference): Promise<number> {
    if (this.#handlesOf !== session.connection) {
      this.#handles.clear();
      this.#handlesOf = session.connection;
    }
    const known = this.#handles.get(nameOf(key));
    if (known !== undefined) return known;
    const handle = onlyOne(await this.#find(session, byId(key), 2), key.id);
    if (this.#handles.size >= hsmLimits.handlesMax) this.#handles.clear();
    if (this.#handlesOf === session.connection) this.#handles.set(nameOf(key), handle);
    return handle;
  }

  async #find({ handle: session }: Session, template: TokenTemplate, countMax: number): Promise<number[]> {
    await this.#do('C_FindObjectsInit', session, packTemplate(template), template.length);
    const room = allocate(countMax * wordBytes);
    const found: number[] = [];
    // A module may hand out fewer than it has at a time; none means the end.
    for (;;) {
      const count = packWord(0);
      await this.#do('C_FindObjects', session, room, countMax - found.length, count);
      const more = Math.min(readWord(count.bytes), countMax - found.length);
      for (let index = 0; index < more; index++) found.push(readWord(room.bytes, index * wordBytes));
      if (more === 0 || found.length === countMax) break;
    }
    await this.#do('C_FindObjectsFinal', session);
    return found;
  }

  async #read(
    { handle: session }: Session,
    object: number,
    wanted: readonly (readonly [type: number, sizeMax: number])[],
  ): Promise<(Buffer | undefined)[]> {
    const query = packQuery(wanted);
    await this.#do('C_GetAttributeValue', session, object, query, wanted.length);
    return readAnswers(query);
  }
}

/** By kind and id alone, even if more is known: a key whose label was changed is still the same. */
const byId = ({ kind, id }: KeyReference, keyClass?: number): TokenTemplate =>
  queryTemplate({ kind, id }, keyClass);

const freshId = (): string => randomBytes(newIdBytes).toString('hex');
const nameOf = ({ kind, id }: KeyReference): string => `${kind}:${id}`;

const gcmMechanism = ({ iv, aad }: GcmInput): NativeBlock =>
  packMechanism(mechanism.aesGcm, packGcmParameters({ iv, aad, tagBytes: gcmTagBytes }));

function onlyOne(handles: readonly number[], id: string): number {
  const [handle] = handles;
  if (handle === undefined) throw new Pkcs11Error('keyUnknown', `The token has no key with the id ${id}.`);
  if (handles.length > 1) throw new Pkcs11Error('keyAmbiguous', `Several keys have the id ${id}.`);
  return handle;
}

const unreadable: ReadonlySet<string> = new Set(['CKR_BUFFER_TOO_SMALL', 'CKR_ATTRIBUTE_TYPE_INVALID']);

function orNothing(error: unknown): undefined[] {
  if (hasPkcs11Code(error, unreadable)) return [];
  throw error;
}

const unknownCurve: ReadonlySet<string> = new Set([
  'CKR_ATTRIBUTE_VALUE_INVALID',
  'CKR_CURVE_NOT_SUPPORTED',
  'CKR_DOMAIN_PARAMS_INVALID',
  'CKR_TEMPLATE_INCONSISTENT',
]);
