/** What members mean in the lists of issuers, holders and verifiers. */
import type { Words } from './vocabulary.ts';

const issuedCredentials = 'Issued credentials of the issuer whose API key asks.';

export const deskWords: Words = {
  'listIssued.issued': issuedCredentials,
  issuedAt: 'When the credential was recorded, RFC 3339.',
  'issued.issuedAt': 'When the credential was recorded, RFC 3339.',
  'history.at': 'When it was done, RFC 3339.',
  'history.reason': 'Why, as the issuer noted it; it stays off the ledger.',
  'applications.Pending': 'How many wait for the issuer.',
  'applications.Approved': 'How many are drafted and wait to be signed, or are being recorded.',
  'applications.Issued': 'How many have become a credential, whatever became of that.',
  'applications.Rejected': 'How many the issuer has rejected.',
  'issued.Active': 'How many count.',
  'issued.Suspended': 'How many are suspended.',
  'issued.Revoked': 'How many are revoked.',
  'issued.Expired': 'How many are not revoked, and their validity has ended.',
  prices: 'Prices that the issuer has set, in the order of their templates.',
  policies: 'Policies that the issuer has set, in the order of their templates.',
  'issuingKey.isHeld': 'Whether the service has it.',
  'issuingKey.since': 'Since when; null where it has none.',
  'listOwnApplications.applications': 'What the holder has applied for.',
  'listOwnApplications.applications.createdAt': 'When the holder applied, RFC 3339.',
  'getVerification.id': 'Id of the session: presentationId of the answer that opened it.',
  'callback.state': 'Whether it waits for its next attempt, was delivered, or was given up.',
  'callback.attempts': 'How often it was tried.',
  'callback.lastAttemptAt': 'When it was last tried, RFC 3339; null where it was not.',
  'watchVerification.checks': 'The six checks in their order, passed or not.',
  'watchVerification.attempts': 'Of an event named callback: how often its delivery was tried.',
  'watchVerification.problem': 'Of an event named callback: why the last attempt failed.',
  next_attempt_at: 'Of an event named callback: when it is tried again, RFC 3339.',
  took_ms: 'How long the verdict took, in milliseconds.',
  'PresentationCheck.name': 'Name of the check, which never changes.',
  'PresentationCheck.title': 'What the check is called in a list.',
  'PresentationCheck.words': 'What it found, in a sentence.',
  'PresentationCheck.facts':
    'What the words rest on, by name; never the value of an attribute. Of several credentials each name is <position>.<name>.',
};
