/**
 * What the machine must offer to whoever executes blocks: the one JavaScript engine that the rules were measured on,
 * and enough stack for the deepest contracts. Anything less and two nodes could come to different blocks, so a node
 * that finds less does not start, and no chain is verified.
 */

import process from 'node:process';
import { assert } from '@symbolon/core/basics/assert';
import { SetupError } from '@symbolon/core/faults/operator-errors';
import manifest from '../../package.json' with { type: 'json' };
import { hostStackBytes } from '../contracts/host-stack.ts';
import { executionHostLimits } from '../limits/node-limits.ts';

/** This machine, or how the process was started, is not fit to execute blocks; the message says what to do. */
export class ExecutionHostUnfit extends SetupError {
  override name = 'ExecutionHostUnfit';
}

export interface ExecutionHost {
  readonly v8: string;
  readonly node: string;
  readonly stackBytes: number;
}

export const thisHost = (): ExecutionHost => ({
  v8: process.versions.v8,
  node: process.versions.node,
  stackBytes: hostStackBytes(),
});

/** The versions of Node that have the engine, as the package says; the launcher reads the same line. */
const [, major, minor, before] = (/^>=(\d+)\.(\d+) <(\d+)$/.exec(manifest.engines.node) ?? []).map(Number);
assert(before !== undefined, 'the package says which Node it needs');
export const executionNodeWords = `${major}.${minor} or newer, but older than ${before}`;

export function isExecutionNode(version: string): boolean {
  const [givenMajor = 0, givenMinor = 0] = version.split('.').map(Number);
  return givenMajor < before && (givenMajor > major || (givenMajor === major && givenMinor >= minor));
}

export function checkExecutionHost({ v8, node, stackBytes }: ExecutionHost = thisHost()): void {
  const { v8Release, stackBytesMin } = executionHostLimits;
  if (!v8.startsWith(`${v8Release}.`)) {
    throw new ExecutionHostUnfit(
      `Node ${node} has V8 ${v8}; blocks are executed on V8 ${v8Release} alone, so that every node comes to the same.\n` +
        `Start it through npm, which brings that one, or with a Node that is ${executionNodeWords}.`,
    );
  }
  if (stackBytes < stackBytesMin) {
    throw new ExecutionHostUnfit(
      `The stack has ${stackBytes} bytes; contracts may take up to ${stackBytesMin}.\n` +
        'Start the node without --stack-size, and not in a thread with a smaller one.',
    );
  }
}
