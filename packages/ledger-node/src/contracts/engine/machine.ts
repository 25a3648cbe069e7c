/**
 * One running interpreter: a WebAssembly instance with its memory, seen as a few plain acts: take an image,
 * go back to an image, evaluate, call, turn values into handles and back. A handle is the address of a value in
 * the interpreter's memory. Nothing is released by hand unless a long run could pile it up, because every run
 * starts from an image. It knows neither contracts nor the ledger.
 */
import { assert } from '@symbolon/core/basics/assert';
import type { ContractValue } from '@symbolon/core/ledger/terms/engine';
import { exhaustedReasons } from './metering/meter-function.ts';
import { pageBytes } from './metering/meter-module.ts';
import { type Imports, type Module, webAssembly } from './metering/web-assembly.ts';
import type { QuickJs } from './quickjs-exports.ts';

export type Handle = number;

/** The memory above an empty stack. What lies below it is all zeros whenever a run starts. */
export interface Image {
  readonly bytes: Uint8Array;
  readonly memoryPages: number;
}

/** Called when the code inside calls a function of the host; gives a fresh handle, or nothing after `throwIn`. */
export type HostCall = (id: number, args: readonly Handle[]) => Handle | undefined;

/** Of the interpreter's own parts: all that a contract may see, and what is needed to compile. */
const intrinsics = {
  eval: 1 << 1,
  regExp: 1 << 2,
  json: 1 << 3,
  mapAndSet: 1 << 5,
  promise: 1 << 7,
} as const;

/** How a script is evaluated; a contract says itself whether it is strict. */
const strictly = 1 << 3;
const compileOnly = 1 << 5;
/** A command of `js_std_cmd`: where the last exception came from, whatever was thrown. */
const takeBacktrace = 2;

/** For the engine's own work around a run, which no contract pays for. */
export const ownGas = 1n << 40n;

/**
 * What a call of the host takes on the thread's stack: code inside can call the host from code that the host
 * calls, a method of an argument for example, and so on. More rather than less, like the metering's frames.
 */
const hostFrameBytes = 4_096;

/** The interpreter asks for time and randomness when it starts: both stand still. Nothing else reaches it. */
function worldOutside(memory: () => Uint8Array, hostCall: (...args: number[]) => number): Imports {
  const refuse = () => 52;
  const zeros = (address: number, length: number) => {
    memory().fill(0, address, address + length);
    return 0;
  };
  return {
    env: {
      host_call: (...args) => hostCall(...args),
      host_interrupt: () => 0,
      host_promise_rejection: () => undefined,
      host_module_normalize: () => 0,
      host_module_load: () => 0,
      host_get_timezone_offset: () => 0,
    },
    wasi_snapshot_preview1: {
      clock_time_get: (_clock, _precision, address) => zeros(address as number, 8),
      random_get: (address, length) => zeros(address as number, length as number),
      fd_close: refuse,
      fd_fdstat_get: refuse,
      fd_seek: refuse,
      fd_write: refuse,
    },
  };
}

export class Machine {
  readonly #inside: QuickJs;
  readonly #context: number;
  readonly #memory: Buffer;
  readonly #view: DataView;
  readonly #stackTop: number;
  readonly #framesMax: number;
  /** Set while a run is under way. */
  onHostCall: HostCall | undefined;

  constructor(module: Module) {
    const imports = worldOutside(
      () => this.#memory,
      (...args) => this.#hostCall(args),
    );
    this.#inside = new webAssembly.Instance(module, imports).exports as QuickJs;
    this.#memory = Buffer.from(this.#inside.memory.buffer);
    this.#view = new DataView(this.#inside.memory.buffer);
    this.#stackTop = this.#inside.__stack_pointer.value;
    this.#framesMax = this.#inside.frames_left.value;
    this.gas = ownGas;
    this.#inside._initialize();
    const mask = Object.values(intrinsics).reduce((sum, bit) => sum | bit, 0);
    assert(this.#inside.qjs_init2(mask) === 0, 'the interpreter does not start');
    // Its own check throws what a contract could catch; the metered stack ends the run before.
    this.#inside.qjs_set_max_stack_size(0);
    this.#context = this.#inside.qjs_get_context_ptr();
  }

  /** An abort leaves the frames taken, as a trap does: the next restore sets them back. */
  #hostCall(args: readonly number[]): Handle {
    const [nameAddress = 0, nameLength = 0, _self, count = 0, addresses = 0] = args;
    const { frames_left } = this.#inside;
    frames_left.value -= hostFrameBytes;
    const id = this.#readNumber(nameAddress, nameLength);
    assert(this.onHostCall, 'no run is under way');
    const result = this.onHostCall(id, this.#readHandles(count, addresses));
    frames_left.value += hostFrameBytes;
    return result ?? 0;
  }

  /** What calls may still take together, in bytes by the metering's estimate; a restore sets it to the most. */
  get framesLeft(): number {
    return this.#inside.frames_left.value;
  }

  set framesLeft(bytes: number) {
    this.#inside.frames_left.value = bytes;
  }

  get gas(): bigint {
    return this.#inside.gas_left.value;
  }

  set gas(left: bigint) {
    this.#inside.gas_left.value = left;
  }

  /** Why it trapped, as far as the meters know. */
  get exhausted(): 'gas' | 'memory' | 'stack' | undefined {
    const reason = this.#inside.exhausted.value;
    if (reason === exhaustedReasons.memory) return 'memory';
    if (reason === exhaustedReasons.stack) return 'stack';
    return this.gas < 0n ? 'gas' : undefined;
  }

  takeImage(): Image {
    const { memory_pages, __stack_pointer } = this.#inside;
    assert(__stack_pointer.value === this.#stackTop, 'an image is taken only when nothing runs');
    const memoryPages = memory_pages.value;
    return {
      bytes: new Uint8Array(this.#memory.subarray(this.#stackTop, memoryPages * pageBytes)),
      memoryPages,
    };
  }

  /** Whatever happened before, a trap included: afterwards nothing of it is left. */
  restore({ bytes, memoryPages }: Image): void {
    const inside = this.#inside;
    const stackTop = this.#stackTop;
    this.#memory.fill(0, inside.stack_low.value, stackTop);
    this.#memory.set(bytes, stackTop);
    if (inside.memory_pages.value > memoryPages) {
      this.#memory.fill(0, memoryPages * pageBytes, inside.memory_pages.value * pageBytes);
    }
    inside.stack_low.value = stackTop;
    inside.__stack_pointer.value = stackTop;
    inside.frames_left.value = this.#framesMax;
    inside.memory_pages.value = memoryPages;
    inside.exhausted.value = exhaustedReasons.none;
  }

  /** Compiles a script without running it. Gives nothing when it does not compile; see `takeException`. */
  compile(text: string, fileName: string): Handle | undefined {
    return this.#evaluate(text, fileName, compileOnly);
  }

  evaluate(text: string, fileName: string): Handle | undefined {
    return this.#evaluate(text, fileName, strictly);
  }

  #evaluate(text: string, fileName: string, flags: number): Handle | undefined {
    const bytes = Buffer.from(text);
    const code = this.#writeText(bytes);
    const result = this.#inside.qjs_eval(code, bytes.length, this.textAddress(fileName), flags);
    this.#inside.wasm_free(code);
    return this.#unlessThrown(result);
  }

  /** Runs a compiled script, whose handle is used up. Whether it went well. */
  runScript(script: Handle): boolean {
    this.#inside.JS_EvalFunction(this.#context, this.#valueAt(script));
    return this.#inside.JS_HasException(this.#context) === 0;
  }

  call(callee: Handle, args: readonly Handle[]): Handle | undefined {
    const inside = this.#inside;
    const addresses = inside.wasm_malloc(4 * Math.max(1, args.length));
    for (const [index, arg] of args.entries()) this.#view.setUint32(addresses + 4 * index, arg, true);
    const result = inside.qjs_call(callee, inside.qjs_get_undefined(), args.length, addresses);
    inside.wasm_free(addresses);
    return this.#unlessThrown(result);
  }

  #unlessThrown(result: Handle): Handle | undefined {
    return this.#inside.qjs_is_exception(result) === 0 ? result : undefined;
  }

  global(): Handle {
    return this.#inside.qjs_get_global();
  }

  /** `name` is the address of a text; nothing when reading it threw. */
  property(object: Handle, name: number): Handle | undefined {
    return this.#unlessThrown(this.#inside.qjs_get_prop_string(object, name));
  }

  element(array: Handle, index: number): Handle {
    return this.#inside.qjs_get_prop_uint32(array, index);
  }

  isFunction(handle: Handle): boolean {
    return this.#inside.qjs_is_function(handle) !== 0;
  }

  newArray(elements: readonly Handle[]): Handle {
    const array = this.#inside.qjs_new_array();
    for (const [index, element] of elements.entries())
      this.#inside.qjs_set_prop_uint32(array, index, element);
    return array;
  }

  /** A function that, called inside, calls `onHostCall` with its number. */
  newHostFunction(id: number): Handle {
    const text = String(id);
    return this.#inside.qjs_new_host_function(this.textAddress(text), text.length, 0);
  }

  /** Text that the interpreter reads by its address, kept for good. */
  textAddress(text: string): number {
    return this.#writeText(Buffer.from(text));
  }

  #writeText(bytes: Buffer): number {
    const address = this.#inside.wasm_malloc(bytes.length + 1);
    this.#memory.set(bytes, address);
    this.#memory[address + bytes.length] = 0;
    return address;
  }

  newString(text: string): Handle {
    const inside = this.#inside;
    const address = inside.wasm_malloc(Math.max(1, 2 * text.length));
    this.#memory.write(text, address, 'utf16le');
    const value = inside.JS_NewStringUTF16(this.#context, address, text.length);
    inside.wasm_free(address);
    return this.#box(value);
  }

  /** Objects and arrays pass as JSON. */
  newValue(value: ContractValue): Handle {
    const inside = this.#inside;
    if (typeof value === 'string') return this.newString(value);
    if (typeof value === 'boolean') return value ? inside.qjs_get_true() : inside.qjs_get_false();
    if (typeof value === 'number') return inside.qjs_new_number(value);
    if (value === null) return inside.qjs_get_null();
    if (value === undefined) return inside.qjs_get_undefined();
    const bytes = Buffer.from(JSON.stringify(value));
    const text = this.#writeText(bytes);
    const parsed = inside.JS_ParseJSON(this.#context, text, bytes.length, text + bytes.length);
    inside.wasm_free(text);
    return this.#box(parsed);
  }

  /**
   * What a value is outside. A function, a symbol or a big integer has no counterpart and becomes nothing; an
   * object passes as JSON, which may run code inside. Gives no result when that threw.
   */
  readValue(handle: Handle): { readonly value: ContractValue } | undefined {
    const primitive = this.readPrimitive(handle);
    const inside = this.#inside;
    const isPlain = primitive === undefined && inside.qjs_is_object(handle) !== 0 && !this.isFunction(handle);
    if (!isPlain) return { value: primitive };
    const nothing = this.#valueAt(inside.qjs_get_undefined());
    const json = this.#box(inside.JS_JSONStringify(this.#context, this.#valueAt(handle), nothing, nothing));
    if (this.#unlessThrown(json) === undefined) return undefined;
    const text = this.readPrimitive(json);
    inside.qjs_free_value(json);
    return { value: typeof text === 'string' ? (JSON.parse(text) as ContractValue) : undefined };
  }

  /** Without running any code inside. */
  readPrimitive(handle: Handle): string | number | boolean | null | undefined {
    const inside = this.#inside;
    if (inside.qjs_is_string(handle) !== 0) return this.#readString(handle);
    if (inside.qjs_is_number(handle) !== 0) return inside.qjs_get_float64(handle);
    if (inside.qjs_is_bool(handle) !== 0) return inside.qjs_get_bool(handle) !== 0;
    return inside.qjs_is_null(handle) !== 0 ? null : undefined;
  }

  #readString(handle: Handle): string {
    const inside = this.#inside;
    const lengthAddress = inside.wasm_malloc(4);
    const address = inside.JS_ToCStringLenUTF16(this.#context, lengthAddress, this.#valueAt(handle));
    const length = this.#view.getUint32(lengthAddress, true);
    const text = this.#memory.toString('utf16le', address, address + 2 * length);
    inside.JS_FreeCStringUTF16(this.#context, address);
    inside.wasm_free(lengthAddress);
    return text;
  }

  throwIn(text: string): void {
    this.#inside.qjs_throw(this.newString(text));
  }

  takeException(): Handle {
    return this.#inside.qjs_get_exception();
  }

  /** Where the last exception came from; empty when the interpreter did not note it. */
  takeBacktrace(): string {
    const inside = this.#inside;
    const room = inside.wasm_malloc(16);
    this.#view.setUint32(room, this.#context, true);
    this.#view.setUint32(room + 4, room + 8, true);
    inside.js_std_cmd(takeBacktrace, room);
    const text = this.readPrimitive(room + 8);
    return typeof text === 'string' ? text : '';
  }

  #valueAt(handle: Handle): bigint {
    return this.#view.getBigInt64(handle, true);
  }

  #box(value: bigint): Handle {
    const handle = this.#inside.wasm_malloc(8);
    this.#view.setBigInt64(handle, value, true);
    return handle;
  }

  #readNumber(address: number, length: number): number {
    let value = 0;
    for (let index = 0; index < length; index += 1) value = 10 * value + this.#memory[address + index] - 0x30;
    return value;
  }

  #readHandles(count: number, addresses: number): Handle[] {
    return Array.from({ length: count }, (_, index) => this.#view.getUint32(addresses + 4 * index, true));
  }
}
