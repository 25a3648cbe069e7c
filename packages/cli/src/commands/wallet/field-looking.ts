/** How `symbolon wallet list|show` tell of credentials in formats of the field, and of those still to come. */
import { type FieldCredentialView, viewFieldCredential } from '@symbolon/sdk/openid/credential-view';
import type { JsonObject } from '@symbolon/wire/json/json';
import { shownValue } from '../../credentials/party-commands.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { columns } from '../../terminal/layout.ts';
import { printable, type Terminal } from '../../terminal/terminal.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import { shortId } from './owner-wallet.ts';

export type FieldStatus = 'valid' | 'revoked' | 'suspended' | 'expired' | 'not known' | 'waiting';

export interface LookedAtField extends Partial<FieldCredentialView> {
  readonly id: string;
  readonly title: string;
  readonly issuer: string;
  readonly status: FieldStatus;
  readonly format: string;
  readonly copies: number;
}

/** With what the lists of their issuers say now. */
export async function lookAtFields(
  wallet: Pick<Wallet, 'fields' | 'openid'>,
): Promise<readonly LookedAtField[]> {
  const { fields, openid } = wallet;
  const waiting = fields.waiting().map(({ id, title, later }): LookedAtField => {
    const { places, chosen, keys } = later;
    return {
      id,
      title,
      issuer: places.issuer,
      status: 'waiting',
      format: chosen.format,
      copies: keys.length,
    };
  });
  const kept = fields.kept();
  if (kept.length === 0) return waiting;
  const looking = await openid();
  const found = kept.map(async ({ id, title, credentials }): Promise<LookedAtField[]> => {
    const [first] = credentials;
    if (!first) return [];
    const status = await looking.statusOf(first);
    const named = { id, title, status, format: first.format, copies: credentials.length };
    return [{ ...viewFieldCredential(first), ...named }];
  });
  return [...(await Promise.all(found)).flat(), ...waiting];
}

/** The one whose id begins so; none for an id of our own credentials. */
export async function findField(wallet: Wallet, text: string): Promise<LookedAtField | undefined> {
  const wanted = text.trim().toLowerCase();
  if (!/^[0-9a-f]{4,32}$/.test(wanted)) return undefined;
  const isNamed = ({ id }: { readonly id: string }) => id.startsWith(wanted);
  const { fields, openid } = wallet;
  const [kept, waiting] = [fields.kept().filter(isNamed), fields.waiting().filter(isNamed)];
  if (kept.length + waiting.length > 1)
    throw usageFailure(
      'Several credentials in the wallet have ids that begin like this.\nGive more of the one that you mean.',
    );
  const only = { ...fields, kept: () => kept, waiting: () => waiting };
  const [found] = await lookAtFields({ openid, fields: only });
  return found;
}

const dayOf = (ms: number | undefined): string =>
  ms === undefined ? '' : new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);

const cut = (text: string, most: number | undefined): string =>
  most === undefined || text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;

export const fieldRow = (
  { id, title, issuer, status, untilMs }: LookedAtField,
  cells: { readonly title: number; readonly issuer: number } | undefined,
): readonly string[] => [
  cells ? shortId(id) : id,
  cut(printable(title), cells?.title),
  cut(printable(issuer).replace(cells ? /^https?:\/\// : /^$/, ''), cells?.issuer),
  status,
  dayOf(untilMs),
];

export const fieldFacts = ({
  id,
  title,
  issuer,
  status,
  format,
  types,
  copies,
  untilMs,
}: LookedAtField): JsonObject => ({
  ...{ id, title, issuer, status, format, copies },
  ...(types && { types: [...types] }),
  ...(untilMs !== undefined && { validUntil: dayOf(untilMs) }),
});

const meanings: Readonly<Record<FieldStatus, string>> = {
  valid: 'valid: no list says otherwise',
  suspended: 'suspended: it does not count until its issuer reinstates it',
  revoked: 'revoked: it does not count any more, for good',
  expired: 'expired: it does not count any more',
  'not known': 'not known: the list of its issuer cannot be had, or does not fit',
  waiting: 'waiting: its issuer decides; ask again with symbolon wallet add',
};

export function keptFieldLines(terminal: Terminal, field: LookedAtField): readonly string[] {
  const { id, title, issuer, status, claims = {}, format, copies, untilMs } = field;
  const values = Object.entries(claims).map(([key, value]) => [
    `  ${printable(key)}`,
    shownValue(value as never),
  ]);
  return [
    `"${printable(title)}", ${shortId(id)}`,
    ...(values.length === 0 ? [] : columns(terminal, values)),
    'Issued by',
    `  ${printable(issuer)}`,
    ...(untilMs === undefined ? [] : [`Valid until ${dayOf(untilMs)}`]),
    `By its issuer's list ${meanings[status]}`,
    `Kept as ${format}, ${copies === 1 ? 'one copy' : `${copies} copies with keys of their own`}`,
  ];
}
