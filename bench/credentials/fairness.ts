/**
 * How long a plain verification waits while another caller keeps the service busy with presentations of fifteen
 * ranges: the demo in a process of its own, budgets out of the way so that the queue alone is measured, and two API
 * keys.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type DemoDocument, readDemoFile } from '@symbolon/demo/file';
import {
  applyForCredential,
  type CredentialClient,
  createCredentialClient,
  issueCredential,
  presentCredential,
  readApplication,
  registerTemplate,
  ServiceError,
  signerFromPrivateKey,
} from '@symbolon/sdk/index';
import { note, print, printTable, whole } from '../print.ts';
import { nowMs, percentile } from '../statistics.ts';

const rangesCount = 15;
const heavyInFlight = 4;
const challenge = 'fairness';
const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
const many = '1000000';

export async function measureFairness({ isQuick }: { readonly isQuick: boolean }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-fairness-'));
  const service = spawn(process.execPath, [main, 'dev', ...devOptions(folder)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      SYMBOLON_LOG_LEVEL: 'warn',
      SYMBOLON_RATES_HEAVY_PER_MINUTE: many,
      SYMBOLON_RATES_PROOF_UNITS_PER_MINUTE_WITH_KEY: many,
    },
  });
  try {
    await measure(await demoOf(folder), isQuick ? 20 : 100);
  } finally {
    service.kill('SIGTERM');
    await new Promise((resolve) => service.once('exit', resolve));
    rmSync(folder, { recursive: true, force: true });
  }
}

const devOptions = (folder: string): string[] => [
  ...['--data', folder],
  ...['--ledger-port', '0'],
  ...['--service-port', '0', '--no-open'],
];

async function demoOf(folder: string): Promise<DemoDocument> {
  for (;;) {
    const demo = await readDemoFile(join(folder, 'demo.json'));
    if (demo) return demo;
    await sleep(200);
  }
}

type Presentation = Parameters<CredentialClient['verifyPresentation']>[0]['vp'];

async function measure(demo: DemoDocument, count: number): Promise<void> {
  const clientOf = ({ apiKey }: { readonly apiKey: string }) =>
    createCredentialClient(demo.service, { apiKey, timeoutMs: 300_000 });
  note('issuing a credential and deriving two presentations of it');
  const { plain, ranged } = await presentationsOf(demo);
  const [heavy, light] = [clientOf(demo.holder2), clientOf(demo.verifier)];
  await timesOf(light, plain, 5);
  note('verifying without other load');
  const quiet = await timesOf(light, plain, count);
  note(`verifying while another caller has ${heavyInFlight} presentations of ${rangesCount} ranges verified`);
  const load = keepBusy(heavy, ranged);
  await sleep(2_000);
  const busy = await timesOf(light, plain, count);
  const long = await load.end();
  report({ quiet, busy, long });
}

interface Times {
  readonly quiet: readonly number[];
  readonly busy: readonly number[];
  readonly long: readonly number[];
}

function report({ quiet, busy, long }: Times): void {
  const row = (name: string, times: readonly number[]): string[] => [
    name,
    whole(times.length),
    ...[0.5, 0.99, 1].map((share) => whole(percentile(times, share))),
  ];
  print();
  printTable(
    ['verification', 'count', 'p50 ms', 'p99 ms', 'longest ms'],
    [
      row('plain, alone', quiet),
      row('plain, beside the other', busy),
      row(`the other: ${rangesCount} ranges`, long),
    ],
  );
  const delay = percentile(busy, 0.99) - percentile(quiet, 0.5);
  print(`\nDelay at p99: ${whole(delay)} ms; it may be 1,000.`);
}

async function presentationsOf(demo: DemoDocument): Promise<{ plain: Presentation; ranged: Presentation }> {
  const [issuer, holder] = await Promise.all(
    [demo.issuer, demo.holder].map(({ privateKey }) => signerFromPrivateKey(privateKey)),
  );
  const timeoutMs = 300_000;
  const issuing = createCredentialClient(demo.service, { apiKey: demo.issuer.apiKey, timeoutMs });
  const holding = createCredentialClient(demo.service, { apiKey: demo.holder.apiKey, timeoutMs });
  const keys = Array.from({ length: rangesCount }, (_, index) => `number${index}`);
  const { templateId } = await registerTemplate(issuing, {
    signer: issuer,
    templateName: 'Fifteen numbers',
    credentialFormat: keys.map((key) => ({
      attribute: key,
      key,
      format: 'integer',
      type: 3,
      mandatory: true,
    })),
    version: '1.0.0',
  });
  const attributes = Object.fromEntries(keys.map((key) => [key, '5']));
  const { vcId } = await applyForCredential(holding, { signer: holder, templateId, attributes });
  const bbsKey = { publicKeyMultibase: demo.issuer.bbsPublicKeyMultibase };
  const { vcObject: vc } = await issueCredential(issuing, {
    signer: issuer,
    bbsKey,
    ...(await readApplication(issuing, { vcId })),
    expiredDate: '2099-12-31',
  });
  const shown = { signer: holder, vc, challenge };
  const plain = await presentCredential(holding, shown);
  const rangeProof = keys.map((attribute) => ({ attribute, min: 1, max: 100 }));
  return { plain, ranged: await presentCredential(holding, { ...shown, rangeProof }) };
}

async function timed(client: CredentialClient, vp: Presentation): Promise<number> {
  const began = nowMs();
  const { verified, errors } = await client.verifyPresentation({ vp, challenge });
  if (!verified) throw new Error(`the presentation does not verify: ${errors?.join('; ')}`);
  return nowMs() - began;
}

/** One after the other, with a pause, as somebody at a desk would. */
async function timesOf(client: CredentialClient, vp: Presentation, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    times.push(await timed(client, vp));
    await sleep(100);
  }
  return times;
}

function keepBusy(client: CredentialClient, vp: Presentation) {
  const times: number[] = [];
  let isOver = false;
  const loops = Array.from({ length: heavyInFlight }, async () => {
    while (!isOver) {
      try {
        times.push(await timed(client, vp));
      } catch (error) {
        // On a slow machine its own work keeps it waiting for too long: it asks again at once.
        if (!(error instanceof ServiceError && error.code === 'overloaded')) throw error;
      }
    }
  });
  return {
    async end(): Promise<readonly number[]> {
      isOver = true;
      await Promise.all(loops);
      return times;
    },
  };
}
