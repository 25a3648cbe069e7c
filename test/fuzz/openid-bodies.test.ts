/**
 * Spoiled requests to every route of OpenID4VCI, OpenID4VP and the VC-API of a running service, a hundred thousand in the
 * whole campaign: each is answered in time and never with a defect of ours, and afterwards the service issues as before.
 *
 * SYMBOLON_FUZZ_SEED repeats a seed, SYMBOLON_OPENID_FUZZ_COUNT changes how many requests there are.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { chooseSeed, createRandom } from '../crash/seeded-random.ts';
import { campaignSize } from '../support/campaign.ts';
import { type CodeFlowWorld, claimsIn, makeCodeFlowWorld, tokenIn } from '../support/code-flow-world.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { makeWalletKey } from '../support/raw-wallet.ts';
import { ok } from '../support/service-steps.ts';
import { KeepAlive } from './keep-alive.ts';
import { type OpenidRouteName, openidCorpus, openidRouteNames, signAtOnce } from './openid-corpus.ts';
import { goodOpenidRequest, spoiledOpenidRequest } from './openid-mutations.ts';

const owner = ownerOfSuite();
const count = campaignSize('SYMBOLON_OPENID_FUZZ_COUNT', { usual: 1_500, whole: 100_000 });
const lanes = 6;
const problemsMax = 10;
/** So many requests spoil what was given at one moment; then codes, tokens and nonces are new. */
const perCorpus = 600;

/** Routes whose answers take proofs and canonical forms come more rarely; those that carry a body more often. */
const weightOf = (name: OpenidRouteName): number =>
  /ByVcApi$/.test(name)
    ? 2
    : /^(get|list|remove|begin|continue)/.test(name) && !/Token|Credential$/.test(name)
      ? 2
      : 6;
const weighted = openidRouteNames.flatMap((name) => Array.from({ length: weightOf(name) }, () => name));

let site: CodeFlowWorld;
before(async () => {
  site = await makeCodeFlowWorld(owner);
  await signAtOnce(site);
});

test('what is spoiled is good before', async () => {
  const corpus = await openidCorpus(site);
  const connection = new KeepAlive(Number(new URL(site.service.url).port));
  // What ends something comes last.
  const last = ['removeOpenidLogin', 'getOpenidToken', 'rejectOpenidOffer'];
  const names = [...openidRouteNames.filter((name) => !last.includes(name)), ...last] as OpenidRouteName[];
  for (const name of names) {
    const { bytes } = goodOpenidRequest(corpus[name]);
    const { status, body } = await connection.ask(bytes);
    assert.ok(status >= 200 && status < 400, `${name}: ${status} ${body.slice(0, 500)}`);
  }
  connection.close();
});

test(`${count} spoiled requests`, async (context) => {
  const seed = chooseSeed('SYMBOLON_FUZZ_SEED');
  context.diagnostic(`SYMBOLON_FUZZ_SEED=${seed}`);
  const { url } = site.service;
  const problems: string[] = [];
  const answers = new Map<string, number>();
  const askForever = async (lane: number): Promise<void> => {
    const random = createRandom(seed + lane);
    const connection = new KeepAlive(Number(new URL(url).port));
    while (left > 0 && problems.length < problemsMax) {
      left -= 1;
      const name = random.pick(weighted);
      const { bytes, hasBody } = await spoiledOpenidRequest(corpus[name], url, random);
      const complain = (what: string) =>
        problems.push(`${name}: ${what}\n${Buffer.from(bytes).toString('latin1').slice(0, 3_000)}`);
      try {
        const { status, body } = await connection.ask(bytes, { hasBody });
        const key = `${name} ${Math.floor(status / 100)}xx`;
        answers.set(key, (answers.get(key) ?? 0) + 1);
        if (!(status >= 200 && status < 500)) complain(`status ${status}: ${body.slice(0, 500)}`);
      } catch (error) {
        complain((error as Error).message);
      }
    }
    connection.close();
  };
  let corpus = await openidCorpus(site);
  let left = 0;
  let sent = 0;
  for (let round = 0; sent < count && problems.length < problemsMax; round++) {
    corpus = await openidCorpus(site);
    left = Math.min(perCorpus, count - sent);
    sent += left;
    await Promise.all(Array.from({ length: lanes }, (_, lane) => askForever(round * lanes + lane)));
  }
  for (const [key, times] of [...answers].sort()) context.diagnostic(`${key}: ${times}`);
  context.diagnostic(
    `${[...answers.values()].reduce((sum, one) => sum + one, 0)} answers of ${count} requests`,
  );
  assert.equal(problems.join('\n\n'), '', `with SYMBOLON_FUZZ_SEED=${seed}`);
  for (const name of openidRouteNames)
    assert.ok(
      [...answers.keys()].some((key) => key.startsWith(`${name} `)),
      name,
    );

  ok(await site.place.set([site.templateId]));
  const wallet = site.walletOf();
  const token = tokenIn(await wallet.redeem(await wallet.code()));
  claimsIn(await wallet.ask(token, await wallet.named([makeWalletKey()])));
});
