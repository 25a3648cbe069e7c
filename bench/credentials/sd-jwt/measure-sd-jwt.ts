/**
 * SD-JWT VCs in `npm run bench -- credentials`: twelve attributes issued, three of them shown and verified, by ours and by
 * Credo's agent. Each has a process of its own, and their rounds alternate.
 */
import { createRequire } from 'node:module';
import { type Child, startChild } from '../../child.ts';
import { heading, note, oneDigit, printTable, targetRow } from '../../print.ts';
import { median, mediansOf } from '../../statistics.ts';
import type { RoundTimes } from '../rounds.ts';

const warmUpRounds = 20;
const columns = ['issueMs', 'deriveMs', 'verifyMs', 'fullMs'] as const;
const head = ['', 'issue', 'present', 'verify', 'full round'];

export async function measureSdJwt({
  isQuick,
  withPeer,
}: {
  readonly isQuick: boolean;
  readonly withPeer: boolean;
}): Promise<void> {
  const rounds = isQuick ? 20 : 300;
  const contestants = [
    { name: 'Symbolon', process: startChild(new URL('./symbolon-process.ts', import.meta.url)) },
    ...(withPeer ? [startCredo()] : []),
  ];
  const times = contestants.map((): RoundTimes[] => []);
  try {
    note(`SD-JWT: ${rounds} rounds`);
    for (let round = -warmUpRounds; round < rounds; round++)
      for (const [index, { process }] of contestants.entries()) {
        const measured = await process.call<RoundTimes>('round');
        if (round >= 0) times[index]?.push(measured);
      }
  } finally {
    await Promise.all(contestants.map(({ process }) => process.end()));
  }
  const measured = contestants.map(({ name }, index) => {
    const all = times[index] as RoundTimes[];
    const fullMs = median(all.map(({ issueMs, deriveMs, verifyMs }) => issueMs + deriveMs + verifyMs));
    return { name, ...mediansOf(all, 'issueMs', 'deriveMs', 'verifyMs'), fullMs };
  });
  heading(
    `SD-JWT VC: 12 attributes, 3 shown, ES256; medians of ${rounds} rounds each, in turn`,
    '',
    'CPU ms:',
  );
  printTable(
    head,
    measured.map((each) => [each.name, ...columns.map((column) => each[column].toFixed(2))]),
  );
  const [ours, credo] = measured;
  if (!ours || !credo) return;
  const faster = credo.fullMs / ours.fullMs;
  printTable(
    ['target', 'here', 'wanted', ''],
    [targetRow(`full rounds, times those of ${credo.name}`, faster, ['>=', 1], oneDigit)],
  );
}

function startCredo(): { readonly name: string; readonly process: Child } {
  const { version } = createRequire(import.meta.url)('@credo-ts/core/package.json') as { version: string };
  return {
    name: `@credo-ts/core ${version}`,
    process: startChild(new URL('./credo-process.ts', import.meta.url)),
  };
}
