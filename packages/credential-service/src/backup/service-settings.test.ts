import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceConfigSchema } from '../parts/service-config.ts';
import { joinSettings, misplacedSettings, settingNames, splitSettings } from './service-settings.ts';

const hsm = { module: '/usr/lib/module.so', tokenLabel: 'token', pin: 'secret-pin' };
const settings = {
  port: 8_081,
  database: 'postgres://user:secret-password@db.example/credentials',
  masterKey: { file: '/etc/keys/master.key', value: 'ab'.repeat(32), previous: ['secret-old'], hsm },
  custody: { enabled: true, hsm },
  rates: { lightPerMinute: 5 },
};

test('secret settings are apart, places are left out, and both parts make the whole again', () => {
  serviceConfigSchema.parse(settings);
  const { open, secret, secretNames } = splitSettings(settings);
  assert.doesNotMatch(JSON.stringify(open), /secret|abab/);
  assert.deepEqual(secretNames.toSorted(), [
    'custody.hsm.pin',
    'database',
    'masterKey.hsm.pin',
    'masterKey.previous',
    'masterKey.value',
  ]);
  const { file: _, ...masterKey } = settings.masterKey;
  assert.deepEqual(joinSettings(open, secret), { ...settings, masterKey });
});

test('a database in a file is no secret and belongs to no other place', () => {
  for (const database of ['sqlite:service.db', 'sqlite:/var/lib/service.db'])
    assert.deepEqual(splitSettings({ database, port: 1 }), {
      open: { port: 1 },
      secret: {},
      secretNames: [],
    });
});

test('what is not a setting or has an odd form comes along nowhere', () => {
  const odd = { unknown: 'secret', masterKey: 'secret', custody: ['secret'], port: 1 };
  assert.deepEqual(splitSettings(odd).open, { port: 1 });
  assert.deepEqual(splitSettings({}), { open: {}, secret: {}, secretNames: [] });
});

test('secrets and places that lie open are found, whatever they are', () => {
  const { open, secretNames } = splitSettings(settings);
  assert.deepEqual(misplacedSettings(open), []);
  assert.deepEqual(misplacedSettings(settings).toSorted(), [...secretNames, 'masterKey.file'].toSorted());
  for (const database of ['sqlite:/var/lib/other.db', 'postgres://host/name'])
    assert.deepEqual(misplacedSettings({ database }), ['database']);
  assert.deepEqual(settingNames({ port: 1, unknown: 2, masterKey: { value: 'x' } }), [
    'port',
    'masterKey.value',
  ]);
});
