/**
 * The `symbolon` command as a process. Which commands there are is `program.ts`; what becomes of a run is
 * `run-program.ts`.
 */

import { endQuietlyWithoutReader } from './machine/closed-pipe.ts';
import { keepProxiesOut } from './machine/proxies.ts';
import { listenForInterrupt, runProgram, tellFailure } from './run-program.ts';

endQuietlyWithoutReader();
keepProxiesOut();
const words = process.argv.slice(2);
// What nobody has caught would be printed as it is, whoever wrote it.
process.on('uncaughtException', (error) => process.exit(tellFailure(error, words) || 1));
listenForInterrupt(words);
await runProgram(words);
