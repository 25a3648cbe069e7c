/**
 * The world of a contract before its code: the interpreter with world.js evaluated and the built-in functions in
 * place. It depends on nothing but their names, so one image serves every contract that sees the same names.
 */
import { assert } from '@symbolon/core/basics/assert';
import type { ContractEntry, ContractValue } from '@symbolon/core/ledger/terms/engine';
import { type Handle, type Image, type Machine, ownGas } from './machine.ts';
import { readWorldText } from './metering/metered-module.ts';

/** Handles and addresses that hold in every image made from this one. */
export interface World {
  /** Tells the worlds of one engine apart. */
  readonly id: number;
  readonly image: Image;
  readonly fill: Handle;
  readonly textOf: Handle;
  readonly stackOf: Handle;
  readonly global: Handle;
  readonly entryNames: Readonly<Record<ContractEntry, number>>;
}

function must<Value>(value: Value | undefined): Value {
  assert(value !== undefined, 'the world of contracts cannot be made');
  return value;
}

/** `machine` must be a fresh one. */
export function makeWorld(machine: Machine, id: number, builtInNames: readonly string[]): World {
  machine.gas = ownGas;
  const prepare = must(machine.evaluate(readWorldText(), 'world'));
  const builtIns = machine.newArray(builtInNames.map((_, index) => machine.newHostFunction(index)));
  const names = machine.newString(JSON.stringify(builtInNames));
  const functions = must(machine.call(prepare, [builtIns, names]));
  const entryNames = {
    init: machine.textAddress('init'),
    main: machine.textAddress('main'),
    query: machine.textAddress('query'),
  };
  const handles = {
    fill: machine.element(functions, 0),
    textOf: machine.element(functions, 1),
    stackOf: machine.element(functions, 2),
    global: machine.global(),
    entryNames,
  };
  return { id, ...handles, image: machine.takeImage() };
}

type Values = Readonly<Record<string, ContractValue>>;
type Members = Record<string, ContractValue | Record<string, ContractValue>>;

/** The object that holds `name`, on the way from `root`. */
function holderOf(root: Members, dotted: string, from: number): { holder: Members; last: string } {
  const dot = dotted.indexOf('.', from);
  if (dot < 0) return { holder: root, last: dotted.slice(from) };
  const name = dotted.slice(from, dot);
  root[name] ??= {};
  return holderOf(root[name] as Members, dotted, dot + 1);
}

/** `Chain.block.number` and its like as objects inside objects, and the plain names by themselves. */
function splitValues(values: Values): { readonly members: Members; readonly plain: Members } {
  const members: Members = {};
  const plain: Members = {};
  for (const dotted in values) {
    const { holder, last } = holderOf(dotted.includes('.') ? members : plain, dotted, 0);
    holder[last] = values[dotted];
  }
  return { members, plain };
}

export function fillWorld(machine: Machine, world: World, values: Values): void {
  const { members, plain } = splitValues(values);
  const texts = [members, plain].map((part) => machine.newString(JSON.stringify(part)));
  must(machine.call(world.fill, texts));
}
