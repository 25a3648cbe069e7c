/**
 * What happens when whoever reads the output has gone, as in `symbolon tail | head -1`: the command ends without a
 * word. It does not end as if all were well, because an answer that nobody has read to its end may have been a bad one.
 */

/** What a shell says of a program that a closed pipe has ended: 128 and the number of SIGPIPE. */
const closedPipeExitCode = 141;

export function endQuietlyWithoutReader(): void {
  let isEnding = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (isEnding) return;
    isEnding = true;
    process.exitCode = closedPipeExitCode;
    // A node or service in this process closes its store first, as it does on any request to stop.
    if (process.listenerCount('SIGTERM') > 0) process.kill(process.pid, 'SIGTERM');
    else process.exit(closedPipeExitCode);
  });
  // Remarks that nobody reads are no reason to stop.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
