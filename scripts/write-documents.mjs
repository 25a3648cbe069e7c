/** `npm run documents`: writes the documents that are made from the code. A test fails while one is out of date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { generatedDocuments } from './lib/documents.mjs';
import { root } from './lib/node.mjs';
import { main, say } from './lib/say.mjs';

await main(async () => {
  // llms.txt tells of the others: the first round may make those new.
  for (let round = 0; round < 2; round += 1) {
    for (const [file, text] of Object.entries(await generatedDocuments(process.execPath))) {
      const place = path.join(root, file);
      if (existsSync(place) && readFileSync(place, 'utf8') === text) continue;
      writeFileSync(place, text);
      say(`  ✔ ${file}`);
    }
  }
});
