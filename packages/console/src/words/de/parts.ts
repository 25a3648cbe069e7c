/** Bausteine, die jeder Schreibtisch benutzt. */

import { pluralsOf } from '../../text/plurals.ts';
import type { SameShape } from '../../text/same-shape.ts';
import type { partsEn } from '../en/parts.ts';
import { fillInsDe } from './fill-ins.ts';

const counted = pluralsOf('de');
const small = ['keine', 'eine', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun'];

export const partsDe: SameShape<typeof partsEn> = {
  copy: (what) => `${what} kopieren`,
  copyPlain: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Der Browser hat das Kopieren nicht erlaubt. Bitte von Hand auswählen und kopieren.',
  hash: 'Hash',
  did: 'DID',
  address: 'Adresse',
  command: 'Befehl',
  /** On whose word a party is called so. */
  nameWords: {
    trustList: 'der Name auf der eigenen Liste',
    issuer: 'so nennt er sich selbst',
    operator: 'so nennt ihn der Betreiber dieses Dienstes',
    ledger: 'so nennt er sich selbst im Ledger',
    itself: 'so nennt er sich selbst',
  },
  unitsOf: (amount, asset) => `${amount} der kleinsten Einheit von ${asset}`,
  units: (count) => `${count} Einheiten`,
  statuses: {
    Active: 'Aktiv',
    Pending: 'Wartet',
    Suspended: 'Ausgesetzt',
    NotYet: 'Gilt noch nicht',
    Expired: 'Abgelaufen',
    Revoked: 'Widerrufen',
    Ready: 'Bereit',
    NotReady: 'Nicht bereit',
    Unknown: 'Nicht bekannt',
  },
  until: (day) => `bis ${day}`,
  card: (name, issuer, status) =>
    `${name}, ausgestellt von ${issuer}.${status === undefined ? '' : ` ${status}.`}`,
  shared: 'Gezeigt',
  proved: 'Bewiesen',
  hidden: 'Verborgen',
  hiddenOrEmpty: 'Verborgen oder leer gelassen',
  empty: 'Leer gelassen',
  owns: 'Das haben Sie',
  ownsOf: (name) => `Das hat ${name}`,
  gets: (name) => `Das bekommt ${name}`,
  halvesTitle: 'Was hinausgeht, und was bleibt',
  halvesSum: (shared, proved, hidden) =>
    `${shared} gezeigt, ${proved} bewiesen, ${counted(hidden, {
      one: (count) => `${count} bleibt verborgen`,
      other: (count) => `${count} bleiben verborgen`,
    })}`,
  loading: 'Wird geladen',
  more: 'Mehr zeigen',
  lineEnd: 'Hier endet eine Zeile',
  asks: (name: string, facts: number) =>
    `${name} fragt nach ${facts === 1 ? 'einer Angabe' : `${small[facts] ?? facts} Angaben`}`,
  ranges: {
    age: (min: number | undefined, max: number | undefined) =>
      max === undefined
        ? `${min} Jahre oder älter`
        : min === undefined
          ? `${max} Jahre oder jünger`
          : `${min} bis ${max} Jahre alt`,
    numbers: (min: string | undefined, max: string | undefined) =>
      max === undefined
        ? `mindestens ${min}`
        : min === undefined
          ? `höchstens ${max}`
          : `von ${min} bis ${max}`,
    days: (min: string | undefined, max: string | undefined) =>
      max === undefined
        ? `${min} oder später`
        : min === undefined
          ? `${max} oder früher`
          : `von ${min} bis ${max}`,
  },
  hiddenSorts: {
    turning: (code: string) => `${code}: ein Zeichen, das man nicht sieht und das die Leserichtung dreht`,
    unseen: (code: string) => `${code}: ein Zeichen, das man nicht sieht`,
    overlaid: (code: string) => `${code}: ein Zeichen, das über das vorige gezeichnet wird`,
    standIn: (code: string) => `${code}: ein Zeichen, das für etwas steht, das nicht da ist`,
  },
  mixedLetters: (alphabets: string) => `Buchstaben mehrerer Schriften: ${alphabets}`,
  mixedLettersWhy:
    'Manche dieser Buchstaben sehen wie andere aus. Das Wort kann ein anderes sein, als es scheint.',
  turnedDigits: 'Ziffern neben Schrift von rechts nach links',
  turnedDigitsWhy:
    'Sie stehen hier in der Reihenfolge, die unterschrieben ist. Anderswo können sie anders stehen.',
  hides: 'Nicht alles darin ist, wonach es aussieht:',
  showAll: (count: string) => `Alle ${count} Zeichen zeigen`,
  showLess: 'Weniger zeigen',
  notLoaded: (why) => `${why}: dieser Teil der Konsole konnte nicht geladen werden.`,
  newRows: (count) =>
    counted(count, { one: (text) => `${text} neue Zeile`, other: (text) => `${text} neue Zeilen` }),
  rows: (count) => counted(count, { one: (text) => `${text} Zeile`, other: (text) => `${text} Zeilen` }),
  offline: (since, seen) =>
    `Nicht verbunden seit ${since}. Was Sie sehen, ist von ${seen === since ? 'diesem Zeitpunkt' : `${seen} Uhr`}. Behaltene Dokumente lassen sich weiter prüfen.`,
  offlineFirst: 'Nicht verbunden. Der Dienst antwortet nicht.',
  wasOffline: 'Dieser Browser war nicht verbunden',
  wasOfflineDo: 'Er ist wieder verbunden, ein neuer Versuch ist möglich.',
  againIn: (seconds) => `wieder in ${seconds} s`,
  askingAgain: 'wird gefragt',
  tryAgain: 'Noch einmal',
  tryNow: 'Jetzt versuchen',
  codeTitle: 'Als Code zeigen',
  codeKeys: 'Schlüssel stehen nie in Beispielen.',
  codeMade: 'Gerade getan',
  requestId: 'Kennung der Anfrage',
  codeNone: 'Diese Seite macht keine eigene Anfrage.',
  codeNoCommand: 'Die Kommandozeile hat für diese Anfrage allein keinen Befehl.',
  codeFillIn: 'Einzusetzen',
  codeOpen: fillInsDe,
  codeOpenValue: (name) => `Ihr Wert für ${name}`,
  codeLanguage: 'Sprache des Beispiels',
  request: (id) => `Anfrage ${id}`,
  busy: 'Einen Moment',
  cancel: 'Abbrechen',
  dismiss: 'Verwerfen',
  unreadFilter: (name, value) =>
    `Die Adresse fragt nach ${name} „${value}“, und das ist hier nicht bekannt. Die Liste ist nicht danach gefiltert.`,
  meantFilter: (value) => `Ist „${value}“ gemeint?`,
  /** What was typed, and why nothing can be meant by it. */
  misspelt: {
    noSuchDay: 'Diesen Tag gibt es nicht',
    comma: 'Zwei Zahlen sind möglich: 1,300 kann 1,3 oder 1300 sein. Als 1,30 oder als 1300 schreiben',
    point: 'Zwei Zahlen sind möglich: 1.300 kann 1,3 oder 1300 sein. Als 1,3 oder als 1300 schreiben',
  },
};
