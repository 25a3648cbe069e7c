/** Events of the service as lines of `symbolon tail`: what was done, of which template, and the id to look it up by. */
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import type { ServiceEvent, ServiceEventName } from '@symbolon/wire/events/service-events';
import { shortenedId } from '../../terminal/layout.ts';
import { cut, printable, type Terminal, type Tone, toned } from '../../terminal/terminal.ts';

interface Wording {
  readonly verb: string;
  readonly tone?: Tone;
  /** With the name of the template, where the event has one. */
  readonly what: (template: string) => string;
}

const wordings: Readonly<Record<ServiceEventName, Wording>> = {
  'template.registered': { verb: 'registered', what: (template) => template },
  'application.received': { verb: 'applied', what: (template) => `for ${template}` },
  'application.approved': { verb: 'approved', what: (template) => template },
  'application.rejected': { verb: 'rejected', tone: 'bad', what: (template) => template },
  'offer.accepted': { verb: 'accepted', what: (template) => `the offer of ${template}` },
  'offer.locked': { verb: 'LOCKED', tone: 'bad', what: (template) => `the offer of ${template}` },
  'credential.issued': { verb: 'issued', tone: 'good', what: (template) => `${template} to a holder` },
  'credential.revoked': { verb: 'revoked', tone: 'bad', what: (template) => template },
  'credential.suspended': { verb: 'suspended', tone: 'bad', what: (template) => template },
  'credential.reinstated': { verb: 'reinstated', tone: 'good', what: (template) => template },
  'payment.settled': { verb: 'paid', tone: 'good', what: (template) => `for ${template}` },
  'payment.failed': { verb: 'NOT PAID', tone: 'bad', what: (template) => `for ${template}` },
  'verification.requested': { verb: 'asked', what: () => 'a wallet for a presentation' },
  'verification.verified': { verb: 'presented', tone: 'good', what: () => 'by a wallet, VERIFIED' },
  'verification.failed': { verb: 'presented', tone: 'bad', what: () => 'by a wallet, NOT VERIFIED' },
  'verification.aborted': {
    verb: 'ended',
    tone: 'bad',
    what: () => 'without an answer: declined or cancelled',
  },
  'verification.expired': { verb: 'expired', tone: 'bad', what: () => 'no wallet answered in time' },
};

const verbChars = Math.max(...Object.values(wordings).map(({ verb }) => verb.length));
/** What is left of 80 columns beside time, verb and id, and the words around it. */
const templateCharsMax = 28;
const whatChars = 40;
const namesKeptMax = 1_000;

/** The line of an event; `template` is the name of what it is about. */
export function serviceText(event: ServiceEvent, template: string, terminal: Terminal): string {
  const time = event.time.slice(11, 19);
  const name = cut(printable(template), templateCharsMax);
  const wording = Object.hasOwn(wordings, event.event)
    ? wordings[event.event as ServiceEventName]
    : { verb: cut(printable(event.event), verbChars), what: () => '' };
  const { verb, tone, what } = wording;
  const padded = verb.padEnd(verbChars);
  const shownVerb = tone ? toned(terminal, tone, padded) : padded;
  return `${printable(time)}  ${shownVerb}  ${what(name).padEnd(whatChars)}  ${shortenedId(event.subject)}`;
}

/** Names of templates, each asked for until it is told; one that the service does not tell is a credential. */
export function templateNames(service: Pick<CredentialClient, 'getTemplate'>) {
  const known = new Map<string, Promise<string>>();
  return (event: ServiceEvent): Promise<string> => {
    const id = event.event === 'template.registered' ? event.subject : event.templateId;
    if (id === undefined) return Promise.resolve('a credential');
    const name =
      known.get(id) ??
      service.getTemplate({ templateId: id }).then(
        ({ templateName }) => templateName,
        () => {
          known.delete(id);
          return 'a credential';
        },
      );
    if (known.size < namesKeptMax) known.set(id, name);
    return name;
  };
}
