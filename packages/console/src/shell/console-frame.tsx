/** The frame of every page: sidebar, top bar, what lies over the page, and the bar that says when nobody answers. */
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useConnection } from '../api/api.tsx';
import { useKeys } from '../keys/keys.tsx';
import { desks as allDesks } from '../navigation/places.ts';
import { Bones } from '../parts/states/bones.tsx';
import { OfflineBar } from '../parts/states/offline-bar.tsx';
import { useWords } from '../words/words.tsx';
import { PhoneTabs } from './phone-tabs.tsx';
import { paletteEntries, shellKeys } from './shell-entries.ts';
import { useShellFacts } from './shell-facts.ts';
import { useCodeBoard } from './shown-code.tsx';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';

/** What lies over a page is loaded when somebody opens it. */
const CodeDrawer = lazy(() => import('./code-drawer.tsx'));
const Palette = lazy(() => import('./palette.tsx'));
const KeyList = lazy(() => import('./key-list.tsx'));

type Over = 'palette' | 'keys' | 'code' | undefined;

/** The name of the place that is open. */
function useTitle(): string {
  const { words } = useWords();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (path === '/parts') return words.shell.places.parts;
  const place = allDesks
    .flatMap(({ places }) => places)
    .filter((one) => path === one.path || path.startsWith(`${one.path}/`))
    .toSorted((left, right) => right.path.length - left.path.length)[0];
  return words.shell.places[place?.name ?? 'home'];
}

export function ConsoleFrame() {
  const { words } = useWords();
  const facts = useShellFacts();
  const navigate = useNavigate();
  const title = useTitle();
  const [over, setOver] = useState<Over>();
  const { shown } = useCodeBoard();
  const close = (): void => setOver(undefined);
  const acts = {
    goTo: (to: string) => void navigate({ to }),
    openPalette: () => setOver('palette'),
    openKeys: () => setOver('keys'),
    openCode: () => setOver('code'),
  };
  useKeys(shellKeys(facts, acts, words));
  return (
    <>
      <a className="skip" href="#page">
        {words.shell.toContent}
      </a>
      {facts.isDemo && <div className="demo-edge" />}
      <div className="app">
        <Sidebar facts={facts} />
        <div className="work">
          <TopBar
            title={title}
            onSearch={acts.openPalette}
            onCode={acts.openCode}
            switching={facts.switching}
          />
          <Connected />
          <main id="page" tabIndex={-1}>
            <Suspense fallback={<Bones />}>
              <Outlet />
            </Suspense>
          </main>
        </div>
      </div>
      <PhoneTabs desks={facts.desks} />
      <Suspense>
        {over === 'palette' && <Palette entries={paletteEntries(facts, acts, words)} onClose={close} />}
        {over === 'keys' && <KeyList onClose={close} />}
        {over === 'code' && <CodeDrawer onClose={close} code={shown} />}
      </Suspense>
    </>
  );
}

function Connected() {
  const { state, lastAnswerAt, nextTryAt, tryNow } = useConnection();
  if (state !== 'lost') return null;
  return (
    <div className="offline-place">
      <OfflineBar since={lastAnswerAt} nextTryAt={nextTryAt} onTryNow={tryNow} />
    </div>
  );
}
