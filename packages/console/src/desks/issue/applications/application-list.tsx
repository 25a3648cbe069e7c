/** The list of the inbox: what waits, newest first, each with who it is. Only what is seen is drawn. */

import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { Button } from '../../../parts/controls/button.tsx';
import { KeyHint } from '../../../parts/controls/key-hint.tsx';
import { Segments } from '../../../parts/controls/segments.tsx';
import { UnreadFilters } from '../../../parts/states/unread-filters.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { IdentityMark } from '../../../parts/written/identity-mark.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { assetPriceText } from '../../../text/price.ts';
import { useDeskWords } from '../../../words/words.ts';
import { type HolderNames, useHolderNames } from '../issuer-names.ts';
import type { ListedApplication } from '../issuer-queries.ts';
import { type InboxSearch, inboxRules, inboxStates, writeInboxSearch } from './inbox-search.ts';

export interface ApplicationListProps {
  readonly title: ReactNode;
  readonly search: InboxSearch;
  readonly onSearch: (search: InboxSearch) => void;
  readonly counts: Readonly<Partial<Record<string, number>>> | undefined;
  readonly templates: readonly { readonly templateId: string; readonly templateName: string }[];
  /** In place of rows: bones, an empty state, a failure. */
  readonly instead: ReactNode;
  readonly rows: readonly ListedApplication[];
  readonly openId: string | undefined;
  readonly ticked: ReadonlySet<string>;
  readonly onTick: (vcId: string) => void;
  readonly onMore: (() => void) | undefined;
  readonly waiting: number;
  readonly onShowWaiting: () => void;
  /** Told where the list is scrolled to, so that nothing jumps under a reader. */
  readonly onScroll: (top: number) => void;
}

const rowHeight = 61;
const overscan = 6;

export function ApplicationList(props: ApplicationListProps) {
  const { title, search, rows, instead, waiting, onShowWaiting, onMore, onScroll } = props;
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox;
  const { nameOf } = useHolderNames(rows);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    getItemKey: (at) => rows[at]?.vcId ?? at,
  });
  return (
    <section className="lst" aria-label={words.shell.places.applications}>
      <div className="lst-head">{title}</div>
      <UnreadFilters rules={inboxRules} />
      <InboxFilters {...props} />
      {waiting > 0 && (
        <div className="table-new">
          <Button
            size="small"
            kind="quiet"
            onClick={() => {
              scroller.current?.scrollTo({ top: 0 });
              onShowWaiting();
            }}
          >
            {words.parts.newRows(waiting)}
          </Button>
        </div>
      )}
      <div className="lst-rows" ref={scroller} onScroll={(event) => onScroll(event.currentTarget.scrollTop)}>
        {instead}
        <ul className="lst-all" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => (
            <li key={key} className="lst-line" style={{ transform: `translateY(${start}px)` }}>
              <ApplicationLine {...props} row={rows[index] as ListedApplication} nameOf={nameOf} />
            </li>
          ))}
        </ul>
        {onMore && (
          <div className="table-more">
            <Button size="small" onClick={onMore}>
              {words.parts.more}
            </Button>
          </div>
        )}
        {search.status === 'Pending' && rows.length > 1 && <p className="hint lst-hint">{texts.tickHint}</p>}
      </div>
      <div className="hint lst-keys">
        <span>
          <KeyHint>J</KeyHint> <KeyHint>K</KeyHint> {texts.keyMove}
        </span>
        <span>
          <KeyHint>X</KeyHint> {texts.keyTick}
        </span>
        <span>
          <KeyHint>E</KeyHint> {texts.keyIssue}
        </span>
        <span>
          <KeyHint>R</KeyHint> {texts.keyReject}
        </span>
      </div>
    </section>
  );
}

function InboxFilters({ search, onSearch, counts, templates }: ApplicationListProps) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox;
  const stateText = (state: (typeof inboxStates)[number]): string => {
    const count = counts?.[state];
    return count === undefined || count === 0 ? texts.states[state] : `${texts.states[state]} ${count}`;
  };
  return (
    <div className="lst-filters">
      <Segments
        label={texts.filterState}
        value={search.status}
        options={inboxStates.map((value) => ({ value, label: stateText(value) }))}
        onChoose={(status) => onSearch({ ...search, status })}
      />
      <div className="row">
        <select
          aria-label={texts.filterTemplate}
          className="fld-input grow"
          value={search.template ?? ''}
          onChange={({ target }) => onSearch({ ...search, template: target.value || undefined })}
        >
          <option value="">{texts.allTemplates}</option>
          {templates.map(({ templateId, templateName }) => (
            <option key={templateId} value={templateId}>
              {templateName}
            </option>
          ))}
        </select>
        <Button
          size="small"
          kind="quiet"
          onClick={() => onSearch({ ...search, order: search.order === 'newest' ? 'oldest' : 'newest' })}
        >
          {texts.orders[search.order]}
        </Button>
      </div>
    </div>
  );
}

function ApplicationLine({
  row,
  search,
  openId,
  ticked,
  onTick,
  nameOf,
}: ApplicationListProps & { readonly row: ListedApplication } & Pick<HolderNames, 'nameOf'>) {
  const { words, language } = useDeskWords('issue');
  const { vcId, holder, templateName, templateId, createdAt, paid, status } = row;
  const name = nameOf(row);
  const canTick = status === 'Pending' || status === 'Approved';
  return (
    <div className="app-i" data-open={vcId === openId}>
      {canTick && (
        <input
          type="checkbox"
          className="check-input"
          aria-label={words.issueInbox.tick(name)}
          checked={ticked.has(vcId)}
          onChange={() => onTick(vcId)}
        />
      )}
      <IdentityMark id={holder} name={name} kind="person" size="medium" />
      <span className="grow">
        <span className="row between">
          <Link
            to="/issue/applications/$vcId"
            params={{ vcId }}
            search={writeInboxSearch(search)}
            className="app-open cut"
            aria-current={vcId === openId ? 'true' : undefined}
          >
            <b>
              <ForeignText text={name} />
            </b>
          </Link>
          <span className="faint hint app-age">
            <Time at={Date.parse(createdAt)} width="narrow" />
          </span>
        </span>
        <span className="row between">
          <span className="muted cut">{templateName ?? templateId}</span>
          {paid && (
            <span className="tag ok">
              {words.issueInbox.paid(assetPriceText(paid, language, words.parts.unitsOf))}
            </span>
          )}
        </span>
      </span>
    </div>
  );
}
