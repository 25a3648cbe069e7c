/**
 * `symbolon tail` over a real node and a real service: what happens on both, in the order in which it arrives. When one of
 * them is away the other goes on, and the service tells afterwards what happened meanwhile.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { freePorts } from '../support/free-ports.ts';
import { type Owner, ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { operations } from '../support/running-node.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { registerCard, worldOf } from '../support/service-world.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { assertWords, runIn, startIn } from './ledger-world.ts';

const owner = ownerOfSuite();
let service: RunningService;
let port: number;
let templateId: string;

before(async () => {
  port = Number((await freePorts(1))[0]);
  service = await startService(owner, { config: { port } });
  templateId = await registerCard(worldOf(service), 'University degree');
});

/** A folder whose profile names them; an address of either may be another one. */
function folderFor(of: Owner, given: { readonly ledger?: string; readonly service?: string } = {}): string {
  const folder = tempFolder(of);
  const { issuer, verifier, holder } = service;
  const person = ({ did, apiKey }: typeof verifier) => ({ did, apiKey });
  const profile = {
    service: given.service ?? service.url,
    ledger: given.ledger ?? service.node.url,
    issuer: person(issuer),
    verifier: person(verifier),
    holder: person(holder),
  };
  writeFileSync(path.join(folder, 'mine.json'), JSON.stringify(profile), { mode: 0o600 });
  return folder;
}

const words = (...more: string[]): string[] => ['tail', '--profile', 'mine.json', ...more];
const nowhere = 'http://127.0.0.1:9';
const issue = async (name: string) =>
  worldOf(service).steps.issue({ issuer: worldOf(service).issuer, holder: person(name) }, templateId);
const ask = () =>
  service.verifier.client.requestVerification({ requirements: { credentials: [{ id: templateId }] } });
const watches = (printed: { readonly err: string }, address: string) =>
  until(`watching ${address}`, () => printed.err.includes(`Watching ${address}`));
/** A command that has ended tells nothing more: why it did is what the test then says. */
const untilTold = ({ printed, exitCode }: ReturnType<typeof startIn>, words: RegExp) =>
  until(`${words}`, () => {
    assert.equal(exitCode(), null, printed.err);
    return words.test(printed.out);
  });

describe('symbolon tail', () => {
  test('shows blocks, transactions and events of everybody in the profile, no line wider than 80', async (context) => {
    const folder = folderFor(context);
    const all = startIn(folder, context, words(), { env: { COLUMNS: '80' } });
    const mine = startIn(folder, context, words('--only', 'service', '--as', 'verifier', '--json'));
    await watches(all.printed, 'ws:');
    await watches(all.printed, service.url);
    await watches(mine.printed, service.url);
    const { vcId } = await issue('a student');
    const { presentationId } = await ask();
    // Each person's events come on a stream of their own, in no order among them.
    await until('all is told', () => /requested/.test(mine.printed.out));
    await until('all is told', () =>
      [/ applied /, / issued /, / asked /, /calls "issue"/].every((told) => told.test(all.printed.out)),
    );
    for (const each of [all, mine]) each.stop();
    const [text, json] = await Promise.all([all.ended, mine.ended]);
    assert.deepEqual([text.code, json.code], [0, 0], text.err + json.err);
    const id = vcId.slice('did:zid:'.length);
    assert.match(text.out, /^\d\d:\d\d:\d\d {2}block \d+/m);
    assert.match(text.out, /calls "issue" of/);
    assert.match(text.out, /^\d\d:\d\d:\d\d {2}applied {5}for University degree +[0-9a-f]{8}…[0-9a-f]{6}$/m);
    assert.match(
      text.out,
      new RegExp(`issued {6}University degree to a holder +${id.slice(0, 8)}…${id.slice(-6)}`),
    );
    assert.match(text.out, /asked {7}a wallet for a presentation/);
    for (const line of text.out.split('\n')) assert.ok([...line].length <= 80, line);
    const events = json.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      events.map(({ event, subject }) => [event, subject]),
      [['verification.requested', presentationId]],
    );
  });

  test('--only ledger asks no service, and --count ends it', async (context) => {
    const ledger = startIn(folderFor(context), context, words('--only', 'ledger', '--count', '2'));
    await watches(ledger.printed, 'ws:');
    assert.ok(!ledger.printed.err.includes(service.url));
    await until('it has ended', async () => {
      await service.node.execute({ operations: [operations.payCoin(service.holder.address, 1_000)] });
      return (await Promise.race([ledger.ended, undefined])) !== undefined;
    });
    assert.equal((await ledger.ended).code, 0);
  });

  test('goes on with the service while the node is away, and says so; with neither it fails', async (context) => {
    const half = startIn(folderFor(context, { ledger: nowhere }), context, words('--as', 'issuer'));
    await watches(half.printed, service.url);
    await until('the node is missed', () => half.printed.err.includes('The node is away.'));
    await issue('somebody else');
    await until('the event is told', () => half.printed.out.includes('issued'));
    half.stop();
    assert.equal((await half.ended).code, 0);
    const none = await runIn(folderFor(context, { ledger: nowhere, service: nowhere }), context)(words());
    assertWords(none, 69, /^The service is away\.[^\n]*\nNo connection with /);
  });

  test('says who hears nothing', async (context) => {
    const run = runIn(folderFor(context), context);
    const nobody = await run(words('--only', 'service', '--as', 'somebody'));
    assert.notEqual(nobody.code, 0);
    const confused = await run(words('--only', 'service', '--account', service.holder.address));
    assert.match(confused.err, /Nothing is watched\./);
    const misspelt = await run(words('--only', 'sevice'));
    assert.match(misspelt.err, /ledger, service/);
  });

  test('a service that was away tells what happened meanwhile', async (context) => {
    const watching = startIn(folderFor(context), context, words('--as', 'issuer'));
    await watches(watching.printed, service.url);
    const { close } = service;
    await close();
    await until('it is missed', () => watching.printed.err.includes('The service is away.'));
    service = await service.restart({ config: { port } });
    const { vcId } = await issue('while nobody listened');
    await untilTold(watching, new RegExp(`issued .*${vcId.slice(-6)}`));
    assert.match(watching.printed.err, /The service is back; what happened meanwhile follows\./);
    watching.stop();
    const { out } = await watching.ended;
    assert.equal(out.match(/applied/g)?.length, 1);
    assert.equal(out.match(/issued {3}/g)?.length, 1);
  });
});
