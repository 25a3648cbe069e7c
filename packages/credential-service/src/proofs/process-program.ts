/**
 * What a proof process runs: tasks come and outcomes go over the pipe that it was given, and it ends with that pipe.
 * Every frame is wiped once it is answered, and so is the memory that it came through: no secret stays.
 */
import { closeSync, readdirSync, readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { proofLimits } from '../limits/service-limits.ts';
import { decodePipeFrame, encodePipeFrame, FrameReader } from './proof-frames.ts';
import type { ProofOutcome, ProofTask } from './proof-job.ts';
import { answererWith } from './proof-program.ts';

const pipeDescriptor = 3;
const readBytes = 64 * 1024;
/** O_CLOEXEC of Linux, on both processors. */
const closeOnExec = 0o2000000;

// A terminal and a supervisor tell everybody to end. The service does so in its own time, and this with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

closeInherited();

const answerer = await answererWith(process.argv[2]);

const reader = new FrameReader(async (frame) => {
  if ('unable' in answerer) return;
  const outcome = await answerer.answer(decodePipeFrame(frame) as ProofTask);
  frame.fill(0);
  say({ ...outcome, isLast: process.memoryUsage.rss() > proofLimits.processBytesMax });
});

const pipe = new Socket({
  fd: pipeDescriptor,
  onread: {
    buffer: new Uint8Array(readBytes),
    callback(length, buffer) {
      const piece = buffer.subarray(0, length);
      reader.push(piece);
      piece.fill(0);
      return true;
    },
  },
});

function say(outcome: ProofOutcome): void {
  pipe.write(encodePipeFrame(outcome));
}

for (const end of ['end', 'error', 'close'] as const) pipe.on(end, () => process.exit());
say('unable' in answerer ? { kind: 'unable', reason: answerer.unable } : { kind: 'ready' });
// At its end it has no time for it.
flushCompileCache();

/**
 * Files that the service's process leaves open for whatever it starts are none of this one's business: those of a ledger
 * in the same process, for one. Node's own are closed by the system; only Linux tells which are not.
 */
function closeInherited(): void {
  if (process.platform !== 'linux') return;
  for (const descriptor of readdirSync('/proc/self/fd').map(Number)) {
    if (descriptor <= pipeDescriptor) continue;
    try {
      const [, flags] =
        /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')) ?? [];
      if ((Number.parseInt(flags, 8) & closeOnExec) === 0) closeSync(descriptor);
    } catch {
      // It was the list's own, which is closed by now.
    }
  }
}
