/**
 * What the owner of a wallet does with a request: share, decline, or hand in once more what no answer came to. What leaves
 * is noted in the vault before it does, and what came of it after. One tab at a time makes an answer, and looks before.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { useDeskWords } from '../../../words/words.ts';
import {
  readActivity,
  recordDeclined,
  recordSent,
  type SentEntry,
  sentFor,
  settleSent,
} from '../activity/activity-log.ts';
import { useActivity } from '../activity/use-activity.ts';
import { type OpenWallet, useWallet } from '../frame/wallet-context.ts';
import { type Agreement, assertAgreed, oneAtATime } from './agreed-answer.ts';
import {
  declineRequest,
  type FetchedRequest,
  isNotTaken,
  makeAnswer,
  type ShareStep,
  submitAnswer,
} from './open-request.ts';
import { sharedParts } from './shared-parts.ts';

async function submitNoted(wallet: OpenWallet, sent: SentEntry) {
  try {
    const submitted = await submitAnswer(wallet, sent);
    await settleSent(wallet.vault, sent, { isVerified: submitted.reply.verified });
    return { ...submitted, sent };
  } catch (error) {
    if (isNotTaken(error)) await settleSent(wallet.vault, sent, {});
    throw error;
  }
}

export interface SharingOrder extends Pick<Agreement, 'parts' | 'planAgain'> {
  readonly request: FetchedRequest;
}

export function useAnswering(id: string) {
  const { words, language } = useDeskWords('wallet');
  const wallet = useWallet();
  const queries = useQueryClient();
  const activity = useActivity();
  const [step, setStep] = useState<ShareStep>();
  /** The owner would rather decide anew than hand the same in again. */
  const [isAnew, setAnew] = useState(false);
  const again = () => queries.invalidateQueries({ queryKey: ['wallet', wallet.did, 'activity'] });
  // Not before the activity tells of it: until then nothing else can be begun.
  const onSettled = async () => {
    await again();
    setStep(undefined);
  };
  const sharing = useSingleMutation({
    mutationFn: async ({ request, parts, planAgain }: SharingOrder) => {
      const entries = activity.data ?? [];
      setStep('turn');
      const sent = await oneAtATime(wallet.did, async () => {
        assertAgreed(id, { parts, entries, planAgain }, await readActivity(wallet.vault));
        const presentation = await makeAnswer(wallet, { request, parts }, setStep);
        const { asker, purpose } = request;
        return recordSent(wallet.vault, {
          request: id,
          asker,
          ...(purpose !== undefined && { purpose }),
          parts: sharedParts(parts, { words, language, now: Date.now() }),
          presentation,
        });
      });
      setStep('sending');
      setAnew(false);
      return submitNoted(wallet, sent);
    },
    onSettled,
  });
  const sendingAgain = useSingleMutation({
    mutationFn: (sent: SentEntry) => {
      setStep('sending');
      return submitNoted(wallet, sent);
    },
    onSettled,
  });
  const declining = useSingleMutation({
    mutationFn: async (request: FetchedRequest) => {
      await declineRequest(wallet, request);
      await recordDeclined(wallet.vault, { request: id, asker: request.asker });
    },
    onSuccess: again,
  });
  const acts = [sharing, sendingAgain, declining] as const;
  return {
    activity,
    step,
    share: sharing.mutate,
    sendAgain: sendingAgain.mutate,
    decline: declining.mutate,
    decideAnew: () => {
      setAnew(true);
      sharing.reset();
      sendingAgain.reset();
    },
    isBusy: acts.some(({ isPending }) => isPending),
    isDeclined: declining.isSuccess,
    answered: sendingAgain.data ?? sharing.data,
    /** What was shared from here, of which card; what was sent before this page was opened is known by the activity. */
    shown: sharing.variables?.parts ?? [],
    /** What left while nobody knows whether it arrived; not while it is on its way. */
    sent: isAnew || sharing.isPending ? undefined : sentFor(activity.data ?? [], id),
    error: sendingAgain.error ?? sharing.error ?? declining.error,
  };
}

export type Answering = ReturnType<typeof useAnswering>;
