/** Anmelden, die Frage nach einem Schlüssel und das Ende einer Sitzung. */
import type { SameShape } from '../../text/same-shape.ts';
import type { signInEn } from '../en/sign-in.ts';

export const signInDe: SameShape<typeof signInEn> = {
  title: 'Anmelden',
  asOther: 'Als jemand anderes anmelden',
  way: 'Womit die Anmeldung geschieht',
  ways: {
    vault: 'Dieser Browser',
    keyFile: 'Schlüsseldatei',
    apiKey: 'API-Schlüssel',
    custody: 'Verwahrung',
    person: 'Demo',
  },
  submit: 'Anmelden',
  sign: 'Diesen Schlüssel nehmen',
  noWay: 'Dieser Dienst bietet keine Anmeldung an der Konsole an.',
  keyFile: 'Schlüsseldatei',
  filePassword: 'Passwort der Datei',
  fileTooLarge: 'Für eine Schlüsseldatei ist das zu groß.',
  keyStays: 'Der Schlüssel bleibt in diesem Tab und ist beim Schließen weg.',
  apiKey: 'API-Schlüssel',
  apiKeyForm:
    'Das ist kein ganzer API-Schlüssel: einer ist sym_, 8 Zeichen, _ und 43 weitere. Nichts wurde gesendet.',
  apiKeyOnce: 'Er wird einmal gesendet und im Browser nirgends aufbewahrt.',
  address: 'Adresse des Kontos',
  password: 'Passwort des Kontos',
  custodyKey: 'Der Dienst verwahrt den Schlüssel; das Passwort öffnet ihn jedes Mal.',
  peopleKnown: 'Die Schlüssel dieser Personen sind öffentlich bekannt.',
  plainHttp:
    'Diese Seite kam über blankes http: Wer dazwischen sitzt, liest mit. Der Betreiber des Dienstes sollte https einrichten.',
  notLetIn: 'Nicht eingelassen',
  vaultOf: 'Identität',
  passkeyOpens: 'Der Passkey öffnet es',
  vaultPassword: 'Passwort des Tresors',
  keyNamed: (id) => `API-Schlüssel ${id}`,
  signedIn: (who) => `Angemeldet als ${who}.`,
  signedOut: 'Abgemeldet. Was dieser Tab gelesen hat und seine Schlüssel sind vergessen.',
  over: {
    ended: (time) =>
      `Die Sitzung ist um ${time} zu Ende gegangen. Getipptes bleibt. Was eine Sitzung braucht, wird bis zur neuen Anmeldung abgelehnt.`,
    idle: (time) => `Hier hat sich eine Weile niemand gerührt: um ${time} abgemeldet. Getipptes bleibt.`,
  },
  walletOpen:
    'Die Wallet in diesem Tab ist noch offen: Was mit ihr geteilt oder unterschrieben wird, wird gesendet.',
  left: (time) =>
    `Hier abgemeldet. Der Dienst hat es noch nicht bestätigt und erfährt es noch einmal, sobald er antwortet; von selbst endet die Sitzung dort spätestens um ${time}.`,
  leftTold: 'Auch der Dienst hat die Sitzung beendet.',
  again: 'Wieder anmelden',
  keyTitle: 'Der Schlüssel fehlt',
  keyWhy:
    'Etwas soll unterschrieben werden, und der Schlüssel ist nicht in diesem Tab. Unterschrieben wird hier, als',
  foreignKey: 'Das ist der Schlüssel von jemand anderem',
  foreignKeyWhy: (did) => `Er gehört ${did}. Nichts wurde unterschrieben.`,
  nameUnset: 'Der Dienst kennt seine eigene Adresse nicht',
  nameUnsetWhy: (audience) =>
    `Er lauscht überall und nennt sich ${audience}; für diese Adresse lässt sich nicht unterschreiben. Nichts wurde unterschrieben.`,
  nameUnsetDo: 'Wer ihn betreibt, setzt das in service.json und startet ihn neu:',
  elsewhere: 'Der Dienst nennt sich anders',
  elsewhereWhy: (audience, origin) =>
    `Er sagt, er sei ${audience}, aber diese Seite kam von ${origin}. Nichts wurde unterschrieben, denn jemand dazwischen könnte es benutzen.`,
  elsewhereDo: (audience) =>
    `Öffnen lässt er sich unter ${audience}; oder der Betreiber setzt publicUrl auf diese Adresse.`,
};
