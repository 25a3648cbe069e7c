/** The table of what is issued: filters in the address, pages by cursor, ticks for several, the whole as CSV. */

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { useCursorPages } from '../../../api/cursor-pages.ts';
import { failureWords } from '../../../api/failure.ts';
import { issuerKey, useIssuerCounts } from '../../../api/issuer-counts.ts';
import { useIssuerNews } from '../../../api/issuer-news.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { saveFile } from '../../../parts/controls/save-file.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { type Column, Rows } from '../../../parts/frame/rows.tsx';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { UnreadFilters } from '../../../parts/states/unread-filters.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { Who } from '../../../parts/written/who.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { csvType } from '../../../text/csv.ts';
import { countText } from '../../../text/numbers.ts';
import { lastDayText } from '../../../text/times.ts';
import { useDeskWords } from '../../../words/words.ts';
import { useLedgerWays } from '../applications/recorded-note.tsx';
import { IssuedStatus } from '../issued-status.tsx';
import { type HolderNames, useHolderNames } from '../issuer-names.ts';
import { type ListedCredential, useIssuerRenewal } from '../issuer-queries.ts';
import { issuedCsv } from './issued-csv.ts';
import { IssuedFilters } from './issued-filters.tsx';
import {
  type IssuedSearch,
  issuedQuestion,
  issuedRules,
  readIssuedSearch,
  writeIssuedSearch,
} from './issued-search.ts';
import { RevokeSeveral } from './revoke-several.tsx';

type Basis = { readonly source: 'ledger' | 'records'; readonly ledgerSeq: string | null };

function useIssued(search: IssuedSearch) {
  const { service } = useClients();
  const [basis, setBasis] = useState<Basis>();
  const list = useCursorPages<ListedCredential>([issuerKey, 'issued', search], async (cursor) => {
    const { issued, nextCursor, asOf } = await service.listIssued({
      ...issuedQuestion(search),
      ...(cursor !== undefined && { cursor }),
    });
    setBasis(asOf);
    return { rows: issued, next: nextCursor };
  });
  return { ...list, basis };
}

export function IssuedTable() {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox.issuedList;
  const navigate = useNavigate();
  const search = readIssuedSearch(useSearch({ strict: false }));
  const list = useIssued(search);
  const rows = list.rows ?? [];
  const counts = useIssuerCounts().data?.issued;
  const total = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  const renew = useIssuerRenewal();
  useIssuerNews({ onEvent: ({ event }) => event.startsWith('credential.') && renew(), onGap: renew });
  const { ticked, tick, keep } = useTicks();
  useShownCode(words.shell.places.issued, [
    { server: 'service', route: 'listIssued', given: { ...issuedQuestion(search) } },
  ]);
  const { nameOf } = useHolderNames(rows);
  const columns = useColumns(nameOf);
  return (
    <DeskPage
      title={total === undefined ? words.shell.places.issued : texts.title(total)}
      text={<BasisText basis={list.basis} />}
      acts={<CsvButton search={search} />}
    >
      <UnreadFilters rules={issuedRules} />
      <Panel>
        <IssuedFilters
          search={search}
          onSearch={(chosen) =>
            void navigate({ to: '/issue/issued', search: writeIssuedSearch(chosen), replace: true })
          }
        />
        <TickedBar ticked={ticked} onKeep={keep} />
        {list.rows === undefined && list.isError && (
          <ErrorState failure={failureWords(list.error, words)} onAgain={() => void list.refetch()} />
        )}
        {list.rows === undefined && !list.isError && <Bones rows={6} />}
        {list.rows?.length === 0 && list.more === undefined && <NoRows search={search} />}
        {(rows.length > 0 || list.more !== undefined) && (
          <Rows
            label={words.shell.places.issued}
            columns={columns}
            rows={rows}
            idOf={({ vcId }) => vcId}
            hrefOf={({ vcId }) => `/issue/issued/${encodeURIComponent(vcId)}`}
            onTick={tick}
            ticks={{
              ids: new Set(ticked.keys()),
              labelOf: (row) => words.issueInbox.tick(nameOf(row)),
              canTick: isRevocable,
            }}
            isLoadingMore={list.isFetchingNextPage}
            {...(list.more && { onMore: list.more })}
          />
        )}
      </Panel>
    </DeskPage>
  );
}

/** On whose word the statuses are, and as of when. */
function BasisText({ basis }: { readonly basis: Basis | undefined }) {
  const { words, language } = useDeskWords('issue');
  const texts = words.issueInbox.issuedList;
  if (basis?.source === 'records') return texts.fromRecords;
  const block = basis?.ledgerSeq ?? undefined;
  return block === undefined
    ? texts.about
    : `${texts.about} ${texts.asOf(countText(BigInt(block), language))}`;
}

type TickedRows = ReadonlyMap<string, ListedCredential>;

function useTicks() {
  const [ticked, setTicked] = useState<TickedRows>(new Map());
  return {
    ticked,
    tick: (row: ListedCredential): void =>
      setTicked((before) => {
        const next = new Map(before);
        if (!next.delete(row.vcId) && isRevocable(row)) next.set(row.vcId, row);
        return next;
      }),
    keep: (isKept: (vcId: string) => boolean): void =>
      setTicked((before) => new Map([...before].filter(([vcId]) => isKept(vcId)))),
  };
}

interface TickedBarProps {
  readonly ticked: TickedRows;
  readonly onKeep: (isKept: (vcId: string) => boolean) => void;
}

/** What can be done with those that are ticked. */
function TickedBar({ ticked, onKeep }: TickedBarProps) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox.issuedList;
  const [isRevoking, setRevoking] = useState(false);
  if (ticked.size === 0) return null;
  return (
    <div className="ticked-bar">
      <span className="grow">{texts.ticked(ticked.size)}</span>
      <Button size="small" kind="bad" onClick={() => setRevoking(true)}>
        {texts.revokeTicked}…
      </Button>
      <Button size="small" kind="quiet" onClick={() => onKeep(() => false)}>
        {words.issueInbox.untick}
      </Button>
      {isRevoking && (
        <RevokeSeveral
          rows={[...ticked.values()]}
          onClose={(revoked) => {
            setRevoking(false);
            onKeep((vcId) => !revoked.includes(vcId));
          }}
        />
      )}
    </div>
  );
}

const isRevocable = ({ status }: ListedCredential): boolean => status !== 'Revoked' && status !== 'Missing';

function NoRows({ search }: { readonly search: IssuedSearch }) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox.issuedList;
  return Object.keys(writeIssuedSearch(search)).length > 0 ? (
    <EmptyState title={texts.none} />
  ) : (
    <EmptyState title={texts.empty} text={texts.emptyWhy} />
  );
}

function useColumns(nameOf: HolderNames['nameOf']): readonly Column<ListedCredential>[] {
  const { words, language } = useDeskWords('issue');
  const texts = words.issueInbox.issuedList;
  const ways = useLedgerWays();
  return [
    {
      key: 'holder',
      title: texts.holder,
      width: 'minmax(0, 1.3fr)',
      cell: (row) => <Who id={row.holder} name={nameOf(row)} kind="person" />,
    },
    {
      key: 'status',
      title: texts.status,
      width: '128px',
      cell: (row) => <IssuedStatus one={row} />,
    },
    {
      key: 'template',
      title: texts.template,
      width: 'minmax(0, 1.2fr)',
      cell: ({ templateName, templateId }) => <span className="muted">{templateName ?? templateId}</span>,
    },
    {
      key: 'valid',
      title: texts.valid,
      width: '132px',
      isHiddenOnPhone: true,
      cell: ({ validUntil }) =>
        validUntil === null ? (
          <span className="faint">{words.issueInbox.detail.unknown}</span>
        ) : (
          words.parts.until(lastDayText(Date.parse(validUntil), language))
        ),
    },
    {
      key: 'block',
      title: texts.block,
      width: '76px',
      isHiddenOnPhone: true,
      cell: ({ ledgerSeq }) =>
        ledgerSeq === null ? null : <Block number={Number(ledgerSeq)} {...ways.block(Number(ledgerSeq))} />,
    },
    {
      key: 'transaction',
      title: texts.transaction,
      width: '112px',
      isHiddenOnPhone: true,
      cell: ({ txHash }) => <Hash hash={txHash} {...ways.transaction(txHash)} />,
    },
    {
      key: 'issuedAt',
      title: texts.issuedAt,
      width: '104px',
      isNumber: true,
      cell: ({ issuedAt }) => (
        <span className="muted">
          <Time at={Date.parse(issuedAt)} />
        </span>
      ),
    },
  ];
}

/** A browser's memory is not a database: whoever has more narrows the filters. */
const csvRowsMax = 10_000;
const csvPage = '200';

function CsvButton({ search }: { readonly search: IssuedSearch }) {
  const { words, language } = useDeskWords('issue');
  const texts = words.issueInbox.issuedList;
  const { service } = useClients();
  const toast = useToast();
  const [isWorking, setWorking] = useState(false);
  const save = async (): Promise<void> => {
    setWorking(true);
    try {
      const rows: ListedCredential[] = [];
      let cursor: string | undefined;
      do {
        const page = await service.listIssued({
          ...issuedQuestion(search),
          limit: csvPage,
          ...(cursor !== undefined && { cursor }),
        });
        rows.push(...page.issued);
        cursor = page.nextCursor;
      } while (cursor !== undefined && rows.length < csvRowsMax);
      if (cursor !== undefined)
        toast({ tone: 'plain', text: texts.csvCut(countText(rows.length, language)) });
      saveFile({ name: 'issued.csv', type: csvType, contents: issuedCsv(rows) });
    } catch (error) {
      const { title, text } = failureWords(error, words);
      toast({ tone: 'bad', text: `${title}. ${text}` });
    } finally {
      setWorking(false);
    }
  };
  return (
    <Button icon="save" disabled={isWorking} onClick={() => void save()}>
      {isWorking ? texts.csvWorking : texts.csv}
    </Button>
  );
}
