import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { ConfigError, type ConfigSources, inspectConfig, loadConfig, secret } from './config.ts';
import { envNameOf, listSettings } from './config-settings.ts';

const schema = z.object({
  dataDir: z.string().min(1),
  ledger: z
    .object({
      host: z.string().default('127.0.0.1'),
      port: z.int().min(0).max(65535).default(8081),
      blockIntervalMs: z.int().min(10).default(200),
      genesisBalance: z
        .bigint()
        .min(0n)
        .default(10n ** 17n),
      isHeartbeatOn: z.boolean().default(false),
    })
    .prefault({}),
  log: z.object({ level: z.enum(['debug', 'info', 'warn', 'error']).default('info') }).prefault({}),
  allowedOrigins: z.array(z.string()).default([]),
  ports: z.array(z.int()).default([]),
  labels: z.record(z.string(), z.string()).default({}),
  cache: z.union([z.literal('off'), z.int().min(1)]).default('off'),
  validator: z
    .object({
      privateKey: secret(z.string().regex(/^[0-9a-f]{64}$/)).optional(),
      pin: secret(z.int().max(9999)).optional(),
    })
    .prefault({}),
});

const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-config-'));
after(() => rmSync(folder, { recursive: true }));

function fileWith(content: unknown): string {
  const file = path.join(mkdtempSync(path.join(folder, 'case-')), 'node.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const load = (sources: ConfigSources) => loadConfig(schema, { overrides: { dataDir: 'data' }, ...sources });

function mistakes(sources: ConfigSources): ConfigError {
  try {
    load(sources);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error;
  }
  return assert.fail('the configuration was accepted');
}

const told = (sources: ConfigSources) =>
  mistakes(sources).problems.map(({ place, problem }) => `${place}: ${problem}`);

describe('values', () => {
  test('come from the defaults when nobody says anything', () => {
    const config = load({});
    assert.equal(config.ledger.port, 8081);
    assert.equal(config.ledger.genesisBalance, 10n ** 17n);
    assert.equal(config.log.level, 'info');
  });

  test('each source stands above the one before', () => {
    const file = fileWith({ dataDir: 'from file', ledger: { port: 1, blockIntervalMs: 50, host: 'a' } });
    const env = { SYMBOLON_LEDGER_PORT: '2', SYMBOLON_LEDGER_HOST: 'b', HOME: 'elsewhere' };
    const config = load({ file, env, overrides: { ledger: { port: 3, host: undefined } } });
    assert.deepEqual(
      { ...config.ledger, dataDir: config.dataDir },
      {
        host: 'b',
        port: 3,
        blockIntervalMs: 50,
        genesisBalance: 10n ** 17n,
        isHeartbeatOn: false,
        dataDir: 'from file',
      },
    );
  });

  test('from the environment are read by type', () => {
    const config = load({
      env: {
        SYMBOLON_LEDGER_GENESIS_BALANCE: '9223372036854775807',
        SYMBOLON_LEDGER_IS_HEARTBEAT_ON: 'true',
        SYMBOLON_ALLOWED_ORIGINS: 'https://a.example, https://b.example,',
        SYMBOLON_PORTS: '[1, 2]',
        SYMBOLON_LABELS: '{"zone":"a"}',
        SYMBOLON_CACHE: '64',
        SYMBOLON_LOG_LEVEL: 'warn',
      },
    });
    assert.equal(config.ledger.genesisBalance, 9223372036854775807n);
    assert.equal(config.ledger.isHeartbeatOn, true);
    assert.deepEqual(config.allowedOrigins, ['https://a.example', 'https://b.example']);
    assert.deepEqual(config.ports, [1, 2]);
    assert.deepEqual(config.labels, { zone: 'a' });
    assert.equal(config.cache, 64);
    assert.equal(config.log.level, 'warn');
  });

  test('an empty environment variable is the same as none', () => {
    assert.equal(load({ env: { SYMBOLON_LEDGER_PORT: '' } }).ledger.port, 8081);
  });

  test('64-bit integers in the file keep every digit, as numbers and as text', () => {
    const asNumber = fileWith('{"ledger":{"genesisBalance":9223372036854775807}}');
    const asText = fileWith({ ledger: { genesisBalance: '9223372036854775807' } });
    assert.equal(load({ file: asNumber }).ledger.genesisBalance, 9223372036854775807n);
    assert.equal(load({ file: asText }).ledger.genesisBalance, 9223372036854775807n);
    assert.equal(load({ file: fileWith({ ledger: { genesisBalance: 7 } }) }).ledger.genesisBalance, 7n);
  });

  test('what belongs to the launchers or to somebody else is left alone', () => {
    const env = { SYMBOLON_NODE: '/usr/bin/node', SYMBOLON_CONFIG: 'x.json', SYMBOLON_EXTRA: '1' };
    assert.equal(load({ env, otherEnv: ['SYMBOLON_EXTRA'] }).ledger.port, 8081);
  });

  test('a byte order mark at the start of the file does no harm', () => {
    assert.equal(load({ file: fileWith('\uFEFF{"ledger":{"port":5}}') }).ledger.port, 5);
  });

  test('any number survives the environment', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 65535 }),
        fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
        (port, balance) => {
          const env = { SYMBOLON_LEDGER_PORT: `${port}`, SYMBOLON_LEDGER_GENESIS_BALANCE: `${balance}` };
          const { ledger } = load({ env });
          assert.deepEqual([ledger.port, ledger.genesisBalance], [port, balance]);
        },
      ),
    );
  });
});

describe('mistakes', () => {
  test('of every source are told at once, each with its place', () => {
    const file = fileWith({ ledger: { prot: 1, port: 80800, blockIntervalMs: 'soon' }, logg: {} });
    const env = { SYMBOLON_LOG_LEVEL: 'loud', SYMBOLON_LEDGR_PORT: '1', SYMBOLON_PORTS: '1,x' };
    const error = mistakes({ file, env });
    assert.match(error.message, /^7 mistakes in the configuration:\n/);
    assert.equal(error.exitCode, 78);
    assert.deepEqual(
      error.problems.map(({ place, problem }) => `${place.replace(file, 'FILE')}: ${problem}`),
      [
        'ledger.prot in FILE: is not a setting; did you mean ledger.port?',
        'logg in FILE: is not a setting; did you mean log?',
        'SYMBOLON_LEDGR_PORT: is not a setting; did you mean SYMBOLON_LEDGER_PORT?',
        'SYMBOLON_PORTS: must be a number; it is "1,x"',
        'ledger.port in FILE: must be at most 65535; it is 80800',
        'ledger.blockIntervalMs in FILE: must be a number; it is "soon"',
        'SYMBOLON_LOG_LEVEL: must be one of debug, info, warn, error; it is "loud"',
      ],
    );
  });

  test('a missing setting names both places where it can be set', () => {
    assert.deepEqual(told({ overrides: {} }), [
      'dataDir: is missing; it must be a text (in the file, or as SYMBOLON_DATA_DIR)',
    ]);
  });

  test('a setting in the wrong place is found in the right one', () => {
    const [line] = told({ file: fileWith({ blockIntervalMs: 5 }) });
    assert.match(line as string, /is not a setting; did you mean ledger\.blockIntervalMs\?$/);
  });

  test('a group in the environment leads to its settings', () => {
    assert.deepEqual(told({ env: { SYMBOLON_VALIDATOR: '{}' } }), [
      'SYMBOLON_VALIDATOR: is a group; set SYMBOLON_VALIDATOR_PRIVATE_KEY, SYMBOLON_VALIDATOR_PIN',
    ]);
  });

  test('a name that is cut short is no group', () => {
    assert.deepEqual(told({ env: { SYMBOLON_LEDGER_BLOCK_INTERVAL: '5' } }), [
      'SYMBOLON_LEDGER_BLOCK_INTERVAL: is not a setting; did you mean SYMBOLON_LEDGER_BLOCK_INTERVAL_MS?',
    ]);
  });

  test('nothing near is suggested for a name that is like no other', () => {
    assert.deepEqual(told({ env: { SYMBOLON_ZZZZZZZZZZZZZ: '1' } }), [
      'SYMBOLON_ZZZZZZZZZZZZZ: is not a setting',
    ]);
    const [line] = told({ env: { [`SYMBOLON_${'X'.repeat(10_000)}`]: '1' } });
    assert.match(line as string, /is not a setting$/);
  });

  test('texts that are no numbers, booleans or JSON are refused', () => {
    for (const text of ['', ' 1', '0x10', '1e', 'NaN', 'Infinity', '1,5', '--1']) {
      if (text !== '')
        assert.match(told({ env: { SYMBOLON_LEDGER_PORT: text } })[0] as string, /must be a number/);
    }
    for (const text of ['1.5', '1e3', '0x1', '1n']) {
      const [line] = told({ env: { SYMBOLON_LEDGER_GENESIS_BALANCE: text } });
      assert.match(line as string, /must be a whole number/);
    }
    assert.match(
      told({ env: { SYMBOLON_LEDGER_IS_HEARTBEAT_ON: 'yes' } })[0] as string,
      /must be true or false/,
    );
    assert.match(told({ env: { SYMBOLON_PORTS: '[1,' } })[0] as string, /must be a list/);
    assert.match(told({ env: { SYMBOLON_LABELS: 'zone=a' } })[0] as string, /must be a JSON object/);
    assert.match(told({ env: { SYMBOLON_LEDGER_PORT: '1.5' } })[0] as string, /must be a whole number/);
  });

  test('a union tells all its ways', () => {
    assert.deepEqual(told({ env: { SYMBOLON_CACHE: 'sometimes' } }), [
      'SYMBOLON_CACHE: must be off, or must be a number; it is "sometimes"',
    ]);
  });

  test('an item of a list is named by its place in it', () => {
    const file = fileWith({ ports: [1, 'two'] });
    assert.deepEqual(told({ file }), [`ports in ${file} (at 1): must be a number; it is "two"`]);
  });

  test('a value where a group belongs is refused', () => {
    for (const value of [1, null, [], 'x']) {
      const file = fileWith({ ledger: value });
      assert.deepEqual(told({ file }), [`ledger in ${file}: must be an object`]);
    }
  });

  test('names that objects inherit are no settings', () => {
    const file = fileWith('{"__proto__":{"port":1},"constructor":1,"ledger":{"toString":1}}');
    assert.equal(told({ file }).length, 3);
    assert.equal(({} as { port?: number }).port, undefined);
  });

  test('a long value is cut', () => {
    const [line] = told({ env: { SYMBOLON_LOG_LEVEL: 'x'.repeat(10_000) } });
    assert.ok((line as string).length < 200);
  });

  test('of the command line are told as such', () => {
    assert.deepEqual(told({ overrides: { dataDir: 'x', ledger: { port: -1 } } }), [
      'ledger.port on the command line: must be at least 0; it is -1',
    ]);
  });
});

describe('a file that cannot be used', () => {
  test('is named with the reason, and nothing is said to be missing', () => {
    const missing = path.join(folder, 'none.json');
    assert.deepEqual(told({ file: missing, overrides: {} }), [`${missing}: cannot be read (ENOENT)`]);
    assert.deepEqual(told({ file: folder }), [`${folder}: cannot be read (EISDIR)`]);
    for (const text of ['[]', 'null', '1', '"x"']) {
      const file = fileWith(text);
      assert.deepEqual(told({ file }), [`${file}: must hold one JSON object`]);
    }
    const large = fileWith(' '.repeat(1024 * 1024 + 1));
    assert.deepEqual(told({ file: large }), [`${large}: is larger than 1048576 bytes`]);
  });

  test('broken JSON is placed by line and column, and never repeated', () => {
    const file = fileWith('{\n  "validator": { "privateKey": "hunter2hunter2" oops }\n}');
    assert.deepEqual(told({ file }), [`${file}: is not JSON (line 2, column 49)`]);
    const cut = fileWith('{"validator": {"privateKey": "hunter2');
    assert.doesNotMatch(mistakes({ file: cut }).message, /hunter2/);
    const empty = fileWith('');
    assert.deepEqual(told({ file: empty }), [`${empty}: is not JSON (it ends too early)`]);
  });
});

describe('secrets', () => {
  const word = 'hunter2-hunter2';

  test('never appear in a message, whatever is wrong with them', () => {
    const sources: ConfigSources[] = [
      { env: { SYMBOLON_VALIDATOR_PRIVATE_KEY: word, SYMBOLON_VALIDATOR_PIN: word } },
      { file: fileWith({ validator: { privateKey: word, pin: word } }) },
      { file: fileWith({ validator: { privateKey: [word], pin: { word } } }) },
      { overrides: { dataDir: 'x', validator: { privateKey: word } } },
      { file: fileWith({ validator: word }) },
      { env: { SYMBOLON_VALIDATOR_PRIVAT_KEY: word } },
    ];
    for (const source of sources) assert.doesNotMatch(mistakes(source).message, /hunter2/);
  });

  test("an author's own message is withheld, because it may quote", () => {
    const quoting = z.object({
      pin: secret(z.string().refine(() => false, { error: (issue) => `bad ${String(issue.input)}` })),
      open: z.string().refine(() => false, 'must be better'),
    });
    assert.throws(() => loadConfig(quoting, { env: { SYMBOLON_PIN: word, SYMBOLON_OPEN: 'x' } }), {
      message:
        '2 mistakes in the configuration:\n' +
        '  SYMBOLON_PIN: is not allowed as it is\n' +
        '  SYMBOLON_OPEN: must be better; it is "x"',
    });
  });

  test('the mark survives defaults and covers a whole group', () => {
    const marked = z.object({ a: secret(z.string()).default('x'), b: secret(z.object({ c: z.string() })) });
    assert.deepEqual(
      listSettings(marked, 'P_').map((setting) => setting.secret),
      [true, true],
    );
  });
});

describe('the list of settings', () => {
  test('names every setting in both spellings', () => {
    const names = listSettings(schema, 'SYMBOLON_').map((setting) => [setting.path.join('.'), setting.env]);
    assert.deepEqual(names.slice(0, 4), [
      ['dataDir', 'SYMBOLON_DATA_DIR'],
      ['ledger.host', 'SYMBOLON_LEDGER_HOST'],
      ['ledger.port', 'SYMBOLON_LEDGER_PORT'],
      ['ledger.blockIntervalMs', 'SYMBOLON_LEDGER_BLOCK_INTERVAL_MS'],
    ]);
    assert.equal(envNameOf('X_', ['sha256Key', 'maxTx']), 'X_SHA256_KEY_MAX_TX');
  });

  test('two settings with one environment name are a bug', () => {
    const twins = z.object({ ledgerPort: z.int(), ledger: z.object({ port: z.int() }) });
    assert.throws(() => listSettings(twins, ''), /share an environment name/);
    assert.throws(() => listSettings(z.string(), ''), /a configuration is an object/);
  });
});

describe('a configuration, inspected', () => {
  const inspect = (sources: ConfigSources) => {
    const { settings, problems } = inspectConfig(schema, { overrides: { dataDir: 'data' }, ...sources });
    return { problems, of: (path: string) => settings.find((setting) => setting.path === path) };
  };

  test('names where each value comes from', () => {
    const file = fileWith({ ledger: { port: 1 }, log: { level: 'warn' } });
    const { of, problems } = inspect({ file, env: { SYMBOLON_LOG_LEVEL: 'debug' } });
    assert.deepEqual(problems, []);
    assert.equal(of('ledger.port')?.value, 1);
    assert.equal(of('ledger.port')?.place, `ledger.port in ${file}`);
    assert.deepEqual([of('log.level')?.value, of('log.level')?.place], ['debug', 'SYMBOLON_LOG_LEVEL']);
    assert.deepEqual([of('ledger.host')?.value, of('ledger.host')?.place], ['127.0.0.1', 'default']);
    assert.deepEqual([of('validator.pin')?.isSet, of('validator.pin')?.place], [false, 'not set']);
    assert.match(of('dataDir')?.place ?? '', /on the command line/);
  });

  test('never hands a secret out, and still tells every mistake', () => {
    const file = fileWith({ validator: { privateKey: 'a-secret-text', pin: 77_777 }, ledgr: 1 });
    const { of, problems } = inspect({ file });
    assert.equal(problems.length, 3);
    assert.equal(of('validator.privateKey')?.isSet, true);
    assert.equal(of('validator.privateKey')?.value, undefined);
    assert.doesNotMatch(
      JSON.stringify([of('validator.privateKey'), of('validator.pin'), problems]),
      /a-secret|77777/,
    );
  });

  test("leaves the command line's own names alone", () => {
    const env = { SYMBOLON_PROFILE: 'x', SYMBOLON_API_KEY: 'y', SYMBOLON_LEDGER_URL: 'z' };
    assert.deepEqual(inspect({ env }).problems, []);
    assert.equal(inspect({ env: { SYMBOLON_PROFIL: 'x' } }).problems.length, 1);
  });
});
