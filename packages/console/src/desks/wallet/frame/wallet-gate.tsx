/**
 * Before every page of the wallet: whose wallet it is, and whether it is open. Without a vault one is made, a locked one is
 * unlocked, and the vaults of the demo's people are made and opened by themselves, because everybody knows their keys.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react';
import { useChair, useClients, useConnection } from '../../../api/api.tsx';
import { configQuery } from '../../../api/console-config.ts';
import { failureWords } from '../../../api/failure.ts';
import { readTabSession, watchTabSession } from '../../../api/tab-session.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Bones } from '../../../parts/states/bones.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { keepOpen } from '../../../vault/open-vaults.ts';
import { useOpenedVault, useVaultList } from '../../../vault/use-vaults.ts';
import { VaultFailure } from '../../../vault/vault-failure.ts';
import { makeVault, type OpenedVault, unlockVault } from '../../../vault/vaults.ts';
import { useDeskWords } from '../../../words/words.ts';
import '../wallet.css';
import { useChosenVault, wasLockedByHand } from './chosen-vault.ts';
import { useNetwork } from './network.ts';
import { NewIdentity } from './new-identity.tsx';
import { useOffline } from './offline.ts';
import { UnlockPanel } from './unlock-panel.tsx';
import { WalletContext } from './wallet-context.ts';

interface DemoKey {
  readonly did: string;
  readonly name: string;
  readonly privateKey: string;
}

/** Opens the vault of somebody of the demo, made at its first use in this browser. */
export async function openDemoVault({ name, privateKey, did }: DemoKey): Promise<OpenedVault> {
  const protection = { kind: 'demo', privateKey } as const;
  return makeVault({ privateKey, name, protection }).catch((error: unknown) => {
    if (error instanceof VaultFailure && error.code === 'exists') return unlockVault(did, protection);
    throw error;
  });
}

/** Whether it is known by now who sits here. */
function useIsSeated(): boolean {
  const session = useSyncExternalStore(watchTabSession, readTabSession);
  const { isPending, isError } = useQuery({
    queryKey: ['console', 'session', session ?? ''],
    queryFn: () => null,
    enabled: false,
  });
  const { state } = useConnection();
  return session === undefined || isError || !isPending || state === 'lost';
}

export interface WalletGateProps {
  readonly children: ReactNode;
}

export function WalletGate({ children }: WalletGateProps) {
  const { words } = useDeskWords('wallet');
  const isSeated = useIsSeated();
  const { person, signedIn } = useChair();
  const { state } = useConnection();
  const chosen = useChosenVault();
  const holder = person?.person.startsWith('holder') ? person : undefined;
  // Vaults of the demo's people are for whoever sits in their chairs; without a service it is not known who does.
  const list = useVaultList();
  const vaults = list.vaults?.filter(
    ({ did, protection }) => protection !== 'demo' || did === holder?.did || state === 'lost',
  );
  const own = vaults?.find(({ did }) => did === (chosen ?? signedIn?.did));
  const only = vaults?.length === 1 ? vaults[0] : undefined;
  const did = holder?.did ?? own?.did ?? only?.did;
  const vault = useOpenedVault(did);
  const demo = useDemoVault(holder, vault === undefined);
  useForgetWhenLocked(did, vault);
  if (vault) return <Opened vault={vault}>{children}</Opened>;
  if (list.error)
    return (
      <DeskPage title={words.shell.desks.wallet}>
        <Panel>
          <ErrorState failure={failureWords(list.error, words)} onAgain={list.again} />
        </Panel>
      </DeskPage>
    );
  if (!isSeated || vaults === undefined || demo.isOpening)
    return (
      <DeskPage title={words.shell.desks.wallet}>
        <Panel>
          <Bones rows={3} />
        </Panel>
      </DeskPage>
    );
  const facts = vaults.find((one) => one.did === did);
  if (facts || vaults.length > 1)
    return <UnlockPanel vaults={facts ? [facts] : vaults} demoKey={demo.key} hasOthers={!holder} />;
  return <NewIdentity />;
}

function useDemoVault(holder: { readonly did: string } | undefined, isLocked: boolean) {
  const { service } = useClients();
  const did = holder?.did;
  const people = useQuery(configQuery(service));
  const key = people.data?.people?.find((one) => one.did === did);
  const opening = useQuery({
    queryKey: ['wallet', did, 'opening'],
    queryFn: async () => {
      if (key) keepOpen(await openDemoVault(key));
      return true;
    },
    enabled: key !== undefined && isLocked && did !== undefined && !wasLockedByHand(did),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isOpening = did !== undefined && !people.isError && !wasLockedByHand(did) && opening.isPending;
  return { key, isOpening };
}

/** What was read of a vault goes out of memory with it. */
function useForgetWhenLocked(did: string | undefined, vault: OpenedVault | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (vault || did === undefined) return;
    queries.removeQueries({
      predicate: ({ queryKey }) =>
        queryKey[0] === 'wallet' && queryKey[1] === did && queryKey[2] !== 'opening',
    });
  }, [did, queries, vault]);
}

function Opened({ vault, children }: { readonly vault: OpenedVault; readonly children: ReactNode }) {
  const { service, ledger } = useClients();
  const { origin, pins, isSearching, isDemo } = useNetwork(vault);
  useOffline();
  const wallet = useMemo(
    () => ({
      vault,
      did: vault.facts.did,
      name: vault.facts.name,
      isDemo,
      origin,
      client: { ...service, audience: origin },
      ledger,
      pins,
      isSearching,
    }),
    [isDemo, isSearching, ledger, origin, pins, service, vault],
  );
  return <WalletContext value={wallet}>{children}</WalletContext>;
}
