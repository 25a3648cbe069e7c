/** What has happened so far, step by step, as far as the ledger tells: of a transaction, or of the credential it is about. */
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { accountOfDid } from '@symbolon/sdk/keys/key-owners';
import { credentialDeeds } from '@symbolon/sdk/sentences/registry-sayings';
import { transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { useKnownNames } from '../../../ledger/known-names.ts';
import { useNewestBlock } from '../../../ledger/newest-block.ts';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { blockPath } from '../written/paths.ts';
import type { CredentialOnLedger } from './credential-on-ledger.ts';
import { credentialLife, type LifeStep, transactionLife } from './life-steps.ts';
import type { ExecutedRecord } from './records.ts';
import './transaction.css';

export interface LifeProps {
  readonly record: ExecutedRecord;
  readonly credential: CredentialOnLedger | null | undefined;
}

export function Life({ record, credential }: LifeProps) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const newest = useNewestBlock().block?.number;
  const executed = {
    block: Number(record.ledger_seq),
    at: Number(record.close_time) / 1_000,
    hasFailed: record.error_code !== 0,
  };
  const deeds = useDeeds(record, credential);
  const steps = credential
    ? credentialLife(credential, { ...executed, deeds })
    : transactionLife(executed, newest);
  return (
    <Panel title={explorer.life}>
      <ol className="life">
        {steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
      {credential && steps.length > 1 && <p className="hint pad">{explorer.lifeBetween}</p>}
    </Panel>
  );
}

/** What the transaction asked the registry to do with the credential. */
function useDeeds(record: ExecutedRecord, credential: LifeProps['credential']) {
  const { registries } = useKnownNames();
  const transaction = transactionOfRecord(record);
  if (!transaction || !credential) return [];
  const { vcId, issuer } = credential;
  return credentialDeeds(
    transaction,
    { vcId, issuer: accountOfDid(issuer) ?? '' },
    { registries, profile: zetrixProfile },
  );
}

function Step({ step: { name, at, block, isThis, isWaiting } }: { readonly step: LifeStep }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const tone = name === 'revoked' || name === 'failed' ? 'bad' : isWaiting ? 'wait' : 'ok';
  return (
    <li className={tone}>
      <b>{explorer.lifeSteps[name]}</b>
      <span className="row wrap muted">
        {at !== undefined && <Time at={at} />}
        {block !== undefined && <Block number={block} to={blockPath(block)} />}
        {isThis && <span>{explorer.thisOne}</span>}
        {isWaiting && <span>{explorer.toCome}</span>}
      </span>
    </li>
  );
}
