/** The house rules, held against small houses that break them: a rule that finds nothing anywhere is no rule. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readHouse } from './house.ts';
import { drawRooms } from './room-picture.ts';
import { closingImports, crossings } from './rooms.ts';
import { rules, untested, unused } from './rules.ts';

const opening = '/** A file of a house that exists only for a test. */\n';
const manifest = { scripts: { start: 'node x' }, devDependencies: { 'fast-check': '1' } };

const basics = {
  'package.json': JSON.stringify(manifest),
  'tsconfig.json': JSON.stringify({
    compilerOptions: { noLib: true, types: [] },
    include: ['packages/*/src', 'test'],
  }),
};

/** Builds a house of the given files, runs `look` on it and takes it down again. */
function inHouse<Result>(files: Record<string, string>, look: (root: string) => Result): Result {
  const root = mkdtempSync(path.join(os.tmpdir(), 'symbolon-house-'));
  try {
    for (const [file, text] of Object.entries({ ...basics, ...files })) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
    }
    return look(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const complaints = (name: string, files: Record<string, string>) =>
  inHouse(files, (root) => rules[name]?.(readHouse(root), root) ?? assert.fail(`no rule ${name}`));

const lines = (count: number) => 'x();\n'.repeat(count);

describe('imports run one way', () => {
  const found = (file: string, code: string) => complaints('imports run one way', { [file]: code });

  test('what is allowed is not complained about', () => {
    for (const [file, code] of [
      ['packages/core/src/a.ts', "import '@scure/base'; import '@bufbuild/protobuf/wire'; import './b.ts';"],
      ['packages/core/src/a.test.ts', "import 'node:fs'; import 'fast-check';"],
      ['packages/wire/src/a.ts', "import 'zod'; import '@symbolon/core/basics/bytes';"],
      ['packages/cli/src/a.ts', "import '@symbolon/ledger-node/x'; import '@symbolon/credential-service/x';"],
      ['packages/core/src/a.ts', "// import 'node:fs'\nconst text = `import 'node:fs'`;"],
    ] as const) {
      assert.deepEqual(found(file, code), [], code);
    }
  });

  test('every way to import against the direction is seen', () => {
    for (const code of [
      "import { x } from '@symbolon/wire/x';",
      "import type { X } from '@symbolon/host/x';",
      "export * from '@symbolon/sdk/x';",
      "const x = await import('@symbolon/ledger-node/x');",
      "import 'node:fs';",
      "import 'zod';",
      "import '../../wire/src/x.ts';",
    ]) {
      assert.equal(found('packages/core/src/a.ts', code).length, 1, code);
    }
  });

  test('the ledger and the credential service never meet', () => {
    for (const [from, to] of [
      ['ledger-node', 'credential-service'],
      ['credential-service', 'ledger-node'],
      ['sdk', 'host'],
      ['host', 'sdk'],
      ['console', 'host'],
      ['wire', 'sdk'],
    ]) {
      assert.deepEqual(found(`packages/${from}/src/a.ts`, `\nimport '@symbolon/${to}/x';`), [
        `packages/${from}/src/a.ts:2 ${from} must not import ${to}`,
      ]);
    }
  });

  test('a package nobody has placed is complained about', () => {
    assert.equal(found('packages/stray/src/a.ts', "import './b.ts';").length, 1);
  });
});

describe('size', () => {
  const functions = (code: string) =>
    complaints('no function is too long', { 'packages/core/src/a.ts': code });

  test('a file may have 500 lines', () => {
    const files = { 'packages/core/src/a.ts': lines(500), 'packages/core/src/b.ts': lines(501) };
    assert.deepEqual(complaints('no file is too long', files), [
      'packages/core/src/b.ts:500 is 501 lines long, 500 at most',
    ]);
  });

  test('generated files may be longer', () => {
    const files = { 'packages/core/src/proto/a_pb.ts': `function a() {\n${lines(600)}}` };
    assert.deepEqual(complaints('no file is too long', files), []);
    assert.deepEqual(complaints('no function is too long', files), []);
  });

  test('a function may have 70 lines, in every form a function has', () => {
    const fits = lines(68);
    for (const [before, after] of [
      ['function a() {\n', '}'],
      ['const a = () => {\n', '};'],
      ['const o = { a() {\n', '} };'],
      ['const o = { a: async function () {\n', '} };'],
      ['class A { constructor() {\n', '} }'],
      ['class A { get a() {\n', '} }'],
      ['run(() => {\n', '});'],
    ]) {
      assert.deepEqual(functions(`${before}${fits}${after}`), [], before);
      assert.equal(functions(`${before}${fits}x();\n${after}`).length, 1, before);
    }
  });

  test('named functions inside count for themselves, bare callbacks for their holder', () => {
    const inner = `function b() {\n${lines(60)}}\n`;
    assert.deepEqual(functions(`function a() {\n${inner}${lines(60)}}`), []);
    const callback = `run(() => {\n${lines(60)}});\n`;
    assert.equal(functions(`function a() {\n${callback}${lines(60)}}`).length, 1);
  });

  test('braces in texts and comments do not confuse it', () => {
    assert.deepEqual(functions(`function a() { return '{'; } // {\n${lines(100)}`), []);
  });

  test('a list of tests is no function, a test is one', () => {
    const one = `test('x', () => {\n${lines(60)}});\n`;
    assert.deepEqual(functions(`describe('all', () => {\n${one.repeat(3)}});`), []);
    assert.equal(functions(`describe('all', () => {\ntest('x', () => {\n${lines(80)}}); });`).length, 1);
  });
});

describe('rooms', () => {
  test('a folder may hold 25 source files, its tests aside', () => {
    const names = Array.from({ length: 25 }, (_, at) => `packages/core/src/room/a${at}.ts`);
    const files = Object.fromEntries(names.map((name) => [name, opening]));
    const others = {
      'packages/core/src/room/a.test.ts': opening,
      'packages/core/src/room/below/b.ts': opening,
    };
    const name = 'no folder is too full';
    assert.deepEqual(complaints(name, { ...files, ...others }), []);
    assert.deepEqual(complaints(name, { ...files, 'packages/core/src/room/b.ts': opening }), [
      'packages/core/src/room holds 26 source files, 25 at most',
    ]);
  });

  const circle = 'no rooms use each other in a circle';
  const oneWay = {
    'packages/core/src/one/a.ts': "import '../two/b.ts';\nimport './c.ts';\nimport '@symbolon/core/two/d';",
    'packages/core/src/one/c.ts': "import './a.ts';",
    'packages/core/src/two/b.ts': "import '../three/e.ts'; import 'node:fs';",
    'packages/core/src/two/b.test.ts': "import '../one/a.ts';",
    'packages/core/src/three/e.ts': opening,
  };

  test('rooms may use each other one way, tests both ways', () =>
    assert.deepEqual(complaints(circle, oneWay), []));

  test('every kind of import closes a circle', () => {
    for (const code of [
      "import { x } from '../one/a.ts';",
      "import type { X } from '../one/a.ts';",
      "export * from '../one/a.ts';",
      "const x = await import('../one/a.ts');",
      "type X = import('../one/a.ts').X;",
      "import '@symbolon/core/one/a';",
    ]) {
      const found = complaints(circle, { ...oneWay, 'packages/core/src/three/e.ts': `\n${code}` });
      assert.equal(found.length, 1, code);
      assert.match(
        found[0]!,
        /^packages\/core\/src\/(three\/e.ts:2|two\/b.ts:1) closes the circle core\//,
        code,
      );
    }
  });

  test('of a circle the step with the fewest imports is named, with all of them', () => {
    const files = {
      ...oneWay,
      'packages/core/src/two/b.ts': "import '../one/a.ts';",
    };
    assert.deepEqual(complaints(circle, files), [
      'packages/core/src/two/b.ts:1 closes the circle core/one → core/two → core/one',
    ]);
    inHouse(files, (root) =>
      assert.deepEqual(
        closingImports(crossings(readHouse(root))).map(({ from, to }) => [from, to]),
        [['core/two', 'core/one']],
      ),
    );
  });

  test('a name that two files export is seen; one that is passed on is not', () => {
    const name = 'one name is one thing';
    const files = {
      'packages/core/src/one/a.ts': 'export interface Thing {}\nexport const Thing = 1, other = 2;',
      'packages/core/src/two/b.ts': "export { Thing } from '../one/a.ts'; const other = 1;",
      'packages/core/src/two/b.test.ts': 'export const other = 1;',
      'packages/wire/src/c.ts': 'export function create() {}',
      'packages/wire/src/d.ts': 'export function create() {}',
    };
    assert.deepEqual(complaints(name, files), []);
    for (const code of ['export class Thing {}', 'export type Thing = 1', 'export enum Thing {}'])
      assert.deepEqual(complaints(name, { ...files, 'packages/wire/src/c.ts': `\n${code}` }), [
        'packages/core/src/one/a.ts:2 and packages/wire/src/c.ts:2 export Thing for two things',
      ]);
  });
});

describe('words and names', () => {
  test('unfinished and held-back work is seen', () => {
    for (const word of ['TO' + 'DO: later', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK']) {
      const files = { 'packages/core/src/a.ts': `\n// ${word}` };
      assert.equal(complaints('nothing is left unfinished or held back', files).length, 1, word);
    }
    for (const word of ['only', 'skip', 'todo']) {
      const files = { 'packages/core/src/a.test.ts': `test.${word}('x');` };
      assert.equal(complaints('nothing is left unfinished or held back', files).length, 1, word);
    }
    const innocent = { 'packages/core/src/a.ts': "rows.skip(1); const todoList = 'XXXX';" };
    assert.deepEqual(complaints('nothing is left unfinished or held back', innocent), []);
  });

  test('a file that does not say what it is is seen', () => {
    const name = 'every file opens with what it is';
    const files = {
      'packages/core/src/a.ts': opening,
      'packages/core/src/b.ts': `export const a = 1;\n${lines(14)}`,
      'packages/core/src/c.ts': `/** Short. */\n${lines(14)}`,
      'packages/core/src/c.test.ts': lines(15),
      'packages/core/src/tiny.ts': lines(14),
      'scripts/d.mjs': '#!/usr/bin/env node\n// Says what it is, after all.\n',
    };
    assert.deepEqual(
      complaints(name, files).map((line) => line.split(':')[0]),
      ['packages/core/src/b.ts', 'packages/core/src/c.ts'],
    );
  });

  test('file names are in kebab-case and say something', () => {
    const files = {
      'packages/core/src/good-name.ts': opening,
      'packages/core/src/store.conformance.ts': opening,
      'packages/core/src/badName.ts': opening,
      'packages/core/src/byte-utils.ts': opening,
      'packages/core/src/helper.ts': opening,
    };
    assert.equal(complaints('file names say something', files).length, 3);
  });

  test('traces of a machine are seen', () => {
    // Put together here, so that this file is itself without a trace.
    const places = ['work/x', 'root/x', 'home/ada/x', 'Users/ada', 'tmp/x'].map((place) => `/${place}`);
    for (const place of [
      ...places,
      `https:/${'/registry.'}example.org/x`,
      'http://my-registry.example:4873',
    ]) {
      for (const file of ['packages/core/src/a.ts', 'docs/a.md', 'package-lock.json']) {
        assert.equal(
          complaints('no trace of a machine', { [file]: `"${place}"` }).length,
          1,
          `${place} in ${file}`,
        );
      }
    }
    const innocent = {
      'docs/a.md': 'the npm registry, https://a.example/home/x, ./tmp/x, /var/lib/symbolon',
    };
    assert.deepEqual(complaints('no trace of a machine', innocent), []);
  });
});

describe('documents', () => {
  test('links and paths must exist', () => {
    const files = {
      'docs/a.md':
        'See [b](b.md#part), [web](https://a.example), [up](../package.json) and `packages/core/src/a.ts`.',
      'docs/b.md':
        '[gone](gone.md) and `packages/core/src/gone.ts`; `packages/*/src` and packages/{a,b} are patterns.',
      'docs/c.md': 'What an install leaves in `bench/peer/node_modules/x.md` is in no clone.',
      'bench/peer/node_modules/x.md': '',
      'packages/core/src/a.ts': opening,
    };
    assert.deepEqual(complaints('every documented path is real', files), [
      'docs/b.md:1 points to gone.md, which does not exist',
      'docs/b.md:1 points to packages/core/src/gone.ts, which does not exist',
      'docs/c.md:1 points to bench/peer/node_modules/x.md, which does not exist',
    ]);
  });

  test('files that ARCHITECTURE.md names must exist, and rooms say what they are for', () => {
    const files = {
      'ARCHITECTURE.md':
        '`core/src/one/a.ts` → `b.ts`, `packages/core/src/one/b.ts`, `core/src/one` and `test` and `1.5`\n' +
        '`b.ts` and `core/src/one/a.ts` → `gone.ts`, `core/src/two`\n  1 one  (what is it for?)',
      'packages/core/src/one/a.ts': opening,
      'packages/core/src/one/b.ts': opening,
    };
    assert.deepEqual(complaints('every file and room of ARCHITECTURE.md is real', files), [
      'ARCHITECTURE.md:2 names b.ts, which does not exist',
      'ARCHITECTURE.md:2 names gone.ts, which does not exist',
      'ARCHITECTURE.md:2 names core/src/two, which does not exist',
      'ARCHITECTURE.md:3 does not say what a room is for',
    ]);
  });

  test('the picture of the rooms is drawn from the imports, with the purposes it has', () => {
    const files = {
      'packages/core/src/a.ts': "import './one/b.ts'; import './two/c.ts';",
      'packages/core/src/one/b.ts': "import '../two/c.ts';",
      'packages/core/src/two/c.ts': opening,
      'packages/wire/src/d.ts': "import '@symbolon/core/a';",
      'packages/wire/package.json': '{ "dependencies": { "zod": "1.0.0", "@symbolon/core": "0.1.0" } }',
    };
    const around = (text: string, dependencies = 'core, `zod`') =>
      `# x\n| \`wire\` | routes | ${dependencies} |\n<!-- rooms -->\n\`\`\`text\n${text}\`\`\`\n<!-- end of rooms -->\n`;
    const before = around('core\n  7 two  the second → gone\n  1 gone  what was there\n', 'old');
    const after = [
      'core',
      '  3 .    (what is it for?) → one',
      '  2 one  (what is it for?) → two',
      '  1 two  the second',
      '',
      'wire',
      '  1 .  (what is it for?)',
      '',
    ];
    inHouse(files, (root) => assert.equal(drawRooms(before, readHouse(root)), around(after.join('\n'))));
  });

  test('documents that comments name must exist', () => {
    const files = { 'docs/a.md': '', 'packages/core/src/a.ts': '// see docs/a.md and docs/b.md' };
    assert.deepEqual(complaints('every document a comment names is real', files), [
      'packages/core/src/a.ts:1 points to docs/b.md, which does not exist',
    ]);
  });

  test('files that comments name must exist', () => {
    const files = {
      'packages/core/src/keys/b.ts': '',
      'packages/core/src/a.ts': [
        '/** See `b.ts`, `keys/b.ts` and `core/src/keys/b.ts`. */',
        '',
        '// Not `c.ts`, nor `tree/b.ts`.',
        '/**',
        ' * Nor (`spec/b.md`, "Names"), nor `spec/',
        ' */',
        'const text = `d.ts`;',
      ].join('\n'),
    };
    assert.deepEqual(complaints('every file a comment names is real', files), [
      'packages/core/src/a.ts:3 names c.ts, which does not exist',
      'packages/core/src/a.ts:3 names tree/b.ts, which does not exist',
      'packages/core/src/a.ts:5 names spec/b.md, which does not exist',
      'packages/core/src/a.ts:5 names spec/, which does not exist',
    ]);
  });

  test('commands must exist', () => {
    const files = { 'README.md': 'npm start\nnpm test\nnpm run bench -- ledger\nnpm install' };
    assert.deepEqual(complaints('every documented command is real', files), [
      'README.md:2 shows npm test, which package.json does not have',
      'README.md:3 shows npm run bench, which package.json does not have',
    ]);
  });
});

describe('code', () => {
  test('the core uses nothing unsteady', () => {
    const name = 'the core is steady';
    const wrong = ['Date.now();', 'new Date();', 'Math.random();', 'a.localeCompare(b);', 'console.log(1);'];
    for (const code of wrong) {
      assert.ok(complaints(name, { 'packages/core/src/a.ts': code }).length > 0, code);
      assert.deepEqual(complaints(name, { 'packages/wire/src/a.ts': code }), []);
    }
    const innocent = "// Date.now\nMath.max(1, 2); const birthDate = 'Date.now()';";
    assert.deepEqual(complaints(name, { 'packages/core/src/a.ts': innocent }), []);
  });

  test('imports must be declared', () => {
    const name = 'what is imported is declared';
    const files = {
      'packages/core/package.json': '{"dependencies":{"@scure/base":"1"}}',
      'packages/core/src/a.ts': "import '@scure/base'; import './b.ts'; import 'node:fs';\nimport 'zod/v4';",
      'packages/core/src/a.test.ts': "import 'fast-check'; import '@symbolon/core/x';",
      'packages/core/src/b.ts': "import 'fast-check';",
    };
    assert.deepEqual(complaints(name, files), [
      'packages/core/src/a.ts:2 imports zod, which its package does not declare',
      'packages/core/src/b.ts:1 imports fast-check, which its package does not declare',
    ]);
  });

  test('a TypeScript file outside tsconfig.json is seen', () => {
    const files = { 'elsewhere/a.ts': opening, 'packages/core/src/a.ts': opening };
    assert.equal(complaints('every TypeScript file is type-checked', files).length, 1);
  });

  test('spelling of the family outside of wire is found', () => {
    const name = 'the spelling of the family stays in wire';
    const files = {
      'packages/wire/src/a.ts': "const number = 460_810; header('x-payment');",
      'packages/core/src/a.ts': 'const other = 14_006;\nconst number = 460_810;',
      'packages/credential-service/src/a.ts': "header('x-payment'); ({ presentation_id: 1, status: 4006 });",
      'packages/credential-service/src/a.test.ts': 'const number = 4012;',
    };
    assert.deepEqual(complaints(name, files), [
      "packages/core/src/a.ts:2 says 460_810; the family's spelling stays in wire",
      "packages/credential-service/src/a.ts:1 says 'x-payment; the family's spelling stays in wire",
      "packages/credential-service/src/a.ts:1 says presentation_id; the family's spelling stays in wire",
      "packages/credential-service/src/a.ts:1 says 4006; the family's spelling stays in wire",
    ]);
  });

  test('operations that no test calls are found', () => {
    const paths = {
      byName: '/a',
      byText: '/b',
      byPath: '/c/:id/d',
      inPart: '/c',
      never: '/e',
      mentioned: '/f',
    };
    const files = {
      'packages/core/src/a.ts': 'client.never();',
      'packages/core/src/a.test.ts': "client.byName(); call('byText'); const mentioned = 1;",
      'test/support/world.ts': `post('/c/\${id}/d')`,
    };
    inHouse(files, (root) =>
      assert.deepEqual(untested(paths, readHouse(root)), ['inPart', 'never', 'mentioned']),
    );
  });

  test('unused names are found', () => {
    const files = {
      'packages/core/src/table.ts':
        "export const codes = { one: 1, two: 2, three: 3, four: 4 }; const own = 'four';",
      'packages/core/src/a.ts': "refuse('one'); codes.two; three; 'fourth';",
    };
    inHouse(files, (root) => {
      const house = readHouse(root);
      const names = ['one', 'two', 'three', 'four'];
      assert.deepEqual(unused(names, house, { file: 'packages/core/src/table.ts', as: 'codes' }), [
        'three',
        'four',
      ]);
    });
  });
});

describe('commands print through the terminal', () => {
  const found = (file: string, code: string) =>
    complaints('commands print through the terminal', { [file]: code });

  test('every direct way is seen, outside of the terminal itself and of tests', () => {
    for (const code of [
      "process.stdout.write('x');",
      'const write = process.stderr.write.bind(process.stderr);',
      "console.log('x');",
      "const { stderr } = process; stderr.write('x');",
    ]) {
      assert.equal(found('packages/cli/src/a.ts', code).length, 1, code);
      assert.deepEqual(found('packages/cli/src/terminal/terminal.ts', code), []);
      assert.deepEqual(found('packages/cli/src/a.test.ts', code), []);
      assert.deepEqual(found('packages/host/src/a.ts', code), []);
    }
    assert.deepEqual(found('packages/cli/src/a.ts', "process.stdout.once('error', stop);"), []);
  });
});

test('SQL outside of the files of rows is seen', () => {
  const found = (file: string, code: string) =>
    complaints('SQL is in the files of rows', { [`packages/credential-service/src/${file}`]: code });
  for (const code of [
    "queries.selectFrom('blobs');",
    "kysely\n  .insertInto('blobs');",
    "queries.updateTable('blobs');",
    "not(exists(deleteFrom('blobs')));",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code that is looked at
    'sql`delete from ${table}`;',
    'sql<Record<string, string> & { bytes: Uint8Array }>`select 1`;',
  ]) {
    assert.equal(found('blobs/blob-submits.ts', code).length, 1, code);
    for (const file of ['blobs/blob-rows.ts', 'database/workers.ts', 'blobs/blob.conformance.ts'])
      assert.deepEqual(found(file, code), []);
  }
  assert.deepEqual(found('blobs/a.ts', "import { sql } from 'kysely'; // What `sql` reads"), []);
});

test('a desk reads its own words', () => {
  const found = (file: string, code: string) =>
    complaints('a desk reads its own words', { [`packages/console/src/desks/${file}`]: code });
  const codes = [
    "const { words } = useDeskWords('issue');",
    "function f(words: DeskWords<'issue'>) {}",
    "type R = DeskReading<'issue'>;",
  ];
  for (const code of codes) {
    assert.deepEqual(found('issue/a.tsx', code), []);
    assert.deepEqual(found('verify/check/a.tsx', code), [
      'packages/console/src/desks/verify/check/a.tsx:1 reads the words of issue; its desk is verify',
    ]);
  }
});
