/** The issuer's DID document as the service resolves it. */
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Address } from '../../../parts/written/address.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { QueryPart } from '../acting/query-part.tsx';
import { accountOf } from './issuer-keys.ts';

export function DidPanel({ did }: { readonly did: string }) {
  const { words } = useDeskWords('issue');
  const { service } = useClients();
  const query = useQuery({
    queryKey: ['service', 'did', did],
    queryFn: () => service.resolveDid({ did }),
  });
  return (
    <Panel title={words.issuerKeys.document} isPadded>
      <dl className="facts">
        <dt>{words.parts.did}</dt>
        <dd>
          <Did did={did} />
        </dd>
        <dt>{words.issuerKeys.account}</dt>
        <dd>
          <Address address={accountOf(did).address} />
        </dd>
      </dl>
      <QueryPart query={query}>
        {(resolved) => (
          <details>
            <summary>{words.issuerKeys.whole}</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
            <pre className="code scrolls" tabIndex={0}>
              {JSON.stringify(resolved, null, 2)}
            </pre>
          </details>
        )}
      </QueryPart>
    </Panel>
  );
}
