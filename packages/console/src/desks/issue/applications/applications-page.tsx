/** The inbox: a list, the application that is open, and what comes of it. Filters and what is open stand in the address. */
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { useCursorPages } from '../../../api/cursor-pages.ts';
import { failureWords } from '../../../api/failure.ts';
import { useKeys } from '../../../keys/keys.tsx';
import { usePageTitle } from '../../../parts/frame/page-title.ts';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { useDeskWords } from '../../../words/words.ts';
import '../issue.css';
import { issuerKey, useIssuerCounts } from '../../../api/issuer-counts.ts';
import { useIssuerNews } from '../../../api/issuer-news.ts';
import { useHolderNames, useOwnIssuer } from '../issuer-names.ts';
import { type ListedApplication, useIssuerRenewal } from '../issuer-queries.ts';
import { useTemplateChoices } from '../templates/reading/template-queries.ts';
import { ApplicationList } from './application-list.tsx';
import { EmptyInbox } from './empty-inbox.tsx';
import { type InboxSearch, inboxQuestion, readInboxSearch, writeInboxSearch } from './inbox-search.ts';
import { Preview } from './preview.tsx';
import { Review, type Reviewed } from './review.tsx';
import { useReview } from './review-query.ts';
import { SeveralPanel } from './several-panel.tsx';

/** Scrolled down further than this, a reader reads: nothing is put above it. */
const topPixels = 40;

function useApplications(search: InboxSearch) {
  const { service } = useClients();
  return useCursorPages<ListedApplication>([issuerKey, 'applications', search], async (cursor) => {
    const { applications, nextCursor } = await service.listApplications({
      ...inboxQuestion(search),
      ...(cursor !== undefined && { cursor }),
    });
    return { rows: applications, next: nextCursor };
  });
}

/** Reads lists again when something happened; what is new waits while somebody reads further down. */
function useNewApplications() {
  const renew = useIssuerRenewal();
  const top = useRef(0);
  const [waiting, setWaiting] = useState(0);
  useIssuerNews({
    onEvent: ({ event }) => {
      if (!/^(application|credential|offer)\./.test(event)) return;
      if (event === 'application.received' && top.current > topPixels) setWaiting((count) => count + 1);
      else renew();
    },
    onGap: renew,
  });
  return {
    waiting,
    show: () => {
      setWaiting(0);
      renew();
    },
    onScroll: (at: number) => {
      top.current = at;
    },
  };
}

export default function ApplicationsPage() {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox;
  const navigate = useNavigate();
  const { vcId } = useParams({ strict: false });
  const search = readInboxSearch(useSearch({ strict: false }));
  const list = useApplications(search);
  const rows = list.rows ?? [];
  const counts = useIssuerCounts().data?.applications;
  const templates = useTemplateChoices(useOwnIssuer().did).data ?? [];
  const news = useNewApplications();
  const [ticked, setTicked] = useState<ReadonlyMap<string, ListedApplication>>(new Map());
  const open = (id: string): void =>
    void navigate({
      to: '/issue/applications/$vcId',
      params: { vcId: id },
      search: writeInboxSearch(search),
    });
  const tick = (id: string): void => {
    const row = rows.find((one) => one.vcId === id);
    setTicked((before) => {
      const next = new Map(before);
      if (!next.delete(id) && row) next.set(id, row);
      return next;
    });
  };
  useInboxKeys(rows, vcId, { open, tick });
  const several = [...ticked.values()];
  const review = useReview(several.length > 0 ? undefined : vcId);
  const listed = rows.find((row) => row.vcId === vcId);
  const title = useTitle(vcId !== undefined, listed ?? review.data?.shown, counts?.Pending);
  useShownCode(words.shell.places.applications, [
    { server: 'service', route: 'listApplications', given: { ...inboxQuestion(search) } },
    { server: 'service', route: 'countIssuerRecords' },
  ]);
  const next = nextOf(rows, vcId);
  return (
    <div className="desk" data-open={several.length > 0 ? 'several' : vcId === undefined ? 'none' : 'one'}>
      <ApplicationList
        title={vcId === undefined && several.length === 0 ? <h1>{title}</h1> : <h2>{title}</h2>}
        search={search}
        onSearch={(chosen) =>
          void navigate({ to: '/issue/applications', search: writeInboxSearch(chosen), replace: true })
        }
        counts={counts}
        templates={templates}
        instead={<InsteadOfRows list={list} search={search} />}
        rows={rows}
        openId={vcId}
        ticked={new Set(ticked.keys())}
        onTick={tick}
        onMore={list.more}
        waiting={news.waiting}
        onShowWaiting={news.show}
        onScroll={news.onScroll}
      />
      {several.length > 0 ? (
        <>
          <section className="rev">
            <SeveralPanel rows={several} onClear={() => setTicked(new Map())} />
          </section>
          <Preview review={undefined} reviewed={undefined} />
        </>
      ) : vcId === undefined ? (
        <>
          <section className="rev rev-none">
            <EmptyState title={texts.choose} text={texts.chooseWhy} />
          </section>
          <Preview review={undefined} reviewed={undefined} />
        </>
      ) : (
        <OpenApplication
          key={vcId}
          review={review}
          search={search}
          onNext={next === undefined ? undefined : () => open(next)}
        />
      )}
    </div>
  );
}

/** The one below the open one; that which is open may have left the list by now. */
function nextOf(rows: readonly ListedApplication[], vcId: string | undefined): string | undefined {
  const at = rows.findIndex((row) => row.vcId === vcId);
  return rows[at === -1 ? 0 : at + 1]?.vcId;
}

/** `open` is in the list as long as it is what the list is filtered by, and is read in any case. */
function useTitle(
  isOpen: boolean,
  open: Pick<ListedApplication, 'templateName' | 'label' | 'holder'> | undefined,
  pending: number | undefined,
): string {
  const { words } = useDeskWords('issue');
  const { places } = words.shell;
  const title = pending === undefined ? places.applications : words.issueInbox.waiting(pending);
  const window = isOpen ? (open?.templateName ?? places.applications) : title;
  const { nameOf } = useHolderNames([open]);
  usePageTitle(window, open && nameOf(open));
  return title;
}

interface InboxActs {
  readonly open: (vcId: string) => void;
  readonly tick: (vcId: string) => void;
}

function useInboxKeys(
  rows: readonly ListedApplication[],
  vcId: string | undefined,
  { open, tick }: InboxActs,
): void {
  const { words } = useDeskWords('issue');
  const { keys } = words.shell;
  const at = rows.findIndex((row) => row.vcId === vcId);
  const move = (step: number): void => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, at === -1 ? 0 : at + step))];
    if (!row) return;
    // What was chosen by hand before would go on hearing Enter.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    open(row.vcId);
  };
  const group = 'lists';
  useKeys([
    { keys: 'j', title: keys.down, group, act: () => move(1) },
    { keys: 'k', title: keys.up, group, act: () => move(-1) },
    { keys: 'x', title: keys.tick, group, act: () => vcId !== undefined && tick(vcId) },
  ]);
}

interface InsteadProps {
  readonly list: ReturnType<typeof useApplications>;
  readonly search: InboxSearch;
}

function InsteadOfRows({ list, search }: InsteadProps) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox;
  if (list.rows === undefined)
    return list.isError ? (
      <ErrorState failure={failureWords(list.error, words)} onAgain={() => void list.refetch()} />
    ) : (
      <Bones rows={4} />
    );
  if (list.rows.length > 0) return null;
  return search.status === 'Pending' && search.template === undefined ? (
    <EmptyInbox />
  ) : (
    <EmptyState title={texts.emptyFiltered}>
      <Link to="/issue/applications" className="btn sm">
        {texts.showPending}
      </Link>
    </EmptyState>
  );
}

interface OpenApplicationProps {
  readonly review: ReturnType<typeof useReview>;
  readonly search: InboxSearch;
  readonly onNext: (() => void) | undefined;
}

function OpenApplication({ review, search, onNext }: OpenApplicationProps) {
  const { words } = useDeskWords('issue');
  const [reviewed, setReviewed] = useState<Reviewed>();
  return (
    <>
      <section className="rev" aria-label={words.issueInbox.reviewLabel}>
        <Link
          to="/issue/applications"
          search={writeInboxSearch(search)}
          className="btn sm quiet only-m rev-back"
        >
          {words.issueInbox.toList}
        </Link>
        {review.data === undefined && review.isError && (
          <ErrorState failure={failureWords(review.error, words)} onAgain={() => void review.refetch()} />
        )}
        {review.data === undefined && !review.isError && <Bones rows={7} hasMark={false} />}
        {review.data && <Review review={review.data} onNext={onNext} onReviewed={setReviewed} />}
      </section>
      <Preview review={review.data} reviewed={reviewed} />
    </>
  );
}
