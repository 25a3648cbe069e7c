/** The vault in a real Chromium, before a real database and an authenticator that gives secrets. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { findChromium } from '../support/chromium.ts';
import { openBrowser } from '../support/console-browser.ts';
import { everythingKept } from '../support/kept-in-browser.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { until } from '../support/until.ts';
import { serveVaultPages, type VaultPages } from '../support/vault-page.ts';

const owner = ownerOfSuite();
const chromium = await findChromium();
const skip = 'missing' in chromium ? chromium.missing : false;
let pages: VaultPages;

describe('the vault of a browser', { skip, timeout: 120_000 }, () => {
  before(async () => {
    if ('missing' in chromium) return;
    pages = await serveVaultPages(owner, await openBrowser(owner, chromium));
  });

  test('under a passkey: nothing of it is readable on disk, and only the passkey opens it', async () => {
    const page = await pages.open();
    const made = (await page.evaluate(`(async () => {
      const key = await kit.generateKey();
      const vault = await kit.makeVault({ privateKey: key.privateKey, name: 'Mine', protection: { kind: 'passkey' } });
      await vault.write('cards/abc', { degree: 'Bachelor of Telling' });
      const lasting = { did: key.did, privateKey: key.privateKey };
      vault.lock();
      const afterLock = [
        await kit.outcome(() => vault.read('cards/abc')),
        await kit.outcome(() => vault.signer.sign(new Uint8Array(4))),
        await kit.outcome(() => vault.write('x', 1)),
        await kit.outcome(() => vault.backup('a long password')),
      ];
      return { ...lasting, afterLock, hasPasskeys: await kit.hasPasskeys() };
    })()`)) as { did: string; privateKey: string; afterLock: unknown[]; hasPasskeys: boolean };
    assert.deepEqual(made.afterLock, ['locked', 'locked', 'locked', 'locked']);
    assert.equal(made.hasPasskeys, true);

    const kept = (await page.evaluate(everythingKept)) as string;
    assert.ok(kept.includes(made.did), 'the looking sees what is there');
    for (const secret of [made.privateKey, 'Bachelor', 'degree', 'cards/', 'abc'])
      assert.ok(!kept.includes(secret), `${secret} is readable`);

    const read = await page.evaluate(`(async () => {
      const did = ${JSON.stringify(made.did)};
      const wrong = await kit.outcome(() => kit.unlockVault(did, { kind: 'password', password: 'something long' }));
      const vault = await kit.unlockVault(did, { kind: 'passkey' });
      const signature = await vault.signer.sign(new Uint8Array(4));
      return [wrong, await vault.read('cards/abc'), await vault.read('other'), signature.length,
        (await vault.list('cards/')).map(({ name }) => name), (await kit.listVaults()).map(({ protection }) => protection)];
    })()`);
    const expected = [
      'wrongSecret',
      { degree: 'Bachelor of Telling' },
      undefined,
      64,
      ['cards/abc'],
      ['passkey'],
    ];
    assert.deepEqual(read, expected);
  });

  test('under a password, which can be changed, and the vault forgotten', async () => {
    const page = await pages.open();
    const told = await page.evaluate(`(async () => {
      const { privateKey, did } = await kit.generateKey();
      const secret = (password) => ({ kind: 'password', password });
      const order = { privateKey, name: '', protection: secret('grüße an alle') };
      const short = await kit.outcome(() => kit.makeVault({ ...order, protection: secret('short') }));
      await kit.makeVault(order);
      const again = await kit.outcome(() => kit.makeVault(order));
      const wrong = await kit.outcome(() => kit.unlockVault(did, secret('another one')));
      // The same letters, composed in another way.
      const vault = await kit.unlockVault(did, secret('grüße an alle'.normalize('NFD')));
      await vault.write('a', 1);
      await kit.changeProtection(did, secret('grüße an alle'), { kind: 'passkey' });
      const old = await kit.outcome(() => kit.unlockVault(did, secret('grüße an alle')));
      const kept = await (await kit.unlockVault(did, { kind: 'passkey' })).read('a');
      await kit.forgetVault(did);
      const grown = await kit.outcome(() => vault.write('b', 1));
      const gone = await kit.outcome(() => kit.unlockVault(did, { kind: 'passkey' }));
      return { short, again, wrong, old, kept, grown, gone, left: await kit.listVaults() };
    })()`);
    assert.deepEqual(told, {
      short: 'passwordShort',
      again: 'exists',
      wrong: 'wrongSecret',
      old: 'wrongSecret',
      kept: 1,
      grown: 'unknown',
      gone: 'unknown',
      left: [],
    });
  });

  test('what is kept opens in its own place only', async () => {
    const page = await pages.open();
    const told = await page.evaluate(`(async () => {
      const { privateKey, did } = await kit.generateKey();
      const vault = await kit.makeVault({ privateKey, name: '', protection: { kind: 'demo', privateKey } });
      await vault.write('a', 'one');
      await vault.write('b', 'two');
      const db = await new Promise((resolve) => {
        const asked = indexedDB.open('symbolon-vaults');
        asked.onsuccess = () => resolve(asked.result);
      });
      const store = () => db.transaction('records', 'readwrite').objectStore('records');
      const done = (asked) => new Promise((resolve) => { asked.onsuccess = () => resolve(asked.result); });
      // Somebody with the disk puts the contents of each record in the place of the next.
      const all = await done(store().getAll());
      for (const [index, { vault, mark }] of all.entries()) {
        const { iv, ciphertext } = all[(index + 1) % all.length];
        await done(store().put({ vault, mark, iv, ciphertext }));
      }
      await vault.write('c', 'three');
      return [
        await kit.outcome(() => vault.read('a')),
        await kit.outcome(() => vault.read('b')),
        await kit.outcome(() => kit.unlockVault(did, { kind: 'demo', privateKey })),
        await vault.list(''),
        await vault.countDamaged(),
      ];
    })()`);
    const whole = [{ name: 'c', value: 'three' }];
    assert.deepEqual(told, ['damaged', 'damaged', 'damaged', whole, 3]);
  });

  test('another vault in the place of one, and what is no vault, open with nothing and cost no other one', async () => {
    const page = await pages.open();
    const told = await page.evaluate(`(async () => {
      const [mine, anothers, broken] = [await kit.generateKey(), await kit.generateKey(), await kit.generateKey()];
      const secretOf = ({ privateKey }) => ({ kind: 'demo', privateKey });
      const make = (key) => kit.makeVault({ privateKey: key.privateKey, name: '', protection: secretOf(key) });
      for (const key of [mine, anothers, broken]) await make(key);
      const db = await new Promise((resolve) => {
        const asked = indexedDB.open('symbolon-vaults');
        asked.onsuccess = () => resolve(asked.result);
      });
      const store = (name) => db.transaction(name, 'readwrite').objectStore(name);
      const done = (asked) => new Promise((resolve) => { asked.onsuccess = () => resolve(asked.result); });
      const row = await done(store('vaults').get(anothers.did));
      const records = await done(store('records').getAll());
      await done(store('vaults').put({ ...row, did: mine.did }));
      for (const one of records)
        if (one.vault === anothers.did) await done(store('records').put({ ...one, vault: mine.did }));
      await done(store('vaults').put({ did: broken.did, protection: { kind: 'password' } }));
      const listed = (await kit.listVaults()).find(({ did }) => did === broken.did).protection;
      return [
        await kit.outcome(() => kit.unlockVault(mine.did, secretOf(mine))),
        await kit.outcome(() => kit.unlockVault(mine.did, secretOf(anothers))),
        listed,
        await kit.outcome(() => kit.unlockVault(broken.did, secretOf(broken))),
        (await kit.unlockVault(anothers.did, secretOf(anothers))).facts.did === anothers.did,
        (await make(broken)).facts.did === broken.did,
        await kit.outcome(() => make(broken)),
      ];
    })()`);
    assert.deepEqual(told, ['wrongSecret', 'wrongSecret', 'unreadable', 'damaged', true, true, 'exists']);
  });

  test('a backup opens in another browser, with its password and unchanged', async () => {
    const [here, there] = [await pages.open(), await pages.open()];
    const made = (await here.evaluate(`(async () => {
      const { privateKey, did } = await kit.generateKey();
      const vault = await kit.makeVault({ privateKey, name: 'Mine', protection: { kind: 'passkey' } });
      await vault.write('cards/abc', { degree: 'Bachelor of Telling' });
      return { did, privateKey, text: await vault.backup('a password of its own') };
    })()`)) as { did: string; privateKey: string; text: string };
    for (const secret of [made.privateKey, 'Bachelor', 'cards/']) assert.ok(!made.text.includes(secret));
    const changed = JSON.stringify({ ...(JSON.parse(made.text) as object), name: 'Yours' });
    const told = await there.evaluate(`(async ({ text, changed }) => {
      const password = 'a password of its own';
      const outcomes = [
        await kit.outcome(() => kit.readBackup(text, 'another password')),
        await kit.outcome(() => kit.readBackup(changed, password)),
        await kit.outcome(() => kit.readBackup('{}', password)),
      ];
      const { privateKey, name, records } = await kit.readBackup(text, password);
      const vault = await kit.makeVault({ privateKey, name, records, protection: { kind: 'password', password } });
      return [...outcomes, vault.facts.did, vault.facts.name, await vault.read('cards/abc')];
    })(${JSON.stringify({ text: made.text, changed })})`);
    assert.deepEqual(told, [
      'backupSealed',
      'backupSealed',
      'notABackup',
      made.did,
      'Mine',
      { degree: 'Bachelor of Telling' },
    ]);
  });

  test('locks by itself when nobody touches the page, and in every tab at once', async () => {
    const page = await pages.open();
    await page.clock.install();
    await page.reload();
    const other = await page.context().newPage();
    await other.goto(page.url());
    const did = (await page.evaluate(`(async () => {
      const { privateKey, did } = await kit.generateKey();
      globalThis.secret = { kind: 'demo', privateKey };
      kit.keepOpen(await kit.makeVault({ privateKey, name: '', protection: secret }));
      return did;
    })()`)) as string;
    const isOpen = `kit.openedVaultOf(${JSON.stringify(did)}) !== undefined`;
    await page.clock.fastForward('14:00');
    await page.keyboard.press('a');
    await page.clock.fastForward('14:00');
    assert.equal(await page.evaluate(isOpen), true);
    await page.clock.fastForward('02:00');
    assert.equal(await page.evaluate(isOpen), false);

    await page.evaluate(`kit.unlockVault(${JSON.stringify(did)}, secret).then(kit.keepOpen)`);
    assert.equal(await page.evaluate(isOpen), true);
    await other.evaluate(`kit.lockVault(${JSON.stringify(did)})`);
    await until('locked in this tab too', async () => !(await page.evaluate(isOpen)));
  });
});
