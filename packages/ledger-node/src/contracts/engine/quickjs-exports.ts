/**
 * What the engine uses of the metered module's exports. `qjs_*` take and give handles (addresses of values);
 * `JS_*` are the interpreter's own, with values as 64-bit numbers; the last five are the meters.
 */
import type { Global, Memory } from './metering/web-assembly.ts';

export interface QuickJs {
  readonly memory: Memory;
  readonly __stack_pointer: Global<number>;
  _initialize(): void;
  wasm_malloc(bytes: number): number;
  wasm_free(address: number): void;

  qjs_init2(intrinsics: number): number;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_get_context_ptr(): number;
  qjs_eval(code: number, length: number, fileName: number, flags: number): number;
  qjs_call(callee: number, self: number, count: number, args: number): number;
  qjs_throw(value: number): number;
  qjs_get_exception(): number;
  qjs_free_value(value: number): void;

  qjs_get_global(): number;
  qjs_get_prop_string(object: number, name: number): number;
  qjs_get_prop_uint32(object: number, index: number): number;
  qjs_set_prop_uint32(object: number, index: number, value: number): number;
  qjs_new_host_function(name: number, length: number, parameters: number): number;
  qjs_new_array(): number;
  qjs_new_number(value: number): number;
  qjs_new_string(utf8: number, length: number): number;
  qjs_get_undefined(): number;
  qjs_get_null(): number;
  qjs_get_true(): number;
  qjs_get_false(): number;

  qjs_is_exception(value: number): number;
  qjs_is_string(value: number): number;
  qjs_is_number(value: number): number;
  qjs_is_function(value: number): number;
  qjs_get_float64(value: number): number;

  JS_EvalFunction(context: number, script: bigint): bigint;
  JS_HasException(context: number): number;
  JS_NewStringUTF16(context: number, units: number, length: number): bigint;
  JS_ToCStringLenUTF16(context: number, lengthAddress: number, value: bigint): number;
  JS_FreeCStringUTF16(context: number, address: number): void;
  JS_ParseJSON(context: number, text: number, length: number, fileName: number): bigint;
  JS_JSONStringify(context: number, value: bigint, replacer: bigint, space: bigint): bigint;
  js_std_cmd(command: number, args: number): number;

  readonly gas_left: Global<bigint>;
  readonly frames_left: Global<number>;
  readonly memory_pages: Global<number>;
  readonly exhausted: Global<number>;
  readonly stack_low: Global<number>;
}
