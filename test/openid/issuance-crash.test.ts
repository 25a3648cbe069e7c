/**
 * kill -9 between redemption and answer of OpenID4VCI, and in the middle of a login: after the next start the same request
 * has the same answer, one entry is on the ledger, and what was under way is finished whether or not the wallet comes back.
 */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { CrashProcess } from '../service/crash-process.ts';
import { type Browser, codeFlowPaths, codeWallet, openBrowser } from '../support/code-flow.ts';
import { claimsIn, tokenIn } from '../support/code-flow-world.ts';
import { type MadeOffer, openidIssuer } from '../support/openid-issuer.ts';
import { ownerOfSuite } from '../support/owner.ts';
import {
  makeWalletKey,
  type ReadOffer,
  readOffer,
  type WalletKey,
  walletFor,
} from '../support/raw-wallet.ts';
import { outcomeOf, postService } from '../support/service-http.ts';
import { createSteps, ok } from '../support/service-steps.ts';
import { peopleOf, plainPost } from '../support/service-world.ts';
import { tempFolder } from '../support/temp-folder.ts';

const owner = ownerOfSuite();
const compiled = tempFolder(owner);
const publicUrl = 'https://issuer.example';
const redirectUri = 'com.example.app:/cb';
const clients: JsonObject[] = [{ clientId: 'app', redirectUris: [redirectUri] }];
const config = { publicUrl, openid: { clients } };

interface Prepared {
  readonly folder: string;
  readonly templateId: string;
  readonly offer: MadeOffer;
  readonly read: ReadOffer;
  /** For whoever logs in. */
  readonly login: MadeOffer;
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
  const acts = openidIssuer(site.url, site.issuer, templateId as string);
  const offer = await acts.offer();
  const read = await readOffer(offer.link, site.reach);
  const order = { loginUrl: 'https://login.example/', templateIds: [templateId as string] };
  ok(await postService(site.url, codeFlowPaths.login, order, site.issuer));
  const login = await acts.offer({ login: true });
  prepared = { folder, templateId: templateId as string, offer, read, login };
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

type Site = ReturnType<typeof siteOf>;

/** A wallet, its browser and the issuer's page, which go on with whichever service is up. */
function openLogin() {
  const { templateId, login } = prepared;
  const up: { site: Site | undefined } = { site: undefined };
  const site = (): Site => up.site as Site;
  const reach = (address: string): string => site().reach(address);
  const issuer = String((login.made.offer as JsonObject).credential_issuer);
  const configuration = `zid.${templateId.slice(-64)}.1.0.0.sd`;
  const wallet = codeWallet(issuer, { clientId: 'app', redirectUri, configuration, reach });
  const { issuer_state } = (login.made.offer as { grants: { authorization_code: { issuer_state: string } } })
    .grants.authorization_code;
  return {
    ...{ up, wallet },
    async begin(browser: Browser): Promise<string> {
      const { location } = await browser.visit(await wallet.pushed({ issuer_state }));
      return new URL(location).searchParams.get('reference') as string;
    },
    confirm: (reference: string) =>
      postService(site().url, codeFlowPaths.confirm, { reference, decision: 'grant' }, site().issuer),
    async end(browser: Browser, continueUrl: unknown): Promise<string> {
      return wallet.answer(await browser.visit(reach(String(continueUrl)))).code as string;
    },
  };
}

const loginCases: readonly { readonly point: string; readonly asks: 'decision' | 'token' | 'credential' }[] =
  [
    { point: 'openidAuthorizationDecided', asks: 'decision' },
    { point: 'openidCodeRedeemed', asks: 'token' },
    { point: 'openidRequestStored', asks: 'credential' },
    { point: 'openidCredentialsStored', asks: 'credential' },
    { point: 'datasetSubmitting', asks: 'credential' },
    { point: 'datasetAnchored', asks: 'credential' },
    { point: 'datasetRecorded', asks: 'credential' },
  ];

describe('kill -9 on the way of somebody who logs in', { concurrency: 2 }, () => {
  for (const { point, asks } of loginCases)
    test(`${point}: one credential, one entry`, async (context) => {
      const folder = join(tempFolder(context), 'copy');
      cpSync(prepared.folder, folder, { recursive: true });
      const [dying, survivor] = [new CrashProcess(context, compiled), new CrashProcess(context, compiled)];
      const { up, wallet, begin, confirm, end } = openLogin();
      const holder = makeWalletKey();
      const logIn = async (): Promise<string> => {
        const browser = openBrowser();
        return end(browser, ok(await confirm(await begin(browser))).continueUrl);
      };

      up.site = siteOf((await dying.start({ folder, config, crash: { point } })) as Up);
      let reference: string | undefined;
      let code: string | undefined;
      let token: string | undefined;
      let asked: readonly string[] | undefined;
      if (asks === 'decision') {
        reference = await begin(openBrowser());
        await assert.rejects(confirm(reference));
      } else {
        code = await logIn();
        if (asks === 'token') await assert.rejects(wallet.redeem(code));
        else {
          token = tokenIn(await wallet.redeem(code));
          asked = await wallet.named([holder]);
          await assert.rejects(wallet.ask(token, asked));
        }
      }
      assert.equal(await dying.ended, 'SIGKILL');

      up.site = siteOf((await survivor.start({ folder, config })) as Up);
      // What was decided stands; whoever was on the way logs in again, for the same.
      if (reference !== undefined) assert.equal(outcomeOf(await confirm(reference)), '409 stateForbids');
      code ??= await logIn();
      token ??= tokenIn(await wallet.redeem(code));
      asked ??= await wallet.named([holder]);
      const answer = await wallet.ask(token, asked);
      claimsIn(answer);
      assert.deepEqual((await wallet.ask(token, asked)).body, answer.body);
      const acts = openidIssuer(up.site.url, up.site.issuer, prepared.templateId);
      const { state, status } = await acts.state(prepared.login);
      assert.deepEqual([state, status], ['issued', 'Issued']);
      assert.deepEqual(await survivor.audit(), [], 'store and ledger agree');
      await up.site.steps.revoke(up.site.issuer, prepared.login.vcId);
      await survivor.kill();
    });
});
