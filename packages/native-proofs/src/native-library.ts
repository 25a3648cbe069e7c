/**
 * The compiled proof library of this platform, or why there is none. It runs with all rights of this process, so it is
 * loaded only if its hash is the one recorded beside it. What is hashed and what is loaded is one open file: whoever
 * puts another in its place meanwhile changes nothing. Only writing into that very file would, and whoever may do that may
 * write into this program as well. A private copy would not help against that either, and would ask for a folder that
 * may be written to and executed from, which hardened machines do not have.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Bytes that are hashed to a scalar, or an integer that stands for itself. */
export type NativeMessage = Uint8Array | number;

/** How a signature is made: its points, what its domain is hashed from, and how both are hashed. */
export interface NativeScheme {
  readonly points: Uint8Array;
  readonly domain: Uint8Array;
  readonly domainTag: Uint8Array;
  readonly messageTag: Uint8Array;
}

/** What is committed to besides messages, and the points of both, the header's first. */
export interface NativeContents {
  readonly bases: Uint8Array;
  readonly header: Uint8Array;
  readonly headerTag: Uint8Array;
  readonly messageTag: Uint8Array;
}

export interface NativeStatement {
  readonly scheme: NativeScheme;
  readonly revealed: readonly number[];
  readonly ranges: readonly {
    readonly index: number;
    readonly min: number;
    /** The first number above. */
    readonly end: number;
    readonly needsInequality: boolean;
  }[];
  readonly bulletproofsLabel: Uint8Array;
  readonly setMembership?: { readonly parameters: Uint8Array; readonly inequalityLabel: Uint8Array };
  readonly commitment?: { readonly point: Uint8Array; readonly contents: NativeContents };
  readonly context: Uint8Array;
  readonly nonce: Uint8Array;
}

/** What the library does (`rust/src/lib.rs`). It answers null or false to what it refuses, and throws when it is broken. */
export interface NativeProofs {
  publicKey(secretKey: Uint8Array): Uint8Array | null;
  sign(scheme: NativeScheme, messages: readonly NativeMessage[], secretKey: Uint8Array): Uint8Array | null;
  verifySignature(
    scheme: NativeScheme,
    messages: readonly NativeMessage[],
    publicKey: Uint8Array,
    signature: Uint8Array,
  ): boolean;
  commit(contents: NativeContents, messages: readonly NativeMessage[]): Uint8Array | null;
  derive(
    statement: NativeStatement,
    messages: readonly NativeMessage[],
    signature: Uint8Array,
  ): Uint8Array | null;
  verifyProof(
    statement: NativeStatement,
    revealed: readonly NativeMessage[],
    publicKey: Uint8Array,
    proof: Uint8Array,
  ): boolean;
  makeRangeParameters(label: Uint8Array, base: number): Uint8Array | null;
  forget(): void;
}

export type NativeLibrary =
  | { readonly native: NativeProofs; readonly name: string }
  /** In words, for a log: why proofs are computed by WebAssembly here. */
  | { readonly native?: undefined; readonly reason: string };

const prebuilt = fileURLToPath(new URL('../prebuilt/', import.meta.url));

interface Place {
  readonly platform: string;
  readonly arch: string;
  /** Where the binaries are, and their hashes. */
  readonly folder: string;
}

/** What `npm run build-native` writes down. */
interface Hashes {
  /** SHA-256 of each, by platform and processor. */
  readonly binaries: Readonly<Record<string, string>>;
}

const refused = (reason: string): NativeLibrary => ({ reason });

function ifThere<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The library of a platform from a folder: that of this process and of this package unless told. */
export function loadNativeLibrary({
  platform = process.platform,
  arch = process.arch,
  folder = prebuilt,
}: Partial<Place> = {}): NativeLibrary {
  const name = `${platform}-${arch}`;
  const hashes = ifThere(() => JSON.parse(readFileSync(`${folder}/hashes.json`, 'utf8')) as Hashes);
  if (hashes === undefined) return refused('missing: the hashes of the libraries');
  if (!Object.hasOwn(hashes.binaries, name)) return refused(`unsupported platform: ${name}`);
  const descriptor = ifThere(() => openSync(`${folder}/${name}.node`, 'r'));
  if (descriptor === undefined) return refused(`missing: the library of ${name}`);
  const hash = createHash('sha256').update(readFileSync(descriptor)).digest('hex');
  const library =
    hash === hashes.binaries[name]
      ? loadFrom(descriptor, name)
      : refused(`hash differs: the library of ${name} is not the recorded one`);
  // The dynamic linker knows a library by this name, so it stays that of the one which was loaded.
  if (library.native === undefined) closeSync(descriptor);
  return library;
}

function loadFrom(descriptor: number, name: string): NativeLibrary {
  const loaded = { exports: {} };
  try {
    process.dlopen(loaded, `/proc/self/fd/${descriptor}`);
  } catch {
    // By the dynamic linker: another C library, or no rights to execute.
    return refused(`cannot be loaded: the library of ${name}`);
  }
  return { native: loaded.exports as NativeProofs, name };
}

let known: NativeLibrary | undefined;

/** The library of this process: looked for once. */
export function nativeLibrary(): NativeLibrary {
  known ??= loadNativeLibrary();
  return known;
}
