/** The draft of this page: read from the address, kept in it while it is short enough, and started anew. */
import { addressOfDid } from '@symbolon/core/did/did';
import { usualKeyFormat } from '@symbolon/sdk/keys/usual-keys';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useChair } from '../../../api/api.tsx';
import { type Draft, memberText, newDraft } from '../draft/draft.ts';
import { draftOfLink, linkOfDraft } from '../draft/draft-link.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the draft in this address was written in this tab: a page that is loaded again still knows. */
    readonly isOwnDraft?: boolean;
  }
}

/** How the draft came: with a link that was opened, not to be read from it, or by the hand of who sits here. */
export type DraftOrigin = 'own' | 'link' | 'broken';

export interface DraftDesk {
  readonly draft: Draft;
  readonly origin: DraftOrigin;
  /** Another one each time that it is begun anew. */
  readonly round: number;
  readonly change: (draft: Draft) => void;
  readonly start: () => void;
}

/** Addresses are not rewritten with every letter: browsers refuse that. */
const writtenAfterMs = 400;

/** The account of whoever sits here. */
export function useOwnAddress(): string | undefined {
  const did = useChair().signedIn?.did;
  return did === undefined ? undefined : addressOfDid(did, usualKeyFormat);
}

interface Kept {
  readonly draft: Draft;
  readonly origin: DraftOrigin;
  /** Whether anybody has changed it here. */
  readonly isTouched: boolean;
}

interface LinkFacts {
  readonly link: string | undefined;
  /** Whether this tab has written it. */
  readonly isOwn: boolean;
}

function readKept({ link, isOwn }: LinkFacts, source: string | undefined): Kept {
  if (link === undefined) return { draft: newDraft(source), origin: 'own', isTouched: false };
  const draft = draftOfLink(link);
  return draft
    ? { draft, origin: isOwn ? 'own' : 'link', isTouched: false }
    : { draft: newDraft(source), origin: 'broken', isTouched: false };
}

export function useDraft(): DraftDesk {
  const navigate = useNavigate();
  const own = useOwnAddress();
  const search: { readonly draft?: unknown } = useSearch({ strict: false });
  const link = search.draft === undefined ? undefined : String(search.draft);
  const isOwn = useLocation().state.isOwnDraft === true;
  const [kept, setKept] = useState(() => readKept({ link, isOwn }, own));
  const [round, setRound] = useState(0);
  const written = useRef(link);
  useEffect(() => {
    if (link === written.current) return;
    written.current = link;
    setKept(readKept({ link, isOwn }, own));
  }, [link, isOwn, own]);
  // Who sits here is known a moment later than the page.
  useEffect(() => {
    if (own === undefined) return;
    setKept((before) =>
      before.isTouched || before.origin === 'link' || memberText(before.draft, ['source_address']) !== ''
        ? before
        : { ...before, draft: { ...before.draft, source_address: own } },
    );
  }, [own]);
  const { draft, origin, isTouched } = kept;
  useEffect(() => {
    if (!isTouched) return undefined;
    const timer = setTimeout(() => {
      const next = linkOfDraft(draft);
      written.current = next;
      void navigate({
        to: '/lab/build',
        search: next === undefined ? {} : { draft: next },
        state: { isOwnDraft: origin === 'own' },
        replace: true,
      });
    }, writtenAfterMs);
    return () => clearTimeout(timer);
  }, [draft, origin, isTouched, navigate]);
  return {
    draft,
    origin,
    round,
    // Whoever changes a stranger's draft has not written the rest of it.
    change: (next) => setKept({ draft: next, origin: origin === 'link' ? 'link' : 'own', isTouched: true }),
    start() {
      setKept({ draft: newDraft(own), origin: 'own', isTouched: true });
      setRound(round + 1);
    },
  };
}
