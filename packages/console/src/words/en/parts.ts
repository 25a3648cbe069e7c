/** Parts that every desk uses: states, cards, halves, code. */
import { pluralsOf } from '../../text/plurals.ts';
import { fillInsEn } from './fill-ins.ts';

const counted = pluralsOf('en');
const small = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

export const partsEn = {
  copy: (what: string) => `Copy ${what}`,
  copyPlain: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser did not let it be copied. Select it and copy it by hand.',
  hash: 'hash',
  did: 'DID',
  address: 'address',
  command: 'command',
  /** On whose word a party is called so. */
  nameWords: {
    trustList: 'the name on your own list',
    issuer: 'the name it gives itself',
    operator: 'named by the operator of this service',
    ledger: 'the name it gives itself on the ledger',
    itself: 'the name it gives itself',
  },
  unitsOf: (amount: string, asset: string) => `${amount} of the smallest unit of ${asset}`,
  units: (count: string) => `${count} units`,
  statuses: {
    Active: 'Active',
    Pending: 'Pending',
    Suspended: 'Suspended',
    NotYet: 'Not valid yet',
    Expired: 'Expired',
    Revoked: 'Revoked',
    Ready: 'Ready',
    NotReady: 'Not ready',
    Unknown: 'Not known',
  },
  until: (day: string) => `until ${day}`,
  card: (name: string, issuer: string, status?: string) =>
    `${name}, issued by ${issuer}.${status === undefined ? '' : ` ${status}.`}`,
  shared: 'Shared',
  proved: 'Proved',
  hidden: 'Hidden',
  /** Whoever sees a part of a credential cannot tell which of the two. */
  hiddenOrEmpty: 'Hidden or left empty',
  empty: 'Left empty',
  owns: 'You own',
  ownsOf: (name: string) => `${name} owns`,
  gets: (name: string) => `${name} gets`,
  halvesTitle: 'What leaves, and what stays',
  halvesSum: (shared: number, proved: number, hidden: number) =>
    `${shared} shared, ${proved} proved, ${counted(hidden, {
      one: (count) => `${count} stays hidden`,
      other: (count) => `${count} stay hidden`,
    })}`,
  loading: 'Loading',
  more: 'Show more',
  lineEnd: 'A line ends here',
  /** Of a verifier, as the wallet says it and as the verifier sees it before asking. */
  asks: (name: string, facts: number) =>
    `${name} asks for ${small[facts] ?? facts} ${facts === 1 ? 'fact' : 'facts'}`,
  ranges: {
    age: (min: number | undefined, max: number | undefined) =>
      max === undefined
        ? `${min} years or older`
        : min === undefined
          ? `${max} years or younger`
          : `${min} to ${max} years old`,
    numbers: (min: string | undefined, max: string | undefined) =>
      max === undefined ? `at least ${min}` : min === undefined ? `at most ${max}` : `from ${min} to ${max}`,
    days: (min: string | undefined, max: string | undefined) =>
      max === undefined
        ? `${min} or later`
        : min === undefined
          ? `${max} or earlier`
          : `from ${min} to ${max}`,
  },
  hiddenSorts: {
    turning: (code: string) => `${code}: a character that is not shown and turns the direction of the text`,
    unseen: (code: string) => `${code}: a character that is not shown`,
    overlaid: (code: string) => `${code}: a character that is drawn over the one before it`,
    standIn: (code: string) => `${code}: a character that stands for something that is not there`,
  },
  mixedLetters: (alphabets: string) => `letters of several scripts: ${alphabets}`,
  mixedLettersWhy: 'Some of these letters look like others. The word may be another than it seems.',
  turnedDigits: 'digits beside right-to-left letters',
  turnedDigitsWhy: 'They stand here in the order that was signed. Elsewhere they may be shown in another.',
  hides: 'Not all of it is what it looks like:',
  showAll: (count: string) => `Show all ${count} characters`,
  showLess: 'Show less',
  notLoaded: (why: string) => `${why}: this part of the console could not be loaded.`,
  newRows: (count: number) => counted(count, { other: (text) => `${text} new` }),
  rows: (count: number) => counted(count, { one: (text) => `${text} row`, other: (text) => `${text} rows` }),
  offline: (since: string, seen: string) =>
    `Not connected since ${since}. What you see is from ${seen === since ? 'then' : seen}. Kept documents can still be checked.`,
  offlineFirst: 'Not connected. The service does not answer.',
  wasOffline: 'This browser was not connected',
  wasOfflineDo: 'It is connected again, and this can be tried again.',
  againIn: (seconds: number) => `again in ${seconds} s`,
  askingAgain: 'asking again',
  tryAgain: 'Try again',
  tryNow: 'Try now',
  codeTitle: 'Show as code',
  codeKeys: 'Keys are never put into samples.',
  codeMade: 'Just done',
  requestId: 'request id',
  codeNone: 'This page makes no request of its own.',
  codeNoCommand: 'The command line has no command for this request alone.',
  codeFillIn: 'To be filled in',
  codeOpen: fillInsEn,
  codeOpenValue: (name: string) => `your own ${name}`,
  codeLanguage: 'Language of the sample',
  request: (id: string) => `Request ${id}`,
  busy: 'A moment',
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  unreadFilter: (name: string, value: string) =>
    `The address asks for ${name} “${value}”, which is not known here. The list is not filtered by it.`,
  meantFilter: (value: string) => `Did you mean “${value}”?`,
  /** What was typed, and why nothing can be meant by it. */
  misspelt: {
    noSuchDay: 'There is no such day',
    comma: 'Two numbers are possible, as 1,300 may be 1.3 or 1300. Write it as 1.3 or as 1300',
    point: 'Two numbers are possible, as 1.300 may be 1.3 or 1300. Write it as 1.30 or as 1300',
  },
} as const;
