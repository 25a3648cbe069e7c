/** The audit log, for whoever runs the service: who did what, and how far the ledger holds its hash. */

import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useClients, useConsoleConfig } from '../../api/api.tsx';
import type { Clients } from '../../api/clients.ts';
import { useCursorPages } from '../../api/cursor-pages.ts';
import { failureWords } from '../../api/failure.ts';
import type { CodeRequest } from '../../code/code-request.ts';
import { shellQuoted } from '../../code/shell-quoted.ts';
import { Button } from '../../parts/controls/button.tsx';
import { DeskPage } from '../../parts/frame/desk-page.tsx';
import type { Column } from '../../parts/frame/rows.tsx';
import { UnreadFilters } from '../../parts/states/unread-filters.tsx';
import { Hash } from '../../parts/written/hash.tsx';
import { Time } from '../../parts/written/time.tsx';
import { useShownCode } from '../../shell/shown-code.tsx';
import { countText } from '../../text/numbers.ts';
import { unreadFilters } from '../../text/unread-filters.ts';
import type { DeskWords } from '../../words/desk-words.ts';
import { useDeskWords } from '../../words/words.ts';
import { AuditEntryPage } from './audit-entry.tsx';
import './dev.css';
import { ListPanel } from './list-panel.tsx';
import { AuditOutcome } from './outcome.tsx';
import { auditRules, readAuditSearch } from './searches.ts';

type AuditEntry = Awaited<ReturnType<Clients['service']['listAuditEntries']>>['entries'][number];

const pageRows = 50;

interface AuditFilter {
  readonly action: string | undefined;
  readonly subject: string | undefined;
}

const given = ({ action, subject }: AuditFilter) => ({
  ...(action !== undefined && { action }),
  ...(subject !== undefined && { subject }),
});

function useAuditEntries(filter: AuditFilter) {
  const { service } = useClients();
  return useCursorPages<AuditEntry>(['dev', 'audit', filter], async (cursor) => {
    const { entries, nextCursor } = await service.listAuditEntries({
      limit: String(pageRows),
      ...given(filter),
      ...(cursor !== undefined && { cursor }),
    });
    return { rows: entries, next: nextCursor };
  });
}

/** Where `npm start` has the demo's service; elsewhere whoever runs it knows. */
const usualDemoFolder = '.symbolon/dev';
const operatorCommand = (folder: string): string =>
  `npm run symbolon -- service key create --data ${folder} --scope admin --label operator`;

/** Whoever may not read it is told who may, and how to become that. */
function useOperatorFailure(): typeof failureWords {
  const { words } = useDeskWords('dev');
  const { people = [], demoFolder = usualDemoFolder } = useConsoleConfig() ?? {};
  return (error, frame) => {
    const failure = failureWords(error, frame);
    if (failure.code !== 'notAllowed') return failure;
    const command = operatorCommand(people.length > 0 ? shellQuoted(`${demoFolder}/service`) : 'FOLDER');
    return { ...failure, advice: words.dev.audit.operatorOnly, command };
  };
}

export default function AuditPage() {
  const { sequence } = useParams({ strict: false }) as { readonly sequence?: string };
  return sequence === undefined ? <AuditList /> : <AuditEntryPage sequence={sequence} />;
}

function AuditList() {
  const { words } = useDeskWords('dev');
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const filter = readAuditSearch(search);
  const query = useAuditEntries(filter);
  const { audit } = words.dev;
  const requests: readonly CodeRequest[] = [
    { server: 'service', route: 'listAuditEntries', given: { limit: String(pageRows), ...given(filter) } },
    { server: 'service', route: 'getAuditHead' },
  ];
  useShownCode(audit.title, requests);
  return (
    <DeskPage title={audit.title} text={<AuditHead />}>
      <UnreadFilters rules={auditRules} />
      <AuditFilters key={JSON.stringify(search)} search={search} />
      <ListPanel
        failureOf={useOperatorFailure()}
        query={query}
        label={audit.title}
        columns={columnsOf(words)}
        idOf={({ sequence }) => String(sequence)}
        hrefOf={({ sequence }) => `/dev/audit/${sequence}`}
        empty={{ title: audit.empty, text: audit.emptyWhy }}
      />
    </DeskPage>
  );
}

/** The last hash, and which one the ledger holds. */
function AuditHead() {
  const { words, language } = useDeskWords('dev');
  const { service } = useClients();
  const { data } = useQuery({ queryKey: ['dev', 'audit', 'head'], queryFn: () => service.getAuditHead() });
  const { audit } = words.dev;
  if (!data) return audit.about;
  const { sequence, hash, anchor } = data;
  return (
    <span className="row wrap">
      {audit.head(countText(sequence, language))} <Hash hash={hash} />
      {anchor === null ? (
        audit.notAnchored
      ) : (
        <>
          {audit.anchored(countText(anchor.sequence, language))} <Time at={Date.parse(anchor.time)} />
        </>
      )}
    </span>
  );
}

const shownText = (value: unknown): string => (value === undefined ? '' : String(value));

/** What nobody knows stands in its field, too, to be corrected there. */
function AuditFilters({ search }: { readonly search: Readonly<Record<string, unknown>> }) {
  const { words } = useDeskWords('dev');
  const navigate = useNavigate();
  const [action, setAction] = useState(shownText(search.action));
  const [subject, setSubject] = useState(shownText(search.subject));
  const { audit } = words.dev;
  return (
    <form
      className="dev-filters"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = { action: action.trim() || undefined, subject: subject.trim() || undefined };
        void navigate({ to: '/dev/audit', search: given(typed) });
      }}
    >
      <TextInput
        label={audit.action}
        placeholder="credential.issue"
        value={action}
        error={unreadFilters({ action: search.action }, auditRules).length > 0}
        onChange={(event) => setAction(event.target.value)}
      />
      <TextInput
        label={audit.subject}
        placeholder="did:zid:"
        value={subject}
        onChange={(event) => setSubject(event.target.value)}
      />
      <Button type="submit" icon="search">
        {audit.filter}
      </Button>
    </form>
  );
}

const columnsOf = ({ dev: { audit } }: DeskWords<'dev'>): readonly Column<AuditEntry>[] => [
  {
    key: 'action',
    title: audit.action,
    width: 'minmax(0, 1.4fr)',
    cell: ({ action, sequence }) => (
      <span className="row">
        <span className="num faint">{sequence}</span> <b className="cut">{action}</b>
      </span>
    ),
  },
  {
    key: 'actor',
    title: audit.actor,
    width: 'minmax(0, 1fr)',
    isHiddenOnPhone: true,
    cell: ({ actor }) => <span className="mono">{actor ?? audit.nobody}</span>,
  },
  {
    key: 'subject',
    title: audit.subject,
    width: 'minmax(0, 1.6fr)',
    isHiddenOnPhone: true,
    cell: ({ subject }) => <span className="mono">{subject ?? ''}</span>,
  },
  { key: 'outcome', title: audit.outcome, width: '110px', cell: (entry) => <AuditOutcome {...entry} /> },
  {
    key: 'time',
    title: audit.time,
    width: '100px',
    isNumber: true,
    cell: ({ time }) => <Time at={Date.parse(time)} width="narrow" />,
  },
];
