/**
 * What somebody signs to show that they are there: a text with one purpose, for one service, about one thing, at one
 * moment. A signature over it is good for nothing else, nowhere else, and not for long. It begins with a name that no
 * other signed text of the house begins with, and has one spelling.
 */
import { encodeHex, encodeUtf8, type Sha256 } from '../basics/bytes.ts';
import { instantTextOfUnixMs, isInstantText, unixMsOf } from '../basics/calendar.ts';
import { given } from '../basics/plain-values.ts';
import { presenceLimits } from '../limits/documents.ts';

/** What a text may be signed for. */
export const presencePurposes = [
  /** Subject: the id of the verification session. */
  'session-answer',
  /** The same; the challenge is the nonce. */
  'holder-binding',
  /** Subject: the wallet's address. */
  'extended-presentation',
  /** Subject: the wallet's address, for all that waits there. */
  'download-all',
  /** Subject: the wallet's address, for all that was applied for from there. */
  'own-applications',
  /** Subject: the id of the credential. */
  'download',
  /** Subject: `contentSubject` of the canonical text of what is applied with. */
  'application',
  /** Subject: the id of the offer; the challenge is `contentSubject` of the canonical text of what it offers. */
  'offer-acceptance',
  /** Subject: `contentSubject` of the text `data`. */
  'paid-application',
  /** Subject: the id of the payment. */
  'payment-status',
  /** Subject: the DID that signs in at the console; the challenge is the service's. */
  'sign-in',
] as const;
export type PresencePurpose = (typeof presencePurposes)[number];

export interface Presence {
  readonly purpose: PresencePurpose;
  /** The origin of the service it is for. */
  readonly audience: string;
  readonly subject: string;
  /** Whole seconds, as documents have them. */
  readonly created: string;
  /** What the service gave to be signed, where it gave something. */
  readonly challenge?: string;
  /** Any word of the signer's own, so that no two texts are the same. */
  readonly nonce?: string;
}

const tag = 'symbolon-presence-v1';

export function presenceText(presence: Presence): string {
  const { purpose, audience, subject, created, challenge, nonce } = presence;
  const lines = [
    tag,
    `purpose: ${purpose}`,
    `audience: ${audience}`,
    `subject: ${subject}`,
    `created: ${created}`,
  ];
  if (challenge !== undefined) lines.push(`challenge: ${challenge}`);
  if (nonce !== undefined) lines.push(`nonce: ${nonce}`);
  return lines.join('\n');
}

/** Of a clock's reading. */
export const presenceTextAt = (presence: Omit<Presence, 'created'>, nowMs: number): string =>
  presenceText({ ...presence, created: instantTextOfUnixMs(nowMs) });

/** What a text about contents names as its subject. */
export const contentSubject = (text: string, sha256: Sha256): string =>
  `sha256:${encodeHex(sha256(encodeUtf8(text)))}`;

/** A part has no space and no line break, so no part can look like two. */
const textPattern = new RegExp(
  `^${tag}\npurpose: (\\S+)\naudience: (\\S+)\nsubject: (\\S+)\ncreated: (\\S+)(?:\nchallenge: (\\S+))?(?:\nnonce: (\\S+))?$`,
);

/** Undefined for whatever is not exactly such a text. */
export function parsePresenceText(text: string): Presence | undefined {
  const isPlain = text.length <= presenceLimits.textCharsMax && /^[\n\x20-\x7e]*$/.test(text);
  const [, word, audience, subject, created, challenge, nonce] = (isPlain && textPattern.exec(text)) || [];
  const purpose = presencePurposes.find((one) => one === word);
  if (purpose === undefined || !isInstantText(created)) return undefined;
  return { purpose, audience, subject, created, ...given({ challenge, nonce }) };
}

/** What is good once, and so must name what the service gave. */
const challengedPurposes: readonly PresencePurpose[] = ['holder-binding', 'sign-in'];

/** What a service expects of a text that it is shown. */
export interface ExpectedPresence {
  readonly purpose: PresencePurpose;
  readonly audience: string;
  readonly subject: string;
  /** Must be signed where the purpose needs one, and must fit wherever it is signed. */
  readonly challenge?: string;
  readonly now: number;
}

/** Why a text is not good here and now; undefined when it is. */
export function presenceProblem(given: Presence, expected: ExpectedPresence): string | undefined {
  const { purpose, audience, subject, challenge, now } = expected;
  if (given.purpose !== purpose) return `is for ${given.purpose}, and ${purpose} is asked for`;
  if (!isSameOrigin(given.audience, audience)) return `is for another service than ${audience}`;
  if (given.subject !== subject) return 'is about something else';
  const needsChallenge = challengedPurposes.includes(purpose) || given.challenge !== undefined;
  if (needsChallenge && given.challenge !== challenge) return 'has another challenge';
  const created = unixMsOf(given.created) ?? 0;
  if (now - created > presenceLimits.ageMsMax) return `was created too long ago, at ${given.created}`;
  if (created - now > presenceLimits.ageMsMax) return `was created in the future, at ${given.created}`;
  return undefined;
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const originPattern = /^(https?):\/\/(\[[0-9a-f:.]+\]|[^/:@?#]+)(:[0-9]+)?$/;

/** The names of this machine for itself are one: whoever answers at one of them answers at all. */
export function isSameOrigin(left: string, right: string): boolean {
  if (left === right) return true;
  const [one, other] = [originPattern.exec(left), originPattern.exec(right)];
  if (!one || !other) return false;
  const isLocal = [one, other].every(([, , host = '']) => loopbackNames.has(host));
  return isLocal && one[1] === other[1] && one[3] === other[3];
}
