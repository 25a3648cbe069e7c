/** One box for whatever somebody has: an address, a DID, a hash, the number of a block, a name. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useId, useRef, useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import { useKeys } from '../../../keys/keys.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { KeyHint } from '../../../parts/controls/key-hint.tsx';
import { isFitToSearch } from '../../../text/secret-text.ts';
import { useDeskWords } from '../../../words/words.ts';
import { eachPlaceOnce, foundByNode, foundByService } from './search-targets.ts';

/** Of a hash or an address the node wants four characters, of a name the service wants fewer. */
const nodeCharsMin = 4;
const namesCharsMin = 2;

const isNumber = (text: string): boolean => /^[0-9]+$/.test(text);

const isEnough = (text: string): boolean =>
  (text.length >= namesCharsMin || isNumber(text)) && isFitToSearch(text);

/** What is found by a text, and where Enter leads: by the whole of what was typed, however long the answer takes. */
function useFound(typed: string) {
  const { ledger, service } = useClients();
  const client = useQueryClient();
  const queryOf = (text: string) =>
    queryOptions({
      queryKey: ['ledger', 'search', text],
      queryFn: async () => {
        const asksNode = isNumber(text) || text.length >= nodeCharsMin;
        const [node, names] = await Promise.allSettled([
          asksNode ? ledger.searchLedger({ q: text }) : undefined,
          service.search({ q: text }),
        ]);
        // One of the two is enough; that the other is silent is no reason to show nothing.
        if (node.status === 'rejected' && names.status === 'rejected') throw node.reason;
        return eachPlaceOnce([
          ...(node.status === 'fulfilled' ? (node.value?.result?.results ?? []).map(foundByNode) : []),
          ...(names.status === 'fulfilled' ? names.value.results.map(foundByService) : []),
        ]);
      },
    });
  const text = useDeferredValue(typed.trim());
  const { data, error } = useQuery({ ...queryOf(text), enabled: isEnough(text) });
  const firstOf = async (wanted: string) =>
    isEnough(wanted) ? (await client.ensureQueryData(queryOf(wanted)))[0] : undefined;
  return { text, data, error, firstOf };
}

export function SearchBox() {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const navigate = useNavigate();
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const { text, data, error, firstOf } = useFound(typed);
  const isSecret = !isFitToSearch(typed);
  useKeys([{ keys: '/', title: explorer.search, group: 'page', act: () => box.current?.focus() }]);
  return (
    <search className="ledger-search">
      <form
        className="big"
        onSubmit={(event) => {
          event.preventDefault();
          const given = typed;
          // That nothing could be found out is said below.
          const go = async (): Promise<void> => {
            const first = await firstOf(given.trim());
            if (first && box.current?.value === given) await navigate({ to: first.path });
          };
          // That nothing could be found out is said below.
          go().catch(() => undefined);
        }}
      >
        <Icon name="search" size={18} />
        <input
          ref={box}
          type="search"
          aria-label={explorer.search}
          aria-describedby={id}
          placeholder={explorer.searchHint}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <KeyHint>/</KeyHint>
      </form>
      <div id={id} role="status" className="sr">
        {data && explorer.foundCount(data.length)}
      </div>
      {isSecret && (
        <p className="panel found" role="alert">
          {words.shell.palette.secret}
        </p>
      )}
      {data && text !== '' && !isSecret && (
        <ul className="panel found">
          {data.length === 0 && <li className="muted">{explorer.foundNone(text)}</li>}
          {data.map(({ kind, name, id: what, path }) => (
            <li key={path}>
              <Link to={path}>
                <span className="muted">{explorer.kinds[kind]}</span>
                {name !== undefined && <b className="cut">{name}</b>}
                <span className="mono cut">{what}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {error && text !== '' && (
        <p className="panel found" role="alert">
          {failureWords(error, words).title}
        </p>
      )}
    </search>
  );
}
