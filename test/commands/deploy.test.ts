/**
 * `docs/deploy`: the compose file by the rules of its format as far as this file uses them, without a Docker engine, and the
 * script that makes its network, run.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../support/document-shell.ts';
import { plainEnvironment } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface ComposeService {
  readonly image?: string;
  readonly command?: string | readonly string[];
  readonly volumes?: readonly string[];
  readonly network_mode?: string;
  readonly ports?: readonly string[];
  readonly restart?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string; readonly restart?: boolean }>>;
}
interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, object>>;
}

const place = path.join(root, 'docs/deploy');
const text = readFileSync(path.join(place, 'compose.yaml'), 'utf8');
// The program of a package that is there for others: it prints what a YAML file holds, as JSON.
const reader = path.join(root, 'node_modules/yaml/bin.mjs');
const compose = JSON.parse(
  execFileSync(process.execPath, [reader, '--json', '--merge', '--single'], {
    input: text,
    encoding: 'utf8',
  }),
) as Compose;
const services = Object.entries(compose.services);
const known = [
  ...[
    'image',
    'build',
    'restart',
    'cap_drop',
    'security_opt',
    'logging',
    'volumes',
    'environment',
    'command',
  ],
  ...['stop_grace_period', 'depends_on', 'ports', 'network_mode', 'healthcheck'],
];

describe('the compose file', () => {
  test('has members that there are, and names nothing that is not there', () => {
    const top = Object.keys(compose).filter((name) => !name.startsWith('x-'));
    assert.deepEqual(top.sort(), ['name', 'services', 'volumes']);
    for (const [name, service] of services) {
      assert.ok(service.image, name);
      for (const member of Object.keys(service)) assert.ok(known.includes(member), `${name}.${member}`);
      for (const volume of service.volumes ?? [])
        assert.ok(Object.hasOwn(compose.volumes, volume.split(':')[0] ?? ''), volume);
      for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
        assert.ok(Object.hasOwn(compose.services, other), other);
        assert.match(condition, /^service_(started|healthy|completed_successfully)$/);
      }
      const [, shared] = /^service:(.+)$/.exec(service.network_mode ?? '') ?? [];
      if (service.network_mode !== undefined) {
        assert.ok(shared !== undefined && Object.hasOwn(compose.services, shared), name);
        // Compose refuses ports of a service that has no network of its own.
        assert.equal(service.ports, undefined, name);
      }
    }
  });

  test('has a CometBFT for each validator, in its network, and no port for other machines', () => {
    const validators = services.filter(([name]) => name.startsWith('validator-'));
    assert.equal(validators.length, 4);
    for (const [name] of validators) {
      const comet = compose.services[name.replace('validator', 'cometbft')];
      assert.equal(comet?.network_mode, `service:${name}`);
      assert.equal(comet.command, `cometbft start --home ${name}/cometbft`);
    }
    for (const [, { ports = [] }] of services) for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
    assert.doesNotMatch(text, /PASSWORD: [^"$]/);
  });
});

test('its network is made once, by the script of its image', { timeout: 600_000 }, async (context) => {
  const folder = tempFolder(context);
  const main = path.join(root, 'packages/cli/src/main.ts');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  writeFileSync(path.join(folder, 'symbolon'), script, { mode: 0o755 });
  const env = {
    ...plainEnvironment(),
    PATH: `${folder}:${path.dirname(process.execPath)}:${process.env.PATH}`,
  };
  const run = () => promisify(execFile)('sh', [path.join(place, 'found.sh'), folder], { env });
  await run();
  const files = [1, 2, 3, 4].map((index) => path.join(folder, `validator-${index}`));
  for (const part of ['ledger/genesis.json', 'cometbft/config/genesis.json'])
    assert.equal(new Set(files.map((file) => readFileSync(path.join(file, part), 'utf8'))).size, 1, part);
  const settings = readFileSync(path.join(folder, 'validator-1/cometbft/config/config.toml'), 'utf8');
  assert.match(settings, /@validator-4:26656"$/m);
  assert.match(settings, /laddr = "tcp:\/\/0\.0\.0\.0:26656"/);
  const founding = readFileSync(path.join(folder, 'founding.json'), 'utf8');
  await run();
  assert.equal(readFileSync(path.join(folder, 'founding.json'), 'utf8'), founding);
  assert.ok(!existsSync(path.join(folder, 'validator-5')));
});
