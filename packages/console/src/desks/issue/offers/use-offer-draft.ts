/** What stands in the form of a new offer, also for whoever leaves it and comes back. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { chairDrafts } from '../../../api/chair-drafts.ts';
import type { OfferAttempt } from './offer-attempt.ts';
import { blankOffer, type OfferDraft } from './offer-draft.ts';

export function useOfferDraft(templateId: string) {
  const drafts = chairDrafts<OfferDraft>(useQueryClient(), 'offer');
  const attempts = chairDrafts<OfferAttempt>(useQueryClient(), 'offer-attempt');
  const [draft, setDraft] = useState(() => drafts.read(templateId) ?? blankOffer);
  return {
    draft,
    attempt: {
      read: () => attempts.read(templateId),
      keep: (attempt: OfferAttempt): void => attempts.keep(templateId, attempt),
      forget: (): void => attempts.forget(templateId),
    },
    type: (next: OfferDraft): void => {
      setDraft(next);
      drafts.keep(templateId, next);
    },
    /** Made, it stands on the page still, and is no draft any more. */
    forget: (): void => drafts.forget(templateId),
    discard: (): void => {
      setDraft(blankOffer);
      drafts.forget(templateId);
    },
  };
}
