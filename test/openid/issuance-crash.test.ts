/**
 * kill -9 between redemption and answer of OpenID4VCI: after the next start the same request has the same answer, one
 * entry is on the ledger, and what was under way is finished whether or not the wallet comes back.
 */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { CrashProcess } from '../service/crash-process.ts';
import { type MadeOffer, openidIssuer } from '../support/openid-issuer.ts';
import { ownerOfSuite } from '../support/owner.ts';
import {
  makeWalletKey,
  type ReadOffer,
  readOffer,
  type WalletKey,
  walletFor,
} from '../support/raw-wallet.ts';
import { createSteps } from '../support/service-steps.ts';
import { peopleOf, plainPost } from '../support/service-world.ts';
import { tempFolder } from '../support/temp-folder.ts';

const owner = ownerOfSuite();
const compiled = tempFolder(owner);
const publicUrl = 'https://issuer.example';
const config = { publicUrl };

interface Prepared {
  readonly folder: string;
  readonly templateId: string;
  readonly offer: MadeOffer;
  readonly read: ReadOffer;
}
let prepared: Prepared;

interface Up {
  readonly url: string;
  readonly demo: Parameters<typeof peopleOf>[0];
}

const siteOf = ({ url, demo }: Up) => {
  const { issuer } = peopleOf(demo);
  const reach = (address: string): string => address.replace(publicUrl, url);
  return { url, issuer, reach, steps: createSteps(plainPost(url)) };
};

before(async () => {
  const folder = tempFolder(owner);
  const process = new CrashProcess(owner, compiled);
  const site = siteOf((await process.start({ folder, config })) as Up);
  const { templateId } = await site.steps.registerTemplate(site.issuer, { templateName: 'Crash card' });
  const offer = await openidIssuer(site.url, site.issuer, templateId as string).offer();
  const read = await readOffer(offer.link, site.reach);
  prepared = { folder, templateId: templateId as string, offer, read };
  await process.close();
});

/** The wallet's own, which it keeps through all of it. */
interface Kept {
  readonly dpop: WalletKey;
  readonly holder: WalletKey;
}

const cases: readonly { readonly point: string; readonly asks: 'token' | 'credential' }[] = [
  { point: 'openidCodeRedeemed', asks: 'token' },
  { point: 'openidRequestStored', asks: 'credential' },
  { point: 'openidCredentialsStored', asks: 'credential' },
  { point: 'datasetSubmitting', asks: 'credential' },
  { point: 'datasetAnchored', asks: 'credential' },
  { point: 'datasetRecorded', asks: 'credential' },
];

describe('kill -9 between redemption and answer', { concurrency: 2 }, () => {
  for (const { point, asks } of cases)
    test(`${point}: the same request has the same answer`, async (context) => {
      const folder = join(tempFolder(context), 'copy');
      cpSync(prepared.folder, folder, { recursive: true });
      const [dying, survivor] = [new CrashProcess(context, compiled), new CrashProcess(context, compiled)];
      const kept: Kept = { dpop: makeWalletKey(), holder: makeWalletKey() };
      const { read, offer } = prepared;

      const first = siteOf((await dying.start({ folder, config, crash: { point } })) as Up);
      const before = walletFor(read, { dpop: kept.dpop, reach: first.reach });
      let token: string | undefined;
      let asked: readonly string[] | undefined;
      if (asks === 'token') await assert.rejects(before.askToken(offer.txCode));
      else {
        token = await before.token(offer.txCode);
        asked = await before.proofs([kept.holder]);
        await assert.rejects(before.ask(token, asked));
      }
      assert.equal(await dying.ended, 'SIGKILL');

      const site = siteOf((await survivor.start({ folder, config })) as Up);
      const wallet = walletFor(read, { dpop: kept.dpop, reach: site.reach });
      token ??= await wallet.token(offer.txCode);
      asked ??= await wallet.proofs([kept.holder]);
      const answer = await wallet.ask(token, asked);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.equal((answer.body.credentials as JsonObject[]).length, 1);
      assert.deepEqual((await wallet.ask(token, asked)).body, answer.body);
      const acts = openidIssuer(site.url, site.issuer, prepared.templateId);
      const { state, status } = await acts.state(offer);
      assert.deepEqual([state, status], ['issued', 'Issued']);
      assert.deepEqual(await survivor.audit(), [], 'store and ledger agree');
      await site.steps.revoke(site.issuer, offer.vcId);
      await survivor.kill();
    });
});
