/** The words about an offer that `offer new` and `offer many` share, as the service takes them. */
import { given } from '@symbolon/core/basics/plain-values';

export interface OfferTermWords {
  /** Unsaid, a renewed offer has one if it had one. */
  readonly pin?: boolean;
  /** In seconds. */
  readonly expires?: number;
  readonly renew?: boolean;
  readonly free?: boolean;
}

export const offerTerms = ({ pin, expires, renew, free }: OfferTermWords) =>
  given({ txCode: pin, expiresInSeconds: expires, renew, waivePrice: free });
