/** `npm run examples`: plays every example against a fresh demo and writes them where the documents take them from. */
import { writeFileSync } from 'node:fs';
import { stringifyJson } from '@symbolon/wire/json/json';
import type { Played } from './player.ts';
import { playAll } from './plays.ts';

const folder = new URL('../../packages/wire/src/openapi/', import.meta.url);

/** One example a line: a new recording shows which of them have changed. */
function write(name: string, played: Played): void {
  const lines = Object.entries(played)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([route, example]) => `  ${JSON.stringify(route)}: ${stringifyJson(example as never)}`);
  writeFileSync(new URL(name, folder), `{\n${lines.join(',\n')}\n}\n`);
}

const ends: (() => void | Promise<void>)[] = [];
try {
  const { ledger, service } = await playAll({ after: (end) => void ends.push(end) });
  write('ledger-examples.json', ledger);
  write('service-examples.json', service);
} finally {
  for (const end of ends.reverse()) await end();
}
