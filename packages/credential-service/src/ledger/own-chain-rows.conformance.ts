/**
 * What the service keeps of its ledger, on every database: the newest block that only rises, what issuers have signed,
 * changes that are owed, and what is left behind with a chain. Run like `store.conformance.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CredentialAct, RecordedStatus } from '@symbolon/core/credential/application-states';
import { issued, type MakeRecords, start, template } from '../database/testing/records.ts';
import { findCredential } from '../issuance/credential-rows.ts';
import { forgetTemplateVersion, leaveChain } from '../reconcile/reconcile-rows.ts';
import {
  countOwed,
  listOwedChanges,
  listOwedTemplates,
  oweChange,
  oweTemplate,
  payOwedTemplate,
  takeStatus,
} from '../status/owed-rows.ts';
import {
  beginStatusChanges,
  finishStatusChanges,
  prepareStatusChanges,
} from '../status/status-change-rows.ts';
import {
  findStoredTemplate,
  findTemplateByName,
  registerTemplateVersion,
  reserveTemplate,
} from '../templates/template-rows.ts';
import { acceptChain, adoptChain, raiseKnownBlock, readKnownChain } from './own-chain-rows.ts';
import { forgetSigned, keepSigned, listSigned } from './signed-transaction-rows.ts';

const block = (seq: number, hash = `h${seq}`) => ({ seq, hash });

export function registerOwnChainConformance(name: string, make: MakeRecords): void {
  test(`${name}: the known block rises from the one that was confirmed, and from no other`, async (context) => {
    const { kysely } = await make(context);
    assert.equal(await readKnownChain(kysely), undefined);
    await adoptChain(kysely, { genesis: 'g', block: block(5), now: start });
    await adoptChain(kysely, { genesis: 'other', block: block(9), now: start });
    assert.deepEqual(await readKnownChain(kysely), { genesis: 'g', ...block(5), since: 0 });
    await raiseKnownBlock(kysely, { from: block(5), to: block(7), now: start });
    await raiseKnownBlock(kysely, { from: block(5), to: block(6), now: start });
    await raiseKnownBlock(kysely, { from: block(7, 'of a fork'), to: block(8), now: start });
    assert.deepEqual(await readKnownChain(kysely), { genesis: 'g', ...block(7), since: 0 });
    await acceptChain(kysely, { genesis: 'g', block: block(3), now: start });
    assert.deepEqual(await readKnownChain(kysely), { genesis: 'g', ...block(3), since: 0 });
    await acceptChain(kysely, { genesis: 'n', block: block(1), now: start, since: start });
    assert.deepEqual(await readKnownChain(kysely), { genesis: 'n', ...block(1), since: start });
  });

  test(`${name}: what was signed is kept once and listed in order`, async (context) => {
    const { kysely } = await make(context);
    const signed = (hash: string, createdAt: number) => ({
      hash,
      owner: 'did:zid:1',
      blob: 'aa',
      publicKey: 'b0',
      signature: 'cc',
      createdAt,
    });
    for (const one of [signed('b', 2), signed('a', 2), signed('c', 1), signed('b', 9)])
      await keepSigned(kysely, one);
    const hashes = async (page: Parameters<typeof listSigned>[1]) =>
      (await listSigned(kysely, page)).map(({ hash }) => hash);
    assert.deepEqual(await hashes({ since: 0 }), ['c', 'a', 'b']);
    assert.deepEqual(await hashes({ since: 2, after: { createdAt: 2, hash: 'a' } }), ['b']);
    await forgetSigned(kysely, ['a', 'c']);
    await forgetSigned(kysely, []);
    assert.deepEqual(await hashes({ since: 0 }), ['b']);
  });

  test(`${name}: an owed change is paid by the issuer's last word, a revocation by nothing else`, async (context) => {
    const { kysely } = await make(context);
    const vcId = await issued(kysely);
    const stored = async () => {
      const row = await findCredential(kysely, vcId);
      return [row?.status, row?.owedChange];
    };
    let blobs = 0;
    const begin = async (kind: CredentialAct) => {
      blobs += 1;
      const blobId = `blob ${blobs}`;
      const credentials = [{ vcId, remark: null, remarkHash: null }];
      await prepareStatusChanges(kysely, { blobId, kind, credentials, now: start });
      const isBegun = await beginStatusChanges(kysely, { blobId, now: start });
      if (isBegun) await finishStatusChanges(kysely, { blobId, txHash: blobId, now: start });
      return isBegun;
    };
    const owe = async (kind: CredentialAct, status: RecordedStatus) =>
      oweChange(kysely, { vcIds: [vcId], kind, status, seq: 7 });
    const active = () => takeStatus(kysely, { vcId, status: 'active' });
    const rows: readonly [CredentialAct, RecordedStatus, CredentialAct, RecordedStatus | undefined][] = [
      ['revoke', 'active', 'suspend', undefined],
      ['revoke', 'suspended', 'reinstate', undefined],
      ['revoke', 'active', 'revoke', 'revoked'],
      ['suspend', 'active', 'suspend', 'suspended'],
      ['suspend', 'active', 'reinstate', 'active'],
      ['suspend', 'active', 'revoke', 'revoked'],
      ['reinstate', 'suspended', 'reinstate', 'active'],
      ['reinstate', 'suspended', 'suspend', 'suspended'],
      ['reinstate', 'suspended', 'revoke', 'revoked'],
    ];
    for (const [owed, status, act, then] of rows) {
      await active();
      await owe(owed, status);
      assert.equal(await begin(act), then !== undefined, `${owed} is owed: ${act}`);
      assert.deepEqual(await stored(), then === undefined ? [status, owed] : [then, null]);
    }
  });

  test(`${name}: what is owed is listed and counted until it is paid`, async (context) => {
    const { kysely } = await make(context);
    const vcId = await issued(kysely);
    assert.deepEqual(await countOwed(kysely), { statuses: 0, templates: 0 });
    await oweChange(kysely, { vcIds: [vcId], kind: 'suspend', status: 'active', seq: 7 });
    const owed = {
      templateId: 'did:zid:t',
      version: '1.0',
      name: 'Card',
      owner: 'did:zid:1',
      createdAt: start,
    };
    await oweTemplate(kysely, owed);
    await oweTemplate(kysely, owed);
    assert.deepEqual(await countOwed(kysely), { statuses: 1, templates: 1 });
    assert.deepEqual(await listOwedChanges(kysely), [vcId]);
    assert.deepEqual(await listOwedChanges(kysely, vcId), []);
    assert.deepEqual(await listOwedTemplates(kysely, 0), [owed]);
    await takeStatus(kysely, { vcId, status: 'suspended' });
    await payOwedTemplate(kysely, owed);
    assert.deepEqual(await countOwed(kysely), { statuses: 0, templates: 0 });
  });

  test(`${name}: a version that is lost can be registered again by who has the name`, async (context) => {
    const { kysely } = await make(context);
    const [first, second] = [template('Card', '1.0'), template('Card', '2.0')];
    const { id, name: title, issuer } = first;
    const reservation = { id, name: title, nameKey: 'card', issuer, now: start };
    assert.equal(await reserveTemplate(kysely, reservation), true);
    for (const one of [first, second])
      await registerTemplateVersion(kysely, { template: one, txHash: one.version, now: start });
    await forgetTemplateVersion(kysely, second);
    assert.equal((await findTemplateByName(kysely, 'card'))?.latestVersion, '1.0');
    await leaveChain(kysely, start);
    assert.equal(await findStoredTemplate(kysely, id), undefined);
    assert.equal(await reserveTemplate(kysely, { ...reservation, issuer: 'did:zid:2' }), false);
    assert.equal(await registerTemplateVersion(kysely, { template: first, txHash: 't', now: start }), true);
  });
}
