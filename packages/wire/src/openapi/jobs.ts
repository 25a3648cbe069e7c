/** The tags of both documents: operations stand together by the job that somebody does with them. */
import type { ApiTag } from './openapi.ts';

/** By the group of a route, which is also a segment of its path. */
export const ledgerTags: Readonly<Record<string, ApiTag>> = {
  account: {
    name: 'Accounts',
    description: 'Look accounts up: balance, nonce, assets, metadata, and proofs of what the ledger holds.',
  },
  transaction: {
    name: 'Transactions',
    description:
      'Build, try out, submit and follow transactions. Writing takes a blob and a signature over its bytes.',
  },
  ledger: { name: 'Blocks', description: 'Headers of blocks, who made them, and what transactions cost.' },
  contract: {
    name: 'Contracts',
    description: 'Run a contract in a sandbox: nothing changes and nobody pays.',
  },
  explorer: {
    name: 'Explorer',
    description:
      'Lists with cursors, figures of blocks, what a transaction changed, and search, from an index that follows the chain.',
  },
  node: {
    name: 'Node',
    description: 'What this node is and how it is, for its operator; several queries in one request.',
  },
};

/** Every job of the service: the groups of its routes, in the order in which they are shown. */
export const serviceJobs: Readonly<Record<string, string>> = {
  'Issuer: templates': 'Say which attributes a kind of credential has, and register that on the ledger.',
  'Issuer: credentials': 'Read applications, approve or reject them, sign, and issue.',
  'Issuer: offers':
    'Send somebody a link or QR code to accept a credential with; no application comes first.',
  'Issuer: OpenID4VCI':
    'Offers that wallets of the field take (OpenID4VCI 1.0): make them, sign what is offered, follow them.',
  'Issuer: VC-API': 'Issue credentials of templates and change their status as the W3C VC-API has it.',
  'Issuer: status': 'Revoke, suspend and reinstate credentials: prepare a blob, sign it, submit it.',
  'Issuer: BBS+ keys': 'The key that selective disclosure needs: make it, sign with it.',
  'Issuer: identity':
    'Who an issuer is on the web, and the keys that the service signs with for it: did:web, JWKS.',
  'Issuer: sale': 'Prices of credentials, and credentials that are issued at once.',
  'Holder: credentials': 'Apply for a credential, and download it.',
  'Holder: offers': 'Look at what a link or QR code of an issuer offers, and accept it.',
  'Holder: presentations':
    'Show some attributes of a credential, or prove a range or an age, and nothing else.',
  'Holder: VC-API': 'Show parts of a credential and sign presentations as the W3C VC-API has it.',
  'Holder: sessions': "What a wallet does with a verifier's link or QR code.",
  'Holder: paid credentials': 'Ask for the price of a credential, pay, and get it.',
  'Wallets: OpenID4VCI':
    'What wallets of the field call to get credentials of an issuer: its documents, tokens, credentials.',
  'Wallets: OpenID4VP':
    'What wallets of the field call to answer a verifier: its signed request, and where the answer goes.',
  'Verifier: verdicts': 'Verify a presentation, and look up what a verdict stands on.',
  'Verifier: VC-API':
    'Verify credentials and presentations of anybody, by data integrity, as the W3C VC-API has it.',
  'Verifier: sessions': 'Ask a wallet by link or QR code, and follow what comes of it.',
  'Verifier: OpenID4VP':
    'Ask wallets of the field for credentials by link or QR code (OpenID4VP 1.0); the rest is a session as any other.',
  'Verifier: trusted issuers':
    'Lists of issuers that a verifier trusts, to be named where a verdict is asked for.',
  'Payments: facilitator': 'Verify and settle signed payments on the ledger, as x402 has it.',
  'Custody: accounts': 'Accounts whose keys the service holds, for people who hold none.',
  'Events: stream': 'Hear what happens to your templates, credentials and requests, as it happens.',
  'Events: webhooks': 'Have the same events posted to an address of your own.',
  'Developer: API keys': 'The API keys of your own party: list, make and end them.',
  'Developer: requests': 'What was answered to your last calls.',
  'Everybody: names and search':
    'What parties are called and on whose word; find anything by its name or identifier.',
  'Everybody: console':
    'Sign in with a browser, and see the blocks of the ledger as they come: what the web console is made of.',
  'Everybody: sealed requests': 'The keys to which confidential requests are sealed.',
  'Operator: audit': 'What was done here, by whom, in a log that cannot be changed unnoticed.',
};

/** What stands behind the colon is shown where the heading says who does the job. */
const shownName = (job: string): string => {
  const what = job.slice(job.indexOf(':') + 2);
  return `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`;
};

export const serviceTags = (): ApiTag[] =>
  Object.entries(serviceJobs).map(([name, description]) => ({
    name,
    'x-displayName': shownName(name),
    description,
  }));

/** Who does a job: what its name begins with. */
const whoseOf = (job: string): string => job.slice(0, job.indexOf(':'));

/** Jobs by who does them, which viewers show as headings. */
export function tagGroups(): { name: string; tags: string[] }[] {
  const names = Object.keys(serviceJobs);
  return [...new Set(names.map(whoseOf))].map((who) => ({
    name: who,
    tags: names.filter((name) => whoseOf(name) === who),
  }));
}
