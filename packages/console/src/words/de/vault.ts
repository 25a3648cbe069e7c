/** Der Tresor dieses Browsers: warum er nicht getan hat, was verlangt war. */
import type { SameShape } from '../../text/same-shape.ts';
import type { vaultEn } from '../en/vault.ts';

export const vaultDe: SameShape<typeof vaultEn> = {
  failures: {
    wrongSecret: {
      title: 'Damit geht es nicht auf',
      text: 'Nichts wurde geöffnet. Bitte das Passwort prüfen oder den richtigen Passkey nehmen.',
    },
    damaged: {
      title: 'Was hier liegt, wurde verändert',
      text: 'Etwas davon ist verändert oder kaputt und geht nicht auf. Nichts ist geschehen. Eine Sicherung bringt es zurück.',
    },
    locked: {
      title: 'Der Tresor ist gesperrt',
      text: 'Nichts ist geschehen. Erst entsperren, dann noch einmal.',
    },
    unknown: {
      title: 'Diesen Tresor hat der Browser nicht',
      text: 'Er wurde vergessen, vielleicht in einem anderen Tab. Eine Sicherung bringt ihn zurück.',
    },
    exists: {
      title: 'Diese Identität hat der Browser schon',
      text: 'Nichts wurde geändert. Bitte entsperren, oder vorher vergessen lassen.',
    },
    passwordShort: {
      title: 'Das Passwort ist zu kurz',
      text: 'Nichts wurde angelegt. Es braucht mindestens 10 Zeichen.',
    },
    passkeyRefused: {
      title: 'Der Passkey wurde nicht benutzt',
      text: 'Der Browser oder jemand hat es abgebrochen. Nichts wurde geöffnet.',
    },
    passkeyWithoutSecret: {
      title: 'Dieser Passkey kann nicht versiegeln',
      text: 'Er gibt kein Geheimnis her, also wurde nichts mit ihm versiegelt. Ein Passwort geht, oder ein anderer Passkey.',
    },
    tooLarge: {
      title: 'Es passt nicht hinein',
      text: 'Nichts wurde behalten. Was zu groß oder zu viel ist, bleibt draußen.',
    },
    notABackup: {
      title: 'Das ist keine Sicherung',
      text: 'Nichts wurde wiederhergestellt. Gemeint ist die Datei, die die Wallet gespeichert hat.',
    },
    backupSealed: {
      title: 'Die Sicherung geht nicht auf',
      text: 'Nichts wurde wiederhergestellt. Das Passwort ist ein anderes, oder die Datei wurde verändert oder abgeschnitten.',
    },
    storage: {
      title: 'Dieser Browser behält nichts',
      text: 'Private Fenster mancher Browser tun das nicht. Nichts wurde behalten.',
    },
  },
};
