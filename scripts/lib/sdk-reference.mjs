/**
 * The SDK's public surface, read from its entries: the sorted list of exports that changes only on purpose
 * (packages/sdk/exports.json), and the reference (docs/sdk-reference.md) made from the declarations that the compiler
 * writes. Declarations are regular enough to be taken apart at their top level without a parser.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compileInto } from './checks.mjs';
import { root } from './node.mjs';
import { Complaint } from './say.mjs';

const packages = path.join(root, 'packages');
export const exportsFile = path.join(packages, 'sdk', 'exports.json');
export const referenceFile = path.join(root, 'docs', 'sdk-reference.md');
const entries = {
  '@symbolon/sdk': 'index',
  '@symbolon/sdk/verifier': 'verifier',
  '@symbolon/sdk/wallet': 'wallet',
};

/** Statements `export {…} from '…'` of a file: what, under which name, from where, and whether only as a type. */
function reexports(text) {
  const found = [];
  for (const [, isType, names, from] of text.matchAll(/^export (type )?\{([^}]*)\} from '([^']+)';/gm)) {
    for (const item of names.split(',')) {
      const [, typeOnly, name, , as] = /^\s*(type )?(\w+)( as (\w+))?\s*$/.exec(item) ?? [];
      if (name) found.push({ name, as: as ?? name, from, isType: Boolean(isType ?? typeOnly) });
    }
  }
  return found;
}

/** Upper case before lower case, letter by letter, as imports are sorted; modules of other packages come first. */
const sortKey = ({ from, as }) =>
  `${from} ${as}`
    .replace(/^\./, '~')
    .replace(/[a-z]/gi, (letter) => `${letter.toLowerCase()}${letter === letter.toLowerCase() ? 1 : 0}`);

/** Of an entry, with what it takes over from another one whole (`export * from '…'`), sorted. */
function entryExports(name) {
  const text = entryText(name);
  const whole = [...text.matchAll(/^export \* from '\.\/(\w+)\.ts';/gm)].flatMap(([, entry]) =>
    entryExports(entry),
  );
  return [...reexports(text), ...whole].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

const entryText = (name) => readFileSync(path.join(packages, 'sdk', 'src', `${name}.ts`), 'utf8');

/** What a verifier imports is among what the first entry exports. */
const allExports = () => [...entryExports('index'), ...entryExports('wallet')];

/** What each entry exports, sorted: values and types apart. */
export function sdkExports() {
  const lists = Object.entries(entries).map(([entry, file]) => {
    const all = entryExports(file);
    const named = (isType) => all.filter((item) => item.isType === isType).map(({ as }) => as);
    return [entry, { values: named(false).sort(), types: named(true).sort() }];
  });
  return Object.fromEntries(lists);
}

export const exportsText = () => `${JSON.stringify(sdkExports(), null, 2)}\n`;

const sourceFile = (from) => declarationFile(from, 'sdk/src/index.d.ts').replace(/\.d\.ts$/, '.ts');

/** Has the compiler write declarations of the entries and all that they import, and gives them to the work. */
async function withDeclarations(node, work) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-declarations-'));
  try {
    const sources = ['./index.ts', './verifier.ts', './wallet.ts', ...allExports().map(({ from }) => from)];
    const untyped = path.join(packages, 'formats/src/json-ld/untyped.d.ts');
    const files = [...new Set(sources)].map((from) => path.join(packages, sourceFile(from))).concat(untyped);
    const compilerOptions = { emitDeclarationOnly: true, rootDir: root, outDir: folder };
    const problem = await compileInto(folder, { node, files, compilerOptions });
    if (problem !== undefined) throw new Complaint(`The declarations cannot be made.\n${problem}`);
    return work((file) => readFileSync(path.join(folder, 'packages', file), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `./x.ts` and `@symbolon/core/x` as paths below packages. */
function declarationFile(from, importer) {
  if (from.startsWith('@symbolon/')) {
    const [, name, rest] = /^@symbolon\/([^/]+)\/(.+)$/.exec(from);
    return `${name}/src/${rest}.d.ts`;
  }
  return path.posix.join(path.posix.dirname(importer), from.replace(/\.ts$/, '.d.ts'));
}

/** Top-level declarations by name, each with its doc comment. A function may be declared several times. */
function declarationsIn(text) {
  const found = new Map();
  const starts = /^export (?:declare )?(?:abstract )?(?:interface|type|class|const|function) (\w+)/;
  let comment = [];
  let current;
  for (const line of text.split('\n')) {
    const isTop = /^\S/.test(line) && !/^[}\])]/.test(line);
    if (isTop) {
      const name = starts.exec(line)?.[1];
      current = undefined;
      if (/^(\/\*\*|\s?\*)/.test(line)) comment.push(line);
      else if (name) {
        current = found.get(name) ?? { comment, lines: [] };
        current.lines.push(line);
        found.set(name, current);
        comment = [];
      } else comment = [];
    } else if (current) current.lines.push(line);
    else if (comment.length > 0) comment.push(line);
  }
  return found;
}

const proseOf = (comment) =>
  comment
    .map((line) => line.replace(/^\s*(\/\*\*|\*\/|\*)\s?/, '').replace(/\s*\*\/\s*$/, ''))
    .join('\n')
    .trim();

/** Follows re-exports until the declaration is found. */
function findDeclaration(read, file, name) {
  const text = read(file);
  const found = declarationsIn(text).get(name);
  if (found) return { ...found, file };
  const next = reexports(text).find((item) => item.as === name);
  if (!next) throw new Complaint(`${name} is not declared in ${file}`);
  return findDeclaration(read, declarationFile(next.from, file), next.name);
}

const withoutExport = (lines) =>
  lines
    .join('\n')
    .replace(/^export (declare )?/gm, '')
    .replace(/^( {4})+/gm, (indent) => ' '.repeat(indent.length / 2))
    .trim();

/** The opening paragraph of a module, which says what it is. */
const moduleProse = (text) => proseOf((/^\/\*\*[\s\S]*?\*\//.exec(text)?.[0] ?? '').split('\n'));

function moduleSection(read, source, names) {
  const file = declarationFile(source, 'sdk/src/index.d.ts');
  const sourceText = readFileSync(path.join(packages, sourceFile(source)), 'utf8');
  const parts = names.map(({ name, as }) => {
    const { comment, lines } = findDeclaration(read, file, name);
    const prose = proseOf(comment);
    const code = ['```typescript', withoutExport(lines), '```'].join('\n');
    return [`### ${as}`, ...(prose === '' ? [] : [prose]), code].join('\n\n');
  });
  const title = source.replace(/^\.\//, '').replace(/\.ts$/, '');
  return [`## ${title}`, moduleProse(sourceText), ...parts].filter((part) => part !== '').join('\n\n');
}

/** The whole reference as text. */
export function sdkReference(node) {
  return withDeclarations(node, (read) => {
    const exported = allExports();
    const sources = [...new Set(exported.map(({ from }) => from))];
    const sections = sources.map((source) =>
      moduleSection(
        read,
        source,
        exported.filter(({ from }) => from === source),
      ),
    );
    const { values } = sdkExports()['@symbolon/sdk/verifier'];
    return `${[
      '# Reference of the SDK',
      'Every export of `@symbolon/sdk` and `@symbolon/sdk/wallet`, by the module that declares it. Made from the declarations by `npm run sdk-reference`; [sdk.md](sdk.md) shows how they are used.',
      `\`@symbolon/sdk/verifier\` exports the part of them that a page needs which only verifies: ${values.map((name) => `\`${name}\``).join(', ')}, and the types of these.`,
      `\`@symbolon/sdk/wallet\` is an entry of its own: ${sdkExports()
        ['@symbolon/sdk/wallet'].values.map((name) => `\`${name}\``)
        .join(', ')}, and the types of these.`,
      ...sections,
    ].join('\n\n')}\n`;
  });
}

export async function writeSdkReference(node) {
  writeFileSync(exportsFile, exportsText());
  writeFileSync(referenceFile, await sdkReference(node));
}
