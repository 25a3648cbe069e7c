/** What comes from elsewhere: the Node that runs everything, the licences of packages, and the list of all of them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Ajv, addFormats } from '@modelcontextprotocol/client/validators/ajv';
import { inSmallHouse } from './small-house.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const load = (name: string) =>
  import(pathToFileURL(path.join(projectRoot, 'scripts/lib', name)).href) as Promise<Record<string, never>>;
const readJson = (file: string) => JSON.parse(readFileSync(path.join(projectRoot, file), 'utf8'));
const platform = `${process.platform}-${process.arch}`;

type Packages = Record<string, Record<string, unknown>>;

describe('the bundled Node', () => {
  const program = `node_modules/node-${platform}/bin/node`;

  test('that is not the pinned one is never run', () =>
    inSmallHouse(async (house) => {
      assert.equal((await house.run('start.mjs')).code, 0);
      house.write(program, '#!/bin/sh\necho ran >> ran\necho v24.21.0\n');
      chmodSync(path.join(house.root, program), 0o755);
      const refused = await house.run('start.mjs');
      assert.equal(house.has('ran'), false, 'it has been run');
      assert.equal(refused.code, 1);
      assert.match(refused.err, /is not the Node that this project pins[\s\S]*npm ci/);
    }));

  test('is not what the commands themselves run on, though npm puts it first on the path', () =>
    inSmallHouse(async (house) => {
      const { scripts } = readJson('package.json');
      house.write('package.json', JSON.stringify({ type: 'module', scripts }));
      house.write('node_modules/.bin/node', '#!/bin/sh\necho ran >> ran\n');
      chmodSync(path.join(house.root, 'node_modules/.bin/node'), 0o755);
      const env = { ...process.env };
      for (const name of Object.keys(env)) if (/^npm_/i.test(name)) delete env[name];
      const run = spawnSync('npm', ['run', '-s', 'check-lock'], { cwd: house.root, env, encoding: 'utf8' });
      assert.equal(run.status, 0, run.stderr);
      const launchers = Object.values(scripts as Record<string, string>).map(
        (text) => text.split(' scripts/')[0],
      );
      assert.deepEqual([...new Set(launchers)], [`exec "\${npm_node_execpath:-node}"`]);
      assert.equal(house.has('ran'), false, 'it has been run');
    }));

  test('is pinned for every platform that has one, in the version that is installed', async () => {
    const { nodePins } = (await load('node.mjs')) as unknown as {
      nodePins: { version: string; sha256: Record<string, string> };
    };
    const { optionalDependencies } = readJson('package.json');
    const names = Object.keys(optionalDependencies).filter((name) => /^node-(linux|darwin)-/.test(name));
    assert.deepEqual(
      names.map((name) => name.slice('node-'.length)).sort(),
      Object.keys(nodePins.sha256).sort(),
    );
    for (const name of names) assert.equal(optionalDependencies[name], nodePins.version);
    for (const hash of Object.values(nodePins.sha256)) assert.match(hash, /^[0-9a-f]{64}$/);
  });
});

describe('licences', () => {
  test('of what the product runs with are known and leave its users free', async () => {
    const { licenceProblems } = (await load('licences.mjs')) as unknown as {
      licenceProblems: (packages: Packages) => string[];
    };
    const of = (license: unknown, more = {}) =>
      licenceProblems({ 'node_modules/a': { version: '1.0.0', license, ...more } });
    for (const good of [
      'MIT',
      '(MIT OR GPL-3.0-only)',
      '(Apache-2.0 AND BSD-3-Clause)',
      'MIT OR (ISC AND 0BSD)',
    ])
      assert.deepEqual(of(good), [], good);
    const bad = [
      'GPL-3.0-only',
      'AGPL-3.0-or-later',
      'LGPL-2.1',
      'MPL-2.0',
      'UNLICENSED',
      'SEE LICENSE IN x',
      undefined,
      '',
    ];
    const compound = [
      'MIT AND GPL-2.0-only',
      '(MIT',
      'MIT OR',
      'MIT WITH a',
      'MIT MIT',
      'MIT OR (ISC AND GPL-2.0-only',
    ];
    for (const one of [...bad, ...compound]) {
      const [problem = ''] = of(one);
      assert.match(problem, /^a 1\.0\.0: /, String(one));
      assert.deepEqual(of(one, { dev: true }), []);
    }
    assert.deepEqual(licenceProblems(readJson('package-lock.json').packages), []);
  });

  test('of what only builds the console bind nobody, unless the product runs with it, too', async () => {
    const { licenceProblems } = (await load('licences.mjs')) as unknown as {
      licenceProblems: (packages: Packages) => string[];
    };
    const lock = (dependencies: object): Packages => ({
      'packages/console': { dependencies: { vite: '1.0.0', ...dependencies } },
      'node_modules/vite': { version: '1.0.0', license: 'MIT', dependencies: { tool: '1.0.0' } },
      'node_modules/tool': { version: '1.0.0', license: 'MPL-2.0' },
    });
    assert.deepEqual(licenceProblems(lock({})), []);
    assert.match(licenceProblems(lock({ tool: '1.0.0' })).join(), /^tool 1\.0\.0: /);
  });
});

describe('the list of all parts', () => {
  test('is CycloneDX 1.6 with hash, licence and place of every package, and the same every time', async () => {
    const first = await sbom();
    assert.equal(first, await sbom());
    const { bomFormat, specVersion, serialNumber, components, dependencies, metadata } = JSON.parse(first);
    assert.deepEqual([bomFormat, specVersion, metadata.component.name], ['CycloneDX', '1.6', 'symbolon']);
    assert.match(serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    const { packages } = readJson('package-lock.json') as { packages: Packages };
    const refs = new Set(components.map((one: { 'bom-ref': string }) => one['bom-ref']));
    assert.equal(refs.size, components.length);
    const fetched = Object.entries(packages).filter(
      ([place, { link }]) => place.includes('node_modules/') && !link,
    );
    for (const [place, entry] of fetched) {
      const name = entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 13);
      const found = components.find(
        (one: { purl: string }) =>
          one.purl === `pkg:npm/${String(name).replace('@', '%40')}@${entry.version}`,
      );
      assert.ok(found, place);
      const [digest] = found.hashes;
      assert.equal(`sha512-${Buffer.from(digest.content, 'hex').toString('base64')}`, entry.integrity);
    }
    const excluded = components.find((one: { name: string }) => one.name === 'typescript');
    const needed = components.find((one: { name: string }) => one.name === 'fastify');
    assert.deepEqual([excluded.scope, needed.scope], ['excluded', 'required']);
    for (const { ref, dependsOn } of dependencies)
      for (const one of [ref, ...dependsOn])
        assert.ok(refs.has(one) || one === metadata.component['bom-ref'], one);
    assert.doesNotMatch(first, /https?:/);
  });

  test('is what the schema of CycloneDX says, which takes nothing else', async () => {
    const schemaOf = (name: string) => readJson(`test/commands/vectors/${name}.schema.json`);
    // Formats of texts that the list has none of.
    const formats = { 'iri-reference': true, 'idn-email': true } as const;
    const ajv = new Ajv({ strict: false, allErrors: true, formats });
    addFormats(ajv);
    ajv.addSchema(schemaOf('spdx'));
    const signatures = 'http://cyclonedx.org/schema/jsf-0.82.schema.json';
    ajv.addSchema({ $id: signatures, definitions: { signature: false } });
    const fits = ajv.compile(schemaOf('bom-1.6'));
    const made = JSON.parse(await sbom()) as { readonly components: readonly object[] };
    const isMade: boolean = fits(made);
    assert.ok(isMade, JSON.stringify(fits.errors?.slice(0, 3)));
    const [first, ...others] = made.components;
    const broken: Record<string, object> = {
      'a licence that nobody knows': { ...first, licenses: [{ license: { id: 'No-Such-1.0' } }] },
      'a hash that is too short': { ...first, hashes: [{ alg: 'SHA-512', content: 'ab' }] },
      'a scope of its own': { ...first, scope: 'sometimes' },
      'a member of its own': { ...first, colour: 'red' },
    };
    for (const [what, component] of Object.entries(broken))
      assert.equal(fits({ ...made, components: [component, ...others] }), false, what);
  });
});

async function sbom(): Promise<string> {
  const { sbomText } = (await load('sbom.mjs')) as unknown as { sbomText: () => string };
  return sbomText();
}
