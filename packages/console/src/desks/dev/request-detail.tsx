/** One call: what was asked, how it was answered, under which id, and where its code is explained. */
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import { Link } from '@tanstack/react-router';
import { failureWords } from '../../api/failure.ts';
import type { CodeRequest, ServiceRouteName } from '../../code/code-request.ts';
import { CopyButton } from '../../parts/controls/copy-button.tsx';
import { DeskPage } from '../../parts/frame/desk-page.tsx';
import { Panel } from '../../parts/frame/panel.tsx';
import { Bones } from '../../parts/states/bones.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { Time } from '../../parts/written/time.tsx';
import { useShownCode } from '../../shell/shown-code.tsx';
import { useDeskWords } from '../../words/words.ts';
import { AnswerStatus } from './answer-status.tsx';
import { type OwnRequest, useLoggedRequests } from './use-logged-requests.ts';

export interface RequestDetailProps {
  readonly requestId: string;
  readonly keyId: string | undefined;
}

const codeOf = (found: OwnRequest | undefined): readonly CodeRequest[] =>
  found && Object.hasOwn(allRoutes, found.operation)
    ? [{ server: 'service', route: found.operation as ServiceRouteName }]
    : [];

export function RequestDetail({ requestId, keyId }: RequestDetailProps) {
  const { words } = useDeskWords('dev');
  const query = useLoggedRequests(keyId);
  const found = query.rows?.find((one) => one.requestId === requestId);
  const { requests } = words.dev;
  useShownCode(found?.operation ?? requests.one, codeOf(found));
  return (
    <DeskPage
      title={found?.operation ?? requests.one}
      acts={
        <Link className="btn" to="/dev/requests" search={keyId === undefined ? {} : { key: keyId }}>
          {requests.all}
        </Link>
      }
    >
      <Panel>
        {query.rows === undefined && query.isError && (
          <ErrorState failure={failureWords(query.error, words)} onAgain={() => void query.refetch()} />
        )}
        {query.rows === undefined && !query.isError && <Bones rows={5} hasMark={false} />}
        {query.rows !== undefined && !found && (
          <EmptyState title={requests.gone} text={requests.goneWhy}>
            {query.more && (
              <button type="button" className="btn sm" onClick={query.more}>
                {words.parts.more}
              </button>
            )}
          </EmptyState>
        )}
        {found && <RequestFacts request={found} />}
      </Panel>
    </DeskPage>
  );
}

function RequestFacts({ request }: { readonly request: OwnRequest }) {
  const { words } = useDeskWords('dev');
  const { requests } = words.dev;
  const { time, method, path, status, code, ms, requestId } = request;
  return (
    <dl className="facts dev-facts">
      <dt>{requests.answer}</dt>
      <dd>
        <AnswerStatus status={status} code={code} />
      </dd>
      <dt>{requests.path}</dt>
      <dd className="mono dev-words">
        {method} {path}
      </dd>
      <dt>{requests.time}</dt>
      <dd>
        <Time at={Date.parse(time)} /> <span className="faint mono">{time}</span>
      </dd>
      <dt>{requests.took}</dt>
      <dd className="num">{ms} ms</dd>
      <dt>{requests.id}</dt>
      <dd>
        <span className="ref dev-words">
          {requestId} <CopyButton text={requestId} what={words.parts.requestId} />
        </span>
      </dd>
      {status >= 400 && (
        <>
          <dt>{requests.code}</dt>
          <dd>
            <a
              className="lk"
              href={`/docs/errors#${encodeURIComponent(code.toLowerCase())}`}
              target="_blank"
              rel="noreferrer noopener"
            >
              {code}
            </a>
          </dd>
        </>
      )}
      <dt>{requests.kept}</dt>
      <dd className="muted">{requests.keptWhy}</dd>
    </dl>
  );
}
