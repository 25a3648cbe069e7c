/**
 * What `npm start` prints: a line for each part as it comes up, then where everything is, who there is, and what to do
 * next. Texts only; what they say comes from whoever started the parts.
 */
import path from 'node:path';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import type { DemoDocument } from '@symbolon/demo/file';
import { demoWarning } from '@symbolon/demo/keys';
import { type DemoRole, demoRoles } from '@symbolon/demo/people';
import { ownName } from '../../machine/own-name.ts';
import { columns, shortened } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { type Terminal, toned } from '../../terminal/terminal.ts';

/** A line about a part that is up. */
export function partLine(
  terminal: Terminal,
  part: string,
  { facts, ms }: { facts: string; ms: number },
): string {
  const seconds = `${(ms / 1_000).toFixed(1)}s`;
  return `  ${toned(terminal, 'good', '✔')} ${part.padEnd(19)} ${facts.padEnd(48)} ${seconds.padStart(6)}`;
}

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const demoFacts = ({ templates, credentials, token }: DemoDocument): string =>
  [
    counted(demoRoles.length, 'person', 'people'),
    counted(templates.length, 'template'),
    counted(credentials.length, 'credential'),
    ...(token ? [`token ${token.symbol}`] : []),
  ].join(', ');

export interface BannerFacts {
  /** As the user gave it. */
  readonly data: string;
  readonly serviceUrl: string;
  readonly hasConsole: boolean;
  readonly ledgerUrl: string;
  readonly socketUrl: string;
  readonly genesisAddress: string;
  readonly demo: DemoDocument;
  readonly balances: Readonly<Record<DemoRole, Balance>>;
}

export interface Balance {
  readonly native: bigint;
  /** In units of the token. */
  readonly token: bigint;
}

/** An amount in whole coins, grouped, without idle digits behind the point. */
export function coins(units: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const rest = (units % scale).toString().padStart(decimals, '0').replace(/0+$/, '');
  return `${(units / scale).toLocaleString('en')}${rest === '' ? '' : `.${rest}`}`;
}

export function bannerLines(terminal: Terminal, facts: BannerFacts): readonly string[] {
  const { data, serviceUrl, hasConsole, ledgerUrl, socketUrl, genesisAddress, demo } = facts;
  return [
    '',
    ...(hasConsole
      ? [`  Console         ${toned(terminal, 'strong', serviceUrl)}   all desks, in a browser`]
      : []),
    `  Credentials     ${serviceUrl}`,
    '    browse it       /docs       OpenAPI 3.1  /openapi.json',
    '    health          /readyz     metrics      /metrics',
    `  Ledger node     ${ledgerUrl}`,
    '    browse it       /docs       OpenAPI 3.1  /openapi.json',
    '    health          /readyz     metrics      /metrics',
    `    WebSocket       ${socketUrl}`,
    '',
    `  Demo people     ${path.join(data, 'demo.json')} has their keys and API keys`,
    ...peopleLines(terminal, facts),
    `    genesis   ${genesisAddress}`,
    ...(demo.token ? [`    token     ${demo.token.address}  ${demo.token.name}`] : []),
    ...demoWarning.map((line) => `  ${toned(terminal, 'strong', line)}`),
    '',
    ...nextLines(data),
  ];
}

const usualData = path.join('.symbolon', 'dev');

/** Commands about these data: they know the usual place by themselves, any other must be said. */
export function nextLines(data: string): readonly string[] {
  const place = path.normalize(`${data}/`);
  const isUsual = place === path.normalize(`${usualData}/`);
  const [, name] = /^\.symbolon\/([\w-]+)\/$/.exec(place) ?? [];
  const profile = isUsual ? '' : ` --profile ${name ?? shellWord(path.join(data, 'demo.json'))}`;
  const where = isUsual ? '' : ` --data ${shellWord(data)}`;
  return [
    `  Next   ${ownName} demo${profile}     the whole story in one command`,
    `         ${ownName} tail${profile}     what happens, as it happens`,
    `         Ctrl-C stops and keeps the data; ${ownName} reset${where} begins anew.`,
  ];
}

function peopleLines(terminal: Terminal, { demo, balances }: BannerFacts): readonly string[] {
  const { decimals } = zetrixProfile.nativeAsset;
  const rows = demoRoles.map((role) => {
    const { name, did } = demo[role];
    const { native, token } = balances[role];
    const held =
      demo.token && token > 0n ? `, ${coins(token, demo.token.decimals)} ${demo.token.symbol}` : '';
    return [role.padEnd(8), name, shortened(did), `${coins(native, decimals)} Gas${held}`];
  });
  return columns(terminal, rows).map((line) => `    ${line}`);
}
