/**
 * The public client, unmodified: `zetrix-sdk-nodejs` and `zetrix-encryption-nodejs` as npm installs them. Its
 * functions are listed from the packages themselves and every call is noted, so that a test can say which of
 * them nobody has called.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { JsonValue } from '@symbolon/wire/json/json';

const require = createRequire(import.meta.url);

/** Every number of a result is a decimal text, except the code. */
export interface SdkReply {
  readonly errorCode: number | string;
  readonly errorDesc: string;
  readonly result?: JsonValue;
}

/** What came of a call that must have succeeded. */
export function resultOf(reply: SdkReply): JsonValue {
  assert.equal(reply.errorCode, 0, `${reply.errorCode} ${reply.errorDesc}`);
  return reply.result as JsonValue;
}

type Functions<Result> = Readonly<Record<string, (...args: unknown[]) => Result>>;

export interface Sdk {
  readonly account: Functions<Promise<SdkReply>>;
  readonly block: Functions<Promise<SdkReply>>;
  readonly contract: Functions<Promise<SdkReply>>;
  readonly operation: Functions<SdkReply | Promise<SdkReply>>;
  readonly token: { readonly asset: Functions<Promise<SdkReply>> };
  readonly transaction: Functions<SdkReply | Promise<SdkReply>>;
  readonly util: Functions<unknown>;
}

export interface Encryption {
  readonly keypair: Functions<unknown> & { new (): Functions<unknown>; readonly prototype: object };
  readonly signature: Functions<unknown>;
  readonly keystore: Functions<unknown>;
}

/** Which functions there are, and which have been called. */
export class CallRecord {
  readonly #offered = new Set<string>();
  readonly #called = new Set<string>();

  /** The same object; its public functions are listed and their calls noted. */
  watch<Target extends object>(name: string, target: Target, members: object): Target {
    for (const member of publicFunctions(members)) this.#offered.add(`${name}.${member}`);
    return new Proxy(target, {
      get: (object, key) => {
        const value = Reflect.get(object, key) as unknown;
        if (typeof value !== 'function' || typeof key !== 'string') return value;
        this.#called.add(`${name}.${key}`);
        // Bound to the object itself: what it calls of itself does not count.
        return value.bind(object);
      },
    });
  }

  get offered(): string[] {
    return [...this.#offered].sort();
  }

  get uncalled(): string[] {
    return this.offered.filter((name) => !this.#called.has(name));
  }
}

const notFunctions = new Set(['constructor', 'length', 'name', 'prototype']);

function publicFunctions(members: object): string[] {
  return Object.getOwnPropertyNames(members).filter(
    (name) =>
      !name.startsWith('_') && !notFunctions.has(name) && typeof Reflect.get(members, name) === 'function',
  );
}

type SdkConstructor = new (options: { host: string }) => Sdk;

/** A client of the node at this address. */
export function openSdk(url: string, record: CallRecord): Sdk {
  const Constructor = require('zetrix-sdk-nodejs') as SdkConstructor;
  const sdk = new Constructor({ host: new URL(url).host });
  const watch = <Part extends object>(name: string, part: Part): Part =>
    record.watch(name, part, Object.getPrototypeOf(part));
  return {
    account: watch('account', sdk.account),
    block: watch('block', sdk.block),
    contract: watch('contract', sdk.contract),
    operation: watch('operation', sdk.operation),
    token: { asset: watch('token.asset', sdk.token.asset) },
    transaction: watch('transaction', sdk.transaction),
    util: watch('util', sdk.util),
  };
}

export function openEncryption(record: CallRecord): Encryption {
  const { keypair, signature, keystore } = require('zetrix-encryption-nodejs') as Encryption;
  return {
    keypair: record.watch('keypair', keypair, keypair),
    signature: record.watch('signature', signature, signature),
    keystore: record.watch('keystore', keystore, keystore),
  };
}

export const installedVersion = (name: string): string =>
  (require(`${name}/package.json`) as { version: string }).version;

/** The modules an SDK object consists of, to see that none is left out here. */
export const sdkModules = (url: string): string[] => {
  const Constructor = require('zetrix-sdk-nodejs') as SdkConstructor;
  return Object.keys(new Constructor({ host: new URL(url).host })).filter((name) => name !== 'options');
};
