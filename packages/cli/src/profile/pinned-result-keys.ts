/**
 * The keys with which a service signs results, remembered beside the profile at first use (`<profile>.pins.json`): a
 * result says who may pass, so a service, or somebody in its place, must not come with other keys unnoticed. A change
 * is shown and refused until the user says that it is good.
 */
import { open, rm } from 'node:fs/promises';
import { newResultKeys, type ResultKeys } from '@symbolon/sdk/verification/signed-results';
import { z } from 'zod';
import { writeWhole } from '../machine/durable-files.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { printable } from '../terminal/terminal.ts';
import type { Connection } from './connection.ts';

export interface ResultKeyWords {
  readonly acceptNewKeys?: boolean;
}

export const acceptNewKeysText = 'take other keys of the service than are remembered, and remember them';

const pinsForm = 'symbolon-pins-1';
const pinsBytesMax = 1_048_576;
const writableByOthers = 0o022;
const keyText = z.string().min(1).max(256);
const keySchema = z.strictObject({ kid: keyText, kty: keyText, crv: keyText, x: keyText });
const pinsSchema = z.strictObject({
  form: z.literal(pinsForm),
  /** By the origin of the service. */
  resultKeys: z.record(z.string(), z.array(keySchema).min(1)),
});
type PinsFile = z.output<typeof pinsSchema>;
type PinnedKeys = PinsFile['resultKeys'][string];

/** The keys by which results of this service are judged; a failure where it shows others than are remembered. */
export async function trustedResultKeys(
  connection: Connection,
  { acceptNewKeys = false }: ResultKeyWords,
  { remark }: Terminal,
): Promise<ResultKeys> {
  const { serviceUrl, profileFile } = connection;
  const shown = await connection.service.getResultKeys();
  if (profileFile === undefined) {
    remark('There is no profile, so the keys of results are taken as the service shows them.');
    return shown;
  }
  const { origin } = new URL(serviceUrl);
  const { file, pins, pinned } = await rememberedKeys(profileFile, origin);
  const added = newResultKeys({ keys: pinned ?? [] }, shown);
  if (!acceptNewKeys) assertRemembered(origin, { pinned, added });
  // One that is not shown any more is forgotten: its service may have given it up because others have it.
  const keys = pinnedForm(shown);
  if (keys.length === 0 || (added.length === 0 && keys.length === pinned?.length)) return { keys };
  await writePins(file, { ...pins, resultKeys: { ...pins.resultKeys, [origin]: keys } });
  const told = keys.map(({ kid }) => printable(kid)).join(', ');
  remark([
    `${pinned ? 'From now on' : 'First use:'} results of ${origin} count with these keys:`,
    `  ${told}`,
    `They are remembered in ${file}.`,
  ]);
  return { keys };
}

/** For whoever waits for no result: a service that shows others than are remembered is not asked for anything. */
export async function assertResultKeys({ service, serviceUrl, profileFile }: Connection): Promise<void> {
  if (profileFile === undefined) return;
  const { origin } = new URL(serviceUrl);
  const { pinned } = await rememberedKeys(profileFile, origin);
  if (!pinned) return;
  assertRemembered(origin, { pinned, added: newResultKeys({ keys: pinned }, await service.getResultKeys()) });
}

async function rememberedKeys(profileFile: string, origin: string) {
  const file = pinsFileOf(profileFile);
  const pins = await readPins(file);
  const pinned = Object.hasOwn(pins.resultKeys, origin) ? pins.resultKeys[origin] : undefined;
  return { file, pins, pinned };
}

interface Compared {
  readonly pinned: PinnedKeys | undefined;
  readonly added: readonly string[];
}

function assertRemembered(origin: string, { pinned, added }: Compared): void {
  if (!pinned || added.length === 0) return;
  throw areOthers(origin, pinned, added.map((name) => printable(name)).join(', '));
}

export const pinsFileOf = (profileFile: string): string => profileFile.replace(/(?:\.json)?$/, '.pins.json');

const noPins: PinsFile = { form: pinsForm, resultKeys: {} };

function pinnedForm({ keys }: ResultKeys): PinnedKeys {
  return keys.flatMap(({ kid, kty, crv, x }) => {
    const read = keySchema.safeParse({ kid, kty, crv, x });
    return read.success ? [read.data] : [];
  });
}

async function readPins(file: string): Promise<PinsFile> {
  const text = await readBounded(file);
  if (text === undefined) return noPins;
  try {
    return pinsSchema.parse(JSON.parse(text));
  } catch {
    // Told below: what it should be, not what it is.
  }
  throw new CommandFailure(
    `${file} is damaged.\nIt should hold the keys that were remembered.\nPut it back, or move it away: the next use remembers the keys that the service then shows.`,
    exitCodes.config,
  );
}

async function readBounded(file: string): Promise<string | undefined> {
  try {
    await using handle = await open(file);
    const { size, mode } = await handle.stat();
    if ((mode & writableByOthers) !== 0)
      throw new CommandFailure(
        `${file} can be changed by others, so it is not relied upon.\nClose it with: chmod 600 ${file}\nLook first whether the keys in it are right.`,
        exitCodes.config,
      );
    return size > pinsBytesMax ? '' : await handle.readFile('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writePins(file: string, pins: PinsFile): Promise<void> {
  // Two commands may write at once: each has an unfinished file of its own, and the last one stays.
  const unfinished = `${file}.${process.pid}.new`;
  await rm(unfinished, { force: true });
  await writeWhole(file, `${JSON.stringify(pins)}\n`, unfinished);
}

const areOthers = (origin: string, pinned: PinnedKeys, names: string): CommandFailure =>
  new CommandFailure(
    [
      `${origin} signs results with other keys than before.`,
      `Remembered: ${pinned.map(({ kid }) => printable(kid)).join(', ')}. New, or changed: ${names}. Nothing that they sign is taken.`,
      'Ask whoever runs the service whether the keys were changed. If so: --accept-new-keys',
    ].join('\n'),
    exitCodes.notVerified,
    { code: 'resultKeysChanged' },
  );
