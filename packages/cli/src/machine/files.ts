/** Files and streams of other people, read only as far as they are allowed to be long. */
import { open, stat } from 'node:fs/promises';

export const exists = (place: string): Promise<boolean> =>
  stat(place).then(
    () => true,
    () => false,
  );

/** The text of a file; undefined if it has more bytes than it may. */
export async function readSmallText(file: string, bytesMax: number): Promise<string | undefined> {
  await using handle = await open(file);
  return (await handle.stat()).size > bytesMax ? undefined : await handle.readFile('utf8');
}

/** The text of a stream; undefined, and no more is read, if it has more bytes than it may. */
export async function readStream(
  chunks: AsyncIterable<Buffer>,
  bytesMax: number,
): Promise<string | undefined> {
  const taken: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) return undefined;
    taken.push(chunk);
  }
  return Buffer.concat(taken).toString('utf8');
}
