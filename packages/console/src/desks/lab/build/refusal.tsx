/** Why the ledger would refuse: its reason, what to do, its code, and the contracts that had called each other. */
import type { LedgerError } from '@symbolon/sdk/errors/errors';
import { readTrace } from '@symbolon/wire/ledger/call-trace-json';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { contractRefusal } from '../draft/refusal-text.ts';
import { Party } from './weights.tsx';

export function RefusalNote({ error }: { readonly error: LedgerError }) {
  const { words } = useDeskWords('lab');
  const { call } = words.lab;
  const { text, line } = contractRefusal(error.description);
  const trace = readTrace(error.reply);
  return (
    <div className="lab-refusal" role="status">
      <p>
        <ForeignText text={text} />{' '}
        {line !== undefined && <span className="muted">({call.line(String(line))})</span>}
      </p>
      <p className="hint">{error.hint}</p>
      <span className="hint mono">{`${error.name} ${error.code}`}</span>
      {trace.length > 0 && (
        <>
          <h3 className="lab-trace-head">{call.trace}</h3>
          <ol className="lab-trace">
            {trace.map((one, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a contract may stand in it twice.
              <li key={at}>
                <Party address={one.contract} />
                <code>
                  <ForeignText text={`${one.entry} ${one.input}`} />
                </code>
                {one.line !== undefined && (
                  <span className="hint">
                    {call.line(String(one.line))}
                    <code>
                      <ForeignText text={one.source ?? ''} />
                    </code>
                  </span>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
