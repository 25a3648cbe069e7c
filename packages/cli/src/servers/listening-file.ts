/**
 * Where the node or the service of a folder listens while it runs, as a file in that folder: the command line may have
 * named other ports than the settings. What is left of a process that was killed is known by its number.
 */
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../machine/durable-files.ts';

const listeningSchema = z.object({
  pid: z.int().positive(),
  url: z.url(),
  socketUrl: z.url().optional(),
});
export type Listening = Readonly<z.infer<typeof listeningSchema>>;

const fileIn = (folder: string): string => path.join(folder, 'listening.json');

/** Gives what removes it again. */
export async function tellListening(
  folder: string,
  addresses: Omit<Listening, 'pid'>,
): Promise<() => Promise<void>> {
  const file = fileIn(folder);
  const text = `${JSON.stringify({ pid: process.pid, ...addresses })}\n`;
  await writeWhole(file, text, `${file}.${process.pid}.new`);
  return async () => {
    // Another one of the same folder may have told its own since.
    if ((await readListening(folder))?.pid === process.pid) await rm(file, { force: true });
  };
}

/** What runs in a folder; undefined where nothing does, or nobody has told. */
export async function readListening(folder: string): Promise<Listening | undefined> {
  const text = await readFile(fileIn(folder), 'utf8').catch(() => '');
  const read = listeningSchema.safeParse(parsedOrNothing(text));
  return read.success && isAlive(read.data.pid) ? read.data : undefined;
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // One of another user is there, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
