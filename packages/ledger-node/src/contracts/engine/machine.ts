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
import { kinds, ValueMemory } from './value-layout.ts';

export type Handle = number;

/** The memory above an empty stack. What lies below it is all zeros whenever a run starts. */
export interface Image {
  readonly bytes: Uint8Array;
  readonly memoryPages: number;
}

/**
 * Called when the code inside calls a function of the host, with the number of its arguments and where their handles
 * are; gives a fresh handle, or nothing after an exception.
 */
export type HostCall = (id: number, count: number, addresses: number) => Handle | undefined;

/** A place inside that the host fills before a run: a member of an object, and a text that it can be. */
export interface Slot {
  readonly member: Handle;
  readonly text: Handle;
}

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

/** Texts up to this length pass through memory that is set aside for them. */
const passingCharsMax = 1_024;
/** Texts of ASCII up to this length, addresses and hashes in hex for example, are written into their slot. */
const slotCharsMax = 64;

/** The interpreter asks for time and randomness when it starts: both stand still. Nothing else reaches it. */
function worldOutside(memory: () => Uint8Array, hostCall: Imports[string][string]): Imports {
  const refuse = () => 52;
  const zeros = (address: number, length: number) => {
    memory().fill(0, address, address + length);
    return 0;
  };
  return {
    env: {
      host_call: hostCall,
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
  readonly #values: ValueMemory;
  /** Set aside for texts on their way in. */
  readonly #passing: number;
  readonly #stackTop: number;
  readonly #framesMax: number;
  /** Set while a run is under way. */
  onHostCall: HostCall | undefined;

  constructor(module: Module) {
    const imports = worldOutside(
      () => this.#memory,
      (nameAddress, nameLength, _self, count, addresses) =>
        this.#hostCall(this.#readNumber(nameAddress, nameLength), count, addresses),
    );
    this.#inside = new webAssembly.Instance(module, imports).exports as QuickJs;
    this.#values = new ValueMemory(this.#inside.memory.buffer);
    this.#memory = this.#values.bytes;
    this.#stackTop = this.#inside.__stack_pointer.value;
    this.#framesMax = this.#inside.frames_left.value;
    this.gas = ownGas;
    this.#inside._initialize();
    const mask = Object.values(intrinsics).reduce((sum, bit) => sum | bit, 0);
    assert(this.#inside.qjs_init2(mask) === 0, 'the interpreter does not start');
    // Its own check throws what a contract could catch; the metered stack ends the run before.
    this.#inside.qjs_set_max_stack_size(0);
    this.#context = this.#inside.qjs_get_context_ptr();
    this.#passing = this.#inside.wasm_malloc(2 * passingCharsMax);
  }

  /** Where a call of the host finds too little of the stack it ends as any other call does: in a trap. */
  #hostCall(id: number, count: number, addresses: number): Handle {
    const { frames_left, exhausted } = this.#inside;
    if (frames_left.value < hostFrameBytes) {
      exhausted.value = exhaustedReasons.stack;
      throw new webAssembly.RuntimeError('a call of the host finds no stack');
    }
    assert(this.onHostCall, 'no run is under way');
    return this.onHostCall(id, count, addresses) ?? 0;
  }

  /** What calls may still take together, in bytes by the metering's estimate; a restore sets it to the most. */
  get framesLeft(): number {
    return this.#inside.frames_left.value;
  }

  set framesLeft(bytes: number) {
    this.#inside.frames_left.value = bytes;
  }

  /** The same for what the host calls from a call of its own. */
  get framesLeftToHost(): number {
    return this.#inside.frames_left.value - hostFrameBytes;
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
    for (const [index, arg] of args.entries()) this.#values.putWord(addresses + 4 * index, arg);
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
    const { length } = text;
    if (length > passingCharsMax) return this.#newLongString(text);
    if (this.#values.putAscii(this.#passing, text)) return inside.qjs_new_string(this.#passing, length);
    this.#values.putUnits(this.#passing, text);
    return this.#box(inside.JS_NewStringUTF16(this.#context, this.#passing, length));
  }

  #newLongString(text: string): Handle {
    const inside = this.#inside;
    const address = inside.wasm_malloc(2 * text.length);
    this.#values.putUnits(address, text);
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

  /** The member of `object` that is `mark` now, to be filled before runs that start from an image taken later. */
  newSlot(object: Handle, mark: number): Slot {
    return {
      member: this.#values.memberThatIs(object, mark),
      text: this.newString('-'.repeat(slotCharsMax)),
    };
  }

  fillSlot({ member, text }: Slot, value: string | number): void {
    const values = this.#values;
    if (typeof value === 'number') values.putNumber(member, value);
    else if (value.length <= slotCharsMax && values.putText(values.wordAt(text), value))
      values.copyValue(text, member);
    else values.copyValue(this.newString(value), member);
  }

  /** What the arguments of a call of the host are outside; nothing when reading them threw. */
  readArguments(count: number, addresses: number): ContractValue[] | undefined {
    const args: ContractValue[] = [];
    for (let index = 0; index < count; index += 1) {
      const handle = this.#values.wordAt(addresses + 4 * index);
      if (this.#values.kindAt(handle) !== kinds.object) args.push(this.readPrimitive(handle));
      else {
        const read = this.#readObject(handle);
        if (!read) return undefined;
        args.push(read.value);
      }
    }
    return args;
  }

  /**
   * An object passes as JSON, which may run code inside; a function has no counterpart and becomes nothing. Gives no
   * result when that threw.
   */
  #readObject(handle: Handle): { readonly value: ContractValue } | undefined {
    if (this.isFunction(handle)) return { value: undefined };
    const inside = this.#inside;
    const nothing = this.#valueAt(inside.qjs_get_undefined());
    inside.frames_left.value -= hostFrameBytes;
    const json = this.#box(inside.JS_JSONStringify(this.#context, this.#valueAt(handle), nothing, nothing));
    inside.frames_left.value += hostFrameBytes;
    if (this.#unlessThrown(json) === undefined) return undefined;
    const text = this.readPrimitive(json);
    inside.qjs_free_value(json);
    return { value: typeof text === 'string' ? (JSON.parse(text) as ContractValue) : undefined };
  }

  /** Without running any code inside. An object, a symbol or a big integer has no counterpart and becomes nothing. */
  readPrimitive(handle: Handle): string | number | boolean | null | undefined {
    const values = this.#values;
    switch (values.kindAt(handle)) {
      case kinds.text:
        return values.textAt(values.wordAt(handle)) ?? this.#readString(handle);
      case kinds.joinedText:
        return this.#readString(handle);
      case kinds.boolean:
        return values.wordAt(handle) !== 0;
      case kinds.null:
        return null;
      default:
        return values.numberAt(handle);
    }
  }

  /** The same, asking the interpreter instead of its memory: for making sure. */
  readThrough(handle: Handle): string | number | undefined {
    const inside = this.#inside;
    if (inside.qjs_is_string(handle) !== 0) return this.#readString(handle);
    return inside.qjs_is_number(handle) !== 0 ? inside.qjs_get_float64(handle) : undefined;
  }

  #readString(handle: Handle): string {
    const inside = this.#inside;
    const lengthAddress = inside.wasm_malloc(4);
    const address = inside.JS_ToCStringLenUTF16(this.#context, lengthAddress, this.#valueAt(handle));
    const length = this.#values.wordAt(lengthAddress);
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
    this.#values.putWord(room, this.#context);
    this.#values.putWord(room + 4, room + 8);
    inside.js_std_cmd(takeBacktrace, room);
    const text = this.readPrimitive(room + 8);
    return typeof text === 'string' ? text : '';
  }

  #valueAt(handle: Handle): bigint {
    return this.#memory.readBigInt64LE(handle);
  }

  #box(value: bigint): Handle {
    const handle = this.#inside.wasm_malloc(8);
    this.#memory.writeBigInt64LE(value, handle);
    return handle;
  }

  #readNumber(address: number, length: number): number {
    let value = 0;
    for (let index = 0; index < length; index += 1) value = 10 * value + this.#memory[address + index] - 0x30;
    return value;
  }
}
