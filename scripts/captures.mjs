/** `npm run captures`: the pictures of docs/captures.md, and that page, made anew. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { capturesFolder, takeCaptures } from './lib/captures.mjs';
import { root } from './lib/node.mjs';
import { main, say } from './lib/say.mjs';
import { pictureOf } from './lib/terminal-picture.mjs';

const heading = `# What commands show

The ten most used commands in a terminal of 80 columns, on the demo. \`npm run captures\` runs them and makes these pictures; ids,
moments and durations are made the same each time. All commands: [cli.md](cli.md), [cli-credentials.md](cli-credentials.md).
`;

const firstLine = (typed) => typed.split(' \\\n')[0];

await main(async () => {
  const taken = await takeCaptures();
  mkdirSync(capturesFolder, { recursive: true });
  for (const name of readdirSync(capturesFolder)) rmSync(path.join(capturesFolder, name));
  for (const { name, typed, lines } of taken)
    writeFileSync(path.join(capturesFolder, `${name}.svg`), pictureOf(lines, firstLine(typed)));
  const parts = taken.map(
    ({ name, typed, says }) => `${says}\n\n![${firstLine(typed)}](captures/${name}.svg)\n`,
  );
  writeFileSync(path.join(root, 'docs', 'captures.md'), [heading, ...parts].join('\n'));
  say(`  ✔ ${taken.length} pictures are in docs/captures, and docs/captures.md shows them`);
});
