/** The frame of every page: sidebar, top bar, what lies over the page, and the bar that says when nobody answers. */
import { useMantineColorScheme } from '@mantine/core';
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useConnection } from '../api/api.tsx';
import { useFaucet } from '../api/use-faucet.ts';
import { useEarlyKey } from '../keys/early-key.ts';
import { useKeyBindings, useKeys } from '../keys/keys.tsx';
import { useMissing } from '../late/use-missing.ts';
import { desks as allDesks } from '../navigation/places.ts';
import { useWholeTexts } from '../parts/hooks/use-whole-texts.ts';
import { Bones } from '../parts/states/bones.tsx';
import { OfflineBar } from '../parts/states/offline-bar.tsx';
import { SessionWatch } from '../sign-in/session-watch.tsx';
import { SignInProvider } from '../sign-in/sign-in.tsx';
import type { Language } from '../text/language.ts';
import { chooseLanguage, useWords } from '../words/words.ts';
import { LateCodeDrawer, LateKeyList, LatePalette, LatePlaceSheet } from './overlays.ts';
import { PhoneTabs } from './phone-tabs.tsx';
import { pageEntries, paletteEntries, shellKeys } from './shell-entries.ts';
import { useShellFacts } from './shell-facts.ts';
import { useInnermostCode } from './shown-code.tsx';
import { Sidebar } from './sidebar.tsx';
import { TopBar, type Trail } from './top-bar.tsx';

type Over = 'palette' | 'keys' | 'code' | 'places' | undefined;

/** Which place is open, and whether one of its pages below. */
function useTrail(): Trail {
  const { words } = useWords();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (path === '/parts') return { place: words.shell.places.parts };
  const found = allDesks
    .flatMap(({ name: desk, places }) => places.map((place) => ({ desk, ...place })))
    .filter((one) => path === one.path || path.startsWith(`${one.path}/`))
    .toSorted((left, right) => right.path.length - left.path.length)[0];
  if (!found) return { place: words.shell.places.home };
  return {
    desk: words.shell.desks[found.desk],
    place: words.shell.places[found.name],
    ...(path !== found.path && { above: found.path }),
  };
}

export function ConsoleFrame() {
  const { words } = useWords();
  const facts = useShellFacts();
  const navigate = useNavigate();
  const trail = useTrail();
  const [over, setOver] = useState<Over>();
  const askFaucet = useFaucet();
  const shown = useInnermostCode();
  // Holding transitions back would take a style element, which the policy of the service refuses.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const close = (): void => setOver(undefined);
  const missing = useMissing(close);
  const acts = {
    goTo: (to: string) => void navigate({ to }),
    openPalette: () => setOver('palette'),
    openKeys: () => setOver('keys'),
    openCode: () => setOver('code'),
    giveGas: (address: string, name: string) => void askFaucet(address, name),
    chooseLanguage: (language: Language) => void chooseLanguage(language),
    chooseLook: setColorScheme,
  };
  useWholeTexts();
  useKeys(shellKeys(facts, acts, words));
  useEarlyKey(facts.switching.people, facts.switching.onTake);
  const pageActs = pageEntries(useKeyBindings());
  return (
    <SignInProvider>
      <a className="skip" href="#page">
        {words.shell.toContent}
      </a>
      {facts.isDemo && <div className="demo-edge" />}
      <div className="app">
        <Sidebar facts={facts} />
        <div className="work">
          <TopBar
            trail={trail}
            onSearch={acts.openPalette}
            onCode={acts.openCode}
            switching={facts.switching}
          />
          <Connected />
          <SessionWatch />
          <main id="page" tabIndex={-1}>
            <Suspense fallback={<Bones />}>
              <Outlet />
            </Suspense>
          </main>
        </div>
      </div>
      <PhoneTabs desks={facts.desks} isMoreOpen={over === 'places'} onMore={() => setOver('places')} />
      {over === 'palette' && (
        <LatePalette
          entries={[...paletteEntries(facts, acts, words), ...pageActs]}
          desks={facts.desks}
          goTo={acts.goTo}
          onClose={close}
          onMissing={missing}
        />
      )}
      {over === 'places' && <LatePlaceSheet desks={facts.desks} onClose={close} onMissing={missing} />}
      {over === 'keys' && <LateKeyList onClose={close} onMissing={missing} />}
      {over === 'code' && <LateCodeDrawer onClose={close} code={shown} onMissing={missing} />}
    </SignInProvider>
  );
}

function Connected() {
  const { lostAt, lastAnswerAt, nextTryAt, tryNow } = useConnection();
  if (lostAt === undefined) return null;
  return (
    <div className="offline-place">
      <OfflineBar since={lostAt} seenAt={lastAnswerAt} nextTryAt={nextTryAt} onTryNow={tryNow} />
    </div>
  );
}
