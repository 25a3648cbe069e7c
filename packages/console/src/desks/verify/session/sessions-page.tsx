/** All sessions of the key, newest first, or the one that the path names. */

import { verificationStates } from '@symbolon/core/presentation/verification-states';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useClients } from '../../../api/api.tsx';
import { useCursorPages } from '../../../api/cursor-pages.ts';
import { failureWords } from '../../../api/failure.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { Icon, type IconName } from '../../../parts/controls/icon.tsx';
import { saveFile } from '../../../parts/controls/save-file.ts';
import { Segments } from '../../../parts/controls/segments.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { type Column, Rows } from '../../../parts/frame/rows.tsx';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { UnreadFilters } from '../../../parts/states/unread-filters.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { csvType } from '../../../text/csv.ts';
import { countText } from '../../../text/numbers.ts';
import { shortSession } from '../../../text/short-ids.ts';
import type { DeskSections } from '../../../words/desk-words.ts';
import { useDeskWords } from '../../../words/words.ts';
import '../verify.css';
import { VerifierOnly } from '../verifier-only.tsx';
import { type SessionRow, sessionCsv } from './session-csv.ts';
import { type SessionStanding, sessionStanding } from './session-facts.ts';
import { SessionPage } from './session-page.tsx';

export default function SessionsPage() {
  const { words } = useDeskWords('verify');
  const { id }: { readonly id?: string } = useParams({ strict: false });
  return (
    <VerifierOnly title={words.verify.sessions.title}>
      {id === undefined ? <SessionList /> : <SessionPage key={id} id={id} />}
    </VerifierOnly>
  );
}

const looks: Readonly<Record<SessionStanding, { readonly tone: string; readonly icon: IconName }>> = {
  CREATED: { tone: 'warn', icon: 'statusWarn' },
  FETCHED: { tone: 'warn', icon: 'shared' },
  VERIFIED: { tone: 'ok', icon: 'statusOk' },
  FAILED: { tone: 'bad', icon: 'statusBad' },
  ABORTED: { tone: 'idle', icon: 'statusIdle' },
  cancelled: { tone: 'idle', icon: 'statusIdle' },
  declined: { tone: 'idle', icon: 'statusIdle' },
  EXPIRED: { tone: 'idle', icon: 'clock' },
  unknown: { tone: 'idle', icon: 'statusWarn' },
};

function SessionState({ session }: { readonly session: SessionRow }) {
  const { words } = useDeskWords('verify');
  const standing = sessionStanding(session);
  const { tone, icon } = looks[standing];
  return (
    <span className={`st ${tone}`}>
      <Icon name={icon} />
      {words.verify.sessions.states[standing]}
    </span>
  );
}

const pageRows = 50;
/** So many sessions go into one file. */
const csvRowsMax = 2_000;
const csvPageRows = 200;

/** Which state the address asks for, and a way to read pages of it. */
function useSessionFilter() {
  const { service } = useClients();
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const status = verificationStates.find((state) => state === search.status);
  const read = async (cursor: string | undefined, limit: number) => {
    const page = await service.listVerifications({
      limit: String(limit),
      ...(status !== undefined && { status }),
      ...(cursor !== undefined && { cursor }),
    });
    return { rows: page.sessions, next: page.nextCursor };
  };
  return { status, read };
}

type ReadPage = ReturnType<typeof useSessionFilter>['read'];

function SessionList() {
  const { words } = useDeskWords('verify');
  const texts = words.verify.sessions;
  const navigate = useNavigate();
  const { status, read } = useSessionFilter();
  const list = useCursorPages(['verify', 'sessions', status ?? ''], (cursor) => read(cursor, pageRows));
  const given = { limit: String(pageRows), ...(status !== undefined && { status }) };
  useShownCode(texts.title, [{ server: 'service', route: 'listVerifications', given }]);
  const choose = (chosen: string): void =>
    void navigate({
      to: '/verify/sessions',
      search: chosen === 'all' ? {} : { status: chosen },
      replace: true,
    });
  return (
    <DeskPage
      title={texts.title}
      text={texts.about}
      acts={<CsvButton isReady={(list.rows?.length ?? 0) > 0} read={read} />}
    >
      <UnreadFilters rules={{ status: verificationStates }} />
      <div className="session-filter">
        <Segments
          label={texts.state}
          value={status ?? 'all'}
          options={[
            { value: 'all', label: texts.all },
            ...verificationStates.map((state) => ({ value: state, label: texts.states[state] })),
          ]}
          onChoose={choose}
        />
      </div>
      <Panel>
        {list.rows === undefined && list.isError && (
          <ErrorState failure={failureWords(list.error, words)} onAgain={() => void list.refetch()} />
        )}
        {list.rows === undefined && !list.isError && <Bones hasMark={false} />}
        {list.rows?.length === 0 && (
          <EmptyState
            title={status === undefined ? texts.none : texts.noneOfState}
            text={status === undefined ? texts.noneWhy : texts.noneOfStateWhy}
          />
        )}
        {list.rows !== undefined && list.rows.length > 0 && (
          <Rows
            label={texts.title}
            columns={columnsOf(texts)}
            rows={list.rows}
            idOf={({ presentationId }) => presentationId}
            hrefOf={({ presentationId }) => `/verify/sessions/${presentationId}`}
            isLoadingMore={list.isFetchingNextPage}
            {...(list.more && { onMore: list.more })}
          />
        )}
      </Panel>
    </DeskPage>
  );
}

const columnsOf = (texts: DeskSections['verify']['sessions']): readonly Column<SessionRow>[] => [
  {
    key: 'purpose',
    title: texts.purpose,
    width: 'minmax(0, 2fr)',
    cell: ({ purpose }) =>
      purpose === undefined ? (
        <span className="faint">{texts.noPurpose}</span>
      ) : (
        <ForeignText text={purpose} />
      ),
  },
  {
    key: 'state',
    title: texts.state,
    width: '150px',
    cell: (session) => <SessionState session={session} />,
  },
  {
    key: 'id',
    title: texts.id,
    width: 'minmax(0, 1fr)',
    cell: ({ presentationId }) => <span className="mono faint">{shortSession(presentationId)}</span>,
  },
  {
    key: 'opened',
    title: texts.opened,
    width: '130px',
    isNumber: true,
    cell: ({ createdAt }) => <Time at={Date.parse(createdAt)} />,
  },
];

/** Everything that is filtered, not only what was read so far. */
function CsvButton({ isReady, read }: { readonly isReady: boolean; readonly read: ReadPage }) {
  const { words, language } = useDeskWords('verify');
  const texts = words.verify.sessions;
  const toast = useToast();
  const saving = useMutation({
    mutationFn: async () => {
      const rows: SessionRow[] = [];
      let next: string | undefined;
      do {
        const page = await read(next, csvPageRows);
        rows.push(...page.rows);
        next = page.next;
      } while (next !== undefined && rows.length < csvRowsMax);
      return { rows, isWhole: next === undefined };
    },
    onSuccess: ({ rows, isWhole }) => {
      saveFile({ name: texts.csvName, type: csvType, contents: sessionCsv(rows) });
      toast({ tone: 'ok', text: isWhole ? texts.csvNote : texts.csvCut(countText(rows.length, language)) });
    },
    onError: (error) => {
      const { title, text } = failureWords(error, words);
      toast({ tone: 'bad', text: `${title}. ${text}` });
    },
  });
  return (
    <Button icon="save" disabled={!isReady || saving.isPending} onClick={() => saving.mutate()}>
      {texts.csv}
    </Button>
  );
}
