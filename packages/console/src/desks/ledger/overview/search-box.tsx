/** One box for whatever somebody has: an address, a DID, a hash, the number of a block, a name. */
import { useQuery } from '@tanstack/react-query';
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

function useFound(text: string) {
  const { ledger, service } = useClients();
  return useQuery({
    queryKey: ['ledger', 'search', text],
    enabled: (text.length >= namesCharsMin || isNumber(text)) && isFitToSearch(text),
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
}

export function SearchBox() {
  const { words } = useDeskWords();
  const { explorer } = words;
  const navigate = useNavigate();
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const text = useDeferredValue(typed.trim());
  const { data, isError, error } = useFound(text);
  const isSecret = !isFitToSearch(typed);
  useKeys([{ keys: '/', title: explorer.search, group: 'page', act: () => box.current?.focus() }]);
  return (
    <search className="ledger-search">
      <form
        className="big"
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = data ?? [];
          if (first) void navigate({ to: first.path });
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
      {isError && text !== '' && (
        <p className="panel found" role="alert">
          {failureWords(error, words).title}
        </p>
      )}
    </search>
  );
}
