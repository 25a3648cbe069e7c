/** What a proof thread runs. */
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '@symbolon/core/basics/assert';
import type { ProofOutcome, ProofTask } from './proof-job.ts';
import { answererWith } from './proof-program.ts';

assert(parentPort !== null, 'runs as a worker');
const port = parentPort;

const say = (outcome: ProofOutcome): void => port.postMessage(outcome);

const answerer = await answererWith(workerData as string);
if ('unable' in answerer) {
  say({ kind: 'unable', reason: answerer.unable });
} else {
  port.on('message', async (task: ProofTask) => say(await answerer.answer(task)));
  say({ kind: 'ready' });
}
