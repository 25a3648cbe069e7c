/** Requests as commands of curl. */
import { openPlace } from './fill-ins.ts';
import type { SampleCall } from './sample-call.ts';
import { type Style, written } from './written.ts';

/** In single quotes, in which a shell changes nothing. */
const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A mark that no value can hold, for the place where a shell puts in a variable. */
const gapMark = '\u0000';
const gap = new RegExp(`${gapMark}(\\w+)${gapMark}`, 'g');

const styleOf = (isOpen: Style['isOpen']): Style => ({
  member: JSON.stringify,
  text: JSON.stringify,
  secret: (variable) => `"${gapMark}${variable}${gapMark}"`,
  open: (name) => JSON.stringify(openPlace(name)),
  isOpen,
});

export function curlText(call: SampleCall, origin: string, payment?: string): string {
  const { method, path, needsKey, isStream, body, open, isOpen } = call;
  const words = [`curl${isStream ? ' --no-buffer' : ''} ${shellText(`${origin}${path}`)}`];
  if (method !== 'GET' && body === undefined) words.push(`-X ${method}`);
  if (needsKey) words.push(`-H "authorization: Bearer $SYMBOLON_API_KEY"`);
  for (const name of [...open.headers, ...(payment === undefined ? [] : [payment])])
    words.push(`-H ${shellText(`${name}: ${openPlace(name)}`)}`);
  if (body !== undefined) {
    words.push(`-H 'content-type: application/json'`);
    words.push(`-d ${shellText(written(body, styleOf(isOpen))).replaceAll(gap, `'"$$$1"'`)}`);
  }
  return words.join(' \\\n  ');
}
