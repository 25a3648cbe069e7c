/**
 * An uncaught exception as the outcome of a run: its text, where in the contract's code it came from, and the
 * stack of an Error. Deterministic, and made without running the contract's code again.
 */
import type { ContractOutcome } from '@symbolon/core/ledger/terms/engine';
import { contractLimits } from '@symbolon/core/limits/consensus';
import type { Machine } from './machine.ts';
import { webAssembly } from './metering/web-assembly.ts';
import type { World } from './world.ts';

export type Threw = Extract<ContractOutcome, { kind: 'threw' }>;
export type Exhausted = Extract<ContractOutcome, { kind: 'exhausted' }>;

/** The name that stands for the contract's code in stacks. */
export const contractFileName = 'contract';

/** For putting an exception into words; more is needed only by one that is made to be hard to print. */
const describingGas = 1_000_000n;

const unprintable: Threw = { kind: 'threw', exception: 'an exception that cannot be described' };

/** At most so many characters, and no half of one at the end. */
function cut(text: string, charsMax: number): string {
  return text.slice(0, charsMax).replace(/[\ud800-\udbff]$/, '');
}

/** The first place of the contract's own code in a stack: one-based. */
export function lineOf(stack: string): number | undefined {
  const found = new RegExp(`(?:\\(|at )${contractFileName}:(\\d{1,9}):\\d+\\)?$`, 'm').exec(stack);
  return found ? Number(found[1]) : undefined;
}

function describe(machine: Machine, world: World): Threw {
  const backtrace = machine.takeBacktrace();
  const thrown = machine.takeException();
  const text = readText(machine, machine.call(world.textOf, [thrown]));
  const stack = readText(machine, machine.call(world.stackOf, [thrown]));
  if (text === undefined) return unprintable;
  const line = lineOf(stack ?? backtrace);
  return {
    kind: 'threw',
    exception: cut(text, contractLimits.exceptionCharsMax),
    ...(line === undefined ? {} : { line }),
    ...(stack === undefined ? {} : { stack }),
  };
}

function readText(machine: Machine, handle: number | undefined): string | undefined {
  const text = handle === undefined ? undefined : machine.readPrimitive(handle);
  return typeof text === 'string' ? text : undefined;
}

/** After something threw in `machine`. Uses gas of its own, so that the caller must read the meter before. */
export function describeException(machine: Machine, world: World): Threw {
  machine.gas = describingGas;
  try {
    return describe(machine, world);
  } catch (error) {
    if (error instanceof webAssembly.RuntimeError) return unprintable;
    throw error;
  }
}
