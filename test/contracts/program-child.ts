/** Runs made-up programs in a process that was started with flags of the compiler; see `program-fuzz.test.ts`. */
import process from 'node:process';
import { runPrograms } from './program-runs.ts';
import { randomPrograms } from './random-programs.ts';
import { tellParent } from './tell-parent.ts';

const [seed, count] = process.argv.slice(2).map(Number);
tellParent(await runPrograms(randomPrograms(seed, count)));
