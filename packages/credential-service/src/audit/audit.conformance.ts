/**
 * What the audit log does on every database. Run like `store/store.conformance.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import {
  did,
  freshClock,
  type MakeRecords,
  present,
  start,
  twentyTimes,
} from '../database/testing/records.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { type AuditEvent, chain, emptyHead } from './audit-entry.ts';
import { createAuditLog } from './audit-log.ts';

const event = (given: Partial<AuditEvent> = {}): AuditEvent => ({
  action: 'credential.issue',
  actor: { keyId: 'abcdefgh', did: did('a') },
  subject: did('c'),
  outcome: 'done',
  details: { txHash: 'ff', count: 1 },
  ...given,
});

export function registerAuditConformance(name: string, make: MakeRecords): void {
  registerAppending(name, make);
  registerTampering(name, make);
  registerAnchoring(name, make);
}

function registerAppending(name: string, make: MakeRecords): void {
  test(`${name}: concurrent recording by several replicas makes one chain, nothing lost or doubled`, async (context) => {
    const database = await make(context);
    const replicas = Array.from({ length: 4 }, () => createAuditLog(database, freshClock()));
    await twentyTimes(async (index) => {
      const log = replicas[index % 4];
      await log.record(event({ subject: `subject-${index}` }));
      await log.flush();
      await log.record(event({ subject: `again-${index}` }));
      await log.flush();
    });
    const verdict = await replicas[0].verify();
    assert.ok(verdict.isIntact);
    assert.equal(verdict.head.sequence, 40);
    const { items } = await replicas[0].list({ limit: 100 });
    assert.equal(new Set(items.map(({ subject }) => subject)).size, 40);
    assert.deepEqual(await replicas[1].head(), verdict.head);
  });

  test(`${name}: what came in one millisecond keeps its order, and has an owner where it is an event`, async (context) => {
    const database = await make(context);
    const log = createAuditLog(database, freshClock());
    const subjects = Array.from({ length: 30 }, (_, index) => `subject-${index}`);
    for (const subject of subjects) await log.record(event({ subject, details: { issuer: did('a') } }));
    await log.record(event({ outcome: 'refused', details: { issuer: did('a') } }));
    await log.record(event({ action: 'application.read', details: { issuer: did('a') } }));
    await log.record(event({ action: 'verification.verified', details: { verifier: 'abcdefgh' } }));
    const { items } = await log.list({ limit: 100 });
    const inOrder = items.toReversed();
    assert.deepEqual(
      inOrder.slice(0, 30).map(({ subject, owner }) => [subject, owner]),
      subjects.map((subject) => [subject, `issuer ${did('a')}`]),
    );
    assert.deepEqual(
      inOrder.slice(30).map(({ owner }) => owner),
      [null, null, 'verifier abcdefgh'],
    );
  });

  test(`${name}: an entry of a transaction that fails is not recorded`, async (context) => {
    const database = await make(context);
    const log = createAuditLog(database, freshClock());
    const failing = database.transaction(async (queries) => {
      await log.record(event(), queries);
      throw new Error('no');
    });
    await assert.rejects(failing, /no/);
    await database.transaction((queries) => log.record(event({ subject: 'kept' }), queries));
    const { items } = await log.list();
    assert.deepEqual(
      items.map(({ subject }) => subject),
      ['kept'],
    );
  });

  test(`${name}: entries are listed newest first, page by page`, async (context) => {
    const database = await make(context);
    const clock = freshClock();
    const log = createAuditLog(database, clock);
    for (let index = 1; index <= 5; index++) {
      await log.record(event({ subject: `${index}` }));
      clock.advanceMs(1);
    }
    const first = await log.list({ limit: 2 });
    const rest = await log.list({ limit: 10, cursor: first.next });
    const subjects = [...first.items, ...rest.items].map(({ subject }) => subject);
    assert.deepEqual(subjects, ['5', '4', '3', '2', '1']);
    assert.equal(rest.next, undefined);
    assert.equal(first.items[0].details, '{"txHash":"ff","count":1}');
    const bare = event({ actor: undefined, subject: undefined, details: undefined });
    await log.record(bare);
    const [last] = (await log.list({ limit: 1 })).items;
    assert.deepEqual([last.actorKey, last.subject, last.details], [null, null, '{}']);
  });

  test(`${name}: what has no place in the log is refused`, async (context) => {
    const log = createAuditLog(await make(context), freshClock());
    const bad: Partial<AuditEvent>[] = [
      { action: 'made.up' as never },
      { subject: 'x'.repeat(300) },
      { details: { name: 'Ada' } as never },
      { details: { count: 1.5 } },
      { details: { txHash: 'x'.repeat(300) } },
      { details: { txHash: { deep: 1 } as never } },
    ];
    for (const part of bad) await assert.rejects(log.record(event(part)), BrokenInvariant);
    assert.deepEqual(await log.head(), emptyHead);
  });
}

function registerTampering(name: string, make: MakeRecords): void {
  test(`${name}: changed, dropped, inserted and rebuilt entries are noticed`, async (context) => {
    const database = await make(context);
    const { kysely } = database;
    const log = createAuditLog(database, freshClock());
    for (let index = 0; index < 6; index++) await log.record(event({ subject: `${index}` }));
    const head = await log.head();
    const rows = await kysely.selectFrom('auditEntries').selectAll().orderBy('sequence').execute();
    await log.recordAnchor(head, 'tx');
    const restore = async () => {
      await kysely.deleteFrom('auditEntries').execute();
      await kysely.insertInto('auditEntries').values(rows).execute();
      assert.ok((await log.verify()).isIntact);
    };
    const brokenAt = async () => {
      const verdict = await log.verify();
      return verdict.isIntact ? undefined : verdict.sequence;
    };
    const changes = [
      { subject: 'x' },
      { at: 1 },
      { outcome: 'refused' },
      { details: '{}' },
      { actorDid: null },
    ];
    for (const change of changes) {
      await kysely.updateTable('auditEntries').set(change).where('sequence', '=', 3).execute();
      assert.equal(await brokenAt(), 3, JSON.stringify(change));
      await restore();
    }
    await kysely.deleteFrom('auditEntries').where('sequence', '=', 2).execute();
    assert.equal(await brokenAt(), 2);
    await restore();
    await kysely.deleteFrom('auditEntries').where('sequence', '>=', 5).execute();
    assert.equal(await brokenAt(), 5, 'the anchored end is missing');
    await restore();
    const forged = chain(
      rows.map((row) => ({ ...row, subject: 'forged' })),
      emptyHead,
    );
    await kysely.deleteFrom('auditEntries').execute();
    await kysely.insertInto('auditEntries').values(forged).execute();
    assert.equal(await brokenAt(), 6, 'a chain that fits itself does not fit its anchor');
  });
}

function registerAnchoring(name: string, make: MakeRecords): void {
  test(`${name}: the head is due once a day, and only when it is new`, async (context) => {
    const database = await make(context);
    const clock = freshClock();
    const log = createAuditLog(database, clock);
    assert.equal(await log.due(start), undefined, 'an empty log has nothing to anchor');
    await log.record(event());
    const first = present(await log.due(start));
    assert.equal(first.sequence, 1);
    await twentyTimes(() => log.recordAnchor(first, 'tx'));
    assert.equal(await log.due(start), undefined);
    await log.record(event());
    assert.equal(await log.due(start + recordLimits.auditAnchorIntervalMs - 1), undefined);
    assert.equal((await log.due(start + recordLimits.auditAnchorIntervalMs))?.sequence, 2);
  });
}
