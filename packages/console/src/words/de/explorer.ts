/** Wörter des Explorers: Blöcke, Transaktionen, Konten, Beweise. */

import { pluralsOf } from '../../text/plurals.ts';
import type { SameShape } from '../../text/same-shape.ts';
import type { explorerEn } from '../en/explorer.ts';

const counted = pluralsOf('de');
const blocksText = (count: number): string =>
  counted(count, { one: (text) => `${text} Block`, other: (text) => `${text} Blöcke` });
const ofBlocks = (count: number): string =>
  counted(count, { one: () => 'im letzten Block', other: (text) => `in den letzten ${text} Blöcken` });
const transactionsText = (count: number): string =>
  counted(count, { one: (text) => `${text} Transaktion`, other: (text) => `${text} Transaktionen` });

export const explorerDe: SameShape<typeof explorerEn> = {
  point: ',',
  places: 'Listen des Ledgers',
  search: 'Im Ledger suchen',
  searchHint: 'Adresse, DID, Transaktion, Block, Nachweis oder Name',
  foundCount: (count) => counted(count, { other: (text) => `${text} Treffer` }),
  foundNone: (text) => `Nichts in diesem Ledger heißt „${text}“.`,
  kinds: {
    block: 'Block',
    transaction: 'Transaktion',
    account: 'Konto',
    did: 'DID',
    profile: 'Name',
    credential: 'Nachweis',
  },
  tape: {
    block: 'Block,',
    transactions: 'Transaktionen',
    accounts: 'Konten',
    between: 'zwischen den letzten Blöcken',
    gasPrice: 'Gaspreis',
  },
  validators: (count) =>
    counted(count, { one: (text) => `${text} Validator`, other: (text) => `${text} Validatoren` }),
  noIndex:
    'Dieser Knoten führt kein Register für einen Explorer, darum gibt es keine Listen und keine Diagramme.',
  indexBehind: (reached, newest) =>
    `Das Register hat Block ${reached} von ${newest} erreicht. Neueres erscheint, sobald es gelesen ist.`,
  charts: {
    range: 'Wie viele Blöcke',
    blocks: (count) => blocksText(count),
    transactions: 'Transaktionen je Block',
    transactionsSay: (blocks, sum, most, failed) =>
      `${sum} Transaktionen ${ofBlocks(blocks)}, höchstens ${most} in einem. ${failed} gescheitert.`,
    tip: (transactions, fees) => `${transactionsText(transactions)}, ${fees}`,
    fees: 'Gebühren je Block',
    feesSay: (blocks, sum) => `${sum} ${ofBlocks(blocks)}.`,
    waiting: 'Wartend',
    waitingSay: (seconds, most) =>
      counted(seconds, {
        one: () => `Höchstens ${most} warteten in der letzten Sekunde.`,
        other: (text) => `Höchstens ${most} warteten in den letzten ${text} Sekunden.`,
      }),
    times: 'Zeit zwischen Blöcken',
    timesSay: (middle, least, most) =>
      `Die Hälfte kam binnen ${middle}, der schnellste nach ${least}, der langsamste nach ${most}.`,
    timesNone: 'Es gibt keine zwei Blöcke, zwischen denen zu messen wäre.',
  },
  asTable: (title) => `${title} als Tabelle`,
  waitingNow: (count) =>
    counted(count, { one: (text) => `${text} wartet`, other: (text) => `${text} warten` }),
  time: 'Zeit',
  blocks: 'Blöcke',
  block: 'Block',
  age: 'Alter',
  txs: 'Txs',
  fill: 'Füllung',
  fees: 'Gebühren',
  fee: 'Gebühr',
  all: 'Alle',
  notLive: 'nicht live',
  transactions: 'Transaktionen',
  transaction: 'Transaktion',
  accounts: 'Konten',
  account: 'Konto',
  contract: 'Vertrag',
  address: 'Adresse',
  kind: 'Art',
  hash: 'Hash',
  size: 'Größe',
  bytes: (count) => counted(count, { one: (text) => `${text} Byte`, other: (text) => `${text} Bytes` }),
  first: 'der erste Block',
  show: 'Zeigen',
  choices: { signed: 'Signierte', failed: 'Gescheiterte', triggered: 'Mit denen von Verträgen' },
  accountChoices: { accounts: 'Alle', contracts: 'Verträge' },
  noneFailed: 'Keine Transaktion ist gescheitert',
  noAccounts: 'Es gibt keine',
  createdIn: 'Entstanden in',
  whatHappened: 'Was geschah',
  part: 'Sein Anteil',
  roles: {
    source: 'sendet',
    operation_source: 'handelt darin',
    destination: 'erhält',
    created: 'entsteht',
    contract: 'aufgerufen',
    signer: 'signiert für andere',
  },
  executed: 'Ausgeführt',
  failed: 'Gescheitert',
  waits: 'Wartet auf einen Block',
  waitsWhy:
    'Der Knoten hat sie in seine Warteschlange genommen. Sie steht noch in keinem Block, also ist nichts geschehen. Sobald sie darin steht, zeigt es diese Seite.',
  failedCode: (code) => `gescheitert, Code ${code}`,
  failedOf: (count) => counted(count, { other: (text) => `${text} gescheitert` }),
  failedWhy: (reason, code) => `${reason} (Code ${code})`,
  didNothing: 'Sie hat nichts bewirkt, nur ihre Gebühr gekostet. Das sollte sie tun:',
  unreadable: 'Diese Transaktion lässt sich hier nicht lesen',
  triggeredCount: (count) =>
    counted(count, {
      one: (text) => `Verträge sandten für sie ${text} weitere Transaktion`,
      other: (text) => `Verträge sandten für sie ${text} weitere Transaktionen`,
    }),
  triggeredBy: 'Von einem Vertrag gesandt, im Auftrag der Transaktion',
  effectsElsewhere: 'Was sie änderte, gehört zu der Transaktion, die sie auslöste',
  by: 'von',
  noHash: 'Das ist kein Hash einer Transaktion',
  noHashWhy: 'Ein Hash hat 64 Ziffern von 0 bis 9 und a bis f.',
  unknownHash: 'Das Ledger kennt diese Transaktion nicht',
  unknownHashWhy:
    'Sie steht in keinem Block und in keiner Warteschlange dieses Knotens. Entweder wurde sie hier nie eingereicht, oder sie hat die Schlange vor langer Zeit verlassen. Kommt sie noch, zeigt es diese Seite.',
  leftQueue: 'Sie hat die Warteschlange verlassen und steht in keinem Block',
  leftQueueWhy: (reason, code) => `Der Knoten sagt: ${reason} (Code ${code}).`,
  tabs: {
    overview: 'Überblick',
    operations: 'Operationen',
    changes: 'Änderungen',
    signatures: 'Signaturen',
    logs: 'Protokoll',
    raw: 'Roh',
  },
  does: 'Was sie tut',
  wouldDo: 'Was sie tun sollte',
  changed: 'Was sich änderte',
  moreOperations: (count) =>
    counted(count, {
      one: (text) => `${text} weitere Operation steht unter Operationen.`,
      other: (text) => `${text} weitere Operationen stehen unter Operationen.`,
    }),
  texts: { input: 'Eingabe', value: 'Wert', code: 'Code', data: 'Daten' },
  cutAt: (count) => `${count} weitere Zeichen sind nicht gezeigt. Kopieren nimmt alle mit.`,
  leftOut: (count) =>
    counted(count, {
      one: (text) => `${text} weiteres ist nicht gezeigt.`,
      other: (text) => `${text} weitere sind nicht gezeigt.`,
    }),
  notShown: (count) =>
    counted(count, {
      one: (text) => `Der Knoten ließ ${text} geänderten Eintrag in seiner Antwort weg.`,
      other: (text) => `Der Knoten ließ ${text} geänderte Einträge in seiner Antwort weg.`,
    }),
  textsCut: (count) =>
    counted(count, {
      one: (text) => `${text} langer Text ist vom Knoten gekürzt.`,
      other: (text) => `${text} lange Texte sind vom Knoten gekürzt.`,
    }),
  noChanges: 'Sie hat nichts geändert',
  created: 'entstanden',
  deleted: 'gelöscht',
  was: 'war',
  is: 'ist',
  more: 'mehr',
  less: 'weniger',
  balance: 'Guthaben',
  nonce: 'Nonce',
  privileges: 'Wer für es signiert',
  code: 'Code',
  characters: (count) => counted(count, { other: (text) => `${text} Zeichen` }),
  signedBy: 'Unterschrieben von',
  handedIn: 'Eingereicht und bezahlt von einem anderen Konto:',
  remarkHashed: 'Die Bemerkung selbst steht nicht im Ledger, nur ihr gesalzener Hash.',
  life: 'Sein Verlauf im Ledger',
  lifeSteps: {
    issued: 'Ausgestellt',
    active: 'Aktiv',
    suspended: 'Ausgesetzt',
    revoked: 'Widerrufen',
    executed: 'Ausgeführt',
    failed: 'Gescheitert',
    signed: 'Von Validatoren signiert',
  },
  lifeBetween:
    'Das Ledger behält nur das Ausstellen und die letzte Änderung. Ob er dazwischen ausgesetzt oder wieder eingesetzt war, steht hier nicht.',
  thisOne: 'diese Transaktion',
  toCome: 'kommt noch',
  credential: 'Der Nachweis',
  credentialPage: 'Was das Ledger dazu sagt',
  holderNot: 'Wie er jetzt ist. Wem er gehört und was darin steht, steht nicht im Ledger.',
  from: 'Von',
  ofAtMost: 'von höchstens',
  atMost: 'Gebühr, höchstens',
  note: 'Notiz',
  mayWait: 'Darf warten',
  anyBlock: 'ohne eigene Grenze',
  untilBlock: 'bis Block',
  signedBytes: 'Was signiert wurde, in Bytes',
  final: 'Endgültig',
  sinceBlock: 'Seit ihrem Block',
  blocksFollow: (count) =>
    counted(count, { one: (text) => `${text} Block folgt`, other: (text) => `${text} Blöcke folgen` }),
  unsigned: 'Niemand hat sie signiert',
  unsignedWhy:
    'Ein Vertrag hat sie gesandt. Wer die Transaktion signierte, die den Vertrag aufrief, steht dafür ein.',
  unknownKey: 'Ein Schlüssel, der sich nicht lesen lässt',
  publicKey: 'Öffentlicher Schlüssel',
  signature: 'Signatur',
  noLogs: 'Kein Protokoll',
  noLogsWhy:
    'Verträge schreiben Protokolle für alle, die ihnen folgen. Diese Transaktion hat keines ausgelöst.',
  noBlock: 'Diesen Block gibt es nicht',
  noBlockNumber: 'Blöcke sind ab 1 nummeriert.',
  noBlockYet: (block) =>
    `${block} ist noch nicht geschlossen. Sobald er es ist, erscheint er hier von selbst.`,
  blockBefore: 'Block davor',
  blockAfter: 'Nächster Block',
  emptyBlock: 'Keine Transaktionen in diesem Block',
  closed: 'Geschlossen',
  before: 'Nach',
  nothing: 'nichts',
  stateRoot: 'Wurzel des Zustands',
  since: 'Insgesamt',
  sinceFirst: (count) => `${transactionsText(count)} seit dem ersten Block`,
  version: 'Version',
  accountAt: (address) => `Konto ${address}`,
  contractAt: (address) => `Vertrag ${address}`,
  accountTabs: { transactions: 'Transaktionen', keeps: 'Werte und Metadaten', contract: 'Vertrag' },
  noAccount: 'Dieses Konto gibt es im Ledger nicht',
  noAccountWhy: 'Die Adresse ist richtig geschrieben. Das Konto gibt es noch nicht; eine Zahlung legt es an.',
  noAddress: 'Das ist keine Adresse dieses Ledgers',
  noAddressWhy:
    'Wurde alles kopiert? Eine Adresse hat eine Prüfsumme, und hier passt keine. Niemand wurde gefragt.',
  words: {
    itself: 'So nennt es sich selbst. Niemand hat es bestätigt.',
    ledger: 'So nennt es sich im Ledger. Niemand hat es bestätigt.',
    operator: 'Der Betreiber dieses Dienstes steht für den Namen ein.',
  },
  looksLike: 'Der Name sieht einem anderen ähnlich',
  ownKey: 'Der eigene Schlüssel allein.',
  codeAlone: 'Niemand. Der Code allein entscheidet, was geschieht.',
  nobodySigns: 'Niemand kann es: Alle Gewichte zusammen erreichen nicht, was nötig ist.',
  weightNeeded: (needed) => `Wer signiert, braucht zusammen ein Gewicht von ${needed}.`,
  weight: (weight) => `Gewicht ${weight}`,
  typeNeeds: (operation, needed) => `Für ${operation} braucht es ${needed}.`,
  operations: {
    type1: 'das Anlegen von Konten',
    type2: 'das Ausgeben von Werten',
    type3: 'das Senden von Werten',
    type4: 'das Schreiben von Metadaten',
    type7: 'das Zahlen',
    type8: 'das Schreiben von Protokollen',
    type9: 'das Ändern der Signierenden',
    type10: 'das Ändern eines Vertrags',
  },
  assets: 'Werte',
  noTokens:
    'Was Verträge dafür führen, etwa Token, steht im Speicher des jeweiligen Vertrags und ist hier nicht aufgelistet.',
  tokenAt: (name, symbol) => `${name} (${symbol})`,
  noAssets: 'Das Ledger führt dafür keine Werte außer den Münzen.',
  asset: 'Wert',
  issuer: 'Ausgegeben von',
  amount: 'Menge',
  metadata: 'Metadaten',
  noMetadata: 'Es hat nichts geschrieben.',
  storage: 'Speicher',
  entryKey: 'Schlüssel eines Eintrags',
  readEntry: 'Lesen',
  noEntry: 'Unter diesem Schlüssel steht nichts',
  value: 'Wert',
  issuesElsewhere:
    'Nachweise, die es ausstellt, unterschreibt es selbst; eingereicht werden sie von einem anderen Konto, meist dem des Dienstes. Alle stehen hier:',
  csv: 'CSV',
  fileCut: (rows) =>
    counted(rows, { other: (text) => `Die Datei endet nach ${text} Zeilen. Die Liste geht weiter.` }),
  noFile: 'Es entstand keine Datei.',
  noPart: 'Es hatte an keiner Transaktion Anteil',
  upgradedBy: 'Ändern darf ihn',
  linesLeft: (count) =>
    counted(count, {
      one: (text) => `${text} weitere Zeile. Kopieren nimmt alle mit.`,
      other: (text) => `${text} weitere Zeilen. Kopieren nimmt alle mit.`,
    }),
  askContract: 'Den Vertrag fragen',
  input: 'Eingabe',
  methods: 'Sein Code nennt',
  ask: 'Fragen',
  askWhy: 'Fragen ändert nichts und kostet nichts.',
  callInLab: 'Mit einer Zahlung aufrufen',
  answer: 'Antwort',
  steps: (count) => `${count} Schritte`,
  contractRefused: 'Der Vertrag hat nicht geantwortet. Nichts hat sich geändert.',
  whatWaits: 'Was wartet',
  waitsSince: 'Seit',
  nothingWaits: 'Nichts wartet',
  nothingWaitsWhy:
    'Eine Transaktion bleibt hier nur bis zum nächsten Block, oft weniger als eine Sekunde. Neue erscheinen von selbst.',
  validatorsSay: (count, quorum) =>
    `${counted(count, { one: (text) => `${text} Validator macht`, other: (text) => `${text} Validatoren machen` })} die Blöcke. Bei jedem ${counted(quorum, { one: (text) => `muss ${text}`, other: (text) => `müssen ${text}` })} zustimmen.`,
  ofLast: (blocks) =>
    counted(blocks, { one: () => 'vom letzten Block', other: (text) => `von den letzten ${text} Blöcken` }),
  signedOf: (signed, blocks) => `${signed} von ${blocks} signiert`,
  leads: 'Führt gerade',
  pledge: 'Pfand',
  consensus: 'Verfahren',
  quorum: 'Müssen zustimmen',
  faults: 'Dürfen ausfallen',
  view: 'Ansicht',
  setHash: 'Hash der Menge',
  proof: {
    button: 'Beweisen',
    stateProven: 'In diesem Browser bewiesen',
    provenThen: (block) => `Bewiesen für Block ${block}; was jetzt gezeigt wird, nicht`,
    executedProven: 'In diesem Browser bewiesen: Sie steht in diesem Block und wurde ausgeführt',
    failedProven: 'In diesem Browser bewiesen: Sie steht in diesem Block und ist gescheitert',
    effectsNot:
      'Wer sie unterschrieb, was sie änderte und kostete und wann, sagt der Knoten. Was jetzt im Zustand steht, lässt sich auf den Seiten der Konten beweisen.',
    waiting: 'So weit richtig. Der letzte Schritt wartet auf kommende Blöcke.',
    refused: 'Nicht bewiesen. Was der Knoten antwortet, hält nicht.',
    refusedDo:
      'Auf das, was diese Seite zeigt, ist kein Verlass. Der Knoten ist beschädigt oder unehrlich, oder jemand hat seine Antwort unterwegs verändert.',
    lies: {
      differs: 'Widerspruch. Die Seite zeigt etwas anderes als das Bewiesene.',
      outdated: 'Nicht bewiesen. Der Beweis gilt einem älteren Block als dem neuesten.',
    },
    compared: {
      differs:
        'Zum selben Block antwortet der Knoten anders, als er beweist. Auf das, was diese Seite zeigt, ist kein Verlass.',
      outdated:
        'Der Knoten beweist, wie es in einem Block vor einem war, von dem er schon gesprochen hat. Was jetzt gilt, beweist er nicht: Auf das, was diese Seite zeigt, ist kein Verlass.',
      since:
        'Der Knoten sagt seither etwas anderes. Das ist nur sein Wort: noch einmal lesen, um es beweisen zu lassen.',
      unclear:
        'Nicht verglichen: beim Lesen kamen Blöcke dazwischen, und die Seite zeigt einen anderen Wert.',
    },
    again: 'Noch einmal lesen',
    states: { holds: 'Hält', fails: 'Hält nicht', waits: 'Wartet' },
    holds: {
      entry: (block) => `Der Wert führt zur Wurzel des Zustands nach Block ${block}.`,
      header: (block) =>
        `Der Hash von Block ${block}, hier neu gebildet aus seinem Kopf mit dieser Wurzel und aus seinen Transaktionen, ist der, unter dem er bekannt ist.`,
      signature: (block, next) =>
        `Block ${block} nennt diesen Hash als den seines Vorgängers, und ein Validator hat Block ${block} signiert. Block ${next} trägt die Signatur.`,
      contents: (block, next) =>
        `Ein Validator hat signiert, was Block ${block} enthält und was davon scheiterte. Block ${next} trägt die Signatur.`,
      member: (block) =>
        `In dem, was zu Block ${block} signiert wurde, steht eine Transaktion, deren Bytes diesen Hash haben. Sie ist die gezeigte und endete wie gezeigt.`,
    },
    fails: {
      entry: (block) => `Der Wert führt nicht zur Wurzel des Zustands nach Block ${block}.`,
      header: (block) =>
        `Der Kopf mit dieser Wurzel und die Transaktionen von Block ${block} ergeben einen anderen Hash als den, unter dem er bekannt ist.`,
      signature: (block, next) =>
        `Block ${block} nennt diesen Hash nicht, oder Block ${next} trägt keine Signatur eines Validators dafür.`,
      contents: (block, next) =>
        `Block ${next} trägt keine Signatur eines Validators für das, was Block ${block} nach dem Knoten enthält.`,
      member: (block) =>
        `In dem, was zu Block ${block} signiert wurde, steht keine solche Transaktion, oder sie ist nicht wie gezeigt.`,
    },
    waits: {
      signature: (block, next) =>
        `Noch nicht da: Block ${block}, der diesen Hash nennen muss, und Block ${next}, der eine Signatur dafür tragen muss.`,
      contents: (block, next) =>
        `Noch nicht da: Block ${next}, der die Signatur für Block ${block} tragen muss.`,
    },
    signedBy: 'Signiert von',
    says: 'Nach dem Beweis steht im Zustand:',
    wouldSay: 'Hält auch der letzte Schritt, steht im Zustand:',
    absent: 'nichts unter diesem Schlüssel.',
    restsOn: (count) =>
      counted(count, {
        one: (text) =>
          `Es beruht darauf, wer validiert. Dieser Knoten nennt ${text} Adresse: Sie ist mit dem zu vergleichen, was man anderswoher weiß.`,
        other: (text) =>
          `Es beruht darauf, wer validiert. Dieser Knoten nennt ${text} Adressen: Sie sind mit dem zu vergleichen, was man anderswoher weiß.`,
      }),
  },
};
