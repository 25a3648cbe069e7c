/** The registrar on a real node: many callers, wrong entries among right ones, broken connections, and new starts. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { sha256 } from '@symbolon/host/work/sha256';
import { createLedgerClient, SdkError, sendTransaction, type Transport } from '@symbolon/sdk/index';
import { type CredentialEntry, Registrar, type RegistrarOptions } from './registrar.ts';
import {
  type KeptIntents,
  keptIntents,
  openRegistryChain,
  type RegistryChain,
} from './testing/registry-chain.test.ts';
import { sha256Hex } from './testing/registry-inputs.test.ts';

const isFault = (code: FaultName) => (error: unknown) => {
  assert.ok(error instanceof Fault, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

function openRegistrar(
  t: TestContext,
  { chain, registrar: signer, registries }: RegistryChain,
  { intents = keptIntents(), ...options }: Partial<RegistrarOptions> & { intents?: KeptIntents } = {},
) {
  const registrar = new Registrar({
    client: chain.client,
    signer,
    registry: registries.credentials,
    intents,
    ...options,
  });
  t.after(() => registrar.close());
  return { registrar, intents };
}

function entryOnLedger({ ledger }: RegistryChain, { issuerKey, credential }: CredentialEntry) {
  const issuer = createKeyFormat(zetrixProfile, sha256).signerOf(issuerKey);
  assert.ok(issuer);
  return ledger.readEntry(issuer.address, credential);
}

describe('the registrar', () => {
  test('puts entries of many callers into few transactions', async (t) => {
    const opened = await openRegistryChain(t);
    const { registrar, intents } = openRegistrar(t, opened);
    const issuers = [await opened.newIssuer(), await opened.newIssuer()];
    const entries = await Promise.all(
      Array.from({ length: 250 }, (_, index) => opened.entry(issuers[index % 2], `credential ${index}`)),
    );
    const receipts = await Promise.all(entries.map((entry) => registrar.recordInTime(entry)));
    assert.equal(new Set(receipts.map(({ hash }) => hash)).size, 3);
    assert.equal(intents.saved.length, 3);
    assert.deepEqual([...intents.outcomes.values()], ['executed', 'executed', 'executed']);
    const found = await opened.ledger.readEntry(issuers[1].address, entries[249].credential);
    assert.deepEqual([found?.status, found?.digest], ['active', entries[249].digest]);
    assert.equal(found?.changedInLedgerSeq, receipts[249].ledgerSeq);
    assert.equal(registrar.pending, 0);
  });

  test('sends the same entry once at a time, and is content with one that is there', async (t) => {
    const opened = await openRegistryChain(t);
    const { registrar, intents } = openRegistrar(t, opened);
    const entry = await opened.entry(await opened.newIssuer(), 'one');
    const [first, second] = await Promise.all([
      registrar.recordInTime(entry),
      registrar.recordInTime({ ...entry }),
    ]);
    assert.deepEqual(first, second);
    assert.equal(JSON.parse(intents.saved[0].entries).length, 1);
    await registrar.recordInTime(entry);
    await assert.rejects(
      registrar.recordInTime({ ...entry, digest: sha256Hex('other') }),
      isFault('stateForbids'),
    );
  });

  test('does not let wrong entries sink right ones', async (t) => {
    const opened = await openRegistryChain(t);
    const { registrar } = openRegistrar(t, opened);
    const [issuer, stranger] = [await opened.newIssuer(), await opened.chain.fund()];
    const good = await Promise.all(
      Array.from({ length: 20 }, (_, index) => opened.entry(issuer, `good ${index}`)),
    );
    const bad = [
      { ...good[0], credential: good[1].credential.replace(/.$/, 'x') },
      await opened.entry(issuer, 'signed otherwise', { signature: good[0].signature }),
      await opened.entry(stranger, 'of a stranger'),
    ];
    const settled = await Promise.allSettled([...good, ...bad].map((entry) => registrar.recordInTime(entry)));
    assert.ok(settled.slice(0, 20).every(({ status }) => status === 'fulfilled'));
    const reasons = settled.slice(20).map((it) => (it.status === 'rejected' ? it.reason.code : it.status));
    assert.deepEqual(reasons, ['requestMalformed', 'signatureInvalid', 'templateUnknown']);
  });

  test('survives that somebody else uses its account', async (t) => {
    const opened = await openRegistryChain(t);
    const { chain, registrar: signer } = opened;
    const issuer = await opened.newIssuer();
    let isOvertaken = false;
    const intents = keptIntents();
    const save = async (intent: (typeof intents.saved)[number]) => {
      await intents.save(intent);
      if (isOvertaken) return;
      isOvertaken = true;
      const payCoin = { destAddress: issuer.address, amount: 1n };
      await sendTransaction(
        chain.client,
        { signers: [signer], operations: [{ payCoin }] },
        { pollIntervalMs: 2 },
      );
    };
    const { registrar } = openRegistrar(t, opened, { intents: { ...intents, save } });
    await registrar.recordInTime(await opened.entry(issuer, 'one'));
    assert.deepEqual([...intents.outcomes.values()], ['superseded', 'executed']);
  });

  test('that shares its account with other processes hands nothing in twice', async (t) => {
    const opened = await openRegistryChain(t);
    const issuer = await opened.newIssuer();
    const handedIn: string[] = [];
    const transport: Transport = async (method, path, body) => {
      if (path.startsWith('/submitTransaction')) handedIn.push(JSON.stringify(body));
      return opened.chain.transport(method, path, body);
    };
    const three = Array.from({ length: 3 }, () =>
      openRegistrar(t, opened, { client: createLedgerClient(transport) }),
    );
    await Promise.all(
      three.map(async ({ registrar }, place) => {
        for (let count = 0; count < 4; count++)
          await registrar.recordInTime(await opened.entry(issuer, `${count} of process ${place}`));
      }),
    );
    const outcomes = three.flatMap(({ intents }) => [...intents.outcomes.values()]);
    assert.equal(outcomes.filter((outcome) => outcome === 'executed').length, 12);
    assert.ok(outcomes.includes('superseded'), "they were in one another's way");
    const handIns = `${handedIn.length} of ${new Set(handedIn).size}`;
    assert.equal(
      handIns,
      `${outcomes.length} of ${outcomes.length}`,
      'who came second builds the next at once',
    );
  });

  test('asks for its terms again when those of the transaction before do not hold any more', async (t) => {
    const opened = await openRegistryChain(t);
    const { chain, registrar: signer } = opened;
    const issuer = await opened.newIssuer();
    /** What the ledger asks for a unit of gas now, as a multiple of what it asked at first; it takes nothing cheaper. */
    let asked = 1;
    let paid = 1;
    let questions = 0;
    const transport: Transport = async (method, path, body) => {
      if (path.startsWith('/submitTransaction') && paid < asked)
        return { error_code: codes.feeTooLow, error_desc: 'the fee is too low' };
      const answer = await chain.transport(method, path, body);
      if (path.startsWith('/getLedger?')) {
        questions += 1;
        paid = Math.min(asked, 2);
        const { result } = answer as { result: { fees: { gas_price: number } } };
        result.fees.gas_price *= paid;
      }
      return answer;
    };
    const { registrar, intents } = openRegistrar(t, opened, {
      client: createLedgerClient(transport),
      expectedTermsMs: 600_000,
    });
    const record = async (text: string) => registrar.recordInTime(await opened.entry(issuer, text));
    const payment = { destAddress: issuer.address, amount: 1n };
    await record('one');
    await record('at once after it');
    asked = 2;
    await record('after the price has changed');
    asked = 3;
    await assert.rejects(record('what is refused on any terms'), isFault('ledgerFailed'));
    asked = 2;
    await record('after a refusal');
    assert.equal(questions, 4);
    // What was refused may be taken later: a payment on other terms would be a second one.
    await registrar.pay({ payTo: issuer.address, amount: 1n, prepared: async () => undefined });
    assert.equal(questions, 5);
    await sendTransaction(
      chain.client,
      { signers: [signer], operations: [{ payCoin: payment }] },
      { pollIntervalMs: 2 },
    );
    await record('after a transaction of somebody else');
    await record('while somebody else uses the account');
    assert.equal(questions, 7);
    assert.deepEqual(
      [...intents.outcomes.values()],
      [
        'executed',
        'executed',
        'failed',
        'executed',
        'failed',
        'executed',
        'executed',
        'superseded',
        'executed',
        'executed',
      ],
    );
  });

  test('asks for its terms now and then, however soon its transactions follow one another', async (t) => {
    const opened = await openRegistryChain(t);
    const issuer = await opened.newIssuer();
    let questions = 0;
    const transport: Transport = (method, path, body) => {
      if (path.startsWith('/getLedger?')) questions += 1;
      return opened.chain.transport(method, path, body);
    };
    const { registrar } = openRegistrar(t, opened, {
      client: createLedgerClient(transport),
      expectedTermsMs: 300,
    });
    const begunAtMs = performance.now();
    for (let count = 0; performance.now() - begunAtMs < 700; count++)
      await registrar.recordInTime(await opened.entry(issuer, `${count}`));
    assert.ok(questions >= 2, String(questions));
  });

  test('goes on when the ledger comes back, whichever answer was lost', async (t) => {
    const opened = await openRegistryChain(t);
    const issuer = await opened.newIssuer();
    for (const lost of ['getLedger', 'getAccountBase', 'submitTransaction', 'getTransactionHistory']) {
      let losses = 0;
      const transport: Transport = async (method, path, body) => {
        const answer = await opened.chain.transport(method, path, body);
        if (path.startsWith(`/${lost}`) && losses++ < 2)
          throw new SdkError('unreachable', 'lost', { hint: '' });
        return answer;
      };
      const { registrar, intents } = openRegistrar(t, opened, { client: createLedgerClient(transport) });
      await registrar.recordInTime(await opened.entry(issuer, `lost ${lost}`));
      assert.equal(intents.saved.length, 1, lost);
    }
  });

  test('refuses more than it can hold, and gives back what it has not sent', async (t) => {
    const opened = await openRegistryChain(t);
    const issuer = await opened.newIssuer();
    const [first, second, third, last] = await Promise.all(
      ['under way', 'waiting', 'too much', 'after'].map((text) => opened.entry(issuer, text)),
    );
    const asked = Promise.withResolvers<void>();
    const transport: Transport = () => {
      asked.resolve();
      return Promise.reject(new SdkError('unreachable', 'away', { hint: '' }));
    };
    const client = createLedgerClient(transport);
    const { registrar, intents } = openRegistrar(t, opened, {
      client,
      waitingEntriesMax: 2,
      recordWaitMs: 500,
    });
    const underWay = assert.rejects(registrar.recordInTime(first), isFault('ledgerFailed'));
    await asked.promise;
    const waiting = assert.rejects(registrar.recordInTime(second), isFault('overloaded'));
    await assert.rejects(registrar.recordInTime(third), isFault('overloaded'));
    await Promise.all([underWay, waiting]);
    assert.equal(registrar.pending, 1);
    await registrar.close();
    assert.equal(registrar.pending, 0);
    assert.deepEqual(intents.saved, [], 'nothing was handed in');
    await assert.rejects(registrar.recordInTime(last), isFault('overloaded'));
    await assert.rejects(registrar.balance(), isFault('ledgerUnreachable'));
  });

  test('sends nothing that it cannot remember', async (t) => {
    const opened = await openRegistryChain(t);
    const issuer = await opened.newIssuer();
    const full = new Error('the disk is full');
    const intents = { ...keptIntents(), save: () => Promise.reject(full) };
    const { registrar } = openRegistrar(t, opened, { intents });
    const entry = await opened.entry(issuer, 'one');
    await assert.rejects(registrar.recordInTime(entry), full);
    assert.equal(await opened.ledger.readEntry(issuer.address, entry.credential), undefined);
  });

  test('anchors the audit log and knows its balance', async (t) => {
    const opened = await openRegistryChain(t);
    const { registrar } = openRegistrar(t, opened);
    const before = await registrar.balance();
    assert.equal(await opened.ledger.readAuditAnchor(), undefined);
    const { closeTimeMicros: anchoredAtMicros } = await registrar.anchorAuditHead(sha256Hex('head'), 7);
    assert.deepEqual(await opened.ledger.readAuditAnchor(), {
      head: sha256Hex('head'),
      count: 7,
      anchoredAtMicros,
    });
    await assert.rejects(registrar.anchorAuditHead(sha256Hex('head'), 6), isFault('requestMalformed'));
    assert.ok((await registrar.balance()) < before);
  });

  test('that cannot pay blames nobody else', async (t) => {
    const opened = await openRegistryChain(t);
    const signer = await opened.chain.fund(100n);
    const { registrar } = openRegistrar(t, opened, { signer });
    const entry = await opened.entry(await opened.newIssuer(), 'one');
    await assert.rejects(registrar.recordInTime(entry), isFault('ledgerFailed'));
  });
});

describe('a new start', () => {
  /** A registrar that dies at a point of its way, and what it leaves behind. */
  async function leftBehind(t: TestContext, opened: RegistryChain, dies: 'beforeSubmit' | 'afterSubmit') {
    const entry = await opened.entry(await opened.newIssuer(), 'left behind');
    const intents = keptIntents();
    const transport: Transport = async (method, path, body) => {
      const isSubmission = path === '/submitTransaction';
      if (isSubmission && dies === 'afterSubmit') await opened.chain.transport(method, path, body);
      if (isSubmission || intents.saved.length > 0) throw new SdkError('unreachable', 'dead', { hint: '' });
      return opened.chain.transport(method, path, body);
    };
    const options = { intents, client: createLedgerClient(transport), recordWaitMs: 100 };
    const { registrar } = openRegistrar(t, opened, options);
    await assert.rejects(registrar.recordInTime(entry), isFault('ledgerFailed'));
    await registrar.close();
    assert.equal((await intents.unsettled()).length, 1);
    return { entry, intents };
  }

  for (const dies of ['beforeSubmit', 'afterSubmit'] as const) {
    test(`settles what was left behind ${dies}`, async (t) => {
      const opened = await openRegistryChain(t);
      const { entry, intents } = await leftBehind(t, opened, dies);
      const { registrar } = openRegistrar(t, opened, { intents });
      await registrar.recover();
      assert.equal(intents.saved.length, 1, 'the very same transaction');
      assert.deepEqual([...intents.outcomes], [[intents.saved[0].hash, 'executed']]);
      assert.equal((await entryOnLedger(opened, entry))?.digest, entry.digest);
      await registrar.recover();
      assert.equal(intents.saved.length, 1, 'nothing is left');
    });
  }

  test('sends entries again whose transaction was overtaken', async (t) => {
    const opened = await openRegistryChain(t);
    const { entry, intents } = await leftBehind(t, opened, 'beforeSubmit');
    const other = openRegistrar(t, opened).registrar;
    await other.anchorAuditHead(sha256Hex('head'), 1);
    const { registrar } = openRegistrar(t, opened, { intents });
    await registrar.recover();
    assert.notEqual(intents.saved[1].hash, intents.saved[0].hash);
    assert.deepEqual([...intents.outcomes.values()], ['superseded', 'executed']);
    assert.equal((await entryOnLedger(opened, entry))?.digest, entry.digest);
  });

  test('finds entries that another transaction has registered meanwhile', async (t) => {
    const opened = await openRegistryChain(t);
    const { entry, intents } = await leftBehind(t, opened, 'beforeSubmit');
    const { ledgerSeq } = await openRegistrar(t, opened).registrar.recordInTime(entry);
    await openRegistrar(t, opened, { intents }).registrar.recover();
    assert.equal((await entryOnLedger(opened, entry))?.changedInLedgerSeq, ledgerSeq);
    assert.equal(intents.saved.length, 1, 'nothing was sent again');
  });
});
