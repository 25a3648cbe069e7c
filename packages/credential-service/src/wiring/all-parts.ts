/** Everything that the rooms of a running service work with. */
import type { Custody } from '../custody/custody.ts';
import type { EventParts } from '../events/event-parts.ts';
import type { PaymentParts } from '../payments/payment-parts.ts';

export interface AllParts extends EventParts, PaymentParts {
  /** Where the service holds keys for others. */
  readonly custody: Custody | undefined;
}
