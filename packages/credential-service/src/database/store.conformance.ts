/**
 * What the service's records do on every database: `store.test.ts` runs this suite on SQLite,
 * `test/service/store-postgres.test.ts` on a real PostgreSQL.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { submitLimits } from '@symbolon/core/limits/waiting';
import {
  addBlob,
  adoptBlob,
  claimBlob,
  findBlob,
  findPendingBlob,
  forgetBlobOutcome,
  listLeftClaims,
  listWatchedBlobs,
  type NewBlob,
  releaseBlob,
  stopWatching,
  sweepBlobs,
  useBlob,
} from '../blobs/blob-rows.ts';
import {
  abandonSubmission,
  addApplication,
  adoptSubmission,
  approveApplication,
  beginSubmission,
  findApplication,
  findSignedApplication,
  finishSubmission,
  listApplications,
  listLeftSubmissions,
  rejectApplication,
} from '../issuance/application-rows.ts';
import {
  addCredential,
  findCredential,
  findCredentials,
  listCredentials,
} from '../issuance/credential-rows.ts';
import { createRegistrarIntents } from '../ledger/registrar-intent-rows.ts';
import { bindOldRuleSignature, sweepOldRuleSignatures } from '../payments/payment-rows.ts';
import { encodeCursor } from './paging.ts';
import { putSettingOnce, readSetting } from './settings.ts';
import { putRow } from './statements.ts';
import {
  applied,
  asEncrypted,
  did,
  freshClock,
  freshId,
  holder,
  issued,
  issuer,
  type MakeRecords,
  present,
  start,
  textOf,
  twentyTimes,
} from './testing/records.ts';
import { endWorker, renewWorker } from './workers.ts';

const wins = (results: readonly unknown[]): number => results.filter(Boolean).length;

const blob = (given: Partial<NewBlob> = {}): NewBlob => ({
  id: 'AB'.repeat(16),
  kind: 'template',
  owner: issuer,
  payload: asEncrypted('payload'),
  now: start,
  expiresAt: start + 1_000,
  ...given,
});

export function registerStoreConformance(name: string, make: MakeRecords): void {
  registerBlobs(name, make);
  registerApplications(name, make);
  registerSubmissions(name, make);
  registerCredentials(name, make);
  registerIntentsAndSettings(name, make);
}

function registerBlobs(name: string, make: MakeRecords): void {
  const choice = { id: blob().id, kinds: ['template'] as const, now: start };
  const claimedWith = { worker: 'w', signature: 'aa', intentHash: 'ff' };

  test(`${name}: of twenty claims of a blob one wins`, async (context) => {
    const { kysely } = await make(context);
    await addBlob(kysely, blob());
    const claims = await twentyTimes(() => claimBlob(kysely, choice));
    assert.equal(wins(claims), 1);
    const won = present(claims.find((claim) => claim !== undefined));
    assert.equal(textOf(won.payload), 'payload');
    assert.equal(won.claimedAt, start);
  });

  test(`${name}: a blob is single-use, and empty afterwards`, async (context) => {
    const { kysely } = await make(context);
    await addBlob(kysely, blob());
    assert.ok(await findPendingBlob(kysely, choice));
    assert.equal(await useBlob(kysely, choice.id), false, 'not before it is claimed');
    assert.ok(await claimBlob(kysely, choice, claimedWith));
    assert.equal(await findPendingBlob(kysely, choice), undefined);
    assert.equal(await useBlob(kysely, choice.id), true);
    assert.equal(await claimBlob(kysely, choice, { ...claimedWith, intentHash: 'ee' }), undefined);
    assert.equal(await releaseBlob(kysely, choice), false);
    assert.equal(await findBlob(kysely, choice), undefined);
    const row = await kysely.selectFrom('blobs').selectAll().executeTakeFirstOrThrow();
    assert.equal(row.payload, null);
    assert.equal(row.intentHash, 'ff');
  });

  test(`${name}: a released blob can be claimed again`, async (context) => {
    const { kysely } = await make(context);
    await addBlob(kysely, blob());
    await claimBlob(kysely, choice, claimedWith);
    assert.equal(await releaseBlob(kysely, choice), true);
    const again = await claimBlob(kysely, choice);
    assert.equal(again?.signature, null);
    assert.equal(again?.intentHash, 'ff', 'its transaction may be handed in elsewhere');
  });

  test(`${name}: a lapsed blob with a transaction stays until the ledger was asked for it`, async (context) => {
    const { kysely } = await make(context);
    for (const id of ['A', 'B', 'C']) await addBlob(kysely, blob({ id, intentHash: 'ff' }));
    await addBlob(kysely, blob({ id: 'D' }));
    const watched = async (after = '') =>
      (await listWatchedBlobs(kysely, { after, limit: 2 })).map(({ id }) => id);
    assert.deepEqual([await watched(), await watched('B')], [['A', 'B'], ['C']]);
    await stopWatching(kysely, 'A');
    assert.equal(await sweepBlobs(kysely, start + 1_000), 2);
    assert.deepEqual(await watched(), ['B', 'C']);
  });

  test(`${name}: lapsed, unknown and other kinds of blobs are not claimed`, async (context) => {
    const { kysely } = await make(context);
    await addBlob(kysely, blob());
    assert.equal(await claimBlob(kysely, { ...choice, now: start + 1_000 }), undefined);
    assert.equal(await claimBlob(kysely, { ...choice, id: 'CD' }), undefined);
    assert.equal(await claimBlob(kysely, { ...choice, kinds: ['revoke', 'presentation'] }), undefined);
    assert.ok(await claimBlob(kysely, { ...choice, now: start + 999 }));
  });

  test(`${name}: what became of a blob is kept until somebody was told`, async (context) => {
    const { kysely } = await make(context);
    await addBlob(kysely, blob());
    await claimBlob(kysely, choice, claimedWith);
    const late = { ...choice, now: start + 1_000_000 };
    assert.equal((await findBlob(kysely, late))?.signature, 'aa', 'under way, however late');
    await useBlob(kysely, choice.id, { outcome: 'done', now: start });
    assert.equal((await findBlob(kysely, late))?.outcome, 'done');
    await forgetBlobOutcome(kysely, choice.id);
    assert.equal(await findBlob(kysely, choice), undefined);
  });

  test(`${name}: claims of lost processes are found, those of living ones are not`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    for (const worker of ['first', 'second']) await renewWorker(database, worker);
    for (const [id, worker] of [
      ['A', 'first'],
      ['B', 'second'],
      ['C', 'gone'],
    ] as const) {
      await addBlob(kysely, blob({ id }));
      await claimBlob(kysely, { ...choice, id }, { ...claimedWith, worker });
    }
    const ids = async () => (await listLeftClaims(kysely, 'first')).map(({ id }) => id).sort();
    assert.deepEqual(await ids(), ['A', 'C'], 'its own and those of nobody');
    await endWorker(kysely, 'second');
    assert.deepEqual(await ids(), ['A', 'B', 'C']);
    await adoptBlob(kysely, 'B', 'third');
    await renewWorker(database, 'third');
    assert.deepEqual(await ids(), ['A', 'C']);
  });

  test(`${name}: a process that no longer says that it lives is gone`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    await renewWorker(database, 'lapsed');
    await kysely.updateTable('workers').set({ aliveUntil: 1 }).execute();
    await renewWorker(database, 'living');
    const rows = await kysely.selectFrom('workers').selectAll().execute();
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['living'],
    );
    assert.ok(Math.abs((rows[0]?.aliveUntil ?? 0) - Date.now()) < 60_000, 'by a clock that goes right');
  });
}

function registerApplications(name: string, make: MakeRecords): void {
  test(`${name}: of twenty applications of a holder for a template one is pending`, async (context) => {
    const { kysely } = await make(context);
    const application = {
      templateId: did('7'),
      templateVersion: '1.0',
      issuer,
      holder,
      attributes: asEncrypted('x'),
      label: null,
      signatureHash: null,
      applyMark: null,
      now: start,
    };
    const added = await twentyTimes(() => addApplication(kysely, { ...application, vcId: freshId() }));
    assert.equal(wins(added), 1);
    assert.ok(await addApplication(kysely, { ...application, vcId: freshId(), templateId: did('8') }));
    const page = await listApplications(kysely, { issuer, templateId: did('7') });
    const vcId = page.items[0].vcId;
    assert.ok(await rejectApplication(kysely, { vcId, reason: asEncrypted('no'), now: start }));
    assert.ok(await addApplication(kysely, { ...application, vcId: freshId() }), 'after a rejection');
  });

  test(`${name}: an application that came with a signature is found by it, issued ones last`, async (context) => {
    const { kysely } = await make(context);
    const signed = { holder, templateId: did('7'), signatureHash: '5a' };
    const vcId = await applied(kysely, { ...signed, applyMark: 'mark' });
    assert.equal((await findSignedApplication(kysely, signed))?.applyMark, 'mark');
    await rejectApplication(kysely, { vcId, reason: null, now: start });
    assert.equal((await findSignedApplication(kysely, signed))?.state, 'rejected');
    const again = await applied(kysely, { ...signed, now: start + 1 });
    assert.equal((await findSignedApplication(kysely, signed))?.vcId, again);
    for (const other of [{ holder: did('c') }, { templateId: did('8') }, { signatureHash: '5b' }])
      assert.equal(await findSignedApplication(kysely, { ...signed, ...other }), undefined);
  });

  test(`${name}: a signature by the old rule stands for the text that it came with first`, async (context) => {
    const { kysely } = await make(context);
    const bind = (textHash: string) =>
      bindOldRuleSignature(kysely, { signatureHash: 'ab', textHash, expiresAt: start + 10 });
    assert.equal(new Set(await twentyTimes((index) => bind(`text ${index}`))).size, 1);
    assert.equal(await sweepOldRuleSignatures(kysely, start + 9), 0);
    assert.equal(await sweepOldRuleSignatures(kysely, start + 10), 1);
    assert.equal(await bind('another'), 'another');
  });

  test(`${name}: of twenty approvals one wins; a draft is replaced by whoever has seen it`, async (context) => {
    const { kysely } = await make(context);
    const vcId = await applied(kysely);
    const first = { vcId, draft: asEncrypted('draft'), replaces: null, now: start };
    assert.equal(wins(await twentyTimes(() => approveApplication(kysely, first))), 1);
    const unseen = { ...first, draft: asEncrypted('third'), replaces: asEncrypted('another') };
    assert.equal(await approveApplication(kysely, unseen), false);
    const second = { ...first, draft: asEncrypted('second'), replaces: asEncrypted('draft') };
    assert.equal(wins(await twentyTimes(() => approveApplication(kysely, second))), 1);
    assert.equal(textOf((await findApplication(kysely, vcId))?.draft), 'second');
  });

  test(`${name}: a rejected application keeps the reason, not the attributes`, async (context) => {
    const { kysely } = await make(context);
    const vcId = await applied(kysely);
    await approveApplication(kysely, { vcId, draft: asEncrypted('draft'), replaces: null, now: start });
    assert.equal(await rejectApplication(kysely, { vcId, reason: asEncrypted('no'), now: start + 1 }), true);
    assert.equal(await rejectApplication(kysely, { vcId, reason: null, now: start + 2 }), false);
    assert.equal(
      await approveApplication(kysely, { vcId, draft: asEncrypted('draft'), replaces: null, now: start }),
      false,
    );
    const row = present(await findApplication(kysely, vcId));
    assert.equal(row.state, 'rejected');
    assert.equal(textOf(row.rejectReason), 'no');
    assert.deepEqual([row.attributes, row.draft], [null, null]);
  });

  test(`${name}: the inbox is paged without gaps or repeats`, async (context) => {
    const { kysely } = await make(context);
    const vcIds = new Set<string>();
    for (let index = 0; index < 25; index++) {
      vcIds.add(await applied(kysely, { now: start + Math.floor(index / 10) }));
    }
    await applied(kysely, { issuer: did('c') });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listApplications(kysely, { issuer, states: ['pending'], limit: 7, cursor });
      assert.ok(page.items.length <= 7);
      seen.push(...page.items.map(({ vcId }) => vcId));
      assert.ok(!('attributes' in page.items[0]));
      cursor = page.next;
    } while (cursor !== undefined);
    assert.equal(seen.length, 25);
    assert.deepEqual(new Set(seen), vcIds);
    assert.deepEqual((await listApplications(kysely, { issuer, states: ['issued'] })).items, []);
  });

  test(`${name}: cursors and limits from outside are refused or bounded`, async (context) => {
    const { kysely } = await make(context);
    await applied(kysely);
    const bad = ['', 'x', '%%%', 'e30', encodeCursor(['a', 'b']), encodeCursor([1.5, 'b']), 'A'.repeat(600)];
    const hostile = [encodeCursor([1, 'a\0b']), encodeCursor([1, '\0'])];
    for (const cursor of [...bad, ...hostile]) {
      const refused = listApplications(kysely, { issuer, cursor });
      await assert.rejects(refused, (error) => error instanceof Fault && error.code === 'requestMalformed');
    }
    for (const limit of [0, -1, 1.5, Number.NaN])
      await assert.rejects(listApplications(kysely, { issuer, limit }), Fault);
    assert.equal((await listApplications(kysely, { issuer, limit: 1e9 })).items.length, 1);
  });
}

function registerSubmissions(name: string, make: MakeRecords): void {
  const submission = (vcId: string, now = start) => ({
    vcId,
    draft: asEncrypted('draft'),
    submission: asEncrypted('signed'),
    submitMark: 'mark',
    worker: 'w',
    now,
  });

  test(`${name}: of twenty submissions one wins, and a failed one can be repeated`, async (context) => {
    const { kysely } = await make(context);
    const vcId = await applied(kysely);
    assert.equal(await beginSubmission(kysely, submission(vcId)), false, 'not before it is approved');
    await approveApplication(kysely, { vcId, draft: asEncrypted('draft'), replaces: null, now: start });
    const replaced = { ...submission(vcId), draft: asEncrypted('the one before') };
    assert.equal(await beginSubmission(kysely, replaced), false, 'not with a draft that was replaced');
    assert.equal(wins(await twentyTimes(() => beginSubmission(kysely, submission(vcId)))), 1);
    assert.equal(await rejectApplication(kysely, { vcId, reason: null, now: start }), false);
    const step = { vcId, now: start };
    assert.equal(await abandonSubmission(kysely, { ...step, submission: asEncrypted('other') }), false);
    assert.equal(await abandonSubmission(kysely, { ...step, submission: asEncrypted('signed') }), true);
    assert.equal((await findApplication(kysely, vcId))?.submission, null);
    assert.equal(wins(await twentyTimes(() => beginSubmission(kysely, submission(vcId)))), 1);
    assert.equal(wins(await twentyTimes(() => finishSubmission(kysely, vcId, start + 1))), 1);
    assert.equal(await beginSubmission(kysely, submission(vcId)), false);
    const row = present(await findApplication(kysely, vcId));
    assert.equal(row.state, 'issued');
    assert.deepEqual([row.attributes, row.draft, row.submission], [null, null, null]);
  });

  test(`${name}: a lapsed draft is not submitted`, async (context) => {
    const { kysely } = await make(context);
    const vcId = await applied(kysely);
    await approveApplication(kysely, { vcId, draft: asEncrypted('draft'), replaces: null, now: start });
    const lapsed = start + submitLimits.draftLifetimeMs;
    assert.equal(await beginSubmission(kysely, submission(vcId, lapsed)), false);
    assert.equal(await beginSubmission(kysely, submission(vcId, lapsed - 1)), true);
  });

  test(`${name}: submissions of lost processes are found`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    const vcId = await applied(kysely);
    await approveApplication(kysely, { vcId, draft: asEncrypted('draft'), replaces: null, now: start });
    await renewWorker(database, 'w');
    await beginSubmission(kysely, submission(vcId));
    assert.deepEqual(await listLeftSubmissions(kysely, 'other'), []);
    await endWorker(kysely, 'w');
    const [found] = await listLeftSubmissions(kysely, 'other');
    assert.equal(found?.vcId, vcId);
    assert.equal(textOf(found.submission), 'signed');
    await adoptSubmission(kysely, vcId, 'heir');
    assert.equal((await findApplication(kysely, vcId))?.worker, 'heir');
  });
}

function registerCredentials(name: string, make: MakeRecords): void {
  test(`${name}: a credential is recorded once`, async (context) => {
    const { kysely } = await make(context);
    const vcId = freshId();
    const results = await twentyTimes(() =>
      addCredential(kysely, {
        vcId,
        templateId: did('7'),
        templateVersion: '1.0',
        issuer,
        holder,
        digest: 'd',
        anchorTx: 't',
        anchorSeq: null,
        validFrom: null,
        validUntil: null,
        label: null,
        credential: asEncrypted('credential'),
        downloadExpiresAt: start,
        now: start,
      }),
    );
    assert.equal(wins(results), 1);
    const row = present(await findCredential(kysely, vcId));
    assert.equal(row.status, 'active');
    assert.equal(typeof row.downloadExpiresAt, 'number');
    assert.equal(await findCredential(kysely, freshId()), undefined);
  });

  test(`${name}: credentials are listed by issuer, holder and status`, async (context) => {
    const { kysely } = await make(context);
    const first = await issued(kysely);
    const second = await issued(kysely, { holder: did('c'), now: start + 1 });
    const ids = async (search: Parameters<typeof listCredentials>[1]) =>
      (await listCredentials(kysely, search)).items.map(({ vcId }) => vcId);
    assert.deepEqual(await ids({ issuer }), [first, second]);
    assert.deepEqual(await ids({ holder }), [first]);
    assert.deepEqual(await ids({ issuer, status: 'revoked' }), []);
    const page = await listCredentials(kysely, { issuer, limit: 1 });
    assert.deepEqual(await ids({ issuer, cursor: page.next }), [second]);
    const several = await findCredentials(kysely, [second, freshId()]);
    assert.deepEqual(
      several.map(({ vcId }) => vcId),
      [second],
    );
    assert.deepEqual(await findCredentials(kysely, []), []);
  });
}

function registerIntentsAndSettings(name: string, make: MakeRecords): void {
  test(`${name}: intents are kept until they are settled, once`, async (context) => {
    const { kysely } = await make(context);
    const clock = freshClock();
    const intents = createRegistrarIntents(kysely, clock);
    const intent = { blob: Uint8Array.of(0, 1, 255), entries: '[{"credential":"x"}]' };
    await intents.save({ ...intent, hash: 'b' });
    clock.advanceMs(1);
    await intents.save({ ...intent, hash: 'a' });
    await intents.save({ ...intent, hash: 'b', entries: '[]' });
    const open = await intents.unsettled();
    assert.deepEqual(open, [
      { ...intent, hash: 'b' },
      { ...intent, hash: 'a' },
    ]);
    await intents.settled('a', 'executed');
    await intents.settled('a', 'failed');
    await intents.settled('unknown', 'failed');
    assert.deepEqual(
      (await intents.unsettled()).map(({ hash }) => hash),
      ['b'],
    );
    const row = await kysely
      .selectFrom('anchorIntents')
      .selectAll()
      .where('hash', '=', 'a')
      .executeTakeFirstOrThrow();
    assert.deepEqual([row.outcome, row.settledAt], ['executed', start + 1]);
  });

  test(`${name}: of twenty first values of a setting all see the same one`, async (context) => {
    const { kysely } = await make(context);
    const put = (index: number) =>
      putSettingOnce(kysely, { name: 'ledger.templateRegistry', text: `${index}`, now: start });
    assert.equal(new Set((await twentyTimes(put)).map(({ text }) => text)).size, 1);
    const changed = { name: 'ledger.templateRegistry', text: 'changed', updatedAt: start + 1 };
    await putRow(kysely, 'settings', ['name'], changed);
    assert.equal((await readSetting(kysely, 'ledger.templateRegistry'))?.text, 'changed');
    assert.equal(await readSetting(kysely, 'proofs.rangeParameters'), undefined);
  });
}
