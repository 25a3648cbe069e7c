/** What an account keeps in the state: assets and metadata. A contract may have millions of entries, so of it one is asked for. */
import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { ShownEntry } from '../proofs/compare-shown.ts';
import { useProof } from '../proofs/prove-panel.tsx';
import { AccountRef } from '../written/account-ref.tsx';
import { JsonCode } from '../written/json-code.tsx';
import { Loaded } from '../written/loaded.tsx';

export function AssetsPanel({ address }: { readonly address: string }) {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  const { ledger } = useClients();
  const query = useQuery({
    queryKey: ['ledger', 'assets', address],
    queryFn: async () => {
      const result = (await unlessNotFound(ledger.getAccountAssets({ address })))?.result ?? [];
      return Array.isArray(result) ? result : [];
    },
  });
  return (
    <Panel title={explorer.assets}>
      <Loaded query={query} rows={1}>
        {(assets) =>
          assets.length === 0 ? (
            <p className="pad muted">{explorer.noAssets}</p>
          ) : (
            <table className="tbl">
              <thead>
                <tr>
                  <th>{explorer.asset}</th>
                  <th>{explorer.issuer}</th>
                  <th className="right">{explorer.amount}</th>
                </tr>
              </thead>
              <tbody>
                {assets.map(({ amount, key }) => (
                  <tr key={`${key?.issuer} ${key?.code}`}>
                    <td className="stranger">{key?.code}</td>
                    <td>
                      <AccountRef address={key?.issuer ?? ''} />
                    </td>
                    <td className="right">{countText(BigInt(amount ?? 0), language)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      <p className="pad hint">{explorer.noTokens}</p>
    </Panel>
  );
}

const shownMax = 100;

export function MetadataPanel({
  address,
  isContract,
}: {
  readonly address: string;
  readonly isContract: boolean;
}) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const [asked, setAsked] = useState<string>();
  const [typed, setTyped] = useState('');
  const isAsked = asked !== undefined;
  return (
    <Panel title={isContract ? explorer.storage : explorer.metadata}>
      {isContract ? (
        <form
          className="pad entry-form"
          onSubmit={(event) => {
            event.preventDefault();
            setAsked(typed.trim() === '' ? undefined : typed.trim());
          }}
        >
          <div className="fld grow">
            <label htmlFor="entry-key">{explorer.entryKey}</label>
            <input
              id="entry-key"
              className="inp mono"
              value={typed}
              maxLength={1_024}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
          <Button type="submit">{explorer.readEntry}</Button>
        </form>
      ) : (
        <Entries address={address} />
      )}
      {isContract && isAsked && <Entries key={asked} address={address} askedKey={asked} />}
    </Panel>
  );
}

function Entries({ address, askedKey }: { readonly address: string; readonly askedKey?: string }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const { ledger } = useClients();
  const query = useQuery({
    queryKey: ['ledger', 'metadata', address, askedKey ?? ''],
    queryFn: async () => {
      const asked = { address, ...(askedKey !== undefined && { key: askedKey }) };
      const result = (await unlessNotFound(ledger.getAccountMetaData(asked)))?.result ?? {};
      return Object.entries(result).map(([key, { value = '', version = 0 }]) => ({ key, value, version }));
    },
  });
  return (
    <Loaded query={query} rows={2}>
      {(entries) => (
        <>
          {entries.length === 0 && askedKey === undefined && (
            <p className="pad muted">{explorer.noMetadata}</p>
          )}
          {entries.length === 0 && askedKey !== undefined && (
            <NoEntry address={address} entryKey={askedKey} />
          )}
          <ul className="entries">
            {entries.slice(0, shownMax).map(({ key, value }) => (
              <Entry key={key} address={address} entryKey={key} value={value} />
            ))}
          </ul>
          {entries.length > shownMax && (
            <p className="hint pad">{explorer.leftOut(entries.length - shownMax)}</p>
          )}
        </>
      )}
    </Loaded>
  );
}

/** That there is nothing can be proven, too. */
function NoEntry({ address, entryKey }: { readonly address: string; readonly entryKey: string }) {
  const { words } = useDeskWords('ledger');
  const { button, panel } = useEntryProof({ address, entryKey });
  return (
    <>
      <EmptyState title={words.explorer.noEntry}>{button}</EmptyState>
      {panel}
    </>
  );
}

interface EntryFacts {
  readonly address: string;
  readonly entryKey: string;
  /** As the page shows it; left out where it says that there is none. */
  readonly value?: string;
}

/** What is read along with the proof is asked for under its key alone: others may be many. */
function useEntryProof({ address, entryKey, value }: EntryFacts) {
  const { ledger } = useClients();
  const queries = useQueryClient();
  const entryOf = (text: string | undefined): ShownEntry =>
    text === undefined ? undefined : { kind: 'metadata', value: text };
  return useProof({
    kind: 'metadata',
    address,
    entryKey,
    shown: entryOf(value),
    async readShown() {
      const asked = { address, key: entryKey };
      const found = (await unlessNotFound(ledger.getAccountMetaData(asked)))?.result ?? {};
      const text = Object.hasOwn(found, entryKey) ? (found[entryKey]?.value ?? '') : undefined;
      // What the page shows is older: it reads again, too.
      if (text !== value) await queries.invalidateQueries({ queryKey: ['ledger', 'metadata', address] });
      return entryOf(text);
    },
  });
}

interface EntryProps {
  readonly address: string;
  readonly entryKey: string;
  readonly value: string;
}

function Entry({ address, entryKey, value }: EntryProps) {
  const { words } = useDeskWords('ledger');
  const { button, panel } = useEntryProof({ address, entryKey, value });
  return (
    <li>
      <div className="row between">
        <b className="mono stranger">
          <ForeignText text={entryKey} />
        </b>
        {button}
      </div>
      <JsonCode text={value} label={words.explorer.value} />
      {panel}
    </li>
  );
}
