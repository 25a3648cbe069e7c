/**
 * The syntax check on a stack of its own. A contract may make another one from deep inside of nested runs, where how
 * much of the stack is left depends on what ran before: the parser must not stand on that. The question is asked and
 * waited for, because execution is one step after the other; one thread serves the whole process and does not keep it
 * alive (unref).
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { HostFault } from '@symbolon/core/basics/host-fault';
import type { CheckContractSyntax, SyntaxFinding } from '@symbolon/core/ledger/terms/syntax';
import { syntaxThreadLimits } from '../../limits/node-limits.ts';
import type { ThreadAnswer, ThreadData, ThreadQuestion } from './syntax-thread.ts';

const threadScript = new URL('./syntax-thread.ts', import.meta.url);

export interface SyntaxThreadOptions {
  readonly script?: URL;
  readonly stackMb?: number;
  readonly answerMsMax?: number;
}

interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly answered: Int32Array;
}

/** Asks one thread, which is started with the first question and anew after it failed. */
export class SyntaxThread {
  readonly #options: Required<SyntaxThreadOptions>;
  #thread: Thread | undefined;
  #questions = 0;

  constructor({
    script = threadScript,
    stackMb = syntaxThreadLimits.stackMb,
    answerMsMax = syntaxThreadLimits.answerMsMax,
  }: SyntaxThreadOptions = {}) {
    this.#options = { script, stackMb, answerMsMax };
  }

  check(code: string): readonly SyntaxFinding[] {
    this.#thread ??= startThread(this.#options);
    this.#questions += 1;
    const question: ThreadQuestion = { number: this.#questions, code };
    this.#thread.port.postMessage(question);
    const answer = waitForAnswer(this.#thread, question.number, this.#options.answerMsMax);
    if (answer && 'findings' in answer) return answer.findings;
    this.end();
    if (!answer) throw new HostFault('the thread of the syntax check does not answer');
    const cause = new Error(answer.fault);
    cause.stack = answer.stack;
    throw new HostFault(`the syntax check failed: ${answer.fault}`, { cause });
  }

  end(): void {
    void this.#thread?.worker.terminate();
    this.#thread = undefined;
  }
}

/**
 * The answer to this question and to no other: whoever asked before may have been cut short by the end of its stack,
 * and its answer lies there still.
 */
function waitForAnswer({ port, answered }: Thread, number: number, msMax: number): ThreadAnswer | undefined {
  const until = performance.now() + msMax;
  for (;;) {
    const seen = Atomics.load(answered, 0);
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
      const answer = next.message as ThreadAnswer;
      if (answer.number === number) return answer;
    }
    const msLeft = until - performance.now();
    if (msLeft <= 0) return undefined;
    Atomics.wait(answered, 0, seen, msLeft);
  }
}

function startThread({ script, stackMb }: Required<SyntaxThreadOptions>): Thread {
  const { port1: port, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(script, {
    execArgv: [],
    name: 'contract syntax',
    workerData: { port: port2, answered } satisfies ThreadData,
    transferList: [port2],
    resourceLimits: { stackSizeMb: stackMb, maxOldGenerationSizeMb: syntaxThreadLimits.heapMb },
  });
  // Whoever waits is told by the answer, or by its absence.
  worker.on('error', () => {});
  worker.unref();
  port.unref();
  return { worker, port, answered };
}

let shared: SyntaxThread | undefined;

export const checkSyntaxOnThread: CheckContractSyntax = (code) => {
  shared ??= new SyntaxThread();
  return shared.check(code);
};
