/**
 * Where CometBFT is: the file that `SYMBOLON_COMETBFT` names, `cometbft` on the path, or the one that was built here. Where
 * Go is it is built, and kept; Go's own checksum database stands for what is built, so nothing is downloaded that is
 * already a program.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isInstalled } from '../machine/own-name.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { processTerminal } from '../terminal/terminal.ts';

const cometVersion = '0.38.25';
const goModule = `github.com/cometbft/cometbft/cmd/cometbft@v${cometVersion}`;

/** A checkout keeps everything in itself. */
function keptFolder(): string {
  const cache = isInstalled
    ? path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'symbolon')
    : fileURLToPath(new URL('../../../../.cache', import.meta.url));
  return path.join(cache, 'tools', 'cometbft', cometVersion);
}

const run = promisify(execFile);

const versionOf = (file: string): Promise<string | undefined> =>
  run(file, ['version']).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );

let found: Promise<string> | undefined;

/** The file, found once; a failure that says what to do where there is none. */
export function findComet(): Promise<string> {
  found ??= find();
  return found;
}

async function find(): Promise<string> {
  const named = process.env.SYMBOLON_COMETBFT;
  if (named) {
    const version = await versionOf(named);
    if (version === cometVersion) return named;
    throw missing(`SYMBOLON_COMETBFT names ${named}, which is ${version || 'no CometBFT that runs here'}.`);
  }
  const kept = path.join(keptFolder(), 'cometbft');
  for (const candidate of ['cometbft', kept])
    if ((await versionOf(candidate)) === cometVersion) return candidate;
  if (!(await versionOfGo())) throw missing('It is not on the path, and there is no Go to build it with.');
  processTerminal.remark(`Building CometBFT ${cometVersion} with Go; this takes a minute or two, once.`);
  await mkdir(path.dirname(kept), { recursive: true });
  const env = { ...process.env, GOBIN: path.dirname(kept), GOFLAGS: '-modcacherw' };
  await run('go', ['install', goModule], { env }).catch(() => undefined);
  if (existsSync(kept) && (await versionOf(kept)) === cometVersion) return kept;
  throw missing('Go could not build it.');
}

const versionOfGo = (): Promise<boolean> =>
  run('go', ['version']).then(
    () => true,
    () => false,
  );

const missing = (why: string): CommandFailure =>
  new CommandFailure(
    `CometBFT ${cometVersion} is needed for a network, and is not here.
${why}
Set SYMBOLON_COMETBFT to its file, put it on the path, or install Go 1.22 or later, with which it is built: go install ${goModule}`,
    exitCodes.config,
    { code: 'cometMissing' },
  );
