/**
 * The part of WebAssembly that the engine uses, typed here because the project's type library has no browser
 * names. The values are the runtime's own.
 */

export interface Module {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module';
}

/** A mutable global of a module; an i64 is a bigint. */
export interface Global<Value> {
  value: Value;
}

export interface Memory {
  readonly buffer: ArrayBuffer;
}

export type Imports = Readonly<Record<string, Readonly<Record<string, (...args: number[]) => unknown>>>>;

interface Runtime {
  readonly Module: new (bytes: Uint8Array) => Module;
  readonly Instance: new (module: Module, imports: Imports) => { readonly exports: object };
  readonly RuntimeError: new (message?: string) => Error;
}

export const webAssembly = (globalThis as unknown as { WebAssembly: Runtime }).WebAssembly;
