/** Everything that the rooms of a running service work with. */
import type { KeyParts } from '../access/key-handlers.ts';
import type { ConsoleParts } from '../console/console-parts.ts';
import type { DirectoryParts } from '../directory/directory-parts.ts';
import type { EventParts } from '../events/event-parts.ts';
import type { PublishingParts } from '../openid-issuance/published-handlers.ts';
import type { OpenidVerifyingParts } from '../openid-verification/parts/verification-parts.ts';
import type { PaymentParts } from '../payments/payment-parts.ts';
import type { StandardsParts } from '../standards/standards-parts.ts';

export interface AllParts
  extends EventParts,
    PaymentParts,
    KeyParts,
    DirectoryParts,
    ConsoleParts,
    StandardsParts,
    OpenidVerifyingParts,
    PublishingParts {}
