/**
 * Clients before servers that lie. Each flow of the SDK is carried out once with a real node and a real service, and what
 * they answer is taken down. Then it is carried out again and again on that tape, each time with one lie in the answers
 * (`lies.ts`), while every key is watched (`flow.ts`). Whatever a key was put under is opened without the flow's code
 * (`statements.ts`) and compared with the order (`judge.ts`). A run may fail in words that name the member that was lied
 * about (`lie-names.ts` says which names count), or end as ordered; it may not sign, show, pay or believe anything else.
 *
 * A lie that succeeds is printed with its flow, route, path and kind. `npm test -- test/lies/lies.test.ts --name <flow>`
 * runs the lies about one flow, SYMBOLON_LIES_ONLY those whose name contains a text, and SYMBOLON_LIES_SEED makes the same
 * random choices again.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { SdkError, type Signer } from '@symbolon/sdk/index';
import { chooseSeed, createRandom } from '../crash/seeded-random.ts';
import { ownerOfSuite } from '../support/owner.ts';
import type { Flow } from './flow.ts';
import { type Finding, findings, judge, orderedOf, type Run, runOn } from './judge.ts';
import { liesAbout } from './lies.ts';
import { flowNames, type Recorded, type RecordedFlow, recordFlows } from './recorded-flows.ts';
import { documentSays, shownIn } from './statements.ts';

const owner = ownerOfSuite();
const seed = chooseSeed('SYMBOLON_LIES_SEED');
const only = process.env.SYMBOLON_LIES_ONLY ?? '';
const liesMin = 2_000;

let recorded: Recorded;
before(async () => {
  recorded = await recordFlows(owner);
});

interface Tally {
  lies: number;
  refused: number;
  readonly found: Map<Finding, string[]>;
}
const newTally = (): Tally => ({ lies: 0, refused: 0, found: new Map() });
const total = newTally();

const textOf = ({ lies, refused, found }: Tally): string => {
  const counts = findings.map((finding) => `${found.get(finding)?.length ?? 0} ${finding}`).join(', ');
  return `${lies} lies, ${refused} refused: ${counts}`;
};

/** Carries the flow out before one liar after the other. */
async function tell({ flow, tape, other, terms, secrets }: RecordedFlow): Promise<Tally> {
  const honest = await honestRun({ flow, tape, terms });
  const tally = newTally();
  for (const lie of liesAbout(tape, other, createRandom(seed))) {
    if (!lie.name.includes(only)) continue;
    const run = await runOn(flow, lie.tell(tape), { honest: tape, terms });
    tally.lies += 1;
    if ('error' in run) tally.refused += 1;
    for (const finding of judge({ flow, honest, lie, secrets }, run))
      tally.found.set(finding, [...(tally.found.get(finding) ?? []), `${lie.name}${wordsOf(run)}`]);
  }
  return tally;
}

function addUp({ lies, refused, found }: Tally): void {
  total.lies += lies;
  total.refused += refused;
  for (const [finding, names] of found)
    total.found.set(finding, [...(total.found.get(finding) ?? []), ...names]);
}

const wordsOf = ({ error }: Run): string =>
  error instanceof Error ? ` (${error.name}: ${error.message})` : '';

/** Without a lie: as ordered, or nothing that follows means anything. */
async function honestRun({ flow, tape, terms }: Pick<RecordedFlow, 'flow' | 'tape' | 'terms'>): Promise<Run> {
  const run = await runOn(flow, tape, { honest: tape, terms });
  if ('error' in run) throw run.error;
  const isOrdered = orderedOf(flow);
  const other = run.statements.find((statement) => !isOrdered(statement));
  if (other)
    assert.deepEqual(
      other,
      flow.ordered.find(({ kind }) => kind === other.kind),
      'honest servers get the order signed',
    );
  assert.ok(run.statements.length >= flow.ordered.length, 'everything that is ordered is signed');
  return run;
}

const shownMax = 12;

describe('no lie of a server is signed, shown, paid or believed', () => {
  for (const name of flowNames)
    test(name, async (context) => {
      const tally = await tell(recorded.of(name));
      addUp(tally);
      context.diagnostic(textOf(tally));
      const lines = [...tally.found].flatMap(([finding, names]) =>
        names.slice(0, shownMax).map((lie) => `${finding}: ${lie}`),
      );
      assert.ok(lines.length === 0, [`${textOf(tally)}; SYMBOLON_LIES_SEED=${seed}`, ...lines].join('\n'));
    });

  test('lies are many', (context) => {
    context.diagnostic(`SYMBOLON_LIES_SEED=${seed}: ${textOf(total)}`);
    assert.ok(only !== '' || total.lies >= liesMin, `${total.lies} lies`);
  });
});

/** Signs and believes whatever it is given: if that went unnoticed, nothing above would mean anything. */
describe('a careless client is seen', () => {
  const seen = async (name: string, run: Flow['run'], other: Partial<Flow> = {}): Promise<Tally> => {
    const { flow, ...more } = recorded.of(name);
    return tell({ ...more, flow: { ...flow, run, ...other } });
  };
  const countOf = ({ found }: Tally, finding: Finding): number => found.get(finding)?.length ?? 0;
  const signBlob = async (signer: Signer, blob: string) => hexOf(await signer.sign(Buffer.from(blob, 'hex')));

  test('when it signs a transaction that a service has prepared', async () => {
    const { issuer } = recorded.world.service;
    const tally = await seen('revokeCredential', async ({ service, watched }) => {
      const client = service(issuer.apiKey);
      const order = { vcId: `did:zid:${'00'.repeat(32)}`, issuerAddress: issuer.signer.address };
      const { blobId, blob } = await client.createRevocationBlob(order);
      const signed = await signBlob(watched(issuer.signer), blob);
      await client.submitRevocation({ blobId, signBlob: signed, publicKey: issuer.signer.publicKey });
      return {};
    });
    assert.ok(countOf(tally, 'wrong signature') > 20, textOf(tally));
    assert.ok(countOf(tally, 'overpayment') > 1, textOf(tally));
  });

  test('when it signs and shows a presentation that a service has derived', async () => {
    const { holder, held } = recorded.world;
    const tally = await seen('presentCredential', async ({ service, watched }) => {
      const { blobId, blob } = await service().createPresentation({ vc: held[0] });
      const ed25519SignData = await signBlob(watched(holder.signer), blob);
      const body = { blobId, ed25519SignData, ed25519PubKey: holder.signer.publicKey };
      return shownIn((await service().submitPresentation(body)).vpObject);
    });
    assert.ok(countOf(tally, 'wrong signature') > 100, textOf(tally));
    assert.ok(countOf(tally, 'disclosure') > 5, textOf(tally));
    assert.ok(countOf(tally, 'wrong outcome') > 100, textOf(tally));
  });

  test('when it signs what a service has drafted', async () => {
    const { issuer } = recorded.world.service;
    const tally = await seen('issueCredential', async ({ service, watched }) => {
      const client = service(issuer.apiKey);
      const order = { vcId: `did:zid:${'00'.repeat(32)}`, expiredDate: '2099-12-31' };
      const { ed25519Blob } = await client.createCredential(order);
      await signBlob(watched(issuer.signer), ed25519Blob);
      const submission = { vcId: order.vcId, ed25519PubKey: '', ed25519SignData: '', bbsBlsPubKey: '' };
      const { vcObject } = await client.submitCredential({ ...submission, bbsBlsSignData: '' });
      return documentSays(vcObject);
    });
    assert.ok(countOf(tally, 'wrong signature') > 3, textOf(tally));
    assert.ok(countOf(tally, 'wrong outcome') > 100, textOf(tally));
  });

  test('when it refuses without naming what it is about', async () => {
    const { flow } = recorded.of('signPayment of coins');
    // Words of a sentence are no names.
    const words = 'the result, nonce, hash, header, fee_limit or gas_price is wrong';
    const tally = await seen('signPayment of coins', (parts) =>
      flow.run(parts).catch(() => {
        throw new SdkError('unexpectedReply', words, { hint: 'Ask somebody else.' });
      }),
    );
    assert.ok(tally.refused > 50, textOf(tally));
    assert.equal(countOf(tally, 'refusal without the field'), tally.refused, textOf(tally));
  });

  test('when it sends a secret because somebody asks', async () => {
    const { payer, ownKeys } = recorded.world;
    const run: Flow['run'] = async ({ ledger }) => {
      const { result } = await ledger.getAccountBase({ address: payer.address });
      if (typeof result?.nonce !== 'number') await ledger.getAccountBase({ address: ownKeys.apiKey });
      return {};
    };
    const tally = await seen('signPayment of coins', run, { ordered: [] });
    assert.ok(countOf(tally, 'disclosure') > 0, textOf(tally));
  });
});

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
