/**
 * The `Utils` functions a contract sees (docs/ledger.md, "Contracts"), and the plain names some of them had before.
 * All can be called in a query, none touches the ledger. Checks and codecs answer false to arguments of the wrong
 * kind; arithmetic throws. What each costs stands beside it: the caller takes it off the meter before the call.
 */
import { base64 } from '@scure/base';
import { encodeHex, encodeUtf8, parseHex, type Sha256 } from '../../basics/bytes.ts';
import { decodeOrNothing } from '../../basics/host-fault.ts';
import type { KeyFormat } from '../../keys/keys.ts';
import { contractLimits } from '../../limits/consensus.ts';
import { type BuiltIn, ContractException, type ContractValue } from '../terms/engine.ts';
import { legacyUtilsNames } from '../terms/legacy-names.ts';
import { hexToDec, int64, int256, integerFunctions, toBaseUnit } from './numbers.ts';

export interface UtilsDependencies {
  readonly keys: KeyFormat;
  readonly sha256: Sha256;
  readonly verifySignature: (publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array) => boolean;
  /** The node's own log: nothing a contract or a client reads. */
  readonly log: (text: string) => void;
  /** Decimals of the native asset. */
  readonly decimals: number;
}

const signatureBytes = 64;
const assertionText = 'Assertion exception occurred';

/** By dotted name (`Utils.int64Add`), and by plain name for those that contracts of the first days call so. */
export function utilsLibrary(dependencies: UtilsDependencies): ReadonlyMap<string, BuiltIn> {
  const functions: Readonly<Record<string, BuiltIn>> = {
    ...integerFunctions(int64),
    ...integerFunctions(int256),
    ...plainFunctions(dependencies),
  };
  const library = new Map<string, BuiltIn>();
  for (const [name, builtIn] of Object.entries(functions)) library.set(`Utils.${name}`, builtIn);
  for (const name of legacyUtilsNames) library.set(name, functions[name]);
  return library;
}

function plainFunctions({
  keys,
  sha256,
  verifySignature,
  log,
  decimals,
}: UtilsDependencies): Record<string, BuiltIn> {
  return {
    log: (args) => {
      if (args.length === 0) return false;
      log(describe(args[0]).slice(0, logCharsMax));
      return undefined;
    },
    assert: ([condition, message]) => {
      if (typeof condition !== 'boolean') throw new ContractException('assert: argument 0 is not a boolean');
      if (condition) return true;
      throw new ContractException(typeof message === 'string' ? message : assertionText);
    },
    toBaseUnit: ([text]) => toBaseUnit(text, decimals),
    hexToDec: ([hex]) => hexToDec(hex),
    addressCheck: ([address]) => typeof address === 'string' && keys.isAddress(address),
    toAddress: ([encoded]) => {
      const publicKey = typeof encoded === 'string' ? keys.parsePublicKey(encoded) : undefined;
      return publicKey ? keys.addressOf(publicKey) : false;
    },
    sha256: ([data, form]) => {
      const bytes = decodeData(data, form);
      return bytes ? encodeHex(sha256(bytes)) : false;
    },
    ecVerify: ([signatureHex, encodedKey, data, form]) => {
      if (typeof signatureHex !== 'string' || signatureHex.length !== 2 * signatureBytes) return false;
      const signature = parseHex(signatureHex);
      const publicKey = typeof encodedKey === 'string' ? keys.parsePublicKey(encodedKey) : undefined;
      const message = decodeData(data, form);
      return signature && publicKey && message ? verifySignature(publicKey, signature, message) : false;
    },
  };
}

/** Form 0 is hex (also when absent), 1 plain text, 2 base64 with padding. No bytes is nothing to hash. */
function decodeData(data: ContractValue, form: ContractValue): Uint8Array | undefined {
  if (typeof data !== 'string' || data.length === 0 || data.length > contractLimits.hashedCharsMax) {
    return undefined;
  }
  if (form === undefined || form === 0) return parseHex(data);
  const decode = form === 1 ? encodeUtf8 : form === 2 ? base64.decode : undefined;
  // Half a surrogate pair and what is no base64 are nothing.
  return decode && decodeOrNothing(() => decode(data));
}

/** What the node's log keeps of one line of a contract. */
export const logCharsMax = 1_024;
const describedLevelsMax = 8;
const describedItemsMax = 64;

/** For the log: values as a person reads them, cut in depth and breadth. */
function describe(value: ContractValue, level = 0): string {
  if (typeof value === 'string') {
    const text = value.slice(0, logCharsMax);
    return level === 0 ? text : JSON.stringify(text);
  }
  if (typeof value !== 'object' || value === null) return String(value);
  if (level === describedLevelsMax) return '…';
  if (Array.isArray(value)) {
    return `[${value
      .slice(0, describedItemsMax)
      .map((item) => describe(item, level + 1))
      .join(',')}]`;
  }
  const members = Object.entries(value).slice(0, describedItemsMax);
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${describe(item, level + 1)}`).join(',')}}`;
}

/**
 * What a call costs in steps, the family's unit. A step is worth roughly ten microseconds of the engine, and these
 * are the measured times in that unit, rounded up: text that is decoded and hashed by its length, a signature, the
 * hashes and base conversion of an address, the few dozen products of a power or a root. All others cost one.
 */
export function utilsSteps(name: string): (args: readonly ContractValue[]) => number {
  const plainName = name.startsWith('Utils.') ? name.slice('Utils.'.length) : name;
  return stepsOf.get(plainName) ?? oneStep;
}

const oneStep = () => 1;

const charsPerStep = 1_024;
const byLength = (text: ContractValue): number =>
  typeof text === 'string'
    ? Math.ceil(Math.min(text.length, contractLimits.hashedCharsMax) / charsPerStep)
    : 0;

const stepsOf: ReadonlyMap<string, (args: readonly ContractValue[]) => number> = new Map([
  ['sha256', ([data]: readonly ContractValue[]) => 1 + byLength(data)],
  ['ecVerify', ([, , data]: readonly ContractValue[]) => 20 + byLength(data)],
  ['addressCheck', () => 5],
  ['toAddress', () => 5],
  ['int256Pow', () => 2],
  ['int256Sqrt', () => 2],
]);
