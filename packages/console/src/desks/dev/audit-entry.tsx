/**
 * One entry, proved in the browser: every hash from it to the next anchor is computed here and compared with the one on the
 * ledger. Nothing is believed of the service but which registry is its own.
 */
import type { ProvenAuditEntry } from '@symbolon/sdk/verification/audit-proof';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClients, useConsoleConfig } from '../../api/api.tsx';
import { failureWords } from '../../api/failure.ts';
import { Icon } from '../../parts/controls/icon.tsx';
import { DeskPage } from '../../parts/frame/desk-page.tsx';
import { Panel } from '../../parts/frame/panel.tsx';
import { Bones } from '../../parts/states/bones.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { Block } from '../../parts/written/block.tsx';
import { Hash } from '../../parts/written/hash.tsx';
import { Time } from '../../parts/written/time.tsx';
import { useShownCode } from '../../shell/shown-code.tsx';
import { countText } from '../../text/numbers.ts';
import { useDeskWords } from '../../words/words.ts';
import { AuditOutcome } from './outcome.tsx';

function useProof(sequence: string) {
  const { service, ledger } = useClients();
  const registry = useConsoleConfig()?.network.credentialRegistry;
  return useQuery({
    queryKey: ['dev', 'audit', 'proof', sequence],
    queryFn: async () => {
      const { proveAuditEntry } = await import('@symbolon/sdk/verification/audit-proof');
      return proveAuditEntry(service, Number(sequence), { client: ledger, registry: registry ?? '' });
    },
    enabled: registry !== undefined,
    refetchOnWindowFocus: false,
  });
}

export function AuditEntryPage({ sequence }: { readonly sequence: string }) {
  const { words } = useDeskWords('dev');
  const query = useProof(sequence);
  const { audit } = words.dev;
  useShownCode(audit.one(sequence), [{ server: 'service', route: 'getAuditProof', given: { sequence } }]);
  return (
    <DeskPage
      title={query.data ? `${sequence}: ${query.data.entry.action}` : audit.one(sequence)}
      acts={
        <Link className="btn" to="/dev/audit">
          {audit.all}
        </Link>
      }
    >
      {query.data === undefined && (
        <Panel>
          {query.isError ? (
            <ErrorState
              failure={{ ...failureWords(query.error, words), title: audit.notProved }}
              onAgain={() => void query.refetch()}
            />
          ) : (
            <Bones rows={5} hasMark={false} />
          )}
        </Panel>
      )}
      {query.data && (
        <div className="grid dev-two">
          <EntryFacts proven={query.data} />
          <ProofFacts proven={query.data} />
        </div>
      )}
    </DeskPage>
  );
}

interface ProvenProps {
  readonly proven: ProvenAuditEntry;
}

function EntryFacts({ proven: { entry } }: ProvenProps) {
  const { words } = useDeskWords('dev');
  const { audit } = words.dev;
  const { at, actorKey, actorDid, subject, outcome, details } = entry;
  return (
    <Panel title={audit.entry}>
      <dl className="facts dev-facts">
        <dt>{audit.time}</dt>
        <dd>
          <Time at={at} /> <span className="mono faint">{new Date(at).toISOString()}</span>
        </dd>
        <dt>{audit.actor}</dt>
        <dd className="mono dev-words">{[actorKey, actorDid].filter(Boolean).join(' ') || audit.nobody}</dd>
        <dt>{audit.subject}</dt>
        <dd className="mono dev-words">{subject ?? ''}</dd>
        <dt>{audit.outcome}</dt>
        <dd>
          <AuditOutcome outcome={outcome} />
        </dd>
        <dt>{audit.details}</dt>
        <dd className="mono dev-words">{details}</dd>
      </dl>
    </Panel>
  );
}

function ProofFacts({ proven: { end, length, anchor } }: ProvenProps) {
  const { words, language } = useDeskWords('dev');
  const registry = useConsoleConfig()?.network.credentialRegistry ?? '';
  const { audit } = words.dev;
  return (
    <Panel title={audit.proof}>
      <p className="pad dev-verdict">
        <span className={`st ${anchor ? 'ok' : 'warn'}`}>
          <Icon name={anchor ? 'statusOk' : 'statusWarn'} />
          {anchor ? audit.proved : audit.ownWord}
        </span>
      </p>
      <dl className="facts dev-facts">
        <dt>{audit.computed}</dt>
        <dd>{audit.hashes(length)}</dd>
        <dt>{audit.leadsTo}</dt>
        <dd>
          {audit.one(countText(end.sequence, language))} <Hash hash={end.hash} />
        </dd>
        {anchor && (
          <>
            <dt>{audit.onLedger}</dt>
            <dd>
              <Block number={Number(anchor.ledgerSeq)} /> <Hash hash={anchor.txHash} />
            </dd>
            <dt>{audit.registry}</dt>
            <dd>
              <span className="mono dev-words">{registry}</span>
              <span className="hint">{audit.registryWhy}</span>
            </dd>
          </>
        )}
      </dl>
    </Panel>
  );
}
