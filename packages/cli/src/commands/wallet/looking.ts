/** `symbolon wallet list|show`: what the holder has, with what the ledger says of it now. Nothing is asked of a service. */
import { subjectValue } from '@symbolon/core/credential/credential-messages';
import type { UnsignedCredential } from '@symbolon/core/documents/model';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type Acting, shownValue } from '../../credentials/party-commands.ts';
import { columns, shortened } from '../../terminal/layout.ts';
import { printable, printJson, type Terminal, toned } from '../../terminal/terminal.ts';
import { type KeptStatus, ownNamesOf, statusesOf } from '../../wallet/ledger-word.ts';
import { fieldFacts, fieldRow, findField, keptFieldLines, lookAtFields } from './field-looking.ts';
import { findKept, shortId, titleOf, type WalletWords, withWallet } from './owner-wallet.ts';

interface ListWords extends WalletWords {
  readonly wide?: boolean;
}

/** So that a row fits a screen of 80 columns. */
const cellChars = { title: 24, issuer: 20 };
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;

const dayOfTime = (instant: string): string => instant.slice(0, 'YYYY-MM-DD'.length);

export async function list(acting: Acting<ListWords>): Promise<void> {
  const { words, terminal } = acting;
  const { credentials, statuses, names, fields } = await withWallet(acting, async (wallet) => {
    const kept = wallet.credentials.all().map(({ parsed }) => parsed.credential);
    const issuers = kept.map(({ issuer }) => issuer);
    return {
      credentials: kept,
      statuses: await statusesOf(wallet, kept),
      names: await ownNamesOf(wallet, issuers),
      fields: await lookAtFields(wallet),
    };
  });
  if (words.json) {
    const told = credentials.map((one, place) => factsOf(one, statuses[place], names.get(one.issuer)));
    return printJson(terminal, { credentials: [...told, ...fields.map(fieldFacts)] });
  }
  if (credentials.length + fields.length === 0) {
    terminal.remark('The wallet is empty. Fetch what waits for you at the service: symbolon wallet add');
    return;
  }
  const rows = credentials.map((credential, place) =>
    rowOf(credential, { status: statuses[place], name: names.get(credential.issuer), isWide: words.wide }),
  );
  const fieldRows = fields.map((field) => fieldRow(field, words.wide ? undefined : cellChars));
  terminal.print(
    columns(terminal, [['ID', 'TITLE', 'ISSUER', 'STATUS', 'VALID UNTIL'], ...rows, ...fieldRows]),
  );
  if (statuses.includes('not known'))
    terminal.remark('Not known: the node does not answer, or its ledger has no entry of it.');
}

interface RowFacts {
  readonly status: KeptStatus;
  readonly name: string | undefined;
  readonly isWide: boolean | undefined;
}

function rowOf(
  credential: UnsignedCredential,
  { status, name, isWide = false }: RowFacts,
): readonly string[] {
  const { id, issuer, validUntil } = credential;
  const own = name === undefined ? undefined : printable(name);
  const title = titleOf(credential);
  if (isWide) return [id, title, own === undefined ? issuer : `${own} ${issuer}`, status, validUntil];
  return [
    shortId(id),
    cut(title, cellChars.title),
    cut(own ?? shortened(issuer), cellChars.issuer),
    status,
    dayOfTime(validUntil),
  ];
}

const factsOf = (
  { id, type, issuer, validFrom, validUntil, credentialSchema }: UnsignedCredential,
  status: KeptStatus,
  name: string | undefined,
): JsonObject => ({
  id,
  title: type[1],
  issuer,
  ...(name !== undefined && { issuerName: name }),
  templateId: credentialSchema.id,
  status,
  validFrom,
  validUntil,
});

const meanings: Readonly<Record<KeptStatus, string>> = {
  active: 'active: it counts',
  suspended: 'suspended: it does not count until its issuer reinstates it',
  revoked: 'revoked: it does not count any more, for good',
  expired: 'expired: it does not count any more',
  'not known': 'not known: the node does not answer, or its ledger has no entry of it',
};

export async function show(acting: Acting<WalletWords>, text: string): Promise<void> {
  const { words, terminal } = acting;
  const field = await withWallet(acting, (wallet) => findField(wallet, text));
  if (field) {
    if (words.json)
      return printJson(terminal, { ...fieldFacts(field), attributes: field.claims as JsonObject });
    return terminal.print(keptFieldLines(terminal, field));
  }
  const { credential, status, name } = await withWallet(acting, async (wallet) => {
    const { parsed } = findKept(wallet, text);
    const { issuer } = parsed.credential;
    const [found = 'not known'] = await statusesOf(wallet, [parsed.credential]);
    const names = await ownNamesOf(wallet, [issuer]);
    return { credential: parsed.credential, status: found, name: names.get(issuer) };
  });
  const { attributes } = credential.credentialSchema;
  const values = attributes.flatMap(({ key }) => {
    const value = subjectValue(credential.credentialSubject, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  if (words.json)
    return printJson(terminal, {
      ...factsOf(credential, status, name),
      holder: credential.credentialSubject.id,
      attributes: Object.fromEntries(values),
    });
  const { id, issuer, validFrom, validUntil } = credential;
  terminal.print([
    `"${titleOf(credential)}", ${shortId(id)}`,
    ...columns(
      terminal,
      values.map(([key, value]) => [`  ${printable(key)}`, shownValue(value)]),
    ),
    'Issued by',
    `  ${name === undefined ? 'somebody without a name of its own' : `"${printable(name)}" (its own word)`}`,
    `  ${issuer}`,
    `Valid from ${dayOfTime(validFrom)} to ${dayOfTime(validUntil)}`,
    `On the ledger ${statusText(terminal, status)}`,
    'Its id',
    `  ${id}`,
  ]);
}

const statusText = (terminal: Terminal, status: KeptStatus): string =>
  toned(terminal, status === 'active' ? 'good' : status === 'not known' ? 'quiet' : 'bad', meanings[status]);
