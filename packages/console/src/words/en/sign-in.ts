/** Signing in, the question for a key, and the end of a session. */
export const signInEn = {
  title: 'Sign in',
  asOther: 'Sign in as somebody else',
  way: 'How you show who you are',
  ways: { vault: 'This browser', keyFile: 'Key file', apiKey: 'API key', custody: 'Custody', person: 'Demo' },
  submit: 'Sign in',
  sign: 'Use this key',
  noWay: 'This service does not offer sign-in to the console.',
  keyFile: 'Key file',
  filePassword: 'Password of the file',
  fileTooLarge: 'This is too large for a key file.',
  keyStays: 'The key stays in this tab. It is gone when you close it.',
  apiKey: 'API key',
  apiKeyForm: 'This is not a whole API key: one is sym_, 8 characters, _ and 43 more. Nothing was sent.',
  apiKeyOnce: 'It is sent once and kept nowhere in the browser.',
  address: 'Address of the account',
  password: 'Password of the account',
  custodyKey: 'The service keeps the key; your password opens it each time.',
  peopleKnown: 'The keys of these people are publicly known.',
  plainHttp:
    'This page came over plain http: whoever is on the way reads what you type. Ask whoever runs the service for https.',
  notLetIn: 'Not let in',
  vaultOf: 'Identity',
  passkeyOpens: 'Your passkey opens it',
  vaultPassword: 'Password of the vault',
  keyNamed: (id: string) => `API key ${id}`,
  signedIn: (who: string) => `Signed in as ${who}.`,
  signedOut: 'Signed out. What this tab read and the keys it knew are forgotten.',
  over: {
    ended: (time: string) =>
      `Your session ended at ${time}. What you typed stays. What needs a session is refused until you sign in again.`,
    idle: (time: string) =>
      `Nobody moved here for a while, so you were signed out at ${time}. What you typed stays.`,
  },
  walletOpen: 'The wallet in this tab is open still: what you share or sign with it is sent.',
  left: (time: string) =>
    `You are signed out here. The service has not confirmed that it knows, and is told again when it answers; its session ends by itself by ${time} at the latest.`,
  leftTold: 'The service has ended your session, too.',
  again: 'Sign in again',
  keyTitle: 'Your key is needed',
  keyWhy: 'Something is to be signed, and your key is not in this tab. Signing is done here, as',
  foreignKey: 'This is the key of somebody else',
  foreignKeyWhy: (did: string) => `It belongs to ${did}. Nothing was signed.`,
  nameUnset: 'The service does not know its own address',
  nameUnsetWhy: (audience: string) =>
    `It listens everywhere and calls itself ${audience}, which is no address that can be signed for. Nothing was signed.`,
  nameUnsetDo: 'Whoever runs it sets this in service.json and starts it again:',
  elsewhere: 'The service calls itself something else',
  elsewhereWhy: (audience: string, origin: string) =>
    `It says that it is ${audience}, but this page came from ${origin}. Nothing was signed, because somebody in between could use it.`,
  elsewhereDo: (audience: string) =>
    `Open ${audience}, or ask whoever runs the service to set publicUrl to this address.`,
} as const;
