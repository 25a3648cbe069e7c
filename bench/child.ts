/**
 * Two ends of a call between the benchmark and a process it started: `startChild` here, `answerCalls` there.
 * Plain request and answer over Node's own channel; a child that ends early fails every open call.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface Question {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

export interface Child {
  readonly pid: number | undefined;
  call<Result>(name: string, input?: unknown): Promise<Result>;
  /** Asks the child to end and waits for it. */
  end(): Promise<void>;
}

/** Processes of ours that still run, so that an interrupted benchmark leaves none behind. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Ends the process with the benchmark at the latest; resolves when it has ended, with what it ended by. */
export function endWithUs(child: ChildProcess): Promise<unknown> {
  running.add(child);
  return new Promise((resolve) => {
    const finish = (reason: unknown): void => {
      running.delete(child);
      resolve(reason);
    };
    child.once('error', finish);
    child.once('exit', (code, signal) => finish(code ?? signal));
  });
}

export interface ChildOptions {
  readonly args?: string[];
  /** For its Node. */
  readonly flags?: string[];
}

export function startChild(script: URL, options: ChildOptions = {}): Child {
  const child = fork(fileURLToPath(script), options.args ?? [], {
    serialization: 'advanced',
    execArgv: options.flags ?? [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const open = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let calls = 0;
  const exited = endWithUs(child).then((reason) => {
    for (const { reject } of open.values()) reject(new Error(`${script.pathname} ended (${reason})`));
    open.clear();
  });
  child.on('message', ({ id, result, error }: Answer) => {
    const waiting = open.get(id);
    open.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error));
  });
  return {
    pid: child.pid,
    call: (name, input) =>
      new Promise((resolve, reject) => {
        const id = ++calls;
        open.set(id, { resolve: resolve as (value: unknown) => void, reject });
        child.send({ id, name, input } satisfies Question);
      }),
    async end() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: every call has its own input and result.
type Calls = Readonly<Record<string, (input: any) => unknown>>;

/** Answers calls until the other side lets go; then `onEnd` closes what is open and the process ends. */
export function answerCalls(calls: Calls, onEnd: () => Promise<void> | void = () => {}): void {
  process.on('message', async ({ id, name, input }: Question) => {
    try {
      process.send?.({ id, result: await calls[name](input) } satisfies Answer);
    } catch (error) {
      process.send?.({
        id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      } satisfies Answer);
    }
  });
  process.once('disconnect', async () => {
    await onEnd();
    process.exit(0);
  });
}
