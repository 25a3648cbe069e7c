/** Lists over a real node: what slots say is what the ledger says, whatever was done to it, and nothing while it is silent. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { makeWebSigner, webVerifySignature } from '@symbolon/formats/jose/web-signatures';
import { statusListLimits } from '@symbolon/formats/limits/format-limits';
import { readBitstring } from '@symbolon/formats/status-lists/bitstring-list';
import { bitstringValue, type StatusPurpose, tokenListValue } from '@symbolon/formats/status-lists/slots';
import { readTokenList } from '@symbolon/formats/status-lists/token-status-list';
import { sha256 } from '@symbolon/host/work/sha256';
import { LedgerError } from '@symbolon/sdk/errors/errors';
import fc from 'fast-check';
import { freshClock, sqliteRecords } from '../database/testing/records.ts';
import { Registrar } from '../ledger/registrar.ts';
import { keptIntents, openRegistryChain, signBlob } from '../ledger/testing/registry-chain.test.ts';
import { didOf } from '../ledger/testing/registry-inputs.test.ts';
import { statusListWorkLimits } from '../limits/service-limits.ts';
import { answerListRequest, listUri } from './list-requests.ts';
import type { StatusListKind } from './published-lists.ts';
import { openServiceLists, type ServiceListsOptions } from './service-lists.ts';
import { type TakenSlot, takeSlots } from './slot-rows.ts';

const keys = createKeyFormat(zetrixProfile, sha256);
const isFault = (code: FaultName) => (error: unknown) => error instanceof Fault && error.code === code;
const statusWords = { active: 0, revoked: 1, suspended: 2 } as const;

async function openLists(t: TestContext) {
  const opened = await openRegistryChain(t);
  const { chain, ledger, registries, registrar: signer } = opened;
  const database = await sqliteRecords(t);
  const clock = freshClock();
  const issuer = await opened.newIssuer();
  const registrar = new Registrar({
    client: chain.client,
    signer,
    registry: registries.credentials,
    intents: keptIntents(),
  });
  t.after(() => registrar.close());
  const { signer: listSigner, publicKey } = await makeWebSigner('ES256');
  const ledgerIs = { silent: false, pruned: false, behind: 0, reads: 0, signatures: 0 };
  const unlessSilent = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    if (ledgerIs.silent) throw new Fault('ledgerUnreachable');
    return work();
  };
  const uriOf = listUri('https://issuer.example');
  const parts = {
    ...{ database, clock, keys },
    chain: {
      changes: 0,
      // Nodes that have the block are found, if there are any.
      reach: async () => {
        ledgerIs.behind = 0;
      },
    },
    settings: { publicUrl: 'https://issuer.example' },
    ledger: {
      ...ledger,
      readEntry: (address: string, vcId: string) => {
        ledgerIs.reads += 1;
        return unlessSilent(() => ledger.readEntry(address, vcId));
      },
    },
  };
  const client: ServiceListsOptions['client'] = {
    getLedger: (query) => unlessSilent(() => chain.client.getLedger(query)),
    getTransactionHistory: (query) =>
      ledgerIs.pruned || ledgerIs.behind > 0
        ? Promise.reject(new LedgerError(codes.notFound, 'query result not exist', {}))
        : chain.client.getTransactionHistory(query),
  };
  const signers: ServiceListsOptions['signers'] = {
    tokenSigner: async () => ({
      ...listSigner,
      sign: (data) => {
        ledgerIs.signatures += 1;
        return listSigner.sign(data);
      },
    }),
    secure: async (_issuer, credential) => JSON.stringify(credential),
    nameOf: (did) => did,
  };
  const newProcess = () => openServiceLists({ parts, client, signers });
  const name = { issuer: didOf(issuer), list: 0 };
  return {
    ...{ chain, ledger, clock, issuer, database, name, ledgerIs, newProcess, uriOf, publicKey },
    async issue(label: string, count: number) {
      const anchored = await opened.entry(issuer, label);
      const slots = await database.transaction((queries) =>
        takeSlots(queries, { issuer: name.issuer, vcId: anchored.credential, count, now: clock.nowMs() }),
      );
      await registrar.recordInTime(anchored);
      return { vcId: anchored.credential, slots };
    },
    async change(change: 'revoke' | 'suspend' | 'reinstate', credentials: readonly string[]) {
      const { blob } = await ledger.statusTransaction({ change, issuerAddress: issuer.address, credentials });
      const outcome = await ledger.submitSigned(await signBlob(blob, issuer));
      assert.equal(outcome.kind, 'executed');
    },
    /** Past the time for which what was read is taken to be so. */
    pass: () => clock.advanceMs(statusListWorkLimits.refreshMs),
  };
}
type Opened = Awaited<ReturnType<typeof openLists>>;

async function bytesOf({ name, uriOf, clock, publicKey }: Opened, kind: StatusListKind, text: string) {
  const uri = uriOf(name, kind);
  const facts = { uri, now: clock.nowMs() };
  const read =
    kind === 'token'
      ? await readTokenList(text, {
          ...facts,
          issuer: undefined,
          verifySignature: webVerifySignature,
          findIssuerKeys: async () => ({ keys: [publicKey], foundBy: 'given' }),
        })
      : await readBitstring(JSON.parse(text) as Record<string, unknown>, {
          ...facts,
          issuer: name.issuer,
          purpose: kind,
        });
  if (isComplaint(read)) assert.fail(read.complaint);
  return read.bytes;
}

/** What all three lists say of a slot, as the number of the token list. */
async function valuesOf(
  opened: Opened,
  lists: ReturnType<Opened['newProcess']>,
  slots: readonly TakenSlot[],
) {
  const served = async (kind: StatusListKind) =>
    bytesOf(opened, kind, (await lists.serve(opened.name, kind)).text);
  const [token, revoked, suspended] = [
    await served('token'),
    await served('revocation' satisfies StatusPurpose),
    await served('suspension' satisfies StatusPurpose),
  ];
  return slots.map(({ slot }) => {
    const value = tokenListValue(token, 2, slot);
    assert.equal(bitstringValue(revoked, slot), value === 1);
    assert.equal(bitstringValue(suspended, slot), value === 2);
    return value;
  });
}

describe('lists of the service', () => {
  test('say what the ledger says, after whatever is done to it', { timeout: 240_000 }, async (t) => {
    const opened = await openLists(t);
    const lists = opened.newProcess();
    const issued: { vcId: string; slots: readonly TakenSlot[]; status: keyof typeof statusWords }[] = [];
    const steps = fc.sample(
      fc.tuple(fc.constantFrom('issue', 'revoke', 'suspend', 'reinstate', 'look'), fc.nat(1_000)),
      { numRuns: 40, seed: 7 },
    );
    const compare = async (who = lists) => {
      opened.pass();
      for (const { slots, status } of issued)
        assert.deepEqual(new Set(await valuesOf(opened, who, slots)), new Set([statusWords[status]]));
    };
    await opened.issue('first', 1);
    for (const [step, pick] of steps) {
      const one = issued[pick % Math.max(1, issued.length)];
      if (step === 'issue')
        issued.push({ ...(await opened.issue(`${issued.length}`, 1 + (pick % 3))), status: 'active' });
      else if (step === 'look') await compare();
      else if (!one || one.status === 'revoked') continue;
      else if (step === 'revoke') {
        await opened.change('revoke', [one.vcId]);
        one.status = 'revoked';
      } else if (step === 'suspend' && one.status === 'active') {
        await opened.change('suspend', [one.vcId]);
        one.status = 'suspended';
      } else if (step === 'reinstate' && one.status === 'suspended') {
        await opened.change('reinstate', [one.vcId]);
        one.status = 'active';
      }
    }
    await compare();
    await compare(opened.newProcess());
    assert.ok(new Set(issued.map(({ status }) => status)).size === 3, 'every status came up');
  });

  test('read from the ledger only what has changed, and are signed only when they say something new', async (t) => {
    const opened = await openLists(t);
    const { ledgerIs, name } = opened;
    const [one, two] = [await opened.issue('one', 2), await opened.issue('two', 2)];
    const lists = opened.newProcess();
    const first = await lists.serve(name, 'token');
    assert.deepEqual([ledgerIs.reads, ledgerIs.signatures], [2, 1]);
    await Promise.all(Array.from({ length: 20 }, () => lists.serve(name, 'token')));
    opened.pass();
    assert.equal((await lists.serve(name, 'token')).text, first.text);
    assert.deepEqual([ledgerIs.reads, ledgerIs.signatures], [2, 1]);
    await opened.change('suspend', [one.vcId]);
    opened.pass();
    assert.deepEqual(await valuesOf(opened, lists, [...one.slots, ...two.slots]), [2, 2, 0, 0]);
    assert.deepEqual([ledgerIs.reads, ledgerIs.signatures], [3, 2]);
    // A further instance of what is suspended already: nothing on the ledger changes for it.
    const more = await opened.database.transaction((queries) =>
      takeSlots(queries, { issuer: name.issuer, vcId: one.vcId, count: 1, now: opened.clock.nowMs() }),
    );
    opened.pass();
    assert.deepEqual(await valuesOf(opened, lists, more), [2]);
    opened.clock.advanceMs(statusListLimits.lifetimeSeconds * 500);
    await lists.serve(name, 'token');
    assert.equal(ledgerIs.signatures, 4, 'signed anew before it grows old');
  });

  test('of a silent ledger: the last one until it expires, and then none', async (t) => {
    const opened = await openLists(t);
    const { ledgerIs, name, clock } = opened;
    const { vcId } = await opened.issue('one', 1);
    const lists = opened.newProcess();
    const last = await lists.serve(name, 'token');
    await opened.change('revoke', [vcId]);
    ledgerIs.silent = true;
    opened.pass();
    assert.equal((await lists.serve(name, 'token')).text, last.text);
    assert.equal(
      (await opened.newProcess().serve(name, 'token')).text,
      last.text,
      'another process has it too',
    );
    assert.equal(ledgerIs.signatures, 1);
    await assert.rejects(lists.serve(name, 'revocation'), isFault('statusListStale'), 'never signed before');
    clock.advanceMs(statusListLimits.lifetimeSeconds * 1_000 - 10_000);
    const late = await lists.serve(name, 'token');
    assert.ok(late.keepSeconds <= 10);
    clock.advanceMs(10_000);
    for (const who of [lists, opened.newProcess()])
      await assert.rejects(who.serve(name, 'token'), isFault('statusListStale'));
    assert.equal(ledgerIs.signatures, 1, 'no fresh signature over stale facts');
    ledgerIs.silent = false;
    opened.pass();
    assert.notEqual((await lists.serve(name, 'token')).text, last.text);
  });

  test('miss no change because a node does not have its block: one that has it is asked, or none is', async (t) => {
    const opened = await openLists(t);
    const { ledgerIs, name } = opened;
    const one = await opened.issue('one', 1);
    const lists = opened.newProcess();
    assert.deepEqual(await valuesOf(opened, lists, one.slots), [0]);
    await opened.change('revoke', [one.vcId]);
    ledgerIs.behind = 1;
    opened.pass();
    assert.deepEqual(await valuesOf(opened, lists, one.slots), [1]);
    const last = await lists.serve(name, 'token');
    await opened.change('revoke', [(await opened.issue('two', 1)).vcId]);
    ledgerIs.pruned = true;
    opened.pass();
    const { signatures } = ledgerIs;
    assert.equal((await lists.serve(name, 'token')).text, last.text);
    assert.equal(ledgerIs.signatures, signatures, 'nothing is signed of what was not seen');
  });

  test('are asked for by one spelling of their address', async (t) => {
    const opened = await openLists(t);
    await opened.issue('one', 1);
    const parts = { lists: opened.newProcess(), profile: zetrixProfile };
    const issuer = opened.name.issuer.slice(-64);
    const answer = await answerListRequest(parts, { issuer, list: '0.jwt' });
    assert.equal(answer.contentType, 'application/statuslist+jwt');
    assert.match(answer.headers['cache-control'], /max-age=60/);
    const other = await answerListRequest(parts, { issuer, list: '0/suspension' });
    assert.equal(other.contentType, 'application/vc');
    assert.equal(
      (JSON.parse(other.text) as { id: string }).id,
      `https://issuer.example/status/${issuer}/0/suspension`,
    );
    await assert.rejects(
      answerListRequest(parts, { issuer, list: '0.jwt', time: '5' }),
      isFault('statusListPast'),
    );
    for (const list of [
      '1.jwt',
      '00.jwt',
      '-1.jwt',
      '0',
      '0/',
      '0/message',
      '0.JWT',
      '0/revocation/',
      '9999999999.jwt',
    ])
      await assert.rejects(answerListRequest(parts, { issuer, list }), isFault('statusListUnknown'), list);
    for (const wrong of [issuer.toUpperCase(), issuer.slice(1), 'ab'.repeat(32), `did:zid:${issuer}`])
      await assert.rejects(
        answerListRequest(parts, { issuer: wrong, list: '0.jwt' }),
        isFault('statusListUnknown'),
      );
  });
});
