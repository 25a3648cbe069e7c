/** A transaction in a block: overview, operations, what it changed, who signed, logs, and all of it raw. */
import { encodeHex } from '@symbolon/core/basics/bytes';
import { ownerOfPublicKey } from '@symbolon/sdk/keys/key-owners';
import type { SentencePart } from '@symbolon/sdk/sentences/sentence-parts';
import { transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { openMade } from '@symbolon/sdk/transactions/transaction-texts';
import { type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClients } from '../../../api/api.tsx';
import { useKnownNames } from '../../../ledger/known-names.ts';
import { useNewestBlock } from '../../../ledger/newest-block.ts';
import { useTelling } from '../../../ledger/transaction-sentence.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { Address } from '../../../parts/written/address.tsx';
import { Amount } from '../../../parts/written/amount.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { useProof } from '../proofs/prove-panel.tsx';
import { AccountRef } from '../written/account-ref.tsx';
import { JsonCode } from '../written/json-code.tsx';
import { Loaded } from '../written/loaded.tsx';
import { transactionPath } from '../written/paths.ts';
import { useSearchWord } from '../written/search-words.ts';
import { TabLinks } from '../written/tab-links.tsx';
import { Changes } from './changes.tsx';
import { onlyCredential, useCredentialOnLedger } from './credential-on-ledger.ts';
import { CredentialPanel } from './credential-panel.tsx';
import { LastBlock } from './last-block.tsx';
import { Life } from './life.tsx';
import { Operations } from './operations.tsx';
import type { ExecutedRecord, TransactionEffects } from './records.ts';
import { TransactionHead } from './transaction-head.tsx';
import { Triggered } from './triggered.tsx';

const tabs = ['overview', 'operations', 'changes', 'signatures', 'logs', 'raw'] as const;

export function TransactionInBlock({ record }: { readonly record: ExecutedRecord }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const { ledger } = useClients();
  const { hash } = record;
  const hasFailed = record.error_code !== 0;
  const trigger = record.trigger?.transaction.hash;
  const [tab] = useSearchWord('tab', [...tabs]);
  const effects = useQuery({
    queryKey: ['ledger', 'effects', hash],
    queryFn: async () => {
      const { result } = await ledger.getTransactionEffects({ hash });
      if (!result) throw new TypeError('effects say something');
      return result;
    },
    // What contracts triggered has no effects of its own: they are those of the signed one.
    enabled: trigger === undefined,
  });
  const transaction = transactionOfRecord(record);
  const tell = useTelling();
  const parts = transaction ? tell(transaction, !hasFailed) : [];
  const credential = useCredentialOnLedger(hasFailed ? undefined : onlyCredential(parts));
  const counts: Partial<Record<(typeof tabs)[number], number>> = {
    operations: record.transaction.operations?.length ?? 0,
    signatures: record.signatures?.length ?? 0,
    ...(effects.data && { changes: effects.data.accounts.length, logs: effects.data.logs.length }),
  };
  return (
    <div className="page">
      <TransactionHead
        state={hasFailed ? 'failed' : 'executed'}
        hash={hash}
        transaction={transaction}
        at={Number(record.close_time) / 1_000}
        block={Number(record.ledger_seq)}
      >
        {hasFailed && (
          <p className="st bad sentence-why">{explorer.failedWhy(record.error_desc, record.error_code)}</p>
        )}
        <SentBy parts={parts} source={transaction?.sourceAddress} />
        {trigger !== undefined && (
          <p className="muted">
            {explorer.triggeredBy} <Hash hash={trigger} to={transactionPath(trigger)} />
          </p>
        )}
      </TransactionHead>
      <TabLinks
        label={explorer.transaction}
        to={transactionPath(hash)}
        open={tab}
        tabs={tabs.map((name) => ({
          name,
          title: explorer.tabs[name],
          ...(counts[name] !== undefined && { count: counts[name] }),
        }))}
      />
      <div className="ledger-cols ledger-tabbed">
        <div className="stack">
          <OpenTab tab={tab} record={record} effects={effects} />
          {tab === 'overview' && trigger === undefined && <Life record={record} credential={credential} />}
        </div>
        <div className="stack">
          <Sum record={record} />
          {credential && <CredentialPanel facts={credential} />}
        </div>
      </div>
    </div>
  );
}

/** What an issuer has signed anybody may hand in: then the sentence names the issuer, and this line the sender. */
function SentBy({
  parts,
  source = '',
}: {
  readonly parts: readonly SentencePart[];
  readonly source: string | undefined;
}) {
  const { words } = useDeskWords('ledger');
  const subject = parts.find((part) => part.kind === 'account');
  if (source === '' || !subject || subject.kind !== 'account' || subject.id === source) return null;
  return (
    <p className="muted row wrap">
      {words.explorer.handedIn} <AccountRef address={source} />
    </p>
  );
}

type EffectsQuery = Parameters<typeof Loaded<TransactionEffects>>[0]['query'];

interface OpenTabProps {
  readonly tab: (typeof tabs)[number];
  readonly record: ExecutedRecord;
  readonly effects: EffectsQuery;
}

function OpenTab({ tab, record, effects }: OpenTabProps) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const trigger = record.trigger?.transaction.hash;
  return (
    <>
      {(tab === 'overview' || tab === 'operations') && (
        <Panel title={record.error_code !== 0 ? explorer.wouldDo : explorer.does}>
          <Operations record={record} isWhole={tab === 'operations'} />
        </Panel>
      )}
      {(tab === 'overview' || tab === 'changes') && trigger === undefined && (
        <ChangesPanel record={record} effects={effects} isWhole={tab === 'changes'} />
      )}
      {tab === 'changes' && trigger !== undefined && (
        <Panel>
          <EmptyState title={explorer.effectsElsewhere}>
            <Link to={transactionPath(trigger)} className="btn sm">
              {explorer.transaction}
            </Link>
          </EmptyState>
        </Panel>
      )}
      {tab === 'overview' && effects.data && effects.data.triggered.length > 0 && (
        <Triggered triggered={effects.data.triggered} />
      )}
      {tab === 'signatures' && <Signatures record={record} />}
      {tab === 'logs' && (
        <Panel title={explorer.tabs.logs}>
          {trigger === undefined ? (
            <Loaded query={effects}>{(data) => <Logs effects={data} />}</Loaded>
          ) : (
            <EmptyState title={explorer.effectsElsewhere} />
          )}
        </Panel>
      )}
      {tab === 'raw' && <Raw record={record} />}
    </>
  );
}

interface ChangesPanelProps {
  readonly record: ExecutedRecord;
  readonly effects: EffectsQuery;
  readonly isWhole: boolean;
}

/** Of what the node says is in the transaction: what it says its hash is, anybody could have put beside it. */
function madeAnew(record: ExecutedRecord) {
  const transaction = transactionOfRecord(record);
  const made = transaction && openMade(transaction);
  return made && { hash: encodeHex(made.hash), blob: made.blob };
}

/** All of it as the node tells it, and the bytes that were signed, where they can be made of that. */
function Raw({ record }: { readonly record: ExecutedRecord }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const made = madeAnew(record);
  return (
    <>
      <Panel title={explorer.tabs.raw} isPadded>
        <JsonCode text={stringifyJson(record as JsonValue)} label={explorer.tabs.raw} />
      </Panel>
      {made?.hash === record.hash && (
        <Panel
          title={explorer.signedBytes}
          aside={<span className="hint num">{explorer.bytes(made.blob.length)}</span>}
          isPadded
        >
          <p className="mono stranger">{encodeHex(made.blob)}</p>
        </Panel>
      )}
    </>
  );
}

function ChangesPanel({ record, effects, isWhole }: ChangesPanelProps) {
  const { words } = useDeskWords('ledger');
  const { button, panel } = useProof({
    kind: 'transaction',
    hash: record.hash,
    block: Number(record.ledger_seq),
    hasFailed: record.error_code !== 0,
    shownHash: madeAnew(record)?.hash,
  });
  return (
    <Panel title={words.explorer.changed} aside={button}>
      {panel}
      <Loaded query={effects}>{(data) => <Changes effects={data} isWhole={isWhole} />}</Loaded>
    </Panel>
  );
}

function Sum({ record }: { readonly record: ExecutedRecord }) {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  const newest = useNewestBlock().block?.number;
  const follow = newest === undefined ? undefined : newest - Number(record.ledger_seq);
  const { transaction } = record;
  const note = transaction.metadata_text;
  const signers = (record.signatures ?? []).flatMap(
    ({ public_key: key }) => ownerOfPublicKey(key)?.address ?? [],
  );
  return (
    <Panel className="sum">
      <dl className="facts">
        <dt>{explorer.from}</dt>
        <dd>
          <Sender address={transaction.source_address ?? ''} />
        </dd>
        <dt>{explorer.fee}</dt>
        <dd>
          <Amount amount={BigInt(record.actual_fee)} />
          {transaction.fee_limit !== undefined && (
            <span className="muted fact-more">
              {explorer.ofAtMost} <Amount amount={BigInt(transaction.fee_limit)} />
            </span>
          )}
        </dd>
        <dt>{explorer.nonce}</dt>
        <dd className="num">{countText(BigInt(transaction.nonce ?? 0), language)}</dd>
        <dt>{explorer.size}</dt>
        <dd className="num">{explorer.bytes(record.tx_size)}</dd>
        <dt>{explorer.mayWait}</dt>
        <dd>
          <LastBlock ceiling={transaction.ceil_ledger_seq} />
        </dd>
        {signers.length > 0 && (
          <>
            <dt>{explorer.signedBy}</dt>
            <dd>
              {signers.map((address) => (
                <span key={address} className="fact-more">
                  <AccountRef address={address} />
                </span>
              ))}
            </dd>
          </>
        )}
        {note !== undefined && note !== '' && (
          <>
            <dt>{explorer.note}</dt>
            <dd className="stranger">
              <ForeignText text={note} />
            </dd>
          </>
        )}
        <dt>{explorer.final}</dt>
        <dd>
          {explorer.sinceBlock}
          {follow !== undefined && (
            <span className="muted num fact-more">{explorer.blocksFollow(follow)}</span>
          )}
        </dd>
      </dl>
    </Panel>
  );
}

/** By name and by address: names are the reader's. */
function Sender({ address }: { readonly address: string }) {
  const isKnown = useKnownNames().party(address) !== undefined;
  return (
    <>
      <AccountRef address={address} />
      {isKnown && (
        <span className="fact-more">
          <Address address={address} />
        </span>
      )}
    </>
  );
}

function Signatures({ record }: { readonly record: ExecutedRecord }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const signatures = record.signatures ?? [];
  if (signatures.length === 0)
    return (
      <Panel title={explorer.tabs.signatures}>
        <EmptyState title={explorer.unsigned} text={explorer.unsignedWhy} />
      </Panel>
    );
  return (
    <Panel title={explorer.tabs.signatures}>
      <ul className="signatures">
        {signatures.map(({ public_key: key, sign_data: data }) => {
          const owner = ownerOfPublicKey(key);
          return (
            <li key={key}>
              {owner ? <AccountRef address={owner.address} /> : <span>{explorer.unknownKey}</span>}
              <dl className="facts">
                <dt>{explorer.publicKey}</dt>
                <dd className="mono stranger">{key}</dd>
                <dt>{explorer.signature}</dt>
                <dd className="mono stranger">{data}</dd>
              </dl>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

function Logs({ effects }: { readonly effects: TransactionEffects }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  if (effects.logs.length === 0) return <EmptyState title={explorer.noLogs} text={explorer.noLogsWhy} />;
  return (
    <ul className="logs">
      {effects.logs.map(({ hash, address, topic, datas }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a log is its place.
        <li key={at}>
          <span className="row wrap">
            <AccountRef address={address} />
            <b className="mono stranger">
              <ForeignText text={topic} />
            </b>
            {hash !== effects.hash && <Hash hash={hash} to={transactionPath(hash)} />}
          </span>
          {datas.map((data, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a value is its place.
            <JsonCode key={place} text={data} label={explorer.value} />
          ))}
        </li>
      ))}
      {effects.logs_left_out > 0 && <li className="hint">{explorer.leftOut(effects.logs_left_out)}</li>}
    </ul>
  );
}
