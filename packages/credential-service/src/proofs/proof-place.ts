/**
 * Where a worker of the pool computes, apart from the thread that serves: a thread of this process, which is enough for
 * an engine that can break nothing but itself, or a process of its own, for one whose failure ends a process.
 */
import type { ProofOutcome, ProofTask } from './proof-job.ts';

export interface ProofPlace {
  /** Hands a task over. Its bytes are copied, and no copy stays on the way. */
  send(task: ProofTask): void;
  /** Ends it at once, whatever it is doing. */
  end(): Promise<void>;
}

export interface PlaceEvents {
  readonly onOutcome: (outcome: ProofOutcome) => void;
  /** It is gone, for whatever reason. May be called more than once. */
  readonly onEnd: () => void;
}

/** Starts what answers the tasks of one worker with the engine that a module's `createEngine` makes. */
export type OpenPlace = (engineModule: URL, events: PlaceEvents) => ProofPlace;
