/** What an account had part in, newest first, and the same as a file. */
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { useCursorPages } from '../../../api/cursor-pages.ts';
import { failureWords } from '../../../api/failure.ts';
import { useKnownNames } from '../../../ledger/known-names.ts';
import { useTelling } from '../../../ledger/transaction-sentence.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { saveFile } from '../../../parts/controls/save-file.ts';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { csvText, csvType } from '../../../text/csv.ts';
import { useDeskWords } from '../../../words/words.ts';
import { type ToldRow, toldRows } from '../transactions/told-rows.ts';
import { TransactionRows } from '../transactions/transaction-rows.tsx';
import { Loaded } from '../written/loaded.tsx';
import { accountPath } from '../written/paths.ts';

const pageRows = 50;
const filePageRows = 200;
const fileRowsMax = 10_000;

async function readPage(
  ledger: LedgerClient,
  {
    address,
    cursor,
    limit,
  }: { readonly address: string; readonly cursor: string | undefined; readonly limit: number },
) {
  const { result } = await ledger.getAccountTransactions({
    address,
    limit,
    ...(cursor !== undefined && { cursor }),
  });
  return { rows: await toldRows(ledger, result?.transactions ?? []), next: result?.next_cursor ?? undefined };
}

const heads = ['hash', 'block', 'time', 'part', 'source', 'code', 'fee', 'sentence'];

function fileRow(row: ToldRow, tell: ReturnType<typeof useTelling>): readonly string[] {
  return [
    row.hash,
    String(row.block),
    new Date(row.at).toISOString(),
    row.roles.join(' '),
    row.source,
    String(row.code),
    String(row.fee),
    row.transaction
      ? tell(row.transaction, row.code === 0)
          .map(({ text }) => text)
          .join('')
      : '',
  ];
}

function useFile(address: string) {
  const { words } = useDeskWords('ledger');
  const { ledger } = useClients();
  const tell = useTelling();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const rows: ToldRow[] = [];
      let cursor: string | undefined;
      do {
        const page = await readPage(ledger, { address, cursor, limit: filePageRows });
        rows.push(...page.rows);
        cursor = page.next;
      } while (cursor !== undefined && rows.length < fileRowsMax);
      const contents = csvText(
        heads,
        rows.map((row) => fileRow(row, tell)),
      );
      saveFile({ name: `transactions-${address}.csv`, type: csvType, contents });
      if (cursor !== undefined) toast({ tone: 'plain', text: words.explorer.fileCut(rows.length) });
    } catch (error) {
      const { title } = failureWords(error, words);
      toast({ tone: 'bad', text: `${words.explorer.noFile} ${title}` });
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, save };
}

/** An issuer signs credentials, and another account hands them in: they are no transactions of the issuer's account. */
function IssuedElsewhere({ address }: { readonly address: string }) {
  const { words } = useDeskWords('ledger');
  const { isIssuer, registries } = useKnownNames();
  if (!registries || !isIssuer(address)) return null;
  return (
    <p className="hint pad">
      {words.explorer.issuesElsewhere}{' '}
      <Link to={accountPath(registries.credentials)} className="lk">
        {words.sentences.names.credentialRegistry}
      </Link>
    </p>
  );
}

export function AccountTransactions({ address }: { readonly address: string }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const { ledger } = useClients();
  const list = useCursorPages<ToldRow>(['ledger', 'account-transactions', address], (cursor) =>
    readPage(ledger, { address, cursor, limit: pageRows }),
  );
  const file = useFile(address);
  return (
    <Panel
      title={explorer.transactions}
      aside={
        <Button size="small" icon="save" disabled={file.isBusy} onClick={() => void file.save()}>
          {explorer.csv}
        </Button>
      }
    >
      <IssuedElsewhere address={address} />
      <Loaded query={{ ...list, data: list.rows }} rows={5}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={explorer.noPart} />
          ) : (
            <TransactionRows
              label={explorer.transactions}
              hasRoles
              rows={rows}
              isLoadingMore={list.isFetchingNextPage}
              {...(list.more && { onMore: list.more })}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}
