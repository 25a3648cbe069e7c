/**
 * The thread that checks contract code; `check-on-thread.ts` starts it and waits. Its stack is fixed by whoever starts
 * it, so the parser's recursion ends the same way on every machine, wherever the code came from.
 */
import { type MessagePort, workerData } from 'node:worker_threads';
import { assert } from '@symbolon/core/basics/assert';
import type { SyntaxFinding } from '@symbolon/core/ledger/terms/syntax';
import { syntaxThreadLimits } from '../../limits/node-limits.ts';
import { hostStackBytes } from '../host-stack.ts';
import { checkContractSyntax } from './check-syntax.ts';

export interface ThreadData {
  readonly port: MessagePort;
  /** How many questions are answered: what the asker waits on. */
  readonly answered: Int32Array;
}

export interface ThreadQuestion {
  readonly number: number;
  readonly code: string;
}

/** An error here is no finding: it says that this thread cannot tell. */
export type ThreadAnswer = { readonly number: number } & (
  | { readonly findings: readonly SyntaxFinding[] }
  | { readonly fault: string; readonly stack: string }
);

const { port, answered } = workerData as ThreadData;
const stackBytes = hostStackBytes();

function answer({ number, code }: ThreadQuestion): ThreadAnswer {
  try {
    assert(
      stackBytes >= syntaxThreadLimits.stackBytesMin,
      `the stack has ${stackBytes} bytes, ${syntaxThreadLimits.stackBytesMin} are needed`,
    );
    return { number, findings: checkContractSyntax(code) };
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    return { number, fault: String(error), stack };
  }
}

port.on('message', (question: ThreadQuestion) => {
  port.postMessage(answer(question));
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
});
