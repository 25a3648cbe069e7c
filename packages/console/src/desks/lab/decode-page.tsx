/**
 * Decode: whatever somebody has, in words. It is read in the browser; the ledger is asked only for what a hash stands for
 * and who may sign. What is pasted stays in this page: it may be a key.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import { findReceipt } from '@symbolon/sdk/ledger/receipts';
import { isGoodSignature, signerAddress } from '@symbolon/sdk/transactions/foreign-signatures';
import { actingAccounts, requiredWeights } from '@symbolon/sdk/transactions/required-weights';
import { transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { openMade, type ReadText, readTransactionText } from '@symbolon/sdk/transactions/transaction-texts';
import { stringifyJson } from '@symbolon/wire/json/json';
import { transactionToJson } from '@symbolon/wire/ledger/transaction-json';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useClients } from '../../api/api.tsx';
import { failureWords } from '../../api/failure.ts';
import { TransactionSentence } from '../../ledger/transaction-sentence.tsx';
import { useBuiltPlaces } from '../../navigation/built-places.tsx';
import { TextField } from '../../parts/controls/fields.tsx';
import { DeskPage } from '../../parts/frame/desk-page.tsx';
import { Panel } from '../../parts/frame/panel.tsx';
import { Bones } from '../../parts/states/bones.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { Amount } from '../../parts/written/amount.tsx';
import { ForeignLines } from '../../parts/written/foreign-text.tsx';
import { Hash } from '../../parts/written/hash.tsx';
import { useShownCode } from '../../shell/shown-code.tsx';
import { countText } from '../../text/numbers.ts';
import { useDeskWords } from '../../words/words.ts';
import { SignedNotes } from './build/signed-notes.tsx';
import { Party, Weights } from './build/weights.tsx';
import { linkOfDraft } from './draft/draft-link.ts';
import { useAccounts } from './facts/use-accounts.ts';
import './lab.css';

const pasteRows = 6;
const linkedCharsMax = 8_000;

export default function DecodePage() {
  const { words } = useDeskWords('lab');
  const search: { readonly blob?: unknown } = useSearch({ strict: false });
  const linked = typeof search.blob === 'string' && search.blob.length <= linkedCharsMax ? search.blob : '';
  const [text, setText] = useState(linked);
  const read = useMemo(() => readTransactionText(text), [text]);
  useShownCode(
    words.lab.decodeTitle,
    read.kind === 'transaction'
      ? [{ server: 'ledger', route: 'getTransactionFromBlob', given: { blob: encodeHex(read.signed.blob) } }]
      : [],
  );
  return (
    <DeskPage title={words.lab.decodeTitle} text={words.lab.decodeAbout}>
      <Panel isPadded className="lab-terms">
        <TextField
          label={words.lab.decodeLabel}
          placeholder={words.lab.decodeHolder}
          value={text}
          onChange={setText}
          rows={pasteRows}
          isMono
        />
      </Panel>
      {text.trim() !== '' && <Read read={read} />}
    </DeskPage>
  );
}

function Read({ read }: { readonly read: ReadText }) {
  const { words } = useDeskWords('lab');
  const { decoded } = words.lab;
  switch (read.kind) {
    case 'transaction':
      return <ReadTransaction signed={read.signed} form={decoded.forms[read.form]} />;
    case 'hash':
      return <ReadHash hash={read.hash} />;
    case 'address':
    case 'publicKey':
    case 'did':
      return (
        <Panel isPadded>
          <p>{decoded[read.kind]}</p>
          <Party address={read.address} />
        </Panel>
      );
    case 'signature':
      return <Said title={decoded.signature} text={decoded.signatureWhy} />;
    case 'privateKey':
      return (
        <div className="note warn" role="alert">
          <span>
            <b>{decoded.privateKey}</b> {decoded.privateKeyWhy}
          </span>
        </div>
      );
    default:
      return <Said title={decoded.unknown} text={read.problem ?? decoded.unknownWhy} />;
  }
}

function Said({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Panel>
      <EmptyState title={title} text={text} />
    </Panel>
  );
}

/** What the ledger knows under a hash: executed, waiting, or nothing. */
function ReadHash({ hash }: { readonly hash: string }) {
  const { words, language } = useDeskWords('lab');
  const { decoded } = words.lab;
  const { ledger } = useClients();
  const { data, error, refetch } = useQuery({
    queryKey: ['ledger', 'decoded-hash', hash],
    queryFn: async () => {
      const receipt = await findReceipt(ledger, hash);
      if (receipt) return { receipt, record: receipt.record };
      const waiting = await unlessNotFound(ledger.getTransactionCache({ hash }));
      return { receipt: undefined, record: waiting?.result?.transactions[0] };
    },
  });
  if (error) return <ErrorState failure={failureWords(error, words)} onAgain={() => void refetch()} />;
  if (!data) return <Bones rows={2} hasMark={false} />;
  const transaction = data.record && transactionOfRecord(data.record);
  const signed = transaction && openMade(transaction);
  if (!signed) return <Said title={decoded.hashUnknown} text={decoded.unknownWhy} />;
  const { receipt } = data;
  const block = receipt && countText(receipt.ledgerSeq, language);
  return (
    <ReadTransaction
      signed={signed}
      hash={hash}
      isExecuted={receipt?.code === 0}
      form={
        block === undefined
          ? decoded.waiting
          : receipt?.code === 0
            ? decoded.executed(block)
            : decoded.failed(block)
      }
    />
  );
}

interface ReadTransactionProps {
  readonly signed: SignedTransaction;
  readonly form: string;
  /** Of a transaction that the ledger has; then it is not computed from what the node shows. */
  readonly hash?: string;
  readonly isExecuted?: boolean;
}

function ReadTransaction({ signed, form, hash, isExecuted = false }: ReadTransactionProps) {
  const { words } = useDeskWords('lab');
  const { decoded } = words.lab;
  const { transaction } = signed;
  const hasExplorer = useBuiltPlaces().has('explorer');
  const json = transactionToJson(transaction);
  const link = linkOfDraft(json);
  return (
    <div className="lab-columns">
      <div>
        <Panel title={words.lab.says} isPadded>
          <p className="lab-says">
            <TransactionSentence transaction={transaction} isExecuted={isExecuted} />
          </p>
          <SignedNotes transaction={transaction} />
          <div className="row wrap lab-sign">
            {link !== undefined && (
              <Link to="/lab/build" search={{ draft: link }} className="btn">
                {decoded.openLab}
              </Link>
            )}
            {hash !== undefined && hasExplorer && (
              <Link to={`/ledger/tx/${hash}`} className="btn">
                {decoded.openLedger}
              </Link>
            )}
          </div>
        </Panel>
        <Panel title={decoded.everyOperation} isPadded>
          <pre className="code lab-json">
            <ForeignLines text={stringifyJson(json.operations ?? [], 2)} />
          </pre>
        </Panel>
      </div>
      <aside className="lab-aside-column">
        <Panel isPadded>
          <TransactionFacts signed={signed} form={form} hash={hash} />
        </Panel>
        {hash === undefined && <MustSign signed={signed} />}
      </aside>
    </div>
  );
}

function TransactionFacts({
  signed,
  form,
  hash,
}: Pick<ReadTransactionProps, 'signed' | 'form'> & { readonly hash: string | undefined }) {
  const { words } = useDeskWords('lab');
  const { decoded } = words.lab;
  const { transaction } = signed;
  return (
    <dl className="facts lab-facts">
      <dt>{decoded.fields.form}</dt>
      <dd>{form}</dd>
      <dt>{decoded.fields.hash}</dt>
      <dd>
        <Hash hash={hash ?? encodeHex(signed.hash)} isOwnPage />
      </dd>
      <dt>{decoded.fields.source}</dt>
      <dd>
        <Party address={transaction.sourceAddress} />
      </dd>
      <dt>{decoded.fields.nonce}</dt>
      <dd className="num">{String(transaction.nonce)}</dd>
      <dt>{decoded.fields.cost}</dt>
      <dd>
        <Amount amount={transaction.feeLimit} />
      </dd>
      {hash === undefined && (
        <>
          <dt>{decoded.fields.signed}</dt>
          <dd>
            <SignedBy signed={signed} />
          </dd>
        </>
      )}
    </dl>
  );
}

/** Which signatures are over these bytes; the browser checks each. */
const useGoodSigners = ({ blob, hash, signatures }: SignedTransaction) =>
  useQuery({
    queryKey: [
      'local',
      'good-signatures',
      encodeHex(hash),
      signatures.map(({ signData }) => encodeHex(signData)),
    ],
    queryFn: () =>
      Promise.all(
        signatures.map(async (one) => ({
          address: signerAddress(one),
          isGood: await isGoodSignature(one, blob),
        })),
      ),
    networkMode: 'always',
  }).data ?? [];

function SignedBy({ signed }: { readonly signed: SignedTransaction }) {
  const { words } = useDeskWords('lab');
  const signers = useGoodSigners(signed);
  if (signed.signatures.length === 0) return words.lab.decoded.nobody;
  return (
    <ul>
      {signers.map(({ address, isGood }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may have signed twice.
        <li key={at}>
          <Party address={address} />
          {!isGood && <span className="st bad">{words.lab.decoded.badSignature}</span>}
        </li>
      ))}
    </ul>
  );
}

function MustSign({ signed }: { readonly signed: SignedTransaction }) {
  const { words } = useDeskWords('lab');
  const { accounts, isComplete } = useAccounts(actingAccounts(signed.transaction));
  const good = useGoodSigners(signed).filter(({ isGood }) => isGood);
  if (!isComplete) return null;
  const required = requiredWeights(signed.transaction, accounts, new Set(good.map(({ address }) => address)));
  return (
    <Panel title={words.lab.signers}>
      <Weights required={required} />
    </Panel>
  );
}
