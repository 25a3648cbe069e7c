/**
 * The documents that are made from the code: the catalogue of errors, the licences, llms.txt, in ARCHITECTURE.md
 * the picture of the rooms and what packages depend on, and the tables of docs/scale.md. A test compares their texts with what is there; as a program
 * (`npm run documents`) it writes them. Runs on the product's Node, because it reads the packages' TypeScript.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { runCollecting } from './child.mjs';
import { licencesMarkdown } from './licences.mjs';
import { parseLock, readLockText } from './lock-file.mjs';
import { root } from './node.mjs';
import { Complaint, main, say } from './say.mjs';

const load = (file) => import(pathToFileURL(path.join(root, file)).href);

/** The commands of `symbolon`, as its own help lists them. */
async function listCommands(node) {
  const program = path.join(root, 'packages/cli/src/main.ts');
  const { code, output } = await runCollecting(node, [program, '--help']);
  if (code !== 0) throw new Complaint(`symbolon --help ended with code ${code}.\n${output.trim()}`);
  const commands = [];
  for (const line of output.split('\n')) {
    const [, name, about] = /^ {2}([a-z][\w-]*)\S*(?: \S+)*? {2,}(\S.*)$/.exec(line) ?? [];
    if (name) commands.push({ name, about });
    else if (/^ {4,}\S/.test(line) && commands.length > 0) commands.at(-1).about += ` ${line.trim()}`;
  }
  return commands.filter(({ name }) => name !== 'help').sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What the README says a document is for, by path; a row of its table may name several. */
function readmePurposes() {
  const rows = readFileSync(path.join(root, 'README.md'), 'utf8').matchAll(/^\| (\[.+?) \| (.+?) \|$/gm);
  return new Map(
    [...rows].flatMap(([, links, purpose]) =>
      [...links.matchAll(/\]\(([^)#]+)\)/g)].map(([, file]) => [file, purpose]),
    ),
  );
}

/** The first sentence of a document that is one. */
function firstSentence(text) {
  const paragraph = text.split(/\n\s*\n/).find((part) => /^[\w*`[]/.test(part)) ?? '';
  const plain = paragraph
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*|\s+/g, (found) => (found === '*' ? '' : ' '))
    .trim();
  return (/^.*?[.:](?=\s|$)/.exec(plain)?.[0] ?? plain).replace(/[.:]$/, '');
}

function describeDocument(file, purposes) {
  const text = readFileSync(path.join(root, file), 'utf8');
  const name = /^# (.+)$/m.exec(text)?.[1] ?? file;
  return { name, path: file, about: purposes.get(file) ?? firstSentence(text) };
}

function listDocuments() {
  const below = (folder) =>
    readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const file = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return below(file);
      return entry.name.endsWith('.md') ? [file] : [];
    });
  const files = ['README.md', 'ARCHITECTURE.md', 'SECURITY.md', ...below('docs').sort()];
  const purposes = readmePurposes();
  return files.map((file) => describeDocument(file, purposes));
}

/** Every document by its path from the root. */
export async function generatedDocuments(node) {
  const { catalogueMarkdown } = await load('packages/wire/src/openapi/error-catalogue.ts');
  const { sdkErrorWords } = await load('packages/sdk/src/errors/error-words.ts');
  const { checkoutGuide } = await load('packages/wire/src/openapi/llms-text.ts');
  const { readHouse } = await load('test/tidy/house.ts');
  const { drawRooms } = await load('test/tidy/room-picture.ts');
  const { fillScaleTables } = await load('bench/scale/tables.ts');
  const architecture = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
  return {
    'ARCHITECTURE.md': drawRooms(architecture, readHouse(root)),
    'docs/errors.md': catalogueMarkdown(sdkErrorWords),
    'docs/scale.md': fillScaleTables(readFileSync(path.join(root, 'docs/scale.md'), 'utf8')),
    'docs/licences.md': licencesMarkdown(parseLock(readLockText())),
    'llms.txt': checkoutGuide({ commands: await listCommands(node), documents: listDocuments() }),
  };
}

async function writeDocuments() {
  // llms.txt tells of the others: the first round may make those new.
  for (let round = 0; round < 2; round += 1) {
    for (const [file, text] of Object.entries(await generatedDocuments(process.execPath))) {
      const place = path.join(root, file);
      if (existsSync(place) && readFileSync(place, 'utf8') === text) continue;
      writeFileSync(place, text);
      say(`  ✔ ${file}`);
    }
  }
}

if (import.meta.main) await main(writeDocuments);
