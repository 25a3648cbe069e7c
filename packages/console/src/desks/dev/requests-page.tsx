/** What was answered to one's own calls: no bodies and no values, by the key that made them. Filters stand in the URL. */

import { Select } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useChair } from '../../api/api.tsx';
import { Segments } from '../../parts/controls/segments.tsx';
import { Switch } from '../../parts/controls/switch.tsx';
import { DeskPage } from '../../parts/frame/desk-page.tsx';
import type { Column } from '../../parts/frame/rows.tsx';
import { UnreadFilters } from '../../parts/states/unread-filters.tsx';
import { Time } from '../../parts/written/time.tsx';
import { useShownCode } from '../../shell/shown-code.tsx';
import type { DeskWords } from '../../words/desk-words.ts';
import { useDeskWords } from '../../words/words.ts';
import { AnswerStatus } from './answer-status.tsx';
import './dev.css';
import { ListPanel } from './list-panel.tsx';
import { RequestDetail } from './request-detail.tsx';
import { isListed, type RequestSearch, readRequestSearch, requestRules } from './searches.ts';
import { useApiKeys } from './use-api-keys.ts';
import { type OwnRequest, requestRows, useLoggedRequests } from './use-logged-requests.ts';

export default function RequestLogPage() {
  const { requestId } = useParams({ strict: false }) as { readonly requestId?: string };
  const search = readRequestSearch(useSearch({ strict: false }));
  return requestId === undefined ? (
    <RequestList search={search} />
  ) : (
    <RequestDetail requestId={requestId} keyId={search.key} />
  );
}

function RequestList({ search }: { readonly search: RequestSearch }) {
  const { key, outcome, own } = search;
  const { words } = useDeskWords('dev');
  const navigate = useNavigate();
  const { signedIn } = useChair();
  const keys = useApiKeys().rows ?? [];
  const query = useLoggedRequests(key);
  const rows = query.rows?.filter((one) => isListed(one, search));
  const { requests } = words.dev;
  useShownCode(requests.title, [
    {
      server: 'service',
      route: 'listRequests',
      given: { limit: String(requestRows), ...(key !== undefined && { key }) },
    },
  ]);
  const look = (next: Partial<RequestSearch>): void => {
    const chosen = { ...search, ...next };
    void navigate({
      to: '/dev/requests',
      search: {
        ...(chosen.key !== undefined && { key: chosen.key }),
        ...(chosen.outcome !== 'all' && { outcome: chosen.outcome }),
        ...(chosen.own && { own: true }),
      },
    });
  };
  return (
    <DeskPage title={requests.title} text={requests.about}>
      <UnreadFilters rules={requestRules} />
      <div className="dev-filters">
        <Select
          label={requests.ofKey}
          data={keys.map(({ id, label }) => ({ value: id, label: `${label} · ${id}` }))}
          value={key ?? signedIn?.keyId ?? null}
          allowDeselect={false}
          onChange={(value) => look({ key: value ?? undefined })}
        />
        <Segments
          label={requests.outcome}
          value={outcome}
          options={(['all', 'refused'] as const).map((value) => ({ value, label: requests.outcomes[value] }))}
          onChoose={(value) => look({ outcome: value })}
        />
        {outcome === 'all' && (
          <Switch
            label={requests.housekeeping}
            hint={requests.housekeepingWhy}
            isOn={own}
            onSwitch={(isOn) => look({ own: isOn })}
          />
        )}
      </div>
      <ListPanel
        query={{ ...query, rows }}
        label={requests.title}
        columns={columnsOf(words)}
        idOf={({ requestId, time }) => `${requestId} ${time}`}
        hrefOf={({ requestId }) =>
          `/dev/requests/${encodeURIComponent(requestId)}${key === undefined ? '' : `?key=${key}`}`
        }
        empty={{
          title:
            outcome === 'refused'
              ? requests.noneRefused
              : query.rows?.length
                ? requests.onlyHousekeeping
                : requests.empty,
          text: requests.emptyWhy,
        }}
      />
    </DeskPage>
  );
}

const columnsOf = ({ dev: { requests } }: DeskWords<'dev'>): readonly Column<OwnRequest>[] => [
  {
    key: 'operation',
    title: requests.operation,
    width: 'minmax(0, 1.3fr)',
    cell: ({ operation }) => <b>{operation}</b>,
  },
  {
    key: 'path',
    title: requests.path,
    width: 'minmax(0, 2fr)',
    isHiddenOnPhone: true,
    cell: ({ method, path }) => (
      <span className="mono">
        {method} {path}
      </span>
    ),
  },
  {
    key: 'status',
    title: requests.answer,
    width: 'minmax(0, 1.3fr)',
    isBelowOnPhone: true,
    cell: ({ status, code }) => <AnswerStatus status={status} code={code} />,
  },
  {
    key: 'ms',
    title: requests.took,
    width: '80px',
    isNumber: true,
    isHiddenOnPhone: true,
    cell: ({ ms }) => `${ms} ms`,
  },
  {
    key: 'time',
    title: requests.time,
    width: '110px',
    isNumber: true,
    cell: ({ time }) => <Time at={Date.parse(time)} width="narrow" />,
  },
];
