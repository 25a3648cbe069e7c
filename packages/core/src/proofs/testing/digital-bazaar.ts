/**
 * `@digitalbazaar/bbs-signatures`, an implementation of the same draft that shares no line with ours, for tests to
 * agree with: its public functions, and those inside that the draft names too. It imports a package that it does not
 * declare, in an older version than others here use; the one it was made for comes with its other dependency.
 */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { PlainDeriveOrder, PlainProofOrder } from '../proof-engine.ts';

const suite = 'BLS12-381-SHA-256';

/** What of the package is used here: it brings no types along. */
interface Front {
  generateKeyPair(options: { seed: Uint8Array; ciphersuite: string }): Promise<KeyPair>;
  sign(options: Signed & { secretKey: Uint8Array }): Promise<Uint8Array>;
  verifySignature(options: Signed & { signature: Uint8Array }): Promise<boolean>;
  deriveProof(
    options: Signed & {
      signature: Uint8Array;
      presentationHeader: Uint8Array;
      disclosedMessageIndexes: readonly number[];
    },
  ): Promise<Uint8Array>;
  verifyProof(options: {
    publicKey: Uint8Array;
    header: Uint8Array;
    presentationHeader: Uint8Array;
    proof: Uint8Array;
    disclosedMessages: readonly Uint8Array[];
    disclosedMessageIndexes: readonly number[];
    ciphersuite: string;
  }): Promise<boolean>;
}
interface KeyPair {
  readonly secretKey: Uint8Array;
  readonly publicKey: Uint8Array;
}
interface Signed {
  readonly publicKey: Uint8Array;
  readonly header: Uint8Array;
  readonly messages: readonly Uint8Array[];
  readonly ciphersuite: string;
}
interface Point {
  toRawBytes(isCompressed: boolean): Uint8Array;
}
type Generators = Point[] & { readonly H: Point[]; readonly Q_1: Point };
interface Inside {
  create_generators(options: { count: number; api_id: Uint8Array; ciphersuite: object }): Generators;
  hash_to_scalar(options: { msg_octets: Uint8Array; dst: Uint8Array; ciphersuite: object }): bigint;
  messages_to_scalars(options: { messages: Uint8Array[]; api_id: Uint8Array; ciphersuite: object }): bigint[];
  calculate_domain(options: {
    PK: Uint8Array;
    generators: Generators;
    header: Uint8Array;
    api_id: Uint8Array;
    ciphersuite: object;
  }): bigint;
}
interface Keys {
  KeyGen(options: { key_material: Uint8Array; key_info: Uint8Array; ciphersuite: object }): bigint;
  SkToPk(options: { SK: bigint; ciphersuite: object }): Uint8Array;
}
interface Prepared {
  readonly PK: Uint8Array;
  readonly generators: Generators;
  readonly header: Uint8Array;
  readonly messages: bigint[];
  readonly api_id: Uint8Array;
  readonly ciphersuite: object;
}
interface Core {
  CoreSign(options: Prepared & { SK: bigint }): Uint8Array;
  CoreVerify(options: Prepared & { signature: Uint8Array }): boolean;
}

export interface SignedByOther {
  readonly publicKey: Uint8Array;
  readonly header: Uint8Array;
  readonly messages: readonly Uint8Array[];
}

async function importAll() {
  const front = import.meta.resolve('@digitalbazaar/bbs-signatures');
  const curves = pathToFileURL(createRequire(front).resolve('@noble/curves/bls12-381')).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const isUndeclared =
        specifier.startsWith('@noble/hashes/') && context.parentURL?.startsWith(new URL('.', front).href);
      return next(specifier, isUndeclared ? { ...context, parentURL: curves } : context);
    },
  });
  try {
    const inner = (file: string) => import(new URL(`./bbs/${file}.js`, front).href);
    return await Promise.all([
      import(front),
      inner('util'),
      inner('keypair'),
      inner('core'),
      inner('ciphersuites'),
    ]);
  } finally {
    hooks.deregister();
  }
}

const firstOf = (generators: Generators, messageCount: number): Generators =>
  Object.assign(generators.slice(0, messageCount + 1), {
    Q_1: generators.Q_1,
    H: generators.H.slice(0, messageCount),
  });

export async function loadDigitalBazaar() {
  const [front, inside, keys, core, suites] = (await importAll()) as [
    Front,
    Inside,
    Keys,
    Core,
    { getCiphersuite(name: string): object },
  ];
  const ciphersuite = suites.getCiphersuite(suite);
  const messageScalars = (messages: readonly Uint8Array[], id: Uint8Array) =>
    inside.messages_to_scalars({ messages: [...messages], api_id: id, ciphersuite });
  const prepare = (order: SignedByOther, id: Uint8Array, generators: Generators): Prepared => ({
    PK: order.publicKey,
    generators: firstOf(generators, order.messages.length),
    header: order.header,
    messages: messageScalars(order.messages, id),
    api_id: id,
    ciphersuite,
  });
  return {
    keyPair: (seed: Uint8Array) => front.generateKeyPair({ seed, ciphersuite: suite }),
    secretKey: (material: Uint8Array, info: Uint8Array) =>
      keys.KeyGen({ key_material: material, key_info: info, ciphersuite }),
    publicKey: (secretKey: bigint) => keys.SkToPk({ SK: secretKey, ciphersuite }),
    sign: (order: SignedByOther & { secretKey: Uint8Array }) => front.sign({ ...order, ciphersuite: suite }),
    /** It throws about some signatures that do not fit, which is a no all the same. */
    verify: (order: SignedByOther & { signature: Uint8Array }) =>
      front.verifySignature({ ...order, ciphersuite: suite }).catch(() => false),
    derivePlain: ({ revealed, ...order }: PlainDeriveOrder) =>
      front.deriveProof({ ...order, disclosedMessageIndexes: revealed, ciphersuite: suite }),
    verifyPlain: ({ revealed, ...order }: PlainProofOrder) =>
      front
        .verifyProof({
          ...order,
          disclosedMessages: revealed.map(({ message }) => message),
          disclosedMessageIndexes: revealed.map(({ index }) => index),
          ciphersuite: suite,
        })
        .catch(() => false),
    /** The points take a while each, and are made anew for every call of its front; these serve many. */
    generators: (id: Uint8Array, count: number) =>
      inside.create_generators({ count, api_id: id, ciphersuite }),
    signWith: (generators: Generators, id: Uint8Array, order: SignedByOther & { secretKey: bigint }) =>
      core.CoreSign({ ...prepare(order, id, generators), SK: order.secretKey }),
    verifyWith: (generators: Generators, id: Uint8Array, order: SignedByOther & { signature: Uint8Array }) =>
      core.CoreVerify({ ...prepare(order, id, generators), signature: order.signature }),
    domain: (generators: Generators, id: Uint8Array, order: SignedByOther) =>
      inside.calculate_domain(prepare(order, id, generators)),
    hashToScalar: (message: Uint8Array, dst: Uint8Array) =>
      inside.hash_to_scalar({ msg_octets: message, dst, ciphersuite }),
    messageScalars,
  };
}
