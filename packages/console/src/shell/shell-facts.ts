/** What the frame draws: who sits here, which desks they see, and what their keys and the palette do. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useChair, useClients, useConsoleConfig } from '../api/api.tsx';
import type { ShownPerson, SignedIn } from '../api/console-config.ts';
import { failureWords } from '../api/failure.ts';
import type { LeftEnd } from '../api/left-session.ts';
import { useBuiltPlaces } from '../navigation/built-places.tsx';
import { desksOf, type SeenDesk } from '../navigation/places.ts';
import { useToast } from '../parts/hooks/use-toast.ts';
import { lockVault } from '../vault/open-vaults.ts';
import { useOwnVault, useVaults } from '../vault/use-vaults.ts';
import type { FrameWords } from '../words/catalogue.ts';
import { useWords } from '../words/words.ts';
import type { PersonSwitchProps, Sitting } from './person-button.tsx';

export interface ShellFacts {
  readonly isDemo: boolean;
  readonly desks: readonly SeenDesk[];
  readonly switching: PersonSwitchProps;
}

export function useShellFacts(): ShellFacts {
  const { words } = useWords();
  const toast = useToast();
  const navigate = useNavigate();
  const router = useRouter();
  const config = useConsoleConfig();
  const { signedIn, person, people, take, leave } = useChair();
  const built = useBuiltPlaces();
  const name = useOwnName(signedIn?.did);
  const vaults = useVaults();
  const wallet = useOwnVault()?.facts;
  // People of the demo are what the demo says; elsewhere whoever acts for themselves or has a vault here holds credentials.
  const isHolder = person
    ? person.person.startsWith('holder')
    : signedIn?.did !== undefined || (vaults ?? []).some(({ protection }) => protection !== 'demo');
  const desks = desksOf({ scopes: signedIn?.scopes ?? [], isHolder }, built);
  const orSay = (work: Promise<void>): void => {
    work.catch((error: unknown) => {
      const { title, text } = failureWords(error, words);
      toast({ tone: 'bad', text: `${title}. ${text}` });
    });
  };
  /** A page that nobody sees who is not signed in would only be refused. */
  const leaveDesk = async (): Promise<void> => {
    const open = desksOf({ scopes: [], isHolder: false }, built).flatMap(({ places }) => places);
    const { pathname } = router.latestLocation;
    const isOpen = pathname === '/parts' || open.some(({ path }) => pathname.startsWith(path));
    if (!isOpen) await navigate({ to: '/' });
  };
  /** What was never confirmed stands over the page until it is past (`session-watch.tsx`). */
  const sayLeft = (end: LeftEnd): void => {
    const text = { over: words.signIn.signedOut, late: words.signIn.leftTold, unknown: undefined }[end];
    if (text !== undefined) toast({ tone: 'plain', text });
  };
  // Whoever opened a wallet here and signs in with it goes on being called as it is.
  const ofVault = vaults?.find(({ did }) => did === signedIn?.did)?.name || undefined;
  const sitting =
    signedIn && sittingOf(signedIn, { name: person?.name ?? name ?? ofVault, role: person?.person }, words);
  return {
    isDemo: config?.isDemo ?? false,
    desks,
    switching: {
      person: sitting,
      wallet: wallet && { did: wallet.did, name: wallet.name || undefined, role: 'wallet' },
      people,
      onTake: (next: ShownPerson) =>
        orSay(
          take(next, async () => {
            const reader = { scopes: next.scopes, isHolder: next.person.startsWith('holder') };
            const [desk] = desksOf(reader, built);
            // Whoever sat nowhere and takes the chair of this very desk came for this page, with an offer for instance.
            const isHere = desk !== undefined && router.latestLocation.pathname.startsWith(`/${desk.name}/`);
            if (signedIn || !isHere) await navigate({ to: desk?.places[0]?.path ?? '/' });
          }),
        ),
      onLeave: () => {
        if (signedIn?.did !== undefined) lockVault(signedIn.did);
        const { here, there } = leave(leaveDesk);
        orSay(here);
        orSay(there.then(sayLeft));
      },
    },
  };
}

/** Whoever came with an API key that acts for nobody is called by the name of the key. */
function sittingOf(
  { did, keyId = '' }: SignedIn,
  { name, role = '' }: { readonly name: string | undefined; readonly role: string | undefined },
  words: FrameWords,
): Sitting {
  return did === undefined ? { did: keyId, name: words.signIn.keyNamed(keyId), role } : { did, name, role };
}

/** What one calls oneself at this service, where it is no demo. */
function useOwnName(did: string | undefined): string | undefined {
  const { service } = useClients();
  const { data } = useQuery({
    queryKey: ['service', 'profiles', did ?? ''],
    queryFn: () => service.listProfiles({ dids: did ?? '' }),
    enabled: did !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.profiles[0]?.name;
}
