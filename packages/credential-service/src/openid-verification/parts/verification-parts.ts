/** What OpenID4VP works with, beside verification sessions: keys by which the service asks, and where facts come from. */
import type { SessionParts } from '../../sessions/session-parts.ts';
import type { StandardsParts } from '../../standards/standards-parts.ts';
import type { FieldFacts } from './field-facts.ts';
import type { RequestCertificate } from './operator-certificates.ts';

export interface OpenidVerifyingParts extends SessionParts, Pick<StandardsParts, 'places' | 'issuerKeys'> {
  readonly requestCertificate: RequestCertificate | undefined;
  readonly fieldFacts: FieldFacts;
}
