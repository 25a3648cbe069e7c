/**
 * One full round of a credential in the process that does it: issued, derived, verified, and the CPU time each took.
 * All threads of the process count, so compilers and collectors of garbage are paid by who needs them.
 */
import { answerCalls } from '../child.ts';
import { cpuMs } from '../statistics.ts';

/** What one library does. The results pass from step to step and stay in its process. */
export interface CredentialWork<Issued = unknown, Derived = unknown> {
  issue(): Promise<Issued>;
  derive(issued: Issued): Promise<Derived>;
  verify(derived: Derived): Promise<boolean>;
}

export interface RoundTimes {
  readonly issueMs: number;
  readonly deriveMs: number;
  readonly verifyMs: number;
}

async function timed<Result>(step: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const before = process.cpuUsage();
  const result = await step();
  return { ms: cpuMs(before), result };
}

export async function measureRound<Issued, Derived>(
  work: CredentialWork<Issued, Derived>,
): Promise<RoundTimes> {
  const issued = await timed(() => work.issue());
  const derived = await timed(() => work.derive(issued.result));
  const verified = await timed(() => work.verify(derived.result));
  if (!verified.result) throw new Error('what was derived does not verify');
  return { issueMs: issued.ms, deriveMs: derived.ms, verifyMs: verified.ms };
}

/** The whole program of a process that does one kind of work. */
export function answerWork<Issued, Derived>(work: CredentialWork<Issued, Derived>): void {
  answerCalls({ round: () => measureRound(work) });
}
