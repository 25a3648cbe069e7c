import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runtimeFolderOf, unitNames, unitTexts, unitWord } from './units.ts';

const order = {
  data: '/var/lib/symbolon/validator',
  symbolon: '/usr/local/bin/symbolon',
  cometbft: '/usr/local/bin/cometbft',
  user: 'symbolon',
};
const signer = {
  data: '/var/lib/symbolon-signer',
  socket: '/run/symbolon-cometbft/privval.sock',
  user: 'symbolon-signer',
};

describe('units of systemd', () => {
  test('start each process again, and keep from it what it does not need', () => {
    for (const text of Object.values(unitTexts({ ...order, signer }))) {
      assert.match(text, /^Restart=always$/m);
      assert.match(text, /^NoNewPrivileges=yes$/m);
      assert.match(text, /^ProtectSystem=strict$/m);
      assert.match(text, /^ReadWritePaths=\/var\/lib\/symbolon\S*$/m);
      assert.doesNotMatch(text, /undefined/);
      // Every line is a section, a setting or a remark.
      for (const line of text.split('\n')) assert.match(line, /^(\[\w+\]|[A-Z]\w*=.*|# .*|)$/);
    }
  });

  test('have a signer only where there is one, which reads no key of others and writes its own folder alone', () => {
    assert.deepEqual(Object.keys(unitTexts(order)), [unitNames.ledger, unitNames.cometbft]);
    const texts = unitTexts({ ...order, signer });
    const comet = texts[unitNames.cometbft] as string;
    assert.match(comet, /^RuntimeDirectory=symbolon-cometbft$/m);
    assert.match(comet, /^UMask=0007$/m);
    assert.doesNotMatch(comet, /UMask=0077/);
    assert.match(unitTexts(order)[unitNames.cometbft] as string, /^UMask=0077$/m);
    const own = texts[unitNames.signer] as string;
    assert.match(own, /^User=symbolon-signer$/m);
    assert.match(own, /^ReadWritePaths=\/var\/lib\/symbolon-signer$/m);
  });

  test('have a folder below /run for the socket, and none for one elsewhere', () => {
    assert.equal(runtimeFolderOf(signer.socket), 'symbolon-cometbft');
    assert.equal(runtimeFolderOf('/run/a/b/c.sock'), 'a/b');
    for (const other of ['/run/c.sock', '/srv/run/a/c.sock', '/srv/c.sock'])
      assert.equal(runtimeFolderOf(other), undefined, other);
  });

  test('have paths as systemd reads them', () => {
    assert.equal(unitWord('/srv/a b'), '"/srv/a b"');
    assert.equal(unitWord('/srv/100%'), '/srv/100%%');
    assert.equal(unitWord('/srv/$HOME'), '/srv/$$HOME');
    assert.equal(unitWord('/srv/"x"'), '"/srv/\\"x\\""');
  });
});
