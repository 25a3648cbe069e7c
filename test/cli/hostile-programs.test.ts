/**
 * Programs that `symbolon demo --as` prints, with hostile values in every place: the name of the profile's file, what
 * stands in it, and what the service answers. They are read by bash and by Node; nothing of the values runs, and
 * nothing of them reaches the terminal but as text.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { keyFormat } from '@symbolon/cli/profile/key-format';
import { demoPerson, demoRoles } from '@symbolon/demo/people';
import { hostileText, printedProblems } from '../support/hostile-server.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const owner = ownerOfSuite();
let people: Record<string, { readonly privateKey: string }>;
before(async () => {
  const persons = await Promise.all(demoRoles.map((role) => demoPerson(role, keyFormat)));
  people = Object.fromEntries(persons.map(({ role, ...person }) => [role, { ...person }]));
});

/** What a shell, a program or curl would obey, if it were more than a text to them. */
const orders = [
  '$(touch pwned)',
  '`touch pwned`',
  "'; touch pwned; '",
  '"; touch pwned; "',
  '; touch pwned',
  '-opwned',
  '--output=pwned',
  '@pwned',
  '\\"$(touch pwned)',
  "'+require('fs').writeFileSync('pwned','')+'",
  ['$', '{await import("node:fs")}'].join(''),
  '%s%n$IFS',
  '*/ process.exit(7) /*',
];

interface Run {
  readonly out: string;
  readonly err: string;
}

/** Runs the story with a curl that answers what it is told; everybody's values are `value`. */
function runStory(script: string, value: string, reply: string): Run {
  const folder = tempFolder(owner);
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(folder, 'reply'), reply);
  const curl = `#!/usr/bin/env bash\nprintf '%q ' "$@" >> '${folder}/asked'\necho >> '${folder}/asked'\ncat > /dev/null\ncat '${folder}/reply'\n`;
  writeFileSync(path.join(bin, 'curl'), curl, { mode: 0o755 });
  const place = { name: value, did: value, apiKey: value, publicKey: value, address: value };
  const persons = Object.entries(people).map(([role, { privateKey }]) => [
    role,
    { ...place, privateKey, bbsPublicKeyMultibase: value },
  ]);
  const attributeTypes = { string: 1, date: 2, decimal: 4 };
  const demo = { service: value, ledger: value, attributeTypes, ...Object.fromEntries(persons) };
  writeFileSync(path.join(folder, 'demo.json'), JSON.stringify(demo));
  writeFileSync(path.join(folder, 'story.sh'), script);
  const before = readdirSync(folder);
  const { stdout, stderr } = spawnSync('bash', ['story.sh', 'demo.json'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${bin}:${path.dirname(process.execPath)}:/usr/bin:/bin` },
  });
  const made = readdirSync(folder).filter((name) => !before.includes(name) && name !== 'asked');
  assert.deepEqual(made, [], `${value} made files`);
  const asked = path.join(folder, 'asked');
  // An address that looks like an option must not be one.
  for (const line of existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\n') : [])
    assert.match(line, / --url \S/, line);
  return { out: stdout, err: stderr };
}

const replyOf = (value: string): string => {
  const names = ['blobId', 'blob', 'templateId', 'txHash', 'vcId', 'ed25519Blob', 'bbsBlsBase64', 'vpObject'];
  const members = names.map((name) => [name, value]);
  return JSON.stringify({ ...Object.fromEntries(members), verified: true, errors: [value] });
};

const printed = async (form: 'curl' | 'ts', file: string): Promise<string> => {
  writeFileSync(file, '{}', { mode: 0o600 });
  const { code, out, err } = await symbolon(owner, ['demo', '--as', form, '--profile', file]);
  assert.equal(code, 0, err);
  assert.deepEqual(printedProblems(out), []);
  return out;
};

describe('a story for bash and curl', () => {
  test('takes the name of a file as a name, whatever it is', async () => {
    const folder = tempFolder(owner);
    for (const [index, order] of orders.entries()) {
      const file = path.join(folder, `${index} ${order.replaceAll('/', ':')} \u202e\u001b[2J.json`);
      const script = path.join(folder, 'story.sh');
      const [head = ''] = (await printed('curl', file)).split('service=$(of service)');
      // Up to where it would ask somebody: then it says which file it would read.
      writeFileSync(script, `${head}printf %s "$demo"\n`);
      assert.equal(spawnSync('bash', ['-n', script]).status, 0, order);
      const { stdout } = spawnSync('bash', [script], { cwd: folder, encoding: 'utf8' });
      assert.equal(stdout, file);
      assert.equal(existsSync(path.join(folder, 'pwned')), false, order);
    }
  });

  test('runs nothing of what the file or the service says, and shows it as text', async () => {
    const script = await printed('curl', path.join(tempFolder(owner), 'demo.json'));
    let ended = 0;
    for (const order of orders.slice(0, 7)) {
      const { out, err } = runStory(script, order, replyOf(order));
      ended += /^7 {2}/m.test(out) ? 1 : 0;
      assert.deepEqual([...printedProblems(out), ...printedProblems(err)], [], order);
    }
    assert.ok(ended >= 4, `only ${ended} stories come to their end`);
    for (const reply of [hostileText, replyOf(hostileText), `{"vcId":"a","x":"${hostileText}"}`]) {
      const { out, err } = runStory(script, 'plain', reply);
      assert.deepEqual([...printedProblems(out), ...printedProblems(err)], []);
    }
    const verdict = { ...JSON.parse(replyOf('ab')), errors: [hostileText] };
    const { out } = runStory(script, 'plain', JSON.stringify(verdict));
    assert.match(out, /^7 {2}\{.*FORGED/m);
    assert.deepEqual(printedProblems(out), []);
    const raw = JSON.stringify(verdict).replaceAll('\\u001b', '\u001b').replaceAll('\\u202e', '\u202e');
    assert.deepEqual(printedProblems(runStory(script, 'plain', raw).out), []);
  });
});

describe('a story in TypeScript', () => {
  test('takes the name of a file as a name, whatever it is', async () => {
    const folder = tempFolder(owner);
    for (const [index, order] of orders.entries()) {
      const file = path.join(folder, `${index} ${order.replaceAll('/', ':')} \u202e\u001b[2J.json`);
      const program = stripTypeScriptTypes(await printed('ts', file));
      const [line = ''] = program.split('\n').filter((one) => one.startsWith('const demo = '));
      const read: string[] = [];
      const body = `${line.replace('process.argv[2]', 'undefined')}`;
      new Function('readFileSync', 'process', body)((name: string) => {
        read.push(name);
        return '{}';
      }, undefined);
      assert.deepEqual(read, [file]);
    }
    assert.equal(existsSync('pwned'), false);
  });
});
