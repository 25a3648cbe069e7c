/** What went wrong, what did not happen, and what to do. */
export const failuresEn = {
  unreachable: 'The service does not answer',
  unreachableWhy:
    'No answer came. If something was to be changed, whether it was is not known: look before you repeat it.',
  unreachableDo: 'Try again when you are connected, or in a while.',
  unreachableStart: 'Start it, then try again:',
  offline: 'This browser is not connected',
  offlineDo: 'Try again when you are connected.',
  timedOut: 'There was no answer in time',
  timedOutWhy:
    'Reading it again does no harm. If something was to be changed, whether it was is not known: look before you repeat it.',
  unexpected: 'The answer is none that can be used',
  unexpectedWhy: 'Something else than this service seems to answer, or it is of another version.',
  unexpectedDo: 'Load the page again. If it stays so, ask whoever runs the service.',
  defect: 'The console failed here',
  defectWhy: 'This is a mistake of the console, not of yours. Look whether it was done before you repeat it.',
  defectDo: 'Load the page again, and tell whoever runs the service if it stays so.',
  refused: 'The service refused',
  /** What came as an answer, which is English, and the advice on it. */
  said: (detail: string) => (/[.!?:]$/.test(detail) ? detail : `${detail}.`),
  advised: (hint: string) => hint,
  paymentRequired: 'This costs something',
  paymentRequiredWhy: 'Nothing was issued and nothing was paid.',
  conflict: 'As things stand, this cannot be done',
  conflictWhy: 'It may have been done before, by you or by somebody else. Look at how it stands now.',
  gone: 'It is not there any more',
  goneWhy: 'It ran out or was used. Nothing was done.',
  tooMany: 'Too many requests',
  tooManyWhy: (seconds: number | undefined) =>
    seconds === undefined ? 'Nothing was done. Wait a little.' : `Nothing was done. Wait ${seconds} seconds.`,
  notAuthenticated: 'You are not signed in',
  notAuthenticatedWhy: 'The session ended, or this needs one. Nothing was done.',
  notAllowed: 'You may not do this',
  lacksScope: (scope: string) => `It needs the scope ${scope}, which you do not have here.`,
  passwordWrong: 'The password does not open it',
  signingUnavailable: 'The browser cannot sign here',
  signingUnavailableWhy:
    'Pages that come over plain http have no cryptography, unless they come from this very machine.',
  ledgerUnreachable: 'The ledger does not answer',
  ledgerUnconfirmed: 'Outcome not known yet',
  ledgerUnconfirmedWhy: 'Do not repeat it; the service goes on asking the ledger.',
  help: 'What this code means',
} as const;
