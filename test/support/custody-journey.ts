/**
 * The journey of accounts in custody over HTTP, the same wherever keys and records are: making one, signing what a
 * ledger then takes, what policies and passwords forbid, caps under concurrency, and what a new start finds again.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { custodyLimits } from '@symbolon/core/limits/custody';
import { custodyWorkLimits } from '@symbolon/credential-service/limits/service-limits';
import type { JsonObject } from '@symbolon/wire/json/json';
import {
  type CustodySteps,
  custodyData,
  custodyPaths,
  custodyRefusal,
  custodySteps,
  type HeldAccount,
  isSignedBy,
} from './custody-steps.ts';
import type { Owner } from './owner.ts';
import { person } from './people.ts';
import type { RunningService } from './running-service.ts';

export interface CustodyJourney {
  readonly owner: Owner;
  readonly start: (owner: Owner) => Promise<RunningService>;
  readonly skip?: string | false;
}

/** No error, log or file shows it. */
export const custodyPin = 'a-pin-that-nothing-shows';

/** Settings of custody for tests: as many calls as a test needs, from one place. */
export const custodySettings = {
  enabled: true,
  rates: { wrongPasswordsPerMinute: 100_000, newAccountsPerMinute: 100_000 },
  activation: { enabled: true },
};

const payee = person('payee of custody').address;
const token = person('contract of a token').address;
const pay = (amount: bigint) => ({ payCoin: { destAddress: payee, amount } });
const hexOf = (text: string): string => Buffer.from(text, 'utf8').toString('hex');
const times = <Answer>(count: number, make: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

export function registerCustodyJourney(name: string, { owner, start, skip = false }: CustodyJourney): void {
  describe(`custody with keys in ${name}`, { skip }, () => {
    let service: RunningService;
    let steps: CustodySteps;
    let account: HeldAccount;
    /** An API key of who runs the service. */
    let approval: string;

    before(async () => {
      service = await start(owner);
      steps = custodySteps(service.url, service.ledger);
      const key = await service.served.apiKeys.create({ label: 'approves', scopes: ['admin'] });
      approval = key.token;
      account = await steps.create('correct horse battery', { label: 'Savings', purpose: 'holder' });
    });

    test('an account is made, paid for once, and told in the family’s members', async () => {
      const { created, address, publicKey } = account;
      assert.deepEqual(Object.keys(created).sort(), [
        'activated',
        'activationTxHash',
        'publicKeyHex',
        'zetrixAddress',
      ]);
      assert.match(publicKey, /^b001[0-9a-f]{72}$/);
      assert.equal(created.activated, true);
      assert.match(created.activationTxHash as string, /^[0-9a-f]{64}$/);
      assert.equal(await steps.balanceOf(address), BigInt(custodyWorkLimits.activationAmount));
      assert.deepEqual(custodyData(await steps.status(address)), { address, activated: true });
      const nobody = person('nobody at all').address;
      assert.deepEqual(custodyData(await steps.status(nobody)), { address: nobody, activated: false });
      for (const password of ['seven77', 'x'.repeat(129), undefined, 12345678]) {
        const answer = await steps.post(custodyPaths.create, password === undefined ? {} : { password });
        assert.equal(custodyRefusal(answer), '1 requestMalformed');
        const { errorList } = answer.body.data as JsonObject;
        assert.match((errorList as string[])[0] as string, /^password：/);
      }
    });

    test('a transfer that is signed here is executed on the ledger', async () => {
      const blob = await steps.blobOf(account.address, [pay(1_000n)]);
      const signed = custodyData(await steps.signBlob(account, blob.toUpperCase()));
      assert.deepEqual(Object.keys(signed).sort(), ['publicKey', 'signBlob']);
      assert.match(signed.signBlob as string, /^[0-9a-f]{128}$/);
      assert.equal(signed.publicKey, account.publicKey);
      const { address, password } = account;
      const listed = await steps.post(custodyPaths.signBlobListed, { blob, address, password });
      assert.equal(listed.status, 200);
      const { object, messages, success } = listed.body;
      assert.deepEqual([object, messages, success], [[signed], [], true]);
      assert.equal(await steps.submit(blob, signed), 0);
      assert.equal(await steps.balanceOf(payee), 1_000n);
    });

    test('texts and data are signed as they are', async () => {
      const text = `${account.address} schließt ab`;
      const message = custodyData(await steps.signMessage(account, text));
      assert.ok(isSignedBy(account.publicKey, Buffer.from(text, 'utf8'), message.signBlob as string));
      for (const data of ['eyJhbGciOiJFZERTQSJ9.eyJ2cCI6e319', '0123456789abcdef0123456789abcdef']) {
        const signed = custodyData(await steps.signBlob(account, hexOf(data)));
        assert.ok(isSignedBy(account.publicKey, Buffer.from(data), signed.signBlob as string));
      }
    });

    test('what is malformed is named, and what may pass for a transaction is not signed', async () => {
      for (const blob of ['abc', 'zz', '0x00', ' ab', '']) {
        const answer = await steps.signBlob(account, blob);
        assert.equal(custodyRefusal(answer), '1 requestMalformed');
        assert.match(((answer.body.data as JsonObject).errorList as string[])[0] as string, /^blob：/);
      }
      const badAddress = await steps.signMessage({ ...account, address: 'ZTX3nonsense' }, 'x');
      assert.equal(custodyRefusal(badAddress), '1 requestMalformed');
      const blob = await steps.blobOf(account.address, [pay(1n)]);
      const unknownField = `${blob}980601`;
      assert.equal(custodyRefusal(await steps.signBlob(account, unknownField)), '1000027 policyForbids');
      assert.equal(custodyRefusal(await steps.signMessage(account, blob)), '1000027 policyForbids');
      const asText = Buffer.from(blob, 'hex').toString('utf8');
      if (Buffer.from(asText, 'utf8').toString('hex') === blob)
        assert.equal(custodyRefusal(await steps.signMessage(account, asText)), '1000027 policyForbids');
    });

    test('transactions of others, and what the owner has not allowed, are refused', async () => {
      const other = await steps.create('another password');
      const foreign = await steps.blobOf(other.address, [pay(1n)]);
      assert.equal(custodyRefusal(await steps.signBlob(account, foreign)), '1000027 policyForbids');
      const acting = await steps.blobOf(account.address, [{ ...pay(1n), sourceAddress: other.address }]);
      assert.equal(custodyRefusal(await steps.signBlob(account, acting)), '1000027 policyForbids');
      const takeover = [{ setPrivilege: { masterWeight: '0', signers: [{ address: payee, weight: 1n }] } }];
      const privilege = await steps.blobOf(account.address, takeover);
      assert.equal(custodyRefusal(await steps.signBlob(account, privilege)), '1000027 policyForbids');
      const change = { operations: ['log', 9], messages: false };
      assert.equal(custodyRefusal(await steps.changePolicy(account, change)), '1000027 policyForbids');
      const issuing = service.demo.issuer.apiKey;
      for (const key of [issuing, 'wrong', `${approval.slice(0, -4)}AAAA`])
        assert.equal(custodyRefusal(await steps.changePolicy(account, change, key)), '400000 notAllowed');
      const guess = { ...account, password: 'something else' };
      assert.equal(
        custodyRefusal(await steps.changePolicy(guess, change, approval)),
        '1000026 passwordWrong',
      );
      const policy = custodyData(await steps.changePolicy(account, change, approval));
      assert.deepEqual(policy.operations, ['log', 'setPrivilege']);
      assert.equal(custodyRefusal(await steps.signBlob(account, privilege)), '1000027 policyForbids');
      custodyData(await steps.signBlob(account, privilege, approval));
      const transfer = await steps.blobOf(account.address, [pay(1n)]);
      assert.equal(custodyRefusal(await steps.signBlob(account, transfer)), '1000027 policyForbids');
      assert.equal(custodyRefusal(await steps.signMessage(account, 'hello')), '1000027 policyForbids');
      assert.equal(custodyRefusal(await steps.signBlob(account, hexOf('data'))), '1000027 policyForbids');
      const over = { operations: ['payCoin'], messages: true, until: '2020-01-01T00:00:00Z' };
      custodyData(await steps.changePolicy(account, over, approval));
      assert.equal(custodyRefusal(await steps.signBlob(account, transfer)), '1000027 policyForbids');
      assert.equal(
        custodyRefusal(await steps.changePolicy(account, { until: null })),
        '1000027 policyForbids',
      );
      custodyData(await steps.changePolicy(account, { until: null }, approval));
      custodyData(await steps.signBlob(account, transfer));
      const wrong: JsonObject[] = [
        { operations: ['steal'] },
        { until: 'soon' },
        { dailyAmountMax: '-1' },
        { dailyCountMax: 0.5 },
        { dailyAmuontMax: '5' },
        { dailyAssetMax: { EUR: '1' } },
        { dailyAssetMax: { [`EUR:${payee}`]: '-1' } },
        { dailyAssetMax: [] },
      ];
      for (const change of wrong)
        assert.equal(custodyRefusal(await steps.changePolicy(account, change)), '1 requestMalformed');
      assert.deepEqual(
        custodyData(await steps.readPolicy(account)).operations,
        custodyData(await steps.changePolicy(account, {})).operations,
      );
    });

    test('twenty signatures at once respect both daily caps exactly', async () => {
      const saver = await steps.create('a daily limit');
      const byCount = custodyData(await steps.changePolicy(saver, { dailyCountMax: 7 }));
      assert.equal(byCount.dailyCountMax, 7);
      const messages = await times(20, (index) => steps.signMessage(saver, `message ${index}`));
      const refusals = messages.filter(({ body }) => body.errorCode !== 0).map(custodyRefusal);
      assert.deepEqual(refusals, Array(13).fill('1000028 dailyCapReached'));
      const feeLimit = 10n;
      const relieved = { dailyCountMax: null, dailyAmountMax: '1000' };
      assert.equal(custodyRefusal(await steps.changePolicy(saver, relieved)), '1000027 policyForbids');
      custodyData(await steps.changePolicy(saver, relieved, approval));
      const blob = await steps.blobOf(saver.address, [pay(90n)], feeLimit);
      const transfers = await times(20, () => steps.signBlob(saver, blob));
      assert.equal(transfers.filter(({ body }) => body.errorCode === 0).length, 10);
      const { today } = custodyData(await steps.readPolicy(saver));
      assert.deepEqual(today, { amount: '1000', count: 17, assets: {} });
    });

    test('tokens count too: by asset and by contract, at once and over the day', async () => {
      const saver = await steps.create('a limit for tokens');
      const euro = `EUR:${payee}`;
      const send = (code: string, amount: bigint) => ({
        payAsset: { destAddress: payee, asset: { key: { code, issuer: payee }, amount } },
      });
      const sign = async (...operations: Parameters<typeof steps.blobOf>[1]) =>
        steps.signBlob(saver, await steps.blobOf(saver.address, operations, 1n));
      custodyData(await sign(send('USD', 1_000n)));
      const caps = { dailyAmountMax: '100000', dailyAssetMax: { [euro]: '10', [token]: '5' } };
      const told = custodyData(await steps.changePolicy(saver, caps));
      assert.deepEqual(told.dailyAssetMax, caps.dailyAssetMax);
      assert.equal(custodyRefusal(await sign(send('USD', 1n))), '1000027 policyForbids');
      custodyData(await sign(send('EUR', 2n), send('EUR', 1n)));
      const blob = await steps.blobOf(saver.address, [send('EUR', 1n)], 1n);
      const many = await times(20, () => steps.signBlob(saver, blob));
      assert.equal(many.filter(({ body }) => body.errorCode === 0).length, 7);
      const call = (method: string, value: string) => {
        const input = JSON.stringify({ method, params: { to: payee, value } });
        return { payCoin: { destAddress: token, amount: 0n, input } };
      };
      custodyData(await sign(call('transfer', '4')));
      assert.equal(custodyRefusal(await sign(call('transfer', '2'))), '1000028 dailyCapReached');
      assert.equal(custodyRefusal(await sign(call('approve', '1'))), '1000027 policyForbids');
      const { today } = custodyData(await steps.readPolicy(saver)) as { today: JsonObject };
      assert.deepEqual(today.assets, { [euro]: '10', [token]: '4' });
      const looser: JsonObject[] = [
        { dailyAssetMax: { [euro]: '11' } },
        { dailyAssetMax: { [euro]: '10', [`USD:${payee}`]: '1' } },
        { dailyAssetMax: null, dailyAmountMax: null },
      ];
      for (const change of looser)
        assert.equal(custodyRefusal(await steps.changePolicy(saver, change)), '1000027 policyForbids');
      custodyData(await steps.changePolicy(saver, { dailyAssetMax: { [euro]: '11' } }, approval));
      custodyData(await sign(send('EUR', 1n)));
    });

    test('a wrong password and an unknown account are told alike, and lock alike', async () => {
      const victim = await steps.create('never guess this');
      const stranger = { ...victim, address: person(`stranger ${name}`).address };
      const told: string[][] = [];
      for (const target of [victim, stranger]) {
        const guess = { ...target, password: 'something else' };
        const answers = [];
        for (let index = 0; index < custodyLimits.freeFailures + 1; index++)
          answers.push(await steps.signMessage(guess, 'x'));
        told.push(answers.map(({ body }) => `${body.errorCode} ${body.code} ${body.message} ${body.data}`));
      }
      assert.deepEqual(told[0], told[1]);
      assert.match(told[0]?.[0] as string, /^1000026 passwordWrong /);
      assert.match(told[0]?.at(-1) as string, /^1000026 custodyKeyLocked /);
      // Nothing opens a locked account: not the right password, not another route, not a new start.
      assert.equal(custodyRefusal(await steps.signMessage(victim, 'x')), '1000026 custodyKeyLocked');
      assert.equal(custodyRefusal(await steps.readPolicy(victim)), '1000026 custodyKeyLocked');
      const change = { address: victim.address, password: victim.password, newPassword: 'a new password' };
      assert.equal(
        custodyRefusal(await steps.post(custodyPaths.password, change)),
        '1000026 custodyKeyLocked',
      );
      service = await service.restart();
      steps = custodySteps(service.url, service.ledger);
      assert.equal(custodyRefusal(await steps.signMessage(victim, 'x')), '1000026 custodyKeyLocked');
    });

    test('a new password takes over, the old one is wrong', async () => {
      const { address, password } = account;
      const newPassword = 'ein neues Paßwort';
      const changed = await steps.post(custodyPaths.password, { address, password, newPassword });
      assert.deepEqual(custodyData(changed), { address, changed: true });
      assert.equal(custodyRefusal(await steps.signMessage(account, 'x')), '1000026 passwordWrong');
      account = { ...account, password: newPassword };
      custodyData(await steps.signMessage(account, 'x'));
      assert.deepEqual(custodyData(await steps.readPolicy(account)).operations, ['payCoin']);
    });

    test('a new start finds keys, policies and what was signed today', async () => {
      const policy = custodyData(await steps.readPolicy(account));
      service = await service.restart();
      steps = custodySteps(service.url, service.ledger);
      assert.deepEqual(custodyData(await steps.readPolicy(account)), policy);
      const blob = await steps.blobOf(account.address, [pay(500n)]);
      const before = await steps.balanceOf(payee);
      assert.equal(await steps.submit(blob, custodyData(await steps.signBlob(account, blob))), 0);
      assert.equal(await steps.balanceOf(payee), before + 500n);
    });

    test('the audit log tells what was done, and nothing that is stored or logged tells a secret', async () => {
      const { entries } = await service.admin.listAuditEntries({ limit: '200' });
      const told = new Set(entries.map(({ action, outcome }) => `${action} ${outcome}`));
      const expected = ['create done', 'activate done', 'sign done', 'sign refused', 'lock done'];
      for (const words of [...expected, 'password done', 'policy done'])
        assert.ok(told.has(`custody.${words}`), words);
      const metrics = await fetch(`${service.url}/metrics`).then((answer) => answer.text());
      assert.match(metrics, /symbolon_custody_signatures_made [1-9]/);
      const files = readdirSync(service.folder).map((file) => readFileSync(path.join(service.folder, file)));
      const words = ['correct horse battery', 'ein neues Paßwort', 'never guess this', 'Savings', custodyPin];
      const stored = Buffer.concat(files);
      for (const word of words) {
        assert.ok(!stored.includes(word), word);
        assert.ok(!service.logged().includes(word), word);
        assert.ok(!JSON.stringify(entries).includes(word), word);
      }
    });
  });
}
