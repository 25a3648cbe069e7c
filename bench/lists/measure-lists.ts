/**
 * The lists of an issuer's desk over HTTP, with many records behind them: how long a page takes, the ledger's word on
 * each row included. A node, a service, and one connection.
 */
import { join } from 'node:path';
import { initServiceFolder } from '@symbolon/credential-service/wiring/service-folder';
import { demoGenesisSeed } from '@symbolon/demo/keys';
import { initNodeFolder } from '@symbolon/ledger-node/node/node-folder';
import { startChild } from '../child.ts';
import type { Ready } from '../ledger/node-process.ts';
import { heading, note, oneDigit, printTable, targetRow } from '../print.ts';
import type { ServiceReady } from '../service/service-process.ts';
import { nowMs, percentile } from '../statistics.ts';
import { benchHolder, benchTemplate } from './fill-records.ts';

export interface ListOptions {
  readonly scratch: string;
  readonly isQuick: boolean;
  readonly flags: string[];
}

const pageMsMax = 100;

export async function measureLists({ scratch, isQuick, flags }: ListOptions): Promise<void> {
  const count = isQuick ? 10_000 : 100_000;
  const [chain, folder] = [join(scratch, 'ledger'), join(scratch, 'service')];
  await initNodeFolder(chain, { genesisSeed: demoGenesisSeed() });
  await initServiceFolder(folder, {});
  const node = startChild(new URL('../ledger/node-process.ts', import.meta.url), { args: [chain], flags });
  const { port } = await node.call<Ready>('ready');
  const service = startChild(new URL('../service/service-process.ts', import.meta.url), {
    args: [folder, `http://127.0.0.1:${port}`],
    flags,
  });
  try {
    const { url, demo } = await service.call<ServiceReady>('ready');
    const { did: issuer, apiKey } = demo.issuer;
    note(`${count} credentials and as many applications`);
    await service.call('fill', { issuer, count });
    const get = async (path: string): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return (await answer.json()) as Record<string, unknown>;
    };
    const issued = '/cred/v1/vc/issued';
    const deep = await cursorAt(get, `${issued}?limit=200`, isQuick ? 20 : 250);
    const lists: Readonly<Record<string, string>> = {
      'issued, newest 50': `${issued}?limit=50`,
      'issued, 200': `${issued}?limit=200`,
      'issued, 50 far behind': `${issued}?limit=50&cursor=${deep}`,
      'issued, one template': `${issued}?limit=50&templateId=${benchTemplate(1)}`,
      'issued, one holder': `${issued}?limit=50&holder=${benchHolder(1)}`,
      'issued, revoked': `${issued}?limit=50&status=Revoked`,
      'issued, expired': `${issued}?limit=50&status=Expired`,
      'issued, suspended of a template': `${issued}?limit=50&status=Suspended&templateId=${benchTemplate(2)}`,
      'inbox, newest 50': '/cred/v1/vc/applications?limit=50&order=newest',
      'inbox, nothing pending': '/cred/v1/vc/applications?limit=50&status=Pending',
      'counts by state': '/cred/v1/vc/counts',
    };
    const rows: { readonly name: string; readonly p50: number; readonly p95: number }[] = [];
    for (const [name, path] of Object.entries(lists)) {
      await get(path);
      const times: number[] = [];
      for (let round = 0; round < (isQuick ? 10 : 60); round++) {
        const begunAt = nowMs();
        await get(path);
        times.push(nowMs() - begunAt);
      }
      rows.push({ name, p50: percentile([...times], 0.5), p95: percentile([...times], 0.95) });
    }
    heading(`Lists of an issuer with ${count.toLocaleString('en-US')} credentials, ms a page`);
    printTable(
      ['list', 'p50', 'p95', 'aim of p95', ''],
      rows.map(({ name, p50, p95 }) => {
        const [, shown, aim, verdict] = targetRow(name, p95, ['<=', pageMsMax], oneDigit);
        return [name, oneDigit(p50), shown, aim, verdict];
      }),
    );
  } finally {
    await service.end();
    await node.end();
  }
}

/** The cursor behind so many pages. */
async function cursorAt(
  get: (path: string) => Promise<Record<string, unknown>>,
  path: string,
  pages: number,
): Promise<string> {
  let cursor = '';
  for (let page = 0; page < pages; page++) {
    const { nextCursor } = await get(cursor === '' ? path : `${path}&cursor=${cursor}`);
    cursor = String(nextCursor);
  }
  return cursor;
}
