/**
 * Which command of `symbolon` does what a route or a signed act does, by its name. A journey (`test/console`) has the
 * program itself read every one. What has no row has no command.
 */
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import type { ActName } from './acts.ts';
import type { CodeRequest, NodeRouteName, ServiceRouteName } from './code-request.ts';
import { openPartsOf, openPlace, placesIn } from './fill-ins.ts';
import { requestWords } from './request-words.ts';
import type { Sample } from './sample.ts';
import { shellQuoted } from './shell-quoted.ts';

/** Words of a command, with the members of the request that follow them. */
interface CommandRow {
  readonly words: string;
  /** In their order, each of which it needs. */
  readonly takes?: readonly string[];
  /** Options by the member whose value they take, each of which it needs. */
  readonly needs?: Readonly<Record<string, string>>;
  /** The same where it is given; one that is true stands alone. */
  readonly options?: Readonly<Record<string, string>>;
  /** The member whose values follow as `--set name=value`. */
  readonly sets?: string;
  /** Words that always follow. */
  readonly always?: readonly string[];
  /** Words that follow from several members; undefined where the command cannot say them. */
  readonly rest?: (given: JsonObject) => readonly string[] | undefined;
  /** A file that it reads, and what stands in it. */
  readonly file?: { readonly name: string; readonly holds: (given: JsonObject) => JsonValue | undefined };
  /** Commands after it, as they are. */
  readonly next?: readonly string[];
}

/** The number of `query` in `callContract`. */
const queryEntry = 2;

const page = { limit: '--limit', cursor: '--cursor' } as const;
const aboutOne = { takes: ['vcId'], options: { remark: '--reason' } } as const;

/** What is paid in another asset, the command cannot. Its cap covers the fee, too: how much that is, the payer says. */
const paidInGas = ({ asset }: JsonObject): readonly string[] | undefined =>
  asset === zetrixProfile.nativeAsset.code ? ['--pay-up-to', openPlace('payUpTo')] : undefined;

const seconds = { d: 86_400, h: 3_600, m: 60 } as const;

/** `604800` as `7d`. */
function lasting({ expiresInSeconds }: JsonObject): readonly string[] {
  const length = Number(expiresInSeconds);
  const unit = Object.entries(seconds).find(([, one]) => length > 0 && length % one === 0);
  return unit ? ['--expires', `${length / unit[1]}${unit[0]}`] : [];
}

/** Of a contract that is there, its `query`, asked by nobody in particular; for anything else the command signs and pays. */
const queryWords = ({
  opt_type,
  input = '',
  code,
  source_address,
}: JsonObject): readonly string[] | undefined =>
  opt_type === queryEntry && code === undefined && source_address === undefined
    ? ['--query', ...(input === '' ? [] : ['--input', String(input)])]
    : undefined;

export const commandRows: {
  readonly service: { readonly [Name in ServiceRouteName]?: CommandRow };
  readonly ledger: { readonly [Name in NodeRouteName]?: CommandRow };
  readonly act: { readonly [Name in ActName]?: CommandRow };
} = {
  service: {
    listTemplates: { words: 'template list', options: { q: '--search', issuer: '--issuer', ...page } },
    getTemplate: {
      words: 'template show',
      takes: ['templateId'],
      options: { version: '--template-version' },
    },
    listApplications: {
      words: 'vc list',
      options: { status: '--state', templateId: '--template', ...page },
    },
    getApplication: { words: 'vc show', takes: ['vcId'] },
    rejectApplication: { words: 'vc reject', takes: ['vcId'], needs: { reason: '--reason' } },
    getCredentialStatus: { words: 'vc status', takes: ['vcId'], options: { issuer: '--issuer' } },
    resolveDid: { words: 'did show', takes: ['did'] },
    makeOffer: {
      words: 'offer new',
      takes: ['templateId'],
      options: { reference: '--reference', txCode: '--pin', waivePrice: '--free' },
      sets: 'metadata',
      rest: lasting,
    },
    listOffers: { words: 'offer list', options: { state: '--state', templateId: '--template', ...page } },
    withdrawOffer: { words: 'offer withdraw', takes: ['offerId'] },
    setPrice: {
      words: 'template price',
      takes: ['templateId'],
      needs: { amount: '--amount' },
      options: { asset: '--token', payTo: '--pay-to' },
    },
    setAutoIssue: {
      words: 'template auto-issue',
      takes: ['templateId'],
      needs: { perDayMax: '--per-day', until: '--until' },
    },
    requestVerification: { words: 'request', rest: requestWords },
    verifyPresentation: { words: 'verify', file: { name: 'presentation.json', holds: ({ vp }) => vp } },
    listTrustLists: { words: 'trust list show' },
    getTrustList: { words: 'trust list show', takes: ['name'] },
    setTrustedIssuer: { words: 'trust list add', takes: ['list', 'did'], options: { name: '--name' } },
    removeTrustedIssuer: { words: 'trust list remove', takes: ['name', 'did'] },
    watchEvents: { words: 'listen', always: ['--events'] },
    watchBlocks: { words: 'tail' },
    getConsoleConfig: { words: 'service status' },
  },
  ledger: {
    getAccount: { words: 'account show', takes: ['address'] },
    getAccountBase: { words: 'account show', takes: ['address'] },
    getAccountTransactions: { words: 'account history', takes: ['address'] },
    getTransactionHistory: { words: 'tx show', takes: ['hash'] },
    hello: { words: 'node status' },
    getStatus: { words: 'node status' },
    callContract: { words: 'contract call', takes: ['contract_address'], rest: queryWords },
    getTransactionFromBlob: { words: 'tx decode', takes: ['blob'] },
  },
  act: {
    apply: { words: 'wallet apply', takes: ['templateId'], sets: 'attributes' },
    buy: { words: 'wallet apply', takes: ['templateId'], sets: 'attributes', rest: paidInGas },
    listOwn: { words: 'wallet applications' },
    download: { words: 'vc download', takes: ['vcId'], options: { isIssuer: '--issuer-copy --as issuer' } },
    accept: { words: 'wallet accept', always: ['-'] },
    answer: { words: 'wallet answer', takes: ['id'] },
    issue: {
      words: 'vc issue',
      takes: ['vcId'],
      options: { validFrom: '--valid-from', expiredDate: '--valid-until' },
      sets: 'issuanceData',
    },
    issueMany: {
      words: 'vc issue-many',
      takes: ['templateId'],
      options: { expiredDate: '--valid-until' },
      always: ['--csv', 'table.csv'],
    },
    suspend: { words: 'vc suspend', ...aboutOne },
    reinstate: { words: 'vc reinstate', ...aboutOne },
    revoke: { words: 'vc revoke', ...aboutOne },
    register: {
      words: 'template create',
      file: {
        name: 'template.json',
        holds: ({ templateName, version, credentialFormat, remark }) =>
          credentialFormat && { templateName, version, credentialFormat, ...(remark && { remark }) },
      },
    },
    publishKey: { words: 'did publish-key', takes: ['publicKeyMultibase'] },
    send: {
      words: 'tx sign',
      takes: ['blob'],
      always: ['--out', 'transaction.json'],
      next: ['symbolon tx submit transaction.json'],
    },
  },
};

function rowOf(request: CodeRequest): CommandRow | undefined {
  if ('act' in request) return commandRows.act[request.act];
  return request.server === 'service'
    ? commandRows.service[request.route]
    : commandRows.ledger[request.route];
}

/**
 * As one types it; undefined where there is none, or where it cannot say what was asked for. `setting` stands before every
 * command.
 */
export function commandOf(request: CodeRequest, setting: string): Sample | undefined {
  const { given = {} } = request;
  const row = rowOf(request);
  if (!row) return undefined;
  const { words, takes = [], needs = {}, options = {}, sets, always = [], rest, file, next = [] } = row;
  const settings = sets === undefined ? [] : settingsOf(given[sets]);
  const more = rest ? rest(given) : [];
  if (settings === undefined || more === undefined || takes.some((name) => isNested(given[name])))
    return undefined;
  const missing = [...takes, ...Object.keys(needs)].filter((name) => !isSaid(given[name]));
  // Without what the route itself can do without, it is another question than the command's.
  if (!('act' in request) && !missing.every((name) => openPartsOf(request).missing.has(name)))
    return undefined;
  const wordOf = (name: string): string => plainText(given[name]) ?? openPlace(name);
  const chosen = Object.entries(options).flatMap(([member, option]) => optionWords(option, given[member]));
  const line = [
    'symbolon',
    ...words.split(' '),
    ...takes.map(wordOf),
    ...settings,
    ...Object.entries(needs).flatMap(([name, option]) => [option, wordOf(name)]),
    ...chosen,
    ...more,
    ...always,
    ...(file ? [file.name] : []),
  ];
  const content = file?.holds(given);
  const text = [
    ...(file && content !== undefined ? [fileText(file.name, content)] : []),
    setting + line.map(shellQuoted).join(' '),
    ...next.map((command) => setting + command),
  ];
  return {
    text: text.join('\n'),
    open: [...new Set([...missing, ...placesIn([given[sets ?? ''] ?? null, ...more])])],
  };
}

const isSaid = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== null && value !== '';
const isNested = (value: JsonValue | undefined): boolean => typeof value === 'object' && value !== null;

const plainText = (value: JsonValue | undefined): string | undefined =>
  isSaid(value) && !isNested(value) ? String(value) : undefined;

function optionWords(option: string, value: JsonValue | undefined): readonly string[] {
  const text = plainText(value);
  if (text === undefined || value === false) return [];
  return value === true ? option.split(' ') : [option, text];
}

/** Undefined where there is something that one setting cannot say. */
function settingsOf(value: JsonValue | undefined): readonly string[] | undefined {
  const settings = pairsOf(value).map(([name, one]) => {
    const text = plainText(one);
    return text === undefined ? undefined : ['--set', `${name}=${text}`];
  });
  return settings.every((setting) => setting !== undefined) ? settings.flat() : undefined;
}

/** Values as an object, or as the list of keys and values that the interface has. */
function pairsOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue | undefined])[] {
  if (Array.isArray(value))
    return value.map((one) => (isJsonObject(one) ? [String(one.key), one.value] : ['', one]));
  return isJsonObject(value) ? Object.entries(value) : [];
}

const fileEnd = 'END';

/** Written by the shell, which changes nothing in it. */
const fileText = (name: string, content: JsonValue): string =>
  `cat > ${name} <<'${fileEnd}'\n${stringifyJson(content)}\n${fileEnd}`;
