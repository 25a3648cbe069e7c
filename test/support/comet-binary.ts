/**
 * Where CometBFT is: `SYMBOLON_COMETBFT`, the path, `.cache/tools/cometbft/<version>/cometbft`; else it is built there,
 * where Go is. Tests never download a binary: Go's own checksum database stands for what is built.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

export const cometVersion = '0.38.25';

const kept = path.resolve(import.meta.dirname, `../../.cache/tools/cometbft/${cometVersion}`);

const versionOf = (file: string): string | undefined => {
  try {
    return execFileSync(file, ['version'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
};

let found: Promise<string> | undefined;

/** The file; fails with what to do where there is none. */
export function cometBinary(): Promise<string> {
  found ??= find();
  return found;
}

async function find(): Promise<string> {
  const named = process.env.SYMBOLON_COMETBFT;
  if (named) return require(named);
  const file = path.join(kept, 'cometbft');
  for (const candidate of ['cometbft', file]) if (versionOf(candidate) === cometVersion) return candidate;
  mkdirSync(kept, { recursive: true });
  const module = `github.com/cometbft/cometbft/cmd/cometbft@v${cometVersion}`;
  const env = { ...process.env, GOBIN: kept, GOFLAGS: '-modcacherw' };
  await promisify(execFile)('go', ['install', module], { env }).catch(() => undefined);
  if (existsSync(file)) return require(file);
  throw new Error(
    `CometBFT ${cometVersion} is not here and cannot be built: install Go 1.22 or later, or set SYMBOLON_COMETBFT to its file`,
  );
}

function require(file: string): string {
  const version = versionOf(file);
  if (version === cometVersion) return file;
  throw new Error(`${file} is ${version ?? 'no CometBFT'}, CometBFT ${cometVersion} is needed`);
}
