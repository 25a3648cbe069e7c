/**
 * What the SDK's own errors mean, for people to look up: `docs/errors.md` prints it, and the last line of a failing
 * command leads there. The error itself says what happened in its case.
 */

export const sdkErrorWords = {
  invalidArgument: {
    what: 'What was passed in cannot be used.',
    why: 'A member is missing, not known, or of another form; nothing was sent or signed.',
    remedy: 'Correct what the message names.',
  },
  unreachable: {
    what: 'There is no connection, or it broke.',
    why: 'Nothing listens at the address, or it cannot be reached from here.',
    remedy: 'Start the node or service, or give the right address.',
  },
  timedOut: {
    what: 'There was no answer in time.',
    why: 'The server is busy or away. What was asked may have been done.',
    remedy: 'Ask again. Of a transaction ask what became of its hash first.',
  },
  notJson: {
    what: 'The answer is not JSON.',
    why: 'Something else than a node or service answers at this address.',
    remedy: 'Look which port is whose, and give the right address.',
  },
  responseTooLarge: {
    what: 'The answer is larger than is taken.',
    why: 'No answer of a node or service has to be so large.',
    remedy: 'Ask for less at once. If you did, ask another server.',
  },
  httpStatus: {
    what: 'The answer has an HTTP status that no node gives.',
    why: 'Most likely a proxy or another program answered.',
    remedy: 'Look what stands in between, and give the right address.',
  },
  unexpectedReply: {
    what: 'The answer is JSON, but not what this route replies.',
    why: 'The server is of another kind or version, or it is wrong.',
    remedy: 'Ask another server, or look at what this one is.',
  },
  notAsOrdered: {
    what: 'A server offers, or hands over, something else than was ordered.',
    why: 'It was compared with the order, with the pins and with the key that signs; `against` tells which of these it differs from, with both values.',
    remedy:
      'If the pin, option or key is wrong, correct it. If it is right, do not use this server before you know why.',
  },
  openidRefused: {
    what: 'An issuer or a verifier of OpenID refused, or wants what this wallet cannot do.',
    why: 'The message has its word for it: the code is wrong or taken, the offer is over, or it wants other formats or keys.',
    remedy: 'Look at the link and the code again, or ask whoever sent the link for a new one.',
  },
  applicationDecided: {
    what: 'The application that is to be issued for was decided on already.',
    why: 'Somebody else has issued or rejected it meanwhile, or it was done before.',
    remedy: 'Look at it, and at what is issued. Issue nothing for it again.',
  },
  notProtected: {
    what: 'Somebody on the way could read what is for the server alone, and nothing was sent.',
    why: 'Plain http is for this machine alone, and a client that seals sends nothing unsealed.',
    remedy: 'Use an https address; in closed networks say `allowPlainHttp`.',
  },
  signingUnavailable: {
    what: 'There is no Ed25519 to sign with.',
    why: 'The platform has none: it is old, or the page is not a secure one.',
    remedy: 'Use a newer browser or Node, and https.',
  },
  sealingUnavailable: {
    what: 'There is no Web Crypto to seal requests with.',
    why: 'The platform has none: it is old, or the page is not a secure one.',
    remedy: 'Use a newer browser or Node, and https.',
  },
  outcomeUnknown: {
    what: 'A submission broke off: the node may have it or not.',
    why: 'The connection ended after the transaction was sent.',
    remedy: 'Ask for its hash, or send the same bytes again: they are executed once.',
  },
  receiptTimedOut: {
    what: 'A transaction was neither executed nor expired in the time given.',
    why: 'It waits in the queue, or for transactions before it.',
    remedy: 'Ask for its hash later, or wait longer.',
  },
  feeTooHigh: {
    what: 'A transaction costs more than a cap allows, and nothing was signed.',
    why: 'The cap is that of the order, of the pins, or one that fits usual transactions; `cost` tells what is wanted.',
    remedy: 'Raise the cap if you believe it, or ask another node.',
  },
  fellBehind: {
    what: 'Events came faster than they were taken.',
    why: 'What waits is bounded.',
    remedy: 'Take them faster, and begin again where they ended.',
  },
  passwordWrong: {
    what: 'The password does not open the key file.',
    why: 'It is another one, or the file was changed.',
    remedy: 'Give the password with which the file was written.',
  },
  otherRoot: {
    what: 'A proof is about another root than the trusted one.',
    why: 'Most likely it is older or newer.',
    remedy: 'Fetch proof and root at the same height.',
  },
  proofInvalid: {
    what: 'A proof does not prove what it is shown for.',
    why: 'It was changed, or whoever made it is wrong.',
    remedy: 'Do not believe what came with it; ask another node.',
  },
  lightBlockRefused: {
    what: 'A block of a network, as a node shows it, is not to be believed.',
    why: 'It contradicts itself or the trusted block, too few of the validators have signed it, or trust is too old; `refusal` names which.',
    remedy: 'Ask another node. If trust has expired, take a newer anchor from a source that you trust.',
  },
  networkForked: {
    what: 'There are two blocks of one height, and enough validators have signed each.',
    why: 'More than a third of the power of the network is dishonest, or its keys are stolen; `blocks` is the evidence.',
    remedy: 'Believe neither, keep both blocks, and tell the operators of the network.',
  },
  notYetProven: {
    what: 'The block that proves the state is not there yet.',
    why: 'A block is proven by the one after it; or the node is of no network of validators.',
    remedy: 'Ask again later, or ask another node.',
  },
  factsNotProven: {
    what: 'The facts do not prove what they say, though an anchor was given.',
    why: 'Proofs are missing, begin elsewhere than at the anchor, or are of something else.',
    remedy: 'Collect facts with proofs: `fetchProvenFacts`, from the anchor on that the verifier has.',
  },
  resultNotSigned: {
    what: 'The service has not signed the result of a verification session.',
    why: 'The signature is missing, by another key, or over something else.',
    remedy: 'Do not go by it. Ask the service for the result again.',
  },
  factsNotSigned: {
    what: "Nobody has signed the facts, though somebody's were wanted.",
    why: 'An unsigned file is whoever wrote it last.',
    remedy: "Take signed ones; or say that they are your own: `takenFrom: 'self'`, `--own-facts`.",
  },
  factsNotTrusted: {
    what: 'The facts are by another collector, or not as their collector signed them.',
    why: 'A verdict is as good as its facts, so they count from collectors alone that the verifier names.',
    remedy: 'Name the collector, if you take its facts: `takenFrom`, `--facts-by`. Else collect new ones.',
  },
  factsStale: {
    what: 'The facts are older than the verifier takes them.',
    why: 'A day is allowed if nothing else is said; a credential may have been revoked since.',
    remedy: 'Collect new ones, or allow older ones: `maxAgeSeconds`, `--max-age`.',
  },
  factsFromFuture: {
    what: 'The facts are dated after now.',
    why: 'The clocks of collector and verifier differ by more than five minutes.',
    remedy: 'Set the clocks, and collect new ones.',
  },
} satisfies Readonly<Record<string, Readonly<Record<'what' | 'why' | 'remedy', string>>>>;

/** What a program branches on; docs/errors.md says of each code what it means and what to do. */
export type SdkErrorCode = keyof typeof sdkErrorWords;
