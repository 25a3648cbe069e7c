/**
 * A PKCS#11 module as a library of this process: loads it, finds its functions through `C_GetFunctionList` (the one
 * symbol every module has) and calls them on a thread, so that a slow module never holds up the event loop. Knows
 * nothing of tokens, sessions or keys.
 */
import os from 'node:os';
import path from 'node:path';
import { assert } from '@symbolon/core/basics/assert';
import koffi, { type KoffiFunc, type LibraryHandle } from 'koffi';
import { type FunctionName, functionCount, functionIndex, resultOk } from './constants.ts';
import { allocate, blockAddress, type NativeBlock, wordBytes } from './native-memory.ts';
import { Pkcs11Error } from './pkcs11-error.ts';

/** A number, a pointer to a block, or a null pointer. */
export type NativeArgument = number | NativeBlock | null;

export interface Cryptoki {
  /** Calls a function and answers its result; blocks among the arguments stay in place until it returns. */
  call(name: FunctionName, ...args: readonly NativeArgument[]): Promise<number>;
}

type Native = KoffiFunc<(...args: (number | bigint | null)[]) => number | bigint>;

const pointer = 'void *';
const word = 'ulong';

const signatures: Readonly<Record<FunctionName, readonly string[]>> = {
  C_Initialize: [pointer],
  C_Finalize: [pointer],
  C_GetSlotList: ['uint8', pointer, pointer],
  C_GetTokenInfo: [word, pointer],
  C_OpenSession: [word, word, pointer, pointer, pointer],
  C_CloseSession: [word],
  C_GetSessionInfo: [word, pointer],
  C_Login: [word, word, pointer, word],
  C_DestroyObject: [word, word],
  C_GetAttributeValue: [word, word, pointer, word],
  C_FindObjectsInit: [word, pointer, word],
  C_FindObjects: [word, pointer, word, pointer],
  C_FindObjectsFinal: [word],
  C_EncryptInit: [word, pointer, word],
  C_Encrypt: [word, pointer, word, pointer, pointer],
  C_DecryptInit: [word, pointer, word],
  C_Decrypt: [word, pointer, word, pointer, pointer],
  C_SignInit: [word, pointer, word],
  C_Sign: [word, pointer, word, pointer, pointer],
  C_GenerateKey: [word, pointer, pointer, word, pointer],
  C_GenerateKeyPair: [word, pointer, pointer, word, pointer, word, pointer, pointer],
};

const unusable = (file: string, why: string, cause?: unknown): Pkcs11Error =>
  new Pkcs11Error('moduleUnusable', `The PKCS#11 module ${file} cannot be used: ${why}.`, { cause });

/**
 * Libraries of modules, never let go: functions are called by their addresses, which mean nothing once a library that
 * nobody refers to has been taken out of memory.
 */
const libraries = new Map<string, LibraryHandle>();

/** Loads a module, without initialising it. */
export function loadCryptoki(file: string): Cryptoki {
  if (!path.isAbsolute(file)) throw unusable(file, 'its path is not absolute');
  if (koffi.sizeof(word) !== wordBytes || os.endianness() !== 'LE')
    throw unusable(file, 'this is not a 64-bit little-endian system');
  const addresses = functionAddresses(file, openLibrary(file));
  const functions = new Map(
    Object.entries(functionIndex).map(([name, index]) => {
      const address = addresses[index] as bigint;
      if (address === 0n) throw unusable(file, `it lacks ${name}`);
      const prototype = koffi.proto(word, [...signatures[name as FunctionName]]);
      return [name, koffi.decode(address, prototype) as Native];
    }),
  );
  return {
    call(name, ...args) {
      const native = functions.get(name);
      assert(native && args.length === signatures[name].length, 'a call fits its function');
      return callOnThread(native, args);
    },
  };
}

function openLibrary(file: string): LibraryHandle {
  try {
    // Deep: a module that brings OpenSSL must not meet the one inside Node.
    const library = libraries.get(file) ?? koffi.load(file, { deep: true });
    libraries.set(file, library);
    return library;
  } catch (error) {
    throw unusable(file, 'it is missing, or no library of this system', error);
  }
}

/** The list starts with its version, padded to a word, and then has one pointer to each function. */
function functionAddresses(file: string, library: LibraryHandle): bigint[] {
  const list = allocate(wordBytes);
  let result: number | bigint;
  try {
    result = library.func('C_GetFunctionList', word, [pointer])(blockAddress(list));
  } catch (error) {
    throw unusable(file, 'it is no PKCS#11 module', error);
  }
  const address = list.bytes.readBigUInt64LE();
  if (Number(result) !== resultOk || address === 0n) throw unusable(file, 'it does not list its functions');
  const view = Buffer.from(koffi.view(address, (1 + functionCount) * wordBytes));
  if (view[0] !== 2 && view[0] !== 3) throw unusable(file, 'it is of an unknown version');
  return Array.from({ length: functionCount }, (_, index) => view.readBigUInt64LE((1 + index) * wordBytes));
}

function callOnThread(native: Native, args: readonly NativeArgument[]): Promise<number> {
  const values = args.map((arg) => (typeof arg === 'object' && arg !== null ? blockAddress(arg) : arg));
  return new Promise((resolve, reject) => {
    // Held until the module is done with them: the module sees addresses only.
    const held = new Set(args);
    native.async(...values, (error: unknown, result: number | bigint) => {
      held.clear();
      if (error) reject(error);
      else resolve(Number(result));
    });
  });
}
