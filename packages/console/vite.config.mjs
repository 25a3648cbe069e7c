/**
 * How the console is built, and served while somebody works on it (`npx vite packages/console`, with a demo running on
 * the usual port). Nothing is inlined: the policy of the service allows no script and no style but files of its own.
 */
import path from 'node:path';
import { defineConfig } from 'vite';

/** Where a developer's own service listens; `npm start` says so. */
const service = process.env.SYMBOLON_SERVICE ?? 'http://127.0.0.1:8080';
const passedOn = [
  '/console/',
  '/ledger/',
  '/demo/',
  '/cred/',
  '/v1/',
  '/1.0/',
  '/openapi.json',
  '/docs',
  '/readyz',
];

/** Pages of the console below a path that is passed on, too: those a browser asks for as a page. */
const isPage = ({ headers }) => headers.accept?.includes('text/html');

/**
 * Zod tries out whether it may make code of text, which a strict policy refuses and reports. It is told not to try where
 * it makes its settings, because every table of routes is read before any line of ours runs.
 */
const withoutEval = {
  name: 'zod-without-eval',
  apply: 'build',
  transform(code, id) {
    if (!/\/zod\/v4\/core\/core\.js$/.test(id)) return undefined;
    const settings = '(_a.__zod_globalConfig = {})';
    if (!code.includes(settings))
      this.error('Zod makes its settings in another way: look at vite.config.mjs');
    return code.replace(settings, '(_a.__zod_globalConfig = { jitless: true })');
  },
};

/** Every schema of Zod can say itself as JSON Schema, which no page asks for: some 8 kB of the first load. */
const withoutJsonSchema = {
  name: 'zod-without-json-schema',
  apply: 'build',
  transform(code, id) {
    if (!/\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/.test(id)) return undefined;
    const names = [...code.matchAll(/^export (?:function|const) (\w+)/gm)].map(([, name]) => name);
    if (names.length === 0) this.error('Zod says its JSON Schema in another way: look at vite.config.mjs');
    return [
      "const absent = () => { throw new Error('this build has no JSON Schema'); };",
      ...names.map(
        (name) => `export const ${name} = ${name.startsWith('create') ? '() => absent' : 'absent'};`,
      ),
      ...(names.includes('processSchema') ? ['export { processSchema as process };'] : []),
    ].join('\n');
  },
};

/** The library of proofs is for the worker alone; pages ask that. */
const proofsInWorker = {
  name: 'proofs-in-worker',
  enforce: 'pre',
  resolveId(source, importer) {
    if (source !== './dock-engine.ts' || !importer?.endsWith('/sdk/src/proofs/engine-choice.ts')) return null;
    return path.join(import.meta.dirname, 'src/proofs/page-engine.ts');
  },
};

export default defineConfig({
  plugins: [withoutEval, withoutJsonSchema, proofsInWorker],
  root: import.meta.dirname,
  publicDir: 'public',
  server: {
    proxy: Object.fromEntries(
      passedOn.map((path) => [
        path,
        { target: service, bypass: (request) => (isPage(request) ? '/index.html' : undefined) },
      ]),
    ),
  },
  // Workers load the library of proofs when they need it, as a file of its own.
  worker: { format: 'es', plugins: () => [withoutEval, withoutJsonSchema] },
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: 'licences.md' },
    rolldownOptions: {
      // Mantine marks its files for servers that draw pages, which ours does not.
      onLog(level, log, tell) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log);
      },
      output: {
        codeSplitting: {
          // What a desk shares with the first page would be drawn into the desk's chunk, and that into the first load.
          includeDependenciesRecursively: false,
          groups: [
            // Everything of a desk is one chunk, which is loaded when somebody goes there.
            {
              debugName: 'desks',
              name: (id) => /\/src\/desks\/([^/]+)\//.exec(id)?.[1] ?? null,
              test: /\/src\/desks\//,
            },
            { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// },
            // What the first page needs is one file beside its entry: it compresses better than its parts, and browsers fetch
            // six files at a time.
            { name: 'first', tags: ['$initial'], test: /(?<!\/src\/main\.tsx|\.html)$/ },
          ],
        },
      },
    },
  },
  oxc: { jsx: { runtime: 'automatic' } },
});
