/** The cards of the open wallet, the ledger's word on each, and what is on its way. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useConnection } from '../../../api/api.tsx';
import { useWallet } from '../frame/wallet-context.ts';
import { isToFetch } from './application-states.ts';
import { fetchApplications, fetchCard, ledgerWordOf, type OwnApplication } from './card-intake.ts';
import { type KeptCard, keepWord, readCards, readRemoved, toldWord } from './kept-cards.ts';

const askAgainMs = 15_000;
/** Asked at once, so that a wallet of many cards does not flood a node. */
const wordsAtOnce = 8;

export function useKeptCards() {
  const { vault, did } = useWallet();
  return useQuery({ queryKey: ['wallet', did, 'cards'], queryFn: () => readCards(vault) });
}

/** Numbers of the cards that their owner has removed. */
export function useRemovedCards() {
  const { vault, did } = useWallet();
  return useQuery({ queryKey: ['wallet', did, 'removed'], queryFn: () => readRemoved(vault) });
}

/** Cards with what the ledger says of them now, as far as it answers; else what it said last. */
export function useCards() {
  const wallet = useWallet();
  const kept = useKeptCards();
  const { state } = useConnection();
  const ids = kept.data?.map(({ vcId }) => vcId).join(' ') ?? '';
  const words = useQuery({
    queryKey: ['wallet', wallet.did, 'words', ids, wallet.pins?.credentialRegistry ?? ''],
    queryFn: () => askLedger(wallet, kept.data ?? []),
    enabled: ids !== '' && state !== 'lost',
    refetchInterval: askAgainMs,
  });
  const cards = useMemo(
    () => kept.data?.map((card) => ({ ...card, word: words.data?.get(card.vcId) ?? card.word })),
    [kept.data, words.data],
  );
  return { ...kept, cards, words };
}

/** Also kept, so that it is known without a network, too, and from when. */
async function askLedger(wallet: ReturnType<typeof useWallet>, cards: readonly KeptCard[]) {
  const found = new Map<string, KeptCard['word']>();
  for (let first = 0; first < cards.length; first += wordsAtOnce) {
    const some = cards.slice(first, first + wordsAtOnce);
    const words = await Promise.all(some.map(({ parsed }) => ledgerWordOf(wallet, parsed.credential)));
    for (const [place, now] of words.entries()) {
      const card = some[place] as KeptCard;
      const word = toldWord(card.word, now);
      found.set(card.vcId, word);
      await keepWord(wallet.vault, card, word);
    }
  }
  return found;
}

export function useApplications() {
  const wallet = useWallet();
  const { state } = useConnection();
  return useQuery({
    queryKey: ['wallet', wallet.did, 'applications', wallet.origin],
    queryFn: () => fetchApplications(wallet),
    enabled: wallet.pins !== undefined && state !== 'lost',
    refetchInterval: askAgainMs,
  });
}

export interface Arrival {
  readonly application: OwnApplication;
  /** Why it was not kept; undefined where it was. */
  readonly error: unknown;
}

/** Fetches, verifies and keeps what was issued, is not here yet, and was not removed. */
export function useArrivals() {
  const wallet = useWallet();
  const queries = useQueryClient();
  const kept = useKeptCards();
  const applications = useApplications();
  const removed = useRemovedCards();
  const here = kept.data && removed.data && [...kept.data.map(({ vcId }) => vcId), ...removed.data];
  const waiting = here ? (applications.data ?? []).filter((one) => isToFetch(one, here, Date.now())) : [];
  const ids = waiting.map(({ vcId }) => vcId).join(' ');
  const arriving = useQuery({
    queryKey: ['wallet', wallet.did, 'arrivals', ids],
    queryFn: async () => {
      const arrivals: Arrival[] = [];
      for (const application of waiting) {
        const error: unknown = await fetchCard(wallet, application).then(
          () => undefined,
          (why: unknown) => why,
        );
        arrivals.push({ application, error });
      }
      await queries.invalidateQueries({ queryKey: ['wallet', wallet.did, 'cards'] });
      await queries.invalidateQueries({ queryKey: ['wallet', wallet.did, 'activity'] });
      return arrivals;
    },
    enabled: ids !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isFirstLook = wallet.isSearching || applications.isLoading;
  return {
    isArriving: arriving.isFetching,
    /** Whether a card may be here in a moment: nobody is told before that none is. */
    isLooking: here === undefined || isFirstLook || arriving.isFetching,
    /** Why nobody has said which cards there are. */
    unasked: applications.data ? null : applications.error,
    lookAgain: () => void applications.refetch(),
    waiting,
    refused: (arriving.data ?? []).filter(({ error }) => error),
  };
}
