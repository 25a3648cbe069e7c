/**
 * Every error that a caller of service or ledger can meet, for people to look up: what happened, why, what to do. Made
 * from the tables that the programs themselves use (`core/src/faults/faults.ts`, `core/src/ledger/terms/codes.ts`);
 * `docs/errors.md` and the service's page `/docs/errors` are two printings of it. Decides nothing.
 */
import { codeReasons, faultReasons } from '@symbolon/core/faults/error-reasons';
import { type FaultName, faults } from '@symbolon/core/faults/faults';
import { type CodeName, codeRows, codes } from '@symbolon/core/ledger/terms/codes';
import { custodyCodes, familyCodes, paymentTerms } from '../http/family-words.ts';

export interface ErrorEntry {
  /** The part of an address that leads to it. */
  readonly anchor: string;
  readonly name: string;
  /** What programs read: the HTTP status and the family's numbers, or the name that goes with the ledger's number. */
  readonly marks: readonly string[];
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
}

/** Where the service explains a fault. */
export const errorAddress = (code: FaultName): string => `/docs/errors#${code.toLowerCase()}`;

const numberOf = (codesByName: Readonly<Partial<Record<FaultName, number>>>, name: FaultName): string[] =>
  codesByName[name] === undefined ? [] : [String(codesByName[name])];

export function faultEntries(): ErrorEntry[] {
  return (Object.keys(faults) as FaultName[]).map((name) => {
    const [status, title, hint] = faults[name];
    const numbers = [...numberOf(familyCodes, name), ...numberOf(custodyCodes, name)];
    return {
      anchor: name.toLowerCase(),
      name,
      marks: [`HTTP ${status}`, ...numbers.map((number) => `family number ${number}`)],
      what: `${title}.`,
      why: faultReasons[name],
      remedy: hint,
    };
  });
}

/** The ledger's codes without success, which is no error. */
export function ledgerEntries(): ErrorEntry[] {
  const names = Object.keys(codes) as CodeName[];
  return names.slice(1).map((name) => {
    const row = codeRows.find(({ code }) => code === codes[name]) as (typeof codeRows)[number];
    return {
      anchor: `ledger-${row.code}`,
      name: `Ledger ${row.code}`,
      marks: [row.name],
      what: `${row.meaning}.`,
      why: codeReasons[name],
      remedy: row.hint,
    };
  });
}

/** Why a payment was refused, and the number that clients of the family know it by. */
export const paymentReasons = (): (readonly [word: string, number: string])[] =>
  Object.values(paymentTerms).map((term) => [term.word, 'number' in term ? String(term.number) : '—']);

const entryLines = ({ name, marks, what, why, remedy }: ErrorEntry): string[] => [
  `### ${name}`,
  '',
  `${marks.join(' · ')}. **${what}** ${why}`,
  '',
  `*What to do:* ${remedy}`,
  '',
];

/** What programs on the SDK meet beside the refusals of servers; the words are the SDK's. */
export type ClientWords = Readonly<Record<string, Pick<ErrorEntry, 'what' | 'why' | 'remedy'>>>;

const clientLines = (words: ClientWords): string[] => [
  '## The SDK and the command line',
  '',
  'Found on the side of the caller: `code` of `SdkError`, and of `error` in what a command prints with `--json`.',
  '',
  ...Object.entries(words).flatMap(([name, entry]) =>
    entryLines({ anchor: `sdk-${name.toLowerCase()}`, name: `SDK ${name}`, marks: ['`SdkError`'], ...entry }),
  ),
];

/** `docs/errors.md`. */
export function catalogueMarkdown(client: ClientWords): string {
  return [
    '# Errors',
    '',
    'Every refusal of the credential service and of the ledger, and every error of the SDK: what happened, why, and what',
    'to do. This page is made from the tables that the programs use (`npm run documents`); a running service shows its own',
    "and the ledger's at `/docs/errors`.",
    '',
    '## The credential service',
    '',
    'A program reads `code`, which never changes its meaning; `hint` and `help` of an answer lead here. Routes in an',
    'envelope of the family print the family number, or else the status, as their number.',
    '',
    ...faultEntries().flatMap(entryLines),
    '## Reasons of payments',
    '',
    'The detail of [paymentRefused](#paymentrefused) begins with one of these words.',
    '',
    '| Word | Family number |',
    '|---|---|',
    ...paymentReasons().map(([word, number]) => `| \`${word}\` | ${number} |`),
    '',
    '## The ledger',
    '',
    'Replies of the ledger carry the number as `error_code`, with 0 for success.',
    '',
    ...ledgerEntries().flatMap(entryLines),
    ...clientLines(client),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
