/**
 * `npm run fuzz-proofs -- --count 1000000`: mutated proofs through the processes of the native engine, a sample of them
 * through the engine on WebAssembly as well. Ends with 1 when anything is wrong.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { unknownName } from '@symbolon/core/basics/known-names';
import { engineNames } from '@symbolon/credential-service/proofs/proof-engines';
import { ProofWorkers } from '@symbolon/credential-service/proofs/proof-workers';
import { OptionError, parseOptions } from '@symbolon/host/config/options';
import { chooseSeed } from '../../crash/seeded-random.ts';
import { fuzzProofs, patience } from './fuzz-proofs.ts';

const usage = `Usage: npm run fuzz-proofs -- [options]

  --count 100000      how many; a million takes about an hour and a half on two cores
  --seed 7            the same once more
  --engine native     native or webassembly
  --compare 200       every which one is asked of the engine on WebAssembly as well; 0 for none`;

function wholeNumber(name: string, text: string, min: number): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < min)
    throw new OptionError(`--${name}: ${text} is not ${min} or more`);
  return number;
}

function readArguments() {
  const { values } = parseOptions({
    options: {
      count: { type: 'string', default: '100000' },
      seed: { type: 'string', default: String(chooseSeed('PROOF_SEED')) },
      engine: { type: 'string', default: 'native' },
      compare: { type: 'string', default: '200' },
    },
  });
  const engine = engineNames.find((name) => name === values.engine);
  if (engine === undefined) throw new OptionError(`--engine: ${unknownName(values.engine, engineNames)}`);
  return {
    engine,
    count: wholeNumber('count', values.count, 1),
    seed: wholeNumber('seed', values.seed, 0),
    every: wholeNumber('compare', values.compare, 0),
  };
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

/** The memory of the largest process that this one has started. */
function largestChildBytes(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8');
  const sizes = children.split(' ').flatMap((pid) => {
    try {
      const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      return kibibytes === undefined ? [] : [Number(kibibytes) * 1024];
    } catch {
      return [];
    }
  });
  return Math.max(0, ...sizes);
}

async function fuzz({ count, seed, every, engine }: ReturnType<typeof readArguments>): Promise<boolean> {
  const pool = new ProofWorkers({ engine, workers: availableParallelism(), warmUp: false, limits: patience });
  const second =
    every > 0
      ? {
          pool: new ProofWorkers({ engine: 'webassembly', workers: 1, warmUp: false, limits: patience }),
          every,
        }
      : undefined;
  const step = Math.max(1, Math.floor(count / 20));
  const onProgress = (done: number): void => {
    if (done % step === 0)
      process.stderr.write(
        `  … ${done}: ${pool.replaced} workers replaced, the largest has ${mebibytes(largestChildBytes())}\n`,
      );
  };
  try {
    process.stdout.write(`${count} with seed ${seed} through ${engine}\n`);
    const { wrong, ...counts } = await fuzzProofs({ count, seed, pool, second, onProgress });
    for (const [name, value] of Object.entries({ ...counts, replaced: pool.replaced, wrong: wrong.length }))
      process.stdout.write(`${name.padEnd(12)}${value}\n`);
    for (const what of wrong.slice(0, 50)) process.stdout.write(`${what}\n`);
    return wrong.length === 0;
  } finally {
    await Promise.all([pool.close(), second?.pool.close()]);
  }
}

try {
  process.exitCode = (await fuzz(readArguments())) ? 0 : 1;
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  process.stderr.write(error.isHelp ? `${usage}\n` : `${error.message}\n\n${usage}\n`);
  process.exitCode = error.isHelp ? 0 : 2;
}
