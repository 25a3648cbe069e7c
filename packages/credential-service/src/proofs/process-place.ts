/**
 * A worker's place in a process of its own: nothing is known to it but its engine and what comes over one pipe, nothing
 * that it prints is seen, and when it aborts the service does not. It ends with the pipe, so it does not outlive the
 * service.
 */
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { proofLimits } from '../limits/service-limits.ts';
import { decodePipeFrame, encodePipeFrame, FrameReader } from './proof-frames.ts';
import { readOutcome } from './proof-job.ts';
import type { OpenPlace } from './proof-place.ts';

const program = fileURLToPath(new URL('./process-program.ts', import.meta.url));

/** No picture of its memory on disk, where keys could be found; no more memory than this; then the program. */
const bounded = `ulimit -c 0; ulimit -d ${proofLimits.processDataBytesMax / 1024}; exec "$@"`;

/** Where compiled code is kept, which halves what starting takes. */
const { NODE_COMPILE_CACHE: compiledCode } = process.env;

export const openProcess: OpenPlace = (engineModule, { onOutcome, onEnd }) => {
  const heap = `--max-old-space-size=${proofLimits.heapMegabytesMax}`;
  const words = [process.execPath, heap, program, engineModule.href];
  const child = spawn('/bin/sh', ['-c', bounded, 'proofs', ...words], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: compiledCode === undefined ? {} : { NODE_COMPILE_CACHE: compiledCode },
    cwd: '/',
  });
  // Where the system has no descriptor left there is none, and the child only says that it did not start.
  const pipe = (child.stdio as typeof child.stdio | undefined)?.[3] as Socket | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      resolve();
      onEnd();
    };
    child.once('error', end);
    child.once('exit', end);
  });
  const reader = new FrameReader((frame) => onOutcome(readOutcome(decodePipeFrame(frame))));
  pipe?.on('error', onEnd);
  pipe?.on('close', onEnd);
  pipe?.on('data', (piece: Uint8Array) => {
    try {
      reader.push(piece);
    } catch {
      // What speaks like this has gone wrong.
      onEnd();
    }
  });
  return {
    send(task) {
      const frame = encodePipeFrame(task);
      pipe?.write(frame, () => frame.fill(0));
    },
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
};
