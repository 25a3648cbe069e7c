/** Worte der ersten Seite: was läuft, Türen, Verlauf. */

import { pluralsOf } from '../../text/plurals.ts';
import type { SameShape } from '../../text/same-shape.ts';
import type { homeEn } from '../en/home.ts';

const counted = pluralsOf('de');
const templatesText = (templates: number, hasMore: boolean): string =>
  `${hasMore ? 'mehr als ' : ''}${counted(templates, { one: (count) => `${count} Vorlage`, other: (count) => `${count} Vorlagen` })}`;

export const homeDe: SameShape<typeof homeEn> = {
  running: 'Alles läuft. Auf welchen Stuhl setzen Sie sich?',
  runningPlain: 'Alles läuft.',
  asking: 'Dienst und Ledger werden gefragt',
  serviceSilent: 'Der Dienst antwortet nicht.',
  ledgerSilent: 'Der Dienst läuft. Das Ledger antwortet nicht.',
  notReady: 'Der Dienst ist noch nicht bereit.',
  about: (people, templates, hasMore) =>
    `Ein Ledger-Knoten, ein Dienst für Nachweise, ${counted(people, {
      one: (count) => `${count} Person`,
      other: (count) => `${count} Personen`,
    })} der Demo, ${templatesText(templates, hasMore)}. Alle Schlüssel hier sind öffentlich bekannt; benutzen Sie das nur auf Ihrem eigenen Rechner.`,
  aboutPlain: (templates, hasMore) =>
    `Ein Ledger-Knoten, ein Dienst für Nachweise, ${templatesText(templates, hasMore)}.`,
  aboutNoConsole:
    'Dieser Dienst bietet keine Anmeldung an der Konsole, deshalb zeigt sie, was öffentlich ist.',
  doors: {
    label: 'Auf wessen Stuhl',
    issue: 'Ich stelle aus',
    issueAbout: (name) => `${name}. Vorlagen, Anträge, Nachweise.`,
    hold: 'Ich besitze',
    holdAbout: (name) => `${name}. Karten, Angebote und Anfragen.`,
    verify: 'Ich prüfe',
    verifyAbout: (name) => `${name}. Nach einer Tatsache fragen, nicht nach allen.`,
    watch: 'Ich sehe zu',
    watchAbout: (blocks, transactions) => `Das Ledger: ${blocks} Blöcke, ${transactions} Transaktionen.`,
  },
  checks: {
    signature: 'Signatur',
    proof: 'Beweis',
    values: 'Werte',
    disclosure: 'Umfang',
    status: 'Status',
    challenge: 'Aufgabe',
  },
  verified: 'Geprüft',
  story: {
    title: 'Ein Nachweis, von der Vorlage bis zur Ablehnung',
    done: (done, all) => `${done} von ${all}`,
    isDone: 'getan',
    registers: 'registriert die Vorlage',
    issues: (holder) => `Sie stellt ${holder} einen aus`,
    issued: (count) =>
      counted(count, {
        one: () => 'Sie stellt einen Nachweis aus',
        other: (text) => `Sie stellt ${text} Nachweise aus`,
      }),
    asks: 'fragt nach einer Angabe und nach dem Beweis einer anderen',
    verifies: (holder) =>
      `${holder} teilt eine, beweist eine und verbirgt den Rest. Sechs Prüfungen gelingen`,
    revokes: 'Die Universität widerruft ihn',
    revoked: (count) =>
      counted(count, {
        one: () => 'Die Universität widerruft einen davon',
        other: (text) => `Die Universität widerruft ${text} davon`,
      }),
    refuses: 'Wer einen widerrufenen zeigt, wird abgelehnt',
    acts: {
      templates: 'Registrieren',
      applications: 'Ausstellen',
      ask: 'Fragen',
      sessions: 'Ansehen',
      issued: 'Widerrufen',
      check: 'Prüfen',
    },
    go: 'Hingehen',
  },
  feed: 'Was gerade geschah',
  live: 'live',
  feedEmpty: 'Noch ist nichts geschehen',
  feedEmptyWhy: 'Sendet jemand eine Transaktion, erscheint sie hier von selbst.',
  failed: 'gescheitert',
  templates: 'Was hier ausgestellt wird',
  templatesEmpty: 'Noch keine Vorlagen',
  templatesEmptyWhy: 'Trägt ein Aussteller eine ein, erscheint sie hier.',
  attributes: (count) =>
    counted(count, { one: (text) => `${text} Merkmal`, other: (text) => `${text} Merkmale` }),
  version: (version) => `Version ${version}`,
  service: 'Dienst für Nachweise',
  ledger: 'Ledger-Knoten',
  throughService: 'über diesen Dienst',
  reference: 'API-Referenz',
  terminal: 'Dasselbe im Terminal',
};
