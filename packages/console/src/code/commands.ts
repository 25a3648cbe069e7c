/**
 * Which command of `symbolon` does what a route does, by the name of the route. A journey (`test/console`) looks up every
 * command here in the program itself. Routes without a row have no command.
 */
import type { CodeRequest, NodeRouteName, ServiceRouteName } from './code-request.ts';

/** ConsoleWords of a command, with the members of the request that follow them. */
interface CommandRow {
  readonly words: string;
  readonly takes?: readonly string[];
}

export const commandRows: {
  readonly service: { readonly [Name in ServiceRouteName]?: CommandRow };
  readonly ledger: { readonly [Name in NodeRouteName]?: CommandRow };
} = {
  service: {
    listTemplates: { words: 'template list' },
    getTemplate: { words: 'template show', takes: ['templateId'] },
    listApplications: { words: 'vc list' },
    getApplication: { words: 'vc show', takes: ['vcId'] },
    getCredentialStatus: { words: 'vc status', takes: ['vcId'] },
    resolveDid: { words: 'did show', takes: ['did'] },
    listOffers: { words: 'offer list' },
    getTrustList: { words: 'trust list show', takes: ['listId'] },
  },
  ledger: {
    getAccount: { words: 'account show', takes: ['address'] },
    getAccountBase: { words: 'account show', takes: ['address'] },
    getTransactionHistory: { words: 'tx show', takes: ['hash'] },
    hello: { words: 'node status' },
    getStatus: { words: 'node status' },
    getTransactionFromBlob: { words: 'tx decode', takes: ['blob'] },
  },
};

/** As one types it; undefined where there is none, or where it needs something that was not asked for. */
export function commandOf(request: CodeRequest): string | undefined {
  const { given = {} } = request;
  const row =
    request.server === 'service' ? commandRows.service[request.route] : commandRows.ledger[request.route];
  const taken = row?.takes?.map((name) => given[name]) ?? [];
  if (!row || taken.some((value) => value === undefined)) return undefined;
  return ['symbolon', row.words, ...taken.map((value) => shellWord(String(value)))].join(' ');
}

const shellWord = (text: string): string =>
  /^[\w:./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
