/** A contract: its code with line numbers, and a form that asks it. Asking changes nothing and costs nothing. */
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import { useBuiltPlaces } from '../../../navigation/built-places.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { CopyButton } from '../../../parts/controls/copy-button.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { ForeignLines } from '../../../parts/written/foreign-text.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { AccountRef } from '../written/account-ref.tsx';
import { JsonCode } from '../written/json-code.tsx';
import { answerOf, type ContractAnswer, methodsIn } from './contract-answer.ts';

const shownLinesMax = 3_000;

export interface ContractPanelProps {
  readonly address: string;
  readonly owner: string | undefined;
  readonly code: string;
}

export function ContractPanel({ address, owner, code }: ContractPanelProps) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  return (
    <>
      <ContractForm address={address} code={code} />
      <Panel
        title={explorer.code}
        aside={
          <>
            {owner !== undefined && owner !== '' && (
              <span className="row">
                <span className="hint">{explorer.upgradedBy}</span> <AccountRef address={owner} />
              </span>
            )}
            <CopyButton text={code} what={explorer.code} isWordy />
          </>
        }
      >
        <CodeLines code={code} />
      </Panel>
    </>
  );
}

function CodeLines({ code }: { readonly code: string }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const lines = code.split('\n');
  const shown = lines.slice(0, shownLinesMax);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="code-lines" tabIndex={0} aria-label={explorer.code}>
        <pre className="code-numbers" aria-hidden="true">
          {shown.map((_, at) => at + 1).join('\n')}
        </pre>
        <pre>
          <ForeignLines text={shown.join('\n')} />
        </pre>
      </section>
      {shown.length < lines.length && (
        <p className="hint pad">{explorer.linesLeft(lines.length - shown.length)}</p>
      )}
    </>
  );
}

function ContractForm({ address, code }: Pick<ContractPanelProps, 'address' | 'code'>) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const { ledger } = useClients();
  const built = useBuiltPlaces();
  const id = useId();
  const [input, setInput] = useState('{"method":""}');
  const asked = { contract_address: address, input, opt_type: 2 };
  const reading = useMutation({ mutationFn: () => ledger.callContract(asked) });
  useShownCode(explorer.contract, [
    { server: 'ledger', route: 'getAccountBase', given: { address } },
    { server: 'ledger', route: 'callContract', given: asked },
  ]);
  const methods = methodsIn(code);
  return (
    <Panel title={explorer.askContract}>
      <form
        className="pad stack"
        onSubmit={(event) => {
          event.preventDefault();
          reading.mutate();
        }}
      >
        <div className="fld">
          <label htmlFor={id}>{explorer.input}</label>
          <textarea
            id={id}
            className="area mono"
            rows={4}
            maxLength={65_536}
            spellCheck={false}
            value={input}
            onChange={(event) => setInput(event.target.value)}
          />
        </div>
        {methods.length > 0 && (
          <div className="row wrap">
            <span className="hint">{explorer.methods}</span>
            {methods.map((method) => (
              <Button
                key={method}
                size="small"
                kind="quiet"
                onClick={() => setInput(`{"method":"${method}","params":{}}`)}
              >
                {method}
              </Button>
            ))}
          </div>
        )}
        <div className="row wrap">
          <Button type="submit" kind="primary" icon="play" disabled={reading.isPending}>
            {explorer.ask}
          </Button>
          {built.has('call') && (
            <Link to="/lab/call" search={{ contract: address, input }} className="btn">
              {explorer.callInLab}
            </Link>
          )}
          <span className="hint">{explorer.askWhy}</span>
        </div>
      </form>
      <div role="status">{reading.data && <Answer answer={answerOf(reading.data)} />}</div>
      {reading.isError && (
        <ErrorState failure={failureWords(reading.error, words)} onAgain={() => reading.mutate()} />
      )}
    </Panel>
  );
}

function Answer({ answer }: { readonly answer: ContractAnswer }) {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  if ('problem' in answer)
    return (
      <div className="fault">
        <b>{explorer.contractRefused}</b>
        <p className="muted stranger">{answer.problem}</p>
      </div>
    );
  return (
    <div className="pad">
      <p className="hint">
        {explorer.answer}
        {answer.steps !== undefined && `, ${explorer.steps(countText(answer.steps, language))}`}
      </p>
      <JsonCode text={answer.value} label={explorer.answer} />
    </div>
  );
}
