/** Everything that the rooms of a running service work with. */
import type { Custody } from '../custody/custody.ts';
import type { PaymentParts } from '../payments/payment-parts.ts';
import type { SessionParts } from '../sessions/session-parts.ts';

export interface AllParts extends SessionParts, PaymentParts {
  /** Where the service holds keys for others. */
  readonly custody: Custody | undefined;
}
