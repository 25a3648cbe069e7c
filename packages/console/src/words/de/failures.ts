/** Was schiefging, was nicht geschah und was zu tun ist. */
import type { SameShape } from '../../text/same-shape.ts';
import type { failuresEn } from '../en/failures.ts';

export const failuresDe: SameShape<typeof failuresEn> = {
  unreachable: 'Der Dienst antwortet nicht',
  unreachableWhy:
    'Es kam keine Antwort. Sollte etwas geändert werden, ist nicht bekannt, ob das geschah: Sehen Sie nach, bevor Sie es wiederholen.',
  unreachableRead: 'Es kam keine Antwort. Es sollte nur gelesen werden, darum wurde nichts geändert.',
  unreachableDo: 'Versuchen Sie es noch einmal, sobald eine Verbindung besteht, oder etwas später.',
  unreachableStart: 'Starten Sie ihn, dann noch einmal:',
  offline: 'Dieser Browser ist nicht verbunden',
  offlineDo: 'Versuchen Sie es noch einmal, sobald eine Verbindung besteht.',
  timedOut: 'Es kam rechtzeitig keine Antwort',
  timedOutWhy:
    'Noch einmal zu lesen schadet nicht. Sollte etwas geändert werden, ist nicht bekannt, ob das geschah: Sehen Sie nach, bevor Sie es wiederholen.',
  timedOutRead:
    'Es sollte nur gelesen werden, darum wurde nichts geändert. Noch einmal zu lesen schadet nicht.',
  unexpected: 'Mit der Antwort ist nichts anzufangen',
  unexpectedWhy: 'Etwas anderes als dieser Dienst scheint zu antworten, oder er hat eine andere Version.',
  unexpectedDo: 'Laden Sie die Seite neu. Bleibt es so, fragen Sie, wer den Dienst betreibt.',
  defect: 'Die Konsole hat hier versagt',
  defectWhy:
    'Das ist ein Fehler der Konsole, nicht Ihrer. Sehen Sie nach, ob es geschehen ist, bevor Sie es wiederholen.',
  defectDo: 'Laden Sie die Seite neu, und sagen Sie dem Betreiber Bescheid, wenn es so bleibt.',
  refused: 'Der Dienst hat abgelehnt',
  said: (detail) => `Die Antwort lautet: „${/[.!?:]$/.test(detail) ? detail : `${detail}.`}“`,
  advised: (hint) => `Rat: „${hint}“`,
  paymentRequired: 'Das kostet etwas',
  paymentRequiredWhy: 'Nichts wurde ausgestellt und nichts bezahlt.',
  conflict: 'So wie es steht, geht das nicht',
  conflictWhy:
    'Vielleicht ist es schon geschehen, durch Sie oder jemand anderen. Sehen Sie nach, wie es jetzt steht.',
  decided: 'Darüber ist schon entschieden',
  decidedWhy:
    'Es wurde schon ausgestellt oder abgelehnt, vielleicht von jemand anderem. Jetzt wurde nichts unterschrieben.',
  gone: 'Es ist nicht mehr da',
  goneWhy: 'Es ist abgelaufen oder verbraucht. Nichts wurde getan.',
  tooMany: 'Zu viele Anfragen',
  tooManyWhy: (seconds) =>
    seconds === undefined
      ? 'Nichts wurde getan. Warten Sie ein wenig.'
      : `Nichts wurde getan. Warten Sie ${seconds} Sekunden.`,
  notAuthenticated: 'Sie sind nicht angemeldet',
  notAuthenticatedWhy: 'Die Sitzung ist zu Ende, oder hier braucht es eine. Nichts wurde getan.',
  notAllowed: 'Das dürfen Sie nicht',
  lacksScope: (scope) => `Dafür braucht es das Recht ${scope}, das hier fehlt.`,
  passwordWrong: 'Das Passwort öffnet es nicht',
  signingUnavailable: 'Hier kann der Browser nicht unterschreiben',
  signingUnavailableWhy:
    'Seiten über blankes http haben keine Kryptographie, außer sie kommen von diesem Rechner selbst.',
  ledgerUnreachable: 'Das Ledger antwortet nicht',
  ledgerUnconfirmed: 'Ausgang noch nicht bekannt',
  ledgerUnconfirmedWhy: 'Wiederholen Sie es nicht; der Dienst fragt das Ledger weiter.',
  help: 'Was dieser Code bedeutet',
};
