/** One account: what it has, who signs for it, what it keeps, and what it had part in. */
import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import { accountOfDid } from '@symbolon/sdk/keys/key-owners';
import { usualKeyFormat } from '@symbolon/sdk/keys/usual-keys';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClients } from '../../../api/api.tsx';
import { useKnownNames } from '../../../ledger/known-names.ts';
import { livesWithLedger } from '../../../ledger/live-queries.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { Address } from '../../../parts/written/address.tsx';
import { Amount } from '../../../parts/written/amount.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { foreignLine } from '../../../text/foreign-text.ts';
import { countText } from '../../../text/numbers.ts';
import { shortAccount } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { contractText, controlText } from '../proofs/account-entry.ts';
import type { ShownEntry } from '../proofs/compare-shown.ts';
import { useProof } from '../proofs/prove-panel.tsx';
import { AccountRef } from '../written/account-ref.tsx';
import { Loaded } from '../written/loaded.tsx';
import { accountPath } from '../written/paths.ts';
import { useSearchWord } from '../written/search-words.ts';
import { TabLinks } from '../written/tab-links.tsx';
import { AssetsPanel, MetadataPanel } from './account-entries.tsx';
import { useAccountOwner } from './account-owner.ts';
import { AccountTransactions } from './account-transactions.tsx';
import { ContractPanel } from './contract-panel.tsx';
import { type AccountBase, controlOf } from './privileges.ts';
import { useTokenName } from './use-token-name.ts';

const tabs = ['transactions', 'keeps', 'contract'] as const;

const accountQuery = (ledger: LedgerClient, address: string) => ({
  queryKey: ['ledger', 'account', address],
  queryFn: async () => (await unlessNotFound(ledger.getAccountBase({ address })))?.result ?? null,
});

function useAccount(address: string) {
  const { ledger } = useClients();
  return useQuery({ ...accountQuery(ledger, address), meta: livesWithLedger });
}

/** The proof of the account, compared with all that the page shows of it. */
function useAccountProof(address: string) {
  const { ledger } = useClients();
  const queries = useQueryClient();
  const shown = useAccount(address).data;
  return useProof({
    kind: 'account',
    address,
    shown: shownEntry(shown),
    async readShown() {
      // Not an answer that is on its way already: it could be of an older block than the proof.
      const { queryKey, queryFn } = accountQuery(ledger, address);
      const account = await queryFn();
      queries.setQueryData(queryKey, account);
      return shownEntry(account);
    },
  });
}

function shownEntry(account: AccountBase | null | undefined): ShownEntry {
  if (!account) return undefined;
  const { payload, owner } = account.contract ?? {};
  return {
    kind: 'account',
    balance: BigInt(account.balance ?? 0),
    nonce: BigInt(account.nonce ?? 0),
    control: controlText(controlOf(account)),
    contract: contractText({ ...(payload && { code: payload }), ...(owner && { owner }) }),
  };
}

/** Nobody is asked for what is no address: it may be a key. */
export function AccountPage({ address: given }: { readonly address: string }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const address = accountOfDid(given) ?? given;
  return usualKeyFormat.isAddress(address) ? (
    <SoughtAccount key={address} address={address} />
  ) : (
    <DeskPage title={explorer.noAddress}>
      <Panel>
        <EmptyState title={explorer.noAddress} text={explorer.noAddressWhy}>
          <Link to="/ledger/accounts" className="btn sm">
            {explorer.accounts}
          </Link>
        </EmptyState>
      </Panel>
    </DeskPage>
  );
}

function SoughtAccount({ address }: { readonly address: string }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const account = useAccount(address);
  const known = useKnownNames().party(address);
  const owner = useAccountOwner(address).data;
  const isContract = (account.data?.contract?.payload ?? '') !== '';
  const token = useTokenName(address, isContract);
  const [tab] = useSearchWord('tab', [...tabs]);
  useShownCode(explorer.account, [
    { server: 'ledger', route: 'getAccountBase', given: { address } },
    { server: 'ledger', route: 'getAccountTransactions', given: { address } },
    { server: 'ledger', route: 'getStateProof', given: { address } },
  ]);
  if (account.data === null) return <NoAccount address={address} />;
  const tokenName = token && foreignLine(explorer.tokenAt(token.name, token.symbol));
  const name = known?.name ?? owner?.profile?.name ?? tokenName;
  const shown = tab === 'contract' && !isContract ? 'transactions' : tab;
  return (
    <DeskPage
      title={
        name ??
        (isContract ? explorer.contractAt(shortAccount(address)) : explorer.accountAt(shortAccount(address)))
      }
      text={
        <span className="row wrap account-ids">
          <Address address={address} />
          {owner && <Did did={owner.did} />}
          {isContract && <span className="tag plain">{explorer.contract}</span>}
          {!known && !owner?.profile && token && <span className="hint">{explorer.words.itself}</span>}
          {!known && owner?.profile && <span className="hint">{explorer.words[owner.profile.word]}</span>}
          {owner?.profile?.looksLikeAnothers && <span className="st warn">{explorer.looksLike}</span>}
        </span>
      }
    >
      <TabLinks
        label={explorer.account}
        to={accountPath(address)}
        open={shown}
        tabs={tabs
          .filter((one) => one !== 'contract' || isContract)
          .map((one) => ({ name: one, title: explorer.accountTabs[one] }))}
      />
      <div className="ledger-cols ledger-tabbed">
        <div className="stack">
          {shown === 'transactions' && <AccountTransactions address={address} />}
          {shown === 'keeps' && (
            <>
              <AssetsPanel address={address} />
              <MetadataPanel address={address} isContract={isContract} />
            </>
          )}
          {shown === 'contract' && account.data?.contract && (
            <ContractPanel
              address={address}
              owner={account.data.contract.owner}
              code={account.data.contract.payload ?? ''}
            />
          )}
        </div>
        <div className="stack">
          <Balance address={address} query={account} />
          <Loaded query={account} rows={2}>
            {(data) => data && <ControlPanel account={data} isContract={isContract} />}
          </Loaded>
        </div>
      </div>
    </DeskPage>
  );
}

function Balance({
  address,
  query,
}: {
  readonly address: string;
  readonly query: ReturnType<typeof useAccount>;
}) {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  const { button, panel } = useAccountProof(address);
  return (
    <Panel className="sum" title={explorer.balance} aside={button}>
      {panel}
      <Loaded query={query} rows={2}>
        {(account) => (
          <dl className="facts">
            <dt>{explorer.balance}</dt>
            <dd className="account-balance">
              <Amount amount={BigInt(account?.balance ?? 0)} />
            </dd>
            <dt>{explorer.nonce}</dt>
            <dd className="num">{countText(BigInt(account?.nonce ?? 0), language)}</dd>
          </dl>
        )}
      </Loaded>
    </Panel>
  );
}

function ControlPanel({
  account,
  isContract,
}: {
  readonly account: AccountBase;
  readonly isContract: boolean;
}) {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  const { kind, needed, signers, types } = controlOf(account);
  return (
    <Panel title={explorer.privileges} isPadded>
      {kind === 'ownKey' && <p>{explorer.ownKey}</p>}
      {kind === 'nobody' && <p>{isContract ? explorer.codeAlone : explorer.nobodySigns}</p>}
      {kind === 'shared' && (
        <>
          <p>{explorer.weightNeeded(countText(needed, language))}</p>
          <ul className="signers">
            {signers.map(({ address, weight }) => (
              <li key={address} className="row between">
                <AccountRef address={address} />
                <span className="num muted">{explorer.weight(countText(weight, language))}</span>
              </li>
            ))}
          </ul>
          {types.map(({ type, needed: own }) => (
            <p key={type} className="hint">
              {explorer.typeNeeds(operationName(type, explorer.operations), countText(own, language))}
            </p>
          ))}
        </>
      )}
    </Panel>
  );
}

const operationName = (type: number, names: Readonly<Record<string, string>>): string =>
  Object.hasOwn(names, `type${type}`) ? (names[`type${type}`] as string) : String(type);

function NoAccount({ address }: { readonly address: string }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const { button, panel } = useAccountProof(address);
  return (
    <DeskPage title={explorer.noAccount} text={<span className="mono stranger">{address}</span>}>
      <Panel>
        <EmptyState title={explorer.noAccount} text={explorer.noAccountWhy}>
          <Link to="/ledger/accounts" className="btn sm">
            {explorer.accounts}
          </Link>
          {button}
        </EmptyState>
        {panel}
      </Panel>
    </DeskPage>
  );
}
