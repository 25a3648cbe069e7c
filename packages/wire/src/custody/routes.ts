/**
 * The routes of custody, one row each (`docs/custody.md`): accounts whose keys the service holds, signing with them,
 * and the owner's say over what is signed. Wallets read nothing but answers of status 200 here and send no key of an
 * API: the password in the body is all, but for what takes an account over or lifts its caps, which somebody with a key
 * approves in a header of its own. One more path serves the same signatures in the envelope of another client.
 */
import { custodyLimits } from '@symbolon/core/limits/custody';
import { custodyEnvelope, objectEnvelope, type ServiceEnvelope } from '../http/service-envelopes.ts';
import { defineServiceRoute, ledgerFaults, type ServiceHandlers } from '../http/service-route.ts';
import * as replies from './replies.ts';
import * as requests from './requests.ts';

/** Every call checks a password, which is made slow on purpose. */
const guarded = {
  method: 'POST',
  carries: 'secret',
  access: 'open',
  cost: 'heavy',
  group: 'Custody: accounts',
  envelope: custodyEnvelope,
  faults: ['passwordWrong', 'routeUnknown', 'custodyKeyLocked'],
} as const;

const signing = {
  ...guarded,
  reply: replies.signatureReply,
  faults: [...guarded.faults, 'notAllowed', 'policyForbids', 'dailyCapReached'],
} as const;

const blobSigning = {
  ...signing,
  summary: 'Signs the bytes of a blob: a transaction of the account, or data',
  /** Two hex digits for each byte, and the members around. */
  bodyBytesMax: 2 * custodyLimits.blobBytesMax + 4_096,
  body: requests.blobSigning,
  read: requests.readBlobSigning,
} as const;

/** The client of this path reads the first of a list. */
const listEnvelope: ServiceEnvelope = {
  success: (reply) => ({ ...objectEnvelope.success(reply), object: [reply] }),
  failure: objectEnvelope.failure,
  holder: 'object',
  refusalName: objectEnvelope.refusalName,
  open: ({ object }) => (Array.isArray(object) ? object[0] : undefined),
  describe: (reply) => objectEnvelope.describe({ type: 'array', items: reply, minItems: 1, maxItems: 1 }),
};

export const custodyRoutes = {
  createCustodyAccount: defineServiceRoute({
    ...guarded,
    path: '/wallet/hsm/account/create',
    refusesIdempotencyKey: true,
    sealedPath: '/wallet/hsm/account/enc/create',
    summary: 'Makes an account whose key the service holds, behind a password',
    body: requests.accountCreation,
    reply: replies.custodyAccountReply,
    faults: ['routeUnknown'],
    read: requests.readAccountCreation,
  }),
  signCustodyBlob: defineServiceRoute({
    ...blobSigning,
    path: '/wallet/hsm/sign-blob',
    sealedPath: '/wallet/hsm/enc/sign-blob',
  }),
  signCustodyBlobListed: defineServiceRoute({
    ...blobSigning,
    path: '/api/hsm/sign-blob',
    sealedPath: '/api/hsm/enc/sign-blob',
    envelope: listEnvelope,
  }),
  signCustodyMessage: defineServiceRoute({
    ...signing,
    path: '/wallet/hsm/sign-message',
    sealedPath: '/wallet/hsm/enc/sign-message',
    summary: 'Signs the UTF-8 bytes of a text',
    body: requests.messageSigning,
    read: requests.readMessageSigning,
  }),
  getCustodyActivation: defineServiceRoute({
    method: 'GET',
    access: 'open',
    cost: 'light',
    group: 'Custody: accounts',
    envelope: custodyEnvelope,
    path: '/wallet/hsm/account/activate/status',
    carries: 'plain',
    summary: 'Whether the ledger has an account',
    query: requests.addressQuery,
    reply: replies.activationReply,
    faults: ['routeUnknown', ...ledgerFaults],
    read: ({ query }) => query,
  }),
  changeCustodyPassword: defineServiceRoute({
    ...guarded,
    path: '/wallet/hsm/account/password',
    sealedPath: '/wallet/hsm/account/enc/password',
    summary: 'Gives an account a new password',
    body: requests.passwordChange,
    reply: replies.passwordReply,
    read: ({ body }) => body,
  }),
  getCustodyPolicy: defineServiceRoute({
    ...guarded,
    method: 'GET',
    path: '/wallet/hsm/account/policy',
    summary: `What an account may sign; its password stands in the header ${requests.passwordHeader}`,
    query: requests.addressQuery,
    headers: [{ name: requests.passwordHeader, description: 'The password of the account' }],
    reply: replies.policyReply,
    read: ({ query }) => query,
  }),
  changeCustodyPolicy: defineServiceRoute({
    ...guarded,
    path: '/wallet/hsm/account/policy',
    sealedPath: '/wallet/hsm/account/enc/policy',
    summary: `Changes what an account may sign; to allow more takes an API key of scope admin in the header ${requests.approvalHeader}`,
    faults: [...guarded.faults, 'notAllowed', 'policyForbids'],
    body: requests.policyChange,
    headers: [{ name: requests.approvalHeader, description: 'An API key of scope admin' }],
    reply: replies.policyReply,
    read: requests.readPolicyChange,
  }),
};
export type CustodyHandlers = ServiceHandlers<typeof custodyRoutes>;
