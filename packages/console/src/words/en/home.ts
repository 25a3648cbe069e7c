/** Words of the first page: what runs, doors, feed. */
import { pluralsOf } from '../../text/plurals.ts';

const counted = pluralsOf('en');
/** Of a list of which more may follow. */
const templatesText = (templates: number, hasMore: boolean): string =>
  `${hasMore ? 'more than ' : ''}${counted(templates, { one: (count) => `${count} template`, other: (count) => `${count} templates` })}`;

export const homeEn = {
  running: 'Everything is running. Whose chair do you take?',
  runningPlain: 'Everything is running.',
  asking: 'Asking the service and the ledger',
  serviceSilent: 'The service does not answer.',
  ledgerSilent: 'The service runs. The ledger does not answer.',
  notReady: 'The service is not ready yet.',
  about: (people: number, templates: number, hasMore: boolean) =>
    `One ledger node, one credential service, ${counted(people, {
      one: (count) => `${count} demo person`,
      other: (count) => `${count} demo people`,
    })}, ${templatesText(templates, hasMore)}. All keys here are publicly known, so use this on your own machine only.`,
  aboutPlain: (templates: number, hasMore: boolean) =>
    `One ledger node, one credential service, ${templatesText(templates, hasMore)}.`,
  aboutNoConsole: 'This service does not offer sign-in to the console, so it shows what is public.',
  doors: {
    label: 'Whose chair',
    issue: 'I issue',
    issueAbout: (name: string) => `${name}. Templates, applications, credentials.`,
    hold: 'I hold',
    holdAbout: (name: string) => `${name}. Cards, offers and requests.`,
    verify: 'I verify',
    verifyAbout: (name: string) => `${name}. Ask for one fact, not for all.`,
    watch: 'I watch',
    watchAbout: (blocks: string, transactions: string) =>
      `The ledger: ${blocks} blocks, ${transactions} transactions.`,
  },
  checks: {
    signature: 'Signature',
    proof: 'Proof',
    values: 'Values',
    disclosure: 'Disclosure',
    status: 'Status',
    challenge: 'Challenge',
  },
  verified: 'Verified',
  story: {
    title: 'One credential, from template to refusal',
    done: (done: number, all: number) => `${done} of ${all}`,
    isDone: 'done',
    registers: 'registers the template',
    issues: (holder: string) => `It issues one to ${holder}`,
    issued: (count: number) =>
      counted(count, {
        one: () => 'It issues a credential',
        other: (text) => `It issues ${text} credentials`,
      }),
    asks: 'asks for one fact, and for a proof of another',
    verifies: (holder: string) => `${holder} shares one, proves one and hides the rest. Six checks pass`,
    revokes: 'The university revokes it',
    revoked: (count: number) =>
      counted(count, {
        one: () => 'The university revokes one of them',
        other: (text) => `The university revokes ${text} of them`,
      }),
    refuses: 'Whoever shows a revoked one is refused',
    acts: {
      templates: 'Register',
      applications: 'Issue',
      ask: 'Ask',
      sessions: 'Look',
      issued: 'Revoke',
      check: 'Check',
    },
    go: 'Go there',
  },
  feed: 'What just happened',
  live: 'live',
  feedEmpty: 'Nothing happened yet',
  feedEmptyWhy: 'When somebody sends a transaction, it shows up here by itself.',
  failed: 'failed',
  templates: 'What is issued here',
  templatesEmpty: 'No templates yet',
  templatesEmptyWhy: 'When an issuer registers one, it shows up here.',
  attributes: (count: number) =>
    counted(count, { one: (text) => `${text} attribute`, other: (text) => `${text} attributes` }),
  version: (version: string) => `version ${version}`,
  service: 'Credential service',
  ledger: 'Ledger node',
  throughService: 'through this service',
  reference: 'API reference',
  terminal: 'The same in a terminal',
} as const;
