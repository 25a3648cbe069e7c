/** Bausteine, die jeder Schreibtisch benutzt. */
import type { SectionWords } from './catalogue.ts';
import { pluralsOf } from './plurals.ts';

const counted = pluralsOf('de');

export const partsDe: SectionWords<'parts'> = {
  copy: (what) => `${what} kopieren`,
  copyPlain: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Der Browser hat das Kopieren nicht erlaubt. Bitte von Hand auswählen und kopieren.',
  hash: 'Hash',
  did: 'DID',
  address: 'Adresse',
  command: 'Befehl',
  units: (count) => `${count} Einheiten`,
  statuses: {
    Active: 'Gültig',
    Pending: 'Wartet',
    Suspended: 'Ausgesetzt',
    Expired: 'Abgelaufen',
    Revoked: 'Widerrufen',
    Ready: 'Bereit',
    NotReady: 'Nicht bereit',
    Unknown: 'Nicht bekannt',
  },
  until: (day) => `bis ${day}`,
  card: (name, issuer, status) => `${name}, ausgestellt von ${issuer}. ${status}.`,
  shared: 'Gezeigt',
  proved: 'Bewiesen',
  hidden: 'Verborgen',
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
  newRows: (count) =>
    counted(count, { one: (text) => `${text} neue Zeile`, other: (text) => `${text} neue Zeilen` }),
  rows: (count) => counted(count, { one: (text) => `${text} Zeile`, other: (text) => `${text} Zeilen` }),
  offline: (time) => `Nicht verbunden seit ${time}. Was Sie sehen, ist von da.`,
  offlineFirst: 'Nicht verbunden. Der Dienst antwortet nicht.',
  againIn: (seconds) => `wieder in ${seconds} s`,
  askingAgain: 'wird gefragt',
  tryAgain: 'Noch einmal',
  tryNow: 'Jetzt versuchen',
  codeTitle: 'Als Code zeigen',
  codeKeys: 'Schlüssel stehen nie in Beispielen.',
  codeNone: 'Diese Seite macht keine eigene Anfrage.',
  codeNoCommand: 'Die Kommandozeile hat für diese Anfrage keinen Befehl.',
  codeLanguage: 'Sprache des Beispiels',
  request: (id) => `Anfrage ${id}`,
  dismiss: 'Verwerfen',
};
