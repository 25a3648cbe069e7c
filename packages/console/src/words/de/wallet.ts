/** Die Wallet: wem sie gehört, Karten, Beantragen, Anfragen, Verlauf, Sicherung. */

import { pluralsOf } from '../../text/plurals.ts';
import type { SameShape } from '../../text/same-shape.ts';
import type { walletEn } from '../en/wallet.ts';

const counted = pluralsOf('de');
const small = ['keine', 'eine', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun'];

export const walletDe: SameShape<typeof walletEn> = {
  keepIt: 'Behalten',
  gate: {
    newTitle: 'Eine Wallet in diesem Browser',
    newText:
      'Sie bewahrt Schlüssel und Karten hier auf, versiegelt. Niemand sonst kann sie lesen, und niemand kann sie zurückholen: eine Sicherung hilft.',
    ways: 'Womit anfangen',
    way: { make: 'Neue Identität', file: 'Schlüsseldatei', backup: 'Sicherung' },
    wayText: {
      make: 'Erzeugt einen neuen Schlüssel. Seine DID ist die Identität gegenüber Ausstellern und Prüfern.',
      file: 'Nimmt einen Schlüssel aus einer Datei: von Symbolon oder von verwandten Werkzeugen.',
      backup: 'Bringt eine Wallet aus einem anderen Browser, mit Karten und Verlauf.',
    },
    fileOf: { file: 'Schlüsseldatei', backup: 'Datei der Sicherung' },
    filePassword: 'Passwort der Datei',
    chooseFile: 'Datei wählen',
    pasted: 'oder ihren Text einfügen',
    name: 'Name in diesem Browser',
    nameHint: 'Nur hier zu sehen.',
    protect: 'Was sie öffnet',
    passkey: 'Passkey',
    password: 'Passwort',
    passkeyHint: 'Das Gerät fragt nach Finger, Gesicht oder PIN. Kein Dienst erfährt davon.',
    passwordRule: (chars) => `Mindestens ${chars} Zeichen. Niemand kann es zurücksetzen.`,
    passwordShort: 'Zu kurz',
    passwordAgain: 'Noch einmal dasselbe Passwort',
    passwordDiffers: 'Es ist nicht dasselbe',
    act: { make: 'Identität anlegen', file: 'Schlüssel übernehmen', backup: 'Wiederherstellen' },
    making: 'Wird versiegelt',
    back: 'Zurück',
    keyStays: 'Der Schlüssel bleibt in diesem Browser.',
    lockedTitle: 'Die Wallet ist gesperrt',
    lockedText: 'Karten und Schlüssel sind versiegelt, bis sie entsperrt wird.',
    unnamed: 'Ohne Namen',
    unlock: { passkey: 'Mit Passkey entsperren', password: 'Entsperren', demo: 'Tresor der Demo öffnen' },
    opening: 'Wird geöffnet',
    unreadable:
      'Was von dieser Wallet hier liegt, wurde verändert oder ist kaputt und geht mit nichts auf. Eine Sicherung bringt sie zurück: „Andere Identität“, dann „Sicherung“.',
    demoAway: 'Der Schlüssel der Person aus der Demo kommt vom Dienst, und der antwortet nicht.',
    another: 'Andere Identität',
    all: 'Alle Identitäten',
  },
  note: {
    keys: {
      passkey: 'Die Schlüssel bleiben in diesem Browser, hinter dem Passkey.',
      password: 'Die Schlüssel bleiben in diesem Browser, hinter dem Passwort.',
      demo: 'Ein Tresor der Demo: sein Schlüssel ist öffentlich bekannt. Nichts Eigenes hineinlegen.',
    },
    backup: 'Sicherung anlegen',
    damaged: (count) =>
      `${counted(count, {
        one: () => 'Ein Eintrag dieser Wallet wurde verändert oder ist kaputt und geht nicht auf.',
        other: (text) =>
          `${text} Einträge dieser Wallet wurden verändert oder sind kaputt und gehen nicht auf.`,
      })} Karten kommen vom Dienst wieder, das Übrige nur aus einer Sicherung.`,
    lock: 'Sperren',
  },
  cards: {
    title: (name) => (name === '' ? 'Karten' : `Karten von ${name}`),
    code: 'Was eine Wallet fragt',
    apply: 'Karte beantragen',
    unknown: 'Diese Karte ist nicht in der Wallet.',
    arriving: (count) =>
      counted(count, {
        one: () => 'Eine Karte wurde ausgestellt. Sie wird am Ledger geprüft, bevor sie bleibt.',
        other: (text) =>
          `${text} Karten wurden ausgestellt. Sie werden am Ledger geprüft, bevor sie bleiben.`,
      }),
    notGenuine: (name) => `Nicht behalten: ${name}`,
    notGenuineWhy:
      'Was der Dienst übergeben hat, ist nicht das, was das Ledger verzeichnet, oder nicht vom Aussteller unterschrieben. Nichts wurde behalten. Diesen Dienst besser nicht benutzen, bevor klar ist, warum.',
    empty: 'Noch keine Karten',
    emptyWhy: 'Sobald ein Aussteller eine ausstellt, erscheint sie hier von selbst.',
    asOf: (time) => `Stand: ${time}`,
  },
  card: {
    code: 'Was das Ledger zu dieser Karte sagt',
    from: (issuer) => `von ${issuer}`,
    back: 'Alle Karten',
    values: 'Werte',
    valuesHere: 'nur in diesem Browser',
    ledger: 'Im Ledger',
    block: 'Verzeichnet in Block',
    asked: 'Ledger gefragt',
    notKnown: 'Es kennt diese Karte nicht.',
    number: 'Nummer',
    valid: 'Gültig',
    notThere: 'Nicht dort',
    notThereText: 'Keiner der Werte. Das Ledger hat einen Hash, die Vorlage, die Gültigkeit und den Status.',
    proofs: 'Belege',
    issuer: 'Ausgestellt von',
    issuerDid: 'Dessen DID',
    template: 'Vorlage',
    signed: 'Unterschrieben',
    signedHow: 'Mit Ed25519 und BBS+. Beide Unterschriften wurden geprüft, bevor die Karte blieb.',
    kept: 'Hier seit',
    document: 'Dokument',
    remove: 'Aus der Wallet nehmen',
    removeQuestion: (name) => `${name} aus dieser Wallet nehmen?`,
    removeWhy:
      'Im Ledger ändert sich nichts. Bei den Anträgen lässt sie sich noch einmal holen, solange der Dienst sie aufbewahrt.',
    present: 'Jemandem zeigen',
  },
  apply: {
    code: 'Beantragen',
    title: 'Karte beantragen',
    text: 'Eine Vorlage wählen, oder ein Angebot annehmen, das ein Aussteller geschickt hat.',
    templates: 'Was hier ausgestellt wird',
    noTemplates: 'Hier wird noch nichts ausgestellt',
    noTemplatesWhy: 'Sobald ein Aussteller eine Vorlage einträgt, erscheint sie hier.',
    formTitle: (name) => `${name} beantragen`,
    formText: 'Der Aussteller sieht das Geschriebene und entscheidet. Ins Ledger kommt es nicht.',
    back: 'Alle Vorlagen',
    optional: (label) => `${label} (freiwillig)`,
    needed: 'Das braucht der Aussteller',
    wrong: {
      text: 'Das hat nicht die Form, die der Aussteller will',
      image: 'Ein Bild als Daten-URL',
      integer: 'Eine ganze Zahl',
      decimal: 'Eine Zahl wie 1,5',
      date: 'Ein Tag wie 31.12.2001, 31. Dezember 2001 oder 2001-12-31',
      dateTime: 'Ein Zeitpunkt wie 2001-12-31T23:59:59Z',
      boolean: 'Ja oder nein',
    },
    dayExample: '31.12.2001',
    act: 'Unterschreiben und beantragen',
    applying: 'Wird gefragt',
    pay: 'Bezahlen und erhalten',
    paying: 'Wird bezahlt',
    costs: (price) => `Es kostet ${price}.`,
    quote: (price) =>
      `Es kostet ${price}. Bezahlt ist noch nichts. Die Zahlung wird hier unterschrieben, genau über diesen Betrag.`,
    signed: 'Unterschrieben wird, was hier steht, und sonst nichts. Der Schlüssel bleibt in diesem Browser.',
    signedPaid: (price, account) =>
      `Unterschrieben wird zweierlei: was hier steht, und eine Transaktion, die ${price} an ${account} zahlt. Die Gebühr des Ledgers dafür kommt hinzu. Der Schlüssel bleibt in diesem Browser.`,
    issued: (name) => `${name} ist in der Wallet`,
    issuedWhy: 'Die Karte wurde am Ledger geprüft, bevor sie blieb.',
    waiting: (name) => `${name} ist beantragt`,
    waitingWhy: 'Der Aussteller entscheidet. Was ausgestellt ist, kommt von selbst in die Wallet.',
    toCard: 'Zur Karte',
    toApplications: 'Zu den Anträgen',
    applications: 'Anträge',
    noApplications: 'Noch nichts beantragt',
    unnamed: 'Eine Vorlage ohne Namen',
    reason: 'Warum:',
    fetchAgain: 'Noch einmal holen',
    states: {
      issued: 'Ausgestellt',
      rejected: 'Abgelehnt',
      waiting: 'Wartet auf den Aussteller',
      suspended: 'Ausgesetzt',
      revoked: 'Widerrufen',
    },
  },
  purchase: {
    unknownTitle: 'Ausgang noch nicht bekannt',
    unknown: 'Ausgang noch nicht bekannt. Nicht noch einmal bezahlen; wir fragen das Ledger.',
    unknownWhy: (price, card) =>
      `Eine Zahlung von ${price} für ${card} ging hinaus, und die Antwort ging verloren. Was daraus wurde, steht hier, sobald es bekannt ist. Diese Seite muss nicht offen bleiben: eine bezahlte Karte kommt von selbst in die Wallet.`,
    failedTitle: 'Die Zahlung ist gescheitert',
    neverCame: 'Sie kam nicht rechtzeitig beim Dienst an, also wurde nichts bezahlt.',
    backToForm: 'Zurück zum Formular',
    notGenuineTitle: 'Bezahlt, und was kam, ist nicht echt',
    told: {
      issued: 'Die Zahlung ist durch, und die Karte ist da.',
      failed: 'Die Zahlung wurde nicht angenommen, und keine Karte kam.',
      notGenuine:
        'Bezahlt ist es, und was dafür kam, wurde nicht behalten. Auskunft gibt, wer den Dienst betreibt.',
    },
  },
  offer: {
    title: 'Ein Angebot',
    paste: 'Link von einem Aussteller',
    look: 'Ansehen',
    noOffer: 'Das ist kein Angebot, das sich lesen lässt. Gesendet wurde nichts.',
    damaged:
      'Dieser Link ist beschädigt: unterwegs wurde er abgeschnitten oder verändert. Gesendet wurde nichts. Wer ihn geschickt hat, kann einen ganzen schicken.',
    elsewhere: (origin) => `Das ist ein Angebot von ${origin}, einem anderen Dienst. Gesendet wurde nichts.`,
    sealed: (names) => `Die Werte zeigt erst der Code: ${names}.`,
    code: 'Code, der auf anderem Weg kam',
    codeForm: (digits) => `Der Code hat ${digits} Ziffern.`,
    wrongCode: (left) =>
      left === undefined
        ? 'Der Code ist falsch.'
        : `Der Code ist falsch. Noch ${left === 1 ? 'ein Versuch' : `${left} Versuche`}, dann ist das Angebot gesperrt.`,
    accept: 'Annehmen',
    accepting: 'Wird angenommen',
    issued: 'Angenommen und ausgestellt. Die Karte ist unterwegs.',
    waiting: 'Angenommen. Als Nächstes unterschreibt der Aussteller.',
  },
  requests: {
    code: 'Eine Anfrage beantworten',
    title: 'Anfragen',
    text: 'Den Code scannen, den ein Prüfer zeigt, oder seinen Link einfügen.',
    scan: 'Code scannen',
    camera: 'Was die Kamera sieht',
    cameraHint: 'Bilder bleiben in dieser Seite.',
    noCamera: 'Es gibt keine Kamera, oder sie wurde nicht erlaubt. Der Link geht auch.',
    paste: 'Link oder Nummer einer Anfrage, oder ein Angebot',
    open: 'Öffnen',
    noLink: 'Das ist weder eine Anfrage noch ein Angebot.',
    elsewhere: (origin) => `Das ist von ${origin}. Dorthin wurde nichts gesendet.`,
    another: 'Andere Anfrage',
    somebody: 'Jemand ohne Namen',
    asks: (name, facts) =>
      `${name} fragt nach ${facts === 1 ? 'einer Angabe' : `${small[facts] ?? facts} Angaben`}`,
    named: {
      operator: 'heißt so laut dem Betreiber dieses Dienstes',
      itself: 'nennt sich selbst so; niemand hat es geprüft',
      nobody: 'wer das ist, hat niemand gesagt',
    },
    purpose: 'Der Grund, nach eigenen Worten:',
    toAnswer: 'Zeit zu antworten',
    sumShared: (count) => `${count} gezeigt`,
    sumProved: (count) => `${count} bewiesen`,
    sumHidden: (count) => `${count} ${count === 1 ? 'bleibt' : 'bleiben'} verborgen`,
    requestOf: (name) => `Anfrage von ${name}`,
    countsOf: (issuers) => `Hier zählen nur Karten von ${issuers}.`,
    countsAny: 'Hier zählen Karten von jedem Aussteller.',
    countsNone: 'Hier zählt keine Karte: die Anfrage widerspricht sich.',
    reading: 'Die Anfrage wird gelesen',
    fetching: 'Die Karten werden geholt',
    inUse: 'Wird benutzt',
    allActive: 'Alle gültig',
    someActive: (active, all) => `${active} von ${all} gültig`,
    useAnother: 'Andere nehmen',
    wished: (name) => `${name} hätte auch gern, braucht es aber nicht:`,
    wishShared: (label, value) => `${label}: ${value} zeigen`,
    wishProved: (label, claim) => `${label}: ${claim} beweisen`,
    along: 'Geht jedes Mal mit:',
    alongWhat: 'wer die Karte ausgestellt hat, ihre Vorlage und Gültigkeit, ihre Nummer, und die eigene DID',
    alongMeans: (name) => `Daran erkennt ${name} dieselbe Person wieder.`,
    telling: (names) =>
      `Was bewiesen wird, lässt so wenige Werte übrig, dass es den Wert verrät, vielleicht zusammen mit früher Bewiesenem: ${names}.`,
    share: (name) => `Mit ${name} teilen`,
    steps: {
      ledger: 'Das Ledger wird gefragt',
      proof: 'Der Beweis wird gemacht',
      sending: 'Wird abgegeben',
    },
    decline: 'Ablehnen',
    madeHere: 'Hier unterschrieben. Der Beweis entsteht in diesem Browser.',
    over: 'Die Zeit zu antworten ist vorbei. Es braucht eine neue Anfrage.',
    notGood: 'Die Karte gilt gerade nicht',
    notGoodWhy: 'Das Ledger bestätigt sie nicht als aktiv, also wurde nichts geteilt.',
    shared: (name) => `Mit ${name} geteilt`,
    verified: 'Geprüft und bestätigt',
    notVerified: 'Nicht bestätigt',
    verifiedWhy: (name) =>
      `Der Dienst hat es für ${name} geprüft. Das ist hinausgegangen, zusammen mit dem, was jedes Mal mitgeht.`,
    seeActivity: 'Zum Verlauf',
    declinedTitle: 'Abgelehnt',
    declined: (name) => `Abgelehnt. ${name} hat das erfahren, und sonst nichts.`,
    cannot: (name) => `Für die Frage von ${name} ist keine Karte da`,
    noCard: 'In dieser Wallet ist keine aktive Karte dieser Art von diesem Aussteller.',
    missing: (names) => `Die Karte hat keinen Wert für: ${names}.`,
    misfit: (names) => `Was da ist, ist nicht das Verlangte: ${names}. Das ist nur hier zu sehen.`,
    nothingShown: 'Nichts wurde gezeigt.',
  },
  ranges: {
    age: (min, max) =>
      max === undefined
        ? `${min} Jahre oder älter`
        : min === undefined
          ? `${max} Jahre oder jünger`
          : `${min} bis ${max} Jahre alt`,
    numbers: (min, max) =>
      max === undefined
        ? `${min} oder mehr`
        : min === undefined
          ? `${max} oder weniger`
          : `${min} bis ${max}`,
    days: (min, max) =>
      max === undefined
        ? `${min} oder später`
        : min === undefined
          ? `${max} oder früher`
          : `von ${min} bis ${max}`,
  },
  activity: {
    title: 'Verlauf',
    text: 'Was kam, was bezahlt und was geteilt wurde, und mit wem. In diesem Browser versiegelt; niemand sonst hat diese Liste.',
    empty: 'Noch nichts geschehen',
    emptyWhy: 'Was empfangen, bezahlt, geteilt und abgelehnt wird, steht hier.',
    received: (card, issuer) => `${card} kam von ${issuer}`,
    paid: (price, card) => `${price} bezahlt für ${card}`,
    shared: (name) => `Mit ${name} geteilt`,
    declined: (name) => `${name} abgelehnt`,
    verified: 'bestätigt',
    notVerified: 'nicht bestätigt',
  },
  backup: {
    title: 'Sicherung und Schutz',
    text: 'Mit diesem Browser ginge verloren, was in ihm ist. Eine Sicherung bringt es zurück, hier oder anderswo.',
    save: 'Sicherung speichern',
    saveText: 'Alles aus dieser Wallet in einer Datei, versiegelt mit einem eigenen Passwort.',
    password: 'Passwort für die Sicherung',
    act: 'Datei speichern',
    saving: 'Wird versiegelt',
    saved: 'Die Sicherung ist gespeichert. Sie öffnet sich mit ihrem Passwort in jedem Browser.',
    protection: 'Was diese Wallet öffnet',
    protectionText: 'Ein Passkey oder ein anderes Passwort. Das bisherige öffnet dann nichts mehr.',
    currentPassword: 'Bisheriges Passwort',
    change: 'Ändern',
    changed: 'Geändert. Jetzt damit entsperren.',
    forget: 'Diese Wallet vergessen',
    forgetAct: 'Diese Wallet vergessen',
    forgetQuestion: (name) => `Die Wallet von ${name} in diesem Browser vergessen?`,
    forgetWhy: 'Schlüssel und Karten sind dann von hier fort. Nur eine Sicherung bringt sie zurück.',
  },
};
