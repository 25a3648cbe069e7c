/**
 * The world of a contract before its code: the interpreter with world-script.js evaluated, the built-in functions in place, and
 * a slot for each value that a run sees. It depends on nothing but their names, so one image serves every contract that
 * sees the same names, and what is left to do before a run is to fill the slots.
 */
import { assert } from '@symbolon/core/basics/assert';
import type { ContractEntry, ContractValues } from '@symbolon/core/ledger/terms/engine';
import { type Handle, type Image, type Machine, ownGas, type Slot } from './machine.ts';
import { readWorldText } from './metering/metered-module.ts';

export interface WorldNames {
  readonly builtInNames: readonly string[];
  /** Dotted: `Chain.block.number`. */
  readonly valueNames: readonly string[];
}

/** Handles and addresses that hold in every image made from this one. */
export interface World extends WorldNames {
  /** Tells the worlds of one engine apart. */
  readonly id: number;
  readonly image: Image;
  readonly slots: readonly Slot[];
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
export function makeWorld(machine: Machine, id: number, { builtInNames, valueNames }: WorldNames): World {
  machine.gas = ownGas;
  const prepare = must(machine.evaluate(readWorldText(), 'world'));
  const builtIns = machine.newArray(builtInNames.map((_, index) => machine.newHostFunction(index)));
  const texts = [builtInNames, valueNames.map((name, index) => [name, markOf(index)])];
  const args = texts.map((it) => machine.newString(JSON.stringify(it)));
  const functions = must(machine.call(prepare, [builtIns, ...args]));
  const entryNames = {
    init: machine.textAddress('init'),
    main: machine.textAddress('main'),
    query: machine.textAddress('query'),
  };
  const global = machine.global();
  const handles = {
    textOf: machine.element(functions, 0),
    stackOf: machine.element(functions, 1),
    global,
    entryNames,
  };
  const slots = valueNames.map((name, index) =>
    machine.newSlot(memberOf(machine, global, name.split('.').slice(0, -1)), markOf(index)),
  );
  const image = machine.takeImage();
  const world = { id, ...handles, builtInNames, valueNames, slots, image };
  confirmSlots(machine, world);
  return world;
}

/** What stands in a slot until it is filled: no two are the same, and nothing else is any of them. */
const markOf = (index: number): number => 2 ** 40 + index + 0.5;

const memberOf = (machine: Machine, object: Handle, path: readonly string[]): Handle =>
  path.reduce((at, name) => must(machine.property(at, machine.textAddress(name))), object);

const samples: readonly ((index: number) => string | number)[] = [
  (index) => index,
  (index) => -index - 0.5,
  (index) => 2 ** 53 - index,
  (index) => `text ${index}`,
  (index) => `${'x'.repeat(62)}${index}`,
  (index) => `ä${index}`,
];

/** The interpreter reads in each slot what was put there, of every kind: so they are where they were taken to be. */
function confirmSlots(machine: Machine, world: World): void {
  for (const sample of samples) {
    machine.restore(world.image);
    machine.gas = ownGas;
    for (const [index, slot] of world.slots.entries()) machine.fillSlot(slot, sample(index));
    for (const [index, name] of world.valueNames.entries()) {
      const read = machine.readThrough(memberOf(machine, world.global, name.split('.')));
      assert(read === sample(index), `the value of ${name} stands where it is expected`);
    }
  }
}

/** The names must be those of the world. */
export function fillWorld(machine: Machine, { slots, valueNames }: World, values: ContractValues): void {
  for (let index = 0; index < slots.length; index += 1) {
    machine.fillSlot(slots[index] as Slot, values[valueNames[index] as string] as string | number);
  }
}
