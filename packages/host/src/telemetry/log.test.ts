import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import Fastify from 'fastify';
import { createLog, type LogLevel } from './log.ts';

type Line = Record<string, unknown> & { err?: Record<string, unknown> };

function memory(level: LogLevel = 'trace') {
  const raw: string[] = [];
  const log = createLog({ level, name: 'test', stream: { write: (line) => raw.push(line) } });
  const lines = () => raw.map((line) => JSON.parse(line) as Line);
  return { log, raw, lines, last: () => lines().at(-1) as Line };
}

const word = 'hunter2';

describe('lines', () => {
  test('are JSON with level, time, name and message', () => {
    const { log, last } = memory();
    log.info({ height: 12n, took: 3 }, 'block %d closed', 12);
    const { time, pid, ...rest } = last();
    assert.deepEqual(rest, { level: 'info', name: 'test', height: '12', took: 3, msg: 'block 12 closed' });
    assert.match(time as string, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.equal(pid, process.pid);
  });

  test('below the level are not written', () => {
    const { log, lines } = memory('warn');
    log.info('quiet');
    log.warn('loud');
    assert.deepEqual(
      lines().map(({ msg }) => msg),
      ['loud'],
    );
    const silent = memory('silent');
    silent.log.fatal('nothing');
    assert.equal(silent.raw.length, 0);
  });

  test('errors carry type, message, stack and cause', () => {
    const { log, last } = memory();
    log.error(new TypeError('outer', { cause: Object.assign(new Error('inner'), { code: 'ENOENT' }) }));
    const { msg, err } = last();
    assert.equal(msg, 'outer');
    assert.equal(err?.type, 'TypeError');
    assert.match(err?.stack as string, /log\.test\.ts/);
    const cause = err?.cause as Record<string, unknown>;
    assert.deepEqual([cause.message, cause.code], ['inner', 'ENOENT']);
    log.error({ err: new Error('with fields'), height: 1 }, 'failed');
    assert.deepEqual([last().msg, last().err?.message, last().height], ['failed', 'with fields', 1]);
  });

  test('go to standard error unless said otherwise', () => {
    const code = `import { createLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))};
      createLog({ level: 'info' }).info('hello');`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
    assert.equal(child.stdout, '');
    assert.equal((JSON.parse(child.stderr) as Line).msg, 'hello');
  });
});

describe('secrets', () => {
  const names = [
    'privateKey',
    'private_key',
    'private_keys',
    'PRIVATE-KEY',
    'validatorPrivateKey',
    'seed',
    'apiKey',
    'x-api-key',
    'authorization',
    'Authorization',
    'password',
    'mnemonic',
    'secretKey',
    'privateKeyMultibase',
    'issuerPrivateKey',
    'masterKey',
    'signData',
    'ed25519SignData',
    'body',
    'rawBody',
    'credentialSubject',
    'vcObject',
    'vp',
  ];

  test('are redacted by name at every depth, in lists, children and errors', () => {
    for (const name of names) {
      const { log, raw } = memory();
      const shapes = [
        { [name]: word },
        { [name]: [word] },
        { [name]: { inner: word } },
        { a: { [name]: word } },
        { a: { b: { [name]: word } } },
        { a: { b: { c: { [name]: word } } } },
        { a: { b: { c: { d: { [name]: word } } } } },
        { a: [{ b: [{ [name]: word }] }] },
        { err: Object.assign(new Error('x'), { [name]: word }) },
        { err: new Error('x', { cause: { [name]: word } }) },
      ];
      for (const shape of shapes) {
        log.info(shape, 'told');
        log.info('told %o %j', shape, shape);
        log.child(shape).info('told');
        log.child({ a: 1 }).child(shape).info('told');
      }
      assert.equal(raw.length, shapes.length * 4);
      assert.doesNotMatch(raw.join(''), new RegExp(word), name);
      assert.match(raw[0] as string, /\[redacted\]/);
    }
  });

  test('bytes are never written, only how many', () => {
    const { log, last } = memory();
    log.info({ key: new Uint8Array(32), buffer: Buffer.from(word) });
    assert.deepEqual([last().key, last().buffer], ['[32 bytes]', '[7 bytes]']);
  });

  test('names that only look alike are left alone', () => {
    const { log, last } = memory();
    log.info({ publicKey: 'p', seedling: 's', key: 'k', tokens: 2 });
    const { publicKey, seedling, key, tokens } = last();
    assert.deepEqual([publicKey, seedling, key, tokens], ['p', 's', 'k', 2]);
  });

  test('a request is logged without its query and headers', async () => {
    const { log, raw, lines } = memory();
    const app = Fastify({ loggerInstance: log });
    app.get('/getAddress', async () => ({ ok: true }));
    await app.inject({ url: `/getAddress?private_key=${word}`, headers: { authorization: word } });
    await app.close();
    assert.doesNotMatch(raw.join(''), new RegExp(word));
    const incoming = lines().find(({ msg }) => msg === 'incoming request')?.req as Record<string, unknown>;
    assert.equal(incoming.url, '/getAddress');
    const done = lines().find(({ msg }) => msg === 'request completed');
    assert.deepEqual(done?.res, { statusCode: 200 });
  });
});

describe('size', () => {
  const longest = (raw: string[]) => Math.max(...raw.map((line) => line.length));

  test('long texts, lists, objects and messages are cut', () => {
    const { log, raw, last } = memory();
    log.info({ text: 'x'.repeat(1_000_000) });
    assert.match(last().text as string, /… \(998976 more\)$/);
    log.info({ list: Array.from({ length: 1_000 }, (_, i) => i) });
    assert.deepEqual((last().list as unknown[]).slice(-2), [19, '… 980 more']);
    log.info(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, i])));
    assert.equal(last()['…'], '950 more');
    log.info('y'.repeat(1_000_000));
    log.info('%s', 'z'.repeat(1_000_000));
    log.error(new Error('e'.repeat(1_000_000)));
    log.child({ text: 'x'.repeat(1_000_000) }).info('child');
    log.info({ ['n'.repeat(1_000_000)]: 1 });
    assert.ok(longest(raw) < 10_000, `${longest(raw)}`);
  });

  test('wide and deep values are cut as a whole', () => {
    const { log, raw } = memory();
    const wide = (depth: number): unknown =>
      depth === 0
        ? 'leaf'
        : Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, wide(depth - 1)]));
    log.info({ wide: wide(3) });
    assert.ok(longest(raw) < 100_000, `${longest(raw)}`);
  });

  test('circles, getters that throw and odd values do no harm', () => {
    const { log, last } = memory();
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const trap = Object.defineProperty({}, 'x', {
      enumerable: true,
      get() {
        throw new Error(word);
      },
    });
    log.info({
      circle,
      trap,
      date: new Date(Number.NaN),
      fn: () => 1,
      map: new Map([[1, 2]]),
      nothing: null,
    });
    assert.deepEqual([last().trap, last().date, last().fn], [{ x: '[unreadable]' }, 'no date', '[function]']);
    assert.deepEqual([last().map, last().nothing], ['[1 entries]', null]);
    log.info(undefined as never);
    log.info(null, 'null');
    assert.equal(last().msg, 'null');
  });

  test('any value makes one bounded line of JSON', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 6, withBigInt: true, withDate: true, withMap: true }), (value) => {
        const { log, raw, lines } = memory();
        log.info({ value }, 'any');
        log.child({ value }).warn('any');
        assert.equal(lines().length, 2);
        assert.ok(raw.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1));
      }),
    );
  });
});
