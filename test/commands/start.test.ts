/** `npm start`: what it installs and when, whom it starts, and what it says when it cannot. */
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { describe, test } from 'node:test';
import { inSmallHouse, type SmallHouse, until } from './small-house.ts';

const start = (house: SmallHouse, ...args: string[]) => house.run('start.mjs', args);

test('a console that cannot be built is said, and everything else starts', () =>
  inSmallHouse(async (house) => {
    const { code, out, err } = await start(house);
    assert.equal(code, 0, err);
    assert.match(err, /✖ console .*\n +The console could not be built: /);
    assert.match(out, /^program dev /);
  }));

describe('the install', () => {
  test('is done once, without scripts and without what only development needs', () =>
    inSmallHouse(async (house) => {
      const first = await start(house, '--data', 'here');
      assert.equal(first.code, 0, first.err);
      assert.equal(first.out, 'program dev --data here cached\n');
      assert.match(first.err, /✔ install dependencies +\d+\.\ds/);
      const [call] = house.npmCalls();
      assert.deepEqual(call?.slice(0, 2), ['ci', '--ignore-scripts']);
      for (const flag of ['--no-audit', '--no-fund', '--omit=dev']) assert.ok(call?.includes(flag));
      assert.ok(!house.has('node_modules/typescript'));
      const second = await start(house);
      assert.equal(house.npmCalls().length, 1);
      assert.match(second.err, /✔ dependencies .* in place/);
    }));

  test('is done again when the lock file changes or a package is gone', () =>
    inSmallHouse(async (house) => {
      await start(house);
      house.write('package-lock.json', house.read('package-lock.json').replace('1.0.0', '1.0.1'));
      await start(house);
      assert.equal(house.npmCalls().length, 2);
      house.remove('node_modules/prod');
      await start(house);
      assert.equal(house.npmCalls().length, 3);
      house.remove('node_modules');
      await start(house);
      assert.equal(house.npmCalls().length, 4);
      const otherMachine = house.read('.cache/install.json').replace(process.platform, 'sunos');
      house.write('.cache/install.json', otherMachine);
      await start(house);
      assert.equal(house.npmCalls().length, 5);
    }));

  test('of everything serves the start too, the other way round it does not', () =>
    inSmallHouse(async (house) => {
      await start(house);
      await house.run('run.mjs', ['check']);
      assert.ok(house.npmCalls()[1]?.includes('--include=dev'));
      await start(house);
      assert.equal(house.npmCalls().length, 2);
      assert.ok(house.has('node_modules/typescript'));
    }));

  test('that somebody made by hand is kept, unless it is another one', () =>
    inSmallHouse(async (house) => {
      await start(house);
      house.remove('.cache');
      await start(house);
      assert.equal(house.npmCalls().length, 1);
      const change = (file: string) =>
        house.write(file, house.read(file).replaceAll('sha512-MS4w', 'sha512-zzzz'));
      change('package-lock.json');
      change('node_modules/.package-lock.json');
      await start(house);
      assert.equal(house.npmCalls().length, 1);
      house.remove('.cache');
      house.write('package-lock.json', house.read('package-lock.json').replace('sha512-zzzz', 'sha512-yyyy'));
      await start(house);
      assert.equal(house.npmCalls().length, 2);
    }));

  test('that was stopped halfway is repaired by the next start', () =>
    inSmallHouse(async (house) => {
      await start(house);
      house.write('package-lock.json', house.read('package-lock.json').replace('1.0.0', '1.0.1'));
      const stopped = house.run('start.mjs', [], { env: { FAKE_NPM: 'hang' } });
      await until(() => house.npmCalls().length === 2 && house.has('node_modules/prod'));
      process.kill(Number(house.read('.cache/install.pid')), 'SIGTERM');
      const { code, err } = await stopped;
      assert.equal(code, 143);
      assert.match(err, /The install was stopped; the next run does it again\./);
      assert.ok(!house.has('.cache/install.json'));
      const next = await start(house);
      assert.equal(next.code, 0, next.err);
      assert.equal(house.npmCalls().length, 3);
    }));

  test('is repeated when npm leaves out what was made for this machine, and is not done before it is there', () =>
    inSmallHouse(async (house) => {
      const native = `native-${process.arch}`;
      const failed = await house.run('start.mjs', [], { env: { FAKE_NPM: 'forget' } });
      assert.equal(failed.code, 1);
      assert.match(failed.err, new RegExp(`✔ install dependencies again .* npm left out ${native}\\n`));
      assert.match(failed.err, new RegExp(`npm did not bring ${native}, and did not say so`));
      assert.equal(failed.out, '');
      assert.equal(house.npmCalls().length, 2);
      assert.equal((await start(house)).code, 0);
      assert.equal(house.npmCalls().length, 3);
      house.remove(`node_modules/${native}`);
      assert.equal((await start(house)).code, 0);
      assert.ok(house.has(`node_modules/${native}/package.json`));
    }));

  test('is not believed to be done because npm says so', () =>
    inSmallHouse(async (house) => {
      const failed = await house.run('start.mjs', [], { env: { FAKE_NPM: 'give up' } });
      assert.equal(failed.code, 1);
      const printed = [
        'npm did not bring prod and 1 more, and did not say so. It printed:',
        '  Exit handler never called!',
        '  fetch GET somewhere/prod attempt 3 failed with SELF_SIGNED_CERT_IN_CHAIN',
        'The npm registry shows a certificate that Node does not trust: name yours in NODE_EXTRA_CA_CERTS.',
      ];
      assert.ok(failed.err.includes(printed.map((line) => `  ${line}\n`).join('')), failed.err);
      assert.equal((await start(house)).code, 0);
    }));

  test('waits for another one, and does not wait for a dead one', () =>
    inSmallHouse(async (house) => {
      house.write('.cache/install.pid', '4194999');
      const all = await Promise.all(Array.from({ length: 6 }, () => start(house)));
      assert.deepEqual(new Set(all.map(({ code }) => code)), new Set([0]));
      assert.equal(house.npmCalls().length, 1);
      assert.ok(!house.has('.cache/install.pid'));
    }));
});

describe('what cannot work is said plainly', () => {
  test('npm fails: its first lines, no stack, and the next start tries again', () =>
    inSmallHouse(async (house) => {
      const failed = await house.run('start.mjs', [], { env: { FAKE_NPM: 'fail' } });
      assert.equal(failed.code, 1);
      assert.match(failed.err, /✖ install dependencies/);
      assert.match(
        failed.err,
        /npm could not install the dependencies:\n +code E404\n +first reason\n +second reason\n/,
      );
      assert.doesNotMatch(failed.err, /complete log|at .*\.mjs/);
      assert.equal((await start(house)).code, 0);
    }));

  test('npm is missing', () =>
    inSmallHouse(async (house) => {
      const env = { npm_execpath: '', PATH: '' };
      const { code, err } = await house.run('start.mjs', [], { env });
      assert.equal(code, 1);
      assert.match(err, /npm could not be started \(ENOENT\)/);
    }));

  test('the lock file is missing or damaged', () =>
    inSmallHouse(async (house) => {
      for (const text of ['{', '[]', '{"packages":1}']) {
        house.write('package-lock.json', text);
        const { code, err } = await start(house);
        assert.equal(code, 1);
        assert.match(err, /package-lock\.json is damaged/);
      }
      house.remove('package-lock.json');
      const { code, err } = await start(house);
      assert.equal(code, 1);
      assert.match(err, /package-lock\.json cannot be read/);
      assert.doesNotMatch(err, /at .*\.mjs/);
    }));

  test('SYMBOLON_NODE names nothing that runs, or something too old or too new', () =>
    inSmallHouse(async (house) => {
      const nowhere = await house.run('start.mjs', [], { env: { SYMBOLON_NODE: 'no-such-node' } });
      assert.equal(nowhere.code, 1);
      assert.match(nowhere.err, /SYMBOLON_NODE names no-such-node, which cannot be run/);
      for (const version of ['22.1.0', '26.0.0']) {
        house.write('other-node', `#!/bin/sh\necho v${version}\n`);
        chmodSync(`${house.root}/other-node`, 0o755);
        const other = await house.run('start.mjs', [], {
          env: { SYMBOLON_NODE: `${house.root}/other-node` },
        });
        assert.equal(other.code, 1);
        const needed = 'Symbolon needs 24.15 or newer, but older than 25';
        assert.ok(other.err.includes(`SYMBOLON_NODE names Node ${version}; ${needed}`), other.err);
      }
      const good = await house.run('start.mjs', [], { env: { SYMBOLON_NODE: process.execPath } });
      assert.match(good.err, /\(SYMBOLON_NODE\)/);
      assert.equal(good.code, 0);
    }));

  test('a cache that cannot be written: refused when an install is needed, a note when not', () =>
    inSmallHouse(async (house) => {
      house.write('.cache', 'a file where a folder belongs');
      const refused = await start(house);
      assert.equal(refused.code, 1);
      assert.match(refused.err, /Dependencies must be installed, but .*\.cache cannot be written \(EEXIST\)/);
      house.remove('.cache');
      await start(house);
      house.remove('.cache');
      house.write('.cache', 'a file where a folder belongs');
      const noted = await start(house);
      assert.equal(noted.code, 0);
      assert.equal(noted.out, 'program dev uncached\n');
      assert.match(noted.err, /install\.json could not be written/);
      assert.match(noted.err, /v8 cannot be written \(ENOTDIR\)/);
    }));
});

describe('the program', () => {
  test('gives its exit code', () =>
    inSmallHouse(async (house) => {
      assert.equal((await start(house, '--fail')).code, 5);
    }));

  test('gets the signals once, and has the time to end', () =>
    inSmallHouse(async (house) => {
      for (const name of ['SIGTERM', 'SIGINT'] as const) {
        let isSent = false;
        const { code, out } = await house.run('start.mjs', ['--wait'], {
          during: (printed, signal) => {
            if (isSent || !printed.includes('program')) return;
            isSent = true;
            signal(name);
            signal(name);
          },
        });
        assert.equal(code, 7);
        assert.deepEqual(out.split('\n').slice(1), [`got ${name}`, '']);
      }
    }));

  test('ends when npm is gone without a word', () =>
    inSmallHouse(async (house) => {
      await start(house);
      const script = `${house.root}/scripts/start.mjs`;
      house.write(
        'scripts/middle.mjs',
        `import { spawn } from 'node:child_process';
         spawn(process.execPath, [${JSON.stringify(script)}, '--wait'], { stdio: 'inherit' });
         process.on('SIGTERM', () => process.exit(1));`,
      );
      let isSent = false;
      const { out } = await house.run('middle.mjs', [], {
        env: { npm_lifecycle_event: 'start' },
        during: (printed, signal) => {
          if (isSent || !printed.includes('program')) return;
          isSent = true;
          signal('SIGTERM');
        },
      });
      assert.match(out, /got SIGTERM/);
    }));

  test('of the other commands keeps its output clean', () =>
    inSmallHouse(async (house) => {
      const { code, out } = await house.run('run.mjs', ['symbolon', 'node', 'status', '--json']);
      assert.deepEqual([code, out], [0, 'program node status --json cached\n']);
      const again = await house.run('run.mjs', ['symbolon', '--fail']);
      assert.deepEqual([again.code, again.err], [5, '']);
      const unknown = await house.run('run.mjs', ['toString']);
      assert.equal(unknown.code, 2);
      assert.match(unknown.err, /Usage: node scripts\/run\.mjs check\|/);
    }));
});
