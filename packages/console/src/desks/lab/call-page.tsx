/** Calls a contract without changing anything: what it answers, what it logs, what it costs, or where it fails. */
import { LedgerError } from '@symbolon/sdk/errors/errors';
import { usualKeyFormat } from '@symbolon/sdk/keys/usual-keys';
import type { LedgerReply } from '@symbolon/sdk/ledger/ledger-client';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useClients } from '../../api/api.tsx';
import { failureWords } from '../../api/failure.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Segments } from '../../parts/controls/segments.tsx';
import { DeskPage } from '../../parts/frame/desk-page.tsx';
import { Panel } from '../../parts/frame/panel.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { ForeignLines } from '../../parts/written/foreign-text.tsx';
import { useShownCode } from '../../shell/shown-code.tsx';
import { countText } from '../../text/numbers.ts';
import { useDeskWords } from '../../words/words.ts';
import { RefusalNote } from './build/refusal.tsx';
import { newOperation, withBodyMember } from './draft/draft.ts';
import { linkOfDraft } from './draft/draft-link.ts';
import { useAccount } from './facts/use-accounts.ts';
import { useOwnAddress } from './facts/use-draft.ts';
import { AccountField } from './fields/account-field.tsx';
import { SeenField } from './fields/seen-field.tsx';
import './lab.css';

type Entry = 'query' | 'main';
/** Numbers of the functions of a contract in `callContract`. */
const entryNumbers: Readonly<Record<Entry, number>> = { main: 1, query: 2 };

/** What a link may say; somebody else may have written it. */
interface CallSearch {
  readonly contract?: unknown;
  readonly input?: unknown;
  readonly entry?: unknown;
}
const linkedCharsMax = 4_000;
const textOf = (value: unknown): string => {
  // The router reads JSON in an address; what was text is text again.
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return text.length <= linkedCharsMax ? text : '';
};

type CallResult = NonNullable<LedgerReply<'callContract'>['result']>;
type Outcome = { readonly result: CallResult } | { readonly error: unknown };

const inputRows = 5;

export default function CallPage() {
  const { words } = useDeskWords('lab');
  const { call } = words.lab;
  const { ledger } = useClients();
  const navigate = useNavigate();
  const search: CallSearch = useSearch({ strict: false });
  const [contract, setContract] = useState(textOf(search.contract));
  const [input, setInput] = useState(textOf(search.input));
  const [entry, setEntry] = useState<Entry>(search.entry === 'main' ? 'main' : 'query');
  const [source, setSource] = useState('');
  const [outcome, setOutcome] = useState<Outcome>();
  const [isRunning, setRunning] = useState(false);
  const account = useAccount(contract);
  const own = useOwnAddress();
  const order = {
    contract_address: contract,
    opt_type: entryNumbers[entry],
    input,
    ...(source !== '' && { source_address: source }),
  };
  useShownCode(words.lab.callTitle, [{ server: 'ledger', route: 'callContract', given: order }]);
  const run = async (): Promise<void> => {
    setRunning(true);
    void navigate({ to: '/lab/call', search: { contract, input, entry }, replace: true });
    try {
      const { result } = await ledger.callContract(order);
      setOutcome(result ? { result } : undefined);
    } catch (error) {
      setOutcome({ error });
    } finally {
      setRunning(false);
    }
  };
  const isContract = !!account?.contract?.payload;
  return (
    <DeskPage
      title={words.lab.callTitle}
      text={words.lab.callAbout}
      acts={<SendLink contract={contract} input={input} source={source || own} />}
    >
      <div className="lab-columns">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          <Panel isPadded className="lab-terms">
            <div className="lab-stack">
              <AccountField label={call.contract} value={contract} onChange={setContract} absent="fine" />
              {account && !isContract && <p className="fld-error">{call.notContract}</p>}
              <Segments
                label={call.entry}
                value={entry}
                options={[
                  { value: 'query', label: call.entries.query },
                  { value: 'main', label: call.entries.main },
                ]}
                onChoose={setEntry}
              />
              <SeenField label={call.input} value={input} onChange={setInput} rows={inputRows} isMono />
              <AccountField label={call.source} value={source} onChange={setSource} absent="fine" />
              <Button
                kind="primary"
                type="submit"
                icon="play"
                disabled={isRunning || !usualKeyFormat.isAddress(contract)}
              >
                {call.run}
              </Button>
            </div>
          </Panel>
        </form>
        <OutcomeColumn outcome={outcome} />
      </div>
    </DeskPage>
  );
}

function OutcomeColumn({ outcome }: { readonly outcome: Outcome | undefined }) {
  const { words } = useDeskWords('lab');
  const { call } = words.lab;
  return (
    <aside className="lab-aside-column" aria-live="polite">
      {outcome === undefined && (
        <Panel>
          <EmptyState title={call.empty} text={call.emptyWhy} />
        </Panel>
      )}
      {outcome && 'result' in outcome && <Result result={outcome.result} />}
      {outcome && 'error' in outcome && <CallFailure error={outcome.error} />}
    </aside>
  );
}

/** The same call as a draft, for whoever wants it to count. */
function SendLink({
  contract,
  input,
  source,
}: {
  readonly contract: string;
  readonly input: string;
  readonly source: string | undefined;
}) {
  const { words } = useDeskWords('lab');
  const place = { name: 'payCoin', path: ['dest_address'] } as const;
  const called = withBodyMember(newOperation('payCoin'), place, contract);
  const operation = withBodyMember(called, { ...place, path: ['input'] }, input);
  const draft = linkOfDraft({ ...(source && { source_address: source }), operations: [operation] });
  if (contract === '' || draft === undefined) return null;
  return (
    <Link to="/lab/build" search={{ draft }} className="btn">
      {words.lab.call.send}
    </Link>
  );
}

function Result({ result }: { readonly result: CallResult }) {
  const { words, language } = useDeskWords('lab');
  const { call } = words.lab;
  const [answer] = result.query_rets ?? [];
  const value = answer?.result?.value ?? result.returned?.value;
  const { step, apply_time: micros } = result.stat;
  const logs = Object.entries(result.logs ?? {}).flatMap(([, lines]) => lines ?? []);
  const caused = (result.txs ?? []).length;
  return (
    <>
      <Panel title={call.returned} isPadded>
        {value === undefined ? (
          <p className="muted">{call.nothing}</p>
        ) : (
          <pre className="code lab-json">
            <ForeignLines text={shown(value)} />
          </pre>
        )}
        <dl className="facts lab-facts">
          <dt>{call.steps}</dt>
          <dd className="num">{countText(step, language)}</dd>
          <dt>{call.time}</dt>
          <dd className="num">{call.took(String(Math.ceil(micros / 1_000)))}</dd>
          {caused > 0 && (
            <>
              <dt>{call.triggered}</dt>
              <dd>{call.transactions(caused)}</dd>
            </>
          )}
        </dl>
      </Panel>
      <Panel title={call.logs} isPadded>
        {logs.length === 0 ? (
          <p className="muted">{call.noLogs}</p>
        ) : (
          <pre className="code lab-json">
            <ForeignLines text={logs.join('\n')} />
          </pre>
        )}
      </Panel>
    </>
  );
}

/** JSON is laid out; any other text stands as it is. */
function shown(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  try {
    return JSON.stringify(JSON.parse(value), undefined, 2);
  } catch {
    return value;
  }
}

function CallFailure({ error }: { readonly error: unknown }) {
  const { words } = useDeskWords('lab');
  if (!(error instanceof LedgerError)) return <ErrorState failure={failureWords(error, words)} />;
  return (
    <Panel title={words.lab.call.failed} isPadded>
      <RefusalNote error={error} />
    </Panel>
  );
}
