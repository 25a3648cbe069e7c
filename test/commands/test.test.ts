/** `npm test`: what it counts, what it shows, and that nothing a test does can hold it up or hide. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { until } from '../support/until.ts';
import { inSmallHouse, type RunOptions, type SmallHouse } from './small-house.ts';

const head = "import assert from 'node:assert/strict';\nimport { describe, test } from 'node:test';\n";
const good = `${head}test('fine', () => {});\n`;
const mixed = `${head}
describe('a suite', () => {
  test('fits', () => {});
  test('breaks', () => assert.equal(1, 2));
  test('waits', { skip: 'no moon' }, () => {});
});
test('a folder', async (t) => {
  await t.test('inner', () => {});
});
`;

const run = (house: SmallHouse, args: string[] = [], options: RunOptions = {}) =>
  house.run('test.mjs', args, options);
/** A process that has ended and that nobody has asked after is no longer alive. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

describe('counting', () => {
  test('all groups, a table, and the line other programs read', () =>
    inSmallHouse(async (house) => {
      house.write('packages/a/src/a.test.ts', good);
      house.write('test/b.test.ts', good);
      const { code, out, err } = await run(house);
      assert.equal(code, 0, out + err);
      assert.match(out, /group +engine +passed +failed +skipped +seconds\n/);
      assert.match(out, /check +tsc 7\.0\.0, biome 2\.0\.0 +10 +0 +0 /);
      assert.match(out, /unit +node 24\.\d+\.\d+ +1 +0 +0 /);
      assert.match(out, /journeys +node 24\.\d+\.\d+ +1 +0 +0 /);
      assert.equal(lastLine(out), '12 passed, 0 failed');
    }));

  test('tests are counted, suites are not; a failure is shown in full with the way to repeat it', () =>
    inSmallHouse(async (house) => {
      house.write('packages/a/src/a.test.ts', mixed);
      const { code, out } = await run(house, ['--only', 'unit']);
      assert.equal(code, 1);
      assert.match(out, /unit › a suite › breaks\n +packages\/a\/src\/a\.test\.ts:\d+:\d+\n/);
      assert.match(out, /AssertionError/);
      assert.match(out, /again: npm test -- packages\/a\/src\/a\.test\.ts --name 'breaks'/);
      assert.match(out, /a suite › waits: no moon/);
      assert.equal(lastLine(out), '2 passed, 1 failed');
    }));

  test('in strict runs, and where CI is set, a skip is a failure', () =>
    inSmallHouse(async (house) => {
      house.write(
        'test/a.test.ts',
        `${head}test('waits', { skip: 'no moon' }, () => {});${good.slice(head.length)}`,
      );
      const only = ['--only', 'journeys'];
      const lax = await run(house, only);
      assert.deepEqual([lax.code, lastLine(lax.out)], [0, '1 passed, 0 failed']);
      const strict = await run(house, [...only, '--strict']);
      assert.deepEqual([strict.code, lastLine(strict.out)], [1, '1 passed, 1 failed']);
      const ci = await run(house, only, { env: { CI: 'true' } });
      assert.deepEqual([ci.code, lastLine(ci.out)], [1, '1 passed, 1 failed']);
      const empty = await run(house, ['--only', 'unit,journeys'], { env: { CI: '1' } });
      assert.match(empty.out, /unit: no test files/);
      assert.deepEqual([empty.code, lastLine(empty.out)], [1, '1 passed, 2 failed']);
    }));

  test('a failing check is a failure with its output', () =>
    inSmallHouse(async (house) => {
      const { code, out } = await run(house, ['--only', 'check'], {
        env: { FAKE_TSC: 'a.ts(1,1): error TS1' },
      });
      assert.equal(code, 1);
      assert.match(out, /check › types\n\n +a\.ts\(1,1\): error TS1\n\n +again: npm run check/);
      assert.equal(lastLine(out), '3 passed, 7 failed');
    }));

  test('files, folders and names choose a part; nothing chosen is a failure', () =>
    inSmallHouse(async (house) => {
      house.write('packages/a/src/a.test.ts', mixed);
      house.write('packages/b/src/b.test.ts', good);
      house.write('test/c.test.ts', good);
      const part = async (...args: string[]) => lastLine((await run(house, args)).out);
      assert.equal(await part('packages/b/src/b.test.ts'), '1 passed, 0 failed');
      assert.equal(await part('packages', 'test/c.test.ts'), '4 passed, 1 failed');
      assert.equal(await part('--name', 'fits'), '1 passed, 0 failed');
      const nothing = await run(house, ['--name', 'no such test']);
      assert.deepEqual([nothing.code, lastLine(nothing.out)], [1, '0 passed, 0 failed']);
      const list = await run(house, ['--list', '--only', 'journeys']);
      assert.deepEqual([list.code, list.out], [0, 'journeys\n  test/c.test.ts\n']);
    }));
});

describe('bad tests', () => {
  const journey = async (source: string, args: string[] = []) => {
    const result = { code: null as number | null, out: '', err: '' };
    await inSmallHouse(async (house) => {
      house.write('test/a.test.ts', source);
      house.write('test/b.test.ts', good);
      Object.assign(result, await run(house, ['--only', 'journeys', ...args]));
    });
    return result;
  };

  test('one that cannot be loaded fails, the others run', async () => {
    const { code, out } = await journey("import './gone.ts';");
    assert.equal(code, 1);
    assert.match(out, /Cannot find module/);
    assert.match(out, /again: npm test -- test\/a\.test\.ts\n/);
    assert.equal(lastLine(out), '1 passed, 1 failed');
  });

  test('one that fails while it is loaded, after it has named a test, fails', async () => {
    const half = `${head}describe('a suite', () => { test('fine', () => {}); });
      throw new TypeError('not loaded');`;
    const { code, out } = await journey(half);
    assert.equal(code, 1);
    assert.match(out, /not loaded/);
    assert.match(out, /again: npm test -- test\/a\.test\.ts\n/);
    assert.equal(lastLine(out), '2 passed, 1 failed');
  });

  test('one that ends the process fails, with its last words', async () => {
    const { out } = await journey(
      `${head}test('quits', () => { console.error('last words'); process.exit(0); });`,
    );
    assert.match(out, /ended before its tests did \(exit code 0\)/);
    assert.match(out, /│ last words/);
    assert.equal(lastLine(out), '1 passed, 1 failed');
  });

  test('one that never ends is ended, and named', async () => {
    const forever = `${head}test('waits', () => new Promise(() => setInterval(() => {}, 1000)));`;
    const { out } = await journey(forever, ['--limit', '1']);
    assert.match(out, /took longer than 1 s and was ended, during: waits/);
    assert.equal(lastLine(out), '1 passed, 1 failed');
    const spinning = await journey(`${head}test('spins', () => { for (;;); });`, ['--limit', '1']);
    assert.equal(lastLine(spinning.out), '1 passed, 1 failed');
  });

  test('one that leaves a process behind does not hold up the run', async () => {
    const source = `${head}import { spawn } from 'node:child_process';
      test('leaves', () => { spawn('sleep', ['600'], { stdio: 'inherit' }).unref(); });`;
    const { code, err, out } = await journey(source);
    assert.equal(code, 0);
    assert.match(err, /test\/a\.test\.ts: left a process running, now ended: \d+ sleep 600/);
    assert.equal(lastLine(out), '2 passed, 0 failed');
  });

  test('one whose failure has line breaks of any kind in it is told like any other', async () => {
    const broken = `${head}test('breaks', () => { throw new Error('one\\u2028two\\u2029three\\u0085four\\r\\nfive'); });
      test('fine', () => {});`;
    const { code, err, out } = await journey(broken);
    assert.equal(code, 1);
    assert.match(err, /1 passed, 1 failed/);
    assert.match(out, /one\u2028two/);
  });

  test('one that fails is named as it happens, before the others have ended', async () => {
    const slow = `${head}test('breaks at once', () => assert.equal(1, 2));
      test('takes its time', () => new Promise((resolve) => setTimeout(resolve, 300)));`;
    const { err } = await journey(slow);
    const [named, counted] = [err.indexOf('breaks at once'), err.indexOf('1 passed, 1 failed')];
    assert.ok(named !== -1 && named < counted, err);
    assert.match(err, /^ {2}✖ failing test: breaks at once \(test\/[^)]*\)\n {6}AssertionError/m);
    assert.doesNotMatch(err, /takes its time/);
    const { err: each } = await journey(slow, ['--each']);
    assert.match(each, /^ {2}✔ takes its time +0\.\ds$/m);
  });

  test('a run that is stopped leaves no process that works in its folder, whatever group it is in', () =>
    inSmallHouse(async (house) => {
      house.write(
        'test/a.test.ts',
        `${head}import { spawn } from 'node:child_process';
        import { setTimeout as sleep } from 'node:timers/promises';
        import os from 'node:os';
        test('waits', async () => {
          const args = ['-e', 'setInterval(() => {}, 1000)', os.tmpdir()];
          const { pid } = spawn(process.execPath, args, { detached: true, stdio: 'ignore' });
          throw new Error('it is ' + pid);
        });
        test('takes its time', () => sleep(60_000));`,
      );
      let pid = 0;
      const { code } = await run(house, ['--only', 'journeys'], {
        during(printed, signal) {
          pid ||= Number(/it is (\d+)/.exec(printed)?.[1] ?? 0);
          if (pid > 0) signal('SIGINT');
        },
      });
      assert.equal(code, 130);
      await until('the process is gone', () => !isAlive(pid));
    }));

  test('one whose hook fails is a failure of its own', async () => {
    const source = `${head}import { after } from 'node:test';
      describe('a suite', () => { after(() => { throw new Error('hook'); }); test('fine', () => {}); });`;
    const { code, out } = await journey(source);
    assert.equal(code, 1);
    assert.match(out, /journeys › a suite\n[\s\S]*hook/);
    assert.equal(lastLine(out), '2 passed, 1 failed');
  });
});

describe('bad arguments', () => {
  test('are refused with the usage', () =>
    inSmallHouse(async (house) => {
      house.write('outside.test.ts', good);
      for (const [args, message] of [
        [['--nope'], /Unknown option '--nope'/],
        [['--only', 'unit,gone'], /No such group: gone/],
        [['--limit', '0'], /--limit needs a positive whole number/],
        [['--jobs', 'many'], /--jobs needs a positive whole number/],
        [['packages/gone.test.ts'], /No test file here: packages\/gone\.test\.ts/],
        [['outside.test.ts'], /Not among the tests of packages\/, contracts\/ and test\//],
        [['package.json'], /No test file here/],
      ] as const) {
        const { code, err } = await run(house, [...args]);
        assert.equal(code, 2, args.join(' '));
        assert.match(err, message);
      }
      assert.equal(house.npmCalls().length, 0);
    }));
});

describe('.ci/run', () => {
  const ci = (house: SmallHouse, npm: string, ...args: string[]) => {
    house.write('bin/npm', `#!/bin/sh\n${npm}\n`);
    chmodSync(path.join(house.root, 'bin/npm'), 0o755);
    const env = { PATH: `${path.join(house.root, 'bin')}:${process.env.PATH}` };
    return spawnSync(path.join(house.root, '.ci/run'), args, { env, encoding: 'utf8' });
  };

  test('runs the test command with CI set and passes its arguments on', () =>
    inSmallHouse(async (house) => {
      const { status, stdout } = ci(house, 'echo "$CI $*"; echo "3 passed, 0 failed"', '--only', 'unit');
      assert.deepEqual([status, stdout], [0, 'true test -- --only unit\n3 passed, 0 failed\n']);
    }));

  test('ends with the plain line whatever happens', () =>
    inSmallHouse(async (house) => {
      const noisy = ci(house, 'echo "3 passed, 1 failed"; echo "npm error Test failed." >&2; exit 1');
      assert.deepEqual([noisy.status, lastLine(noisy.stdout)], [1, '3 passed, 1 failed']);
      const broken = ci(house, 'echo broken >&2; exit 9');
      assert.deepEqual([broken.status, lastLine(broken.stdout)], [9, '0 passed, 1 failed']);
    }));
});
