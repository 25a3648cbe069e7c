/** The routes: the frame, home, the page of parts, every place that is built (`pages.ts`); a desk alone is its first place. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Link,
  type RouteComponent,
  redirect,
  useRouterState,
} from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useConnection } from './api/api.tsx';
import { failureWords } from './api/failure.ts';
import { latePart } from './late/late-part.tsx';
import type { MissingPartProps } from './late/missing-part.tsx';
import { desks } from './navigation/places.ts';
import { type PageLoader, pages } from './pages.ts';
import { DeskPage } from './parts/frame/desk-page.tsx';
import { Panel } from './parts/frame/panel.tsx';
import { Bones } from './parts/states/bones.tsx';
import { EmptyState } from './parts/states/empty-state.tsx';
import { ErrorState, useToldNow } from './parts/states/error-state.tsx';
import type { WordyDesk } from './words/desk-words.ts';
import { readDesk, useWords } from './words/words.ts';

export interface RouterParts {
  /** Drawn around every page. */
  readonly frame: RouteComponent;
  readonly home: RouteComponent;
}

export function createConsoleRouter({ frame, home }: RouterParts) {
  const root = createRootRoute({
    component: frame,
    notFoundComponent: NotFound,
    errorComponent: Fallen,
  });
  const parent = { getParentRoute: () => root };
  const places = desks.flatMap((desk) =>
    desk.places.flatMap(({ name, path, details = [] }) => {
      const page = pages[name];
      const paths = page === undefined ? [] : [path, ...details.map((detail) => `${path}/${detail}`)];
      return paths.map((one) =>
        createRoute({
          ...parent,
          path: one,
          component: latePart(withWords(page as PageLoader, desk.name), Failed),
        }),
      );
    }),
  );
  const doors = desks.flatMap((desk) => {
    const path = `/${desk.name}`;
    const first = desk.places.find(({ name }) => pages[name]);
    if (!first || desk.places.some((place) => place.path === path)) return [];
    const lead = () => {
      throw redirect({ to: first.path, replace: true });
    };
    return [createRoute({ ...parent, path, beforeLoad: lead })];
  });
  return createRouter({
    routeTree: root.addChildren([
      createRoute({ ...parent, path: '/', component: home }),
      ...(pages.parts
        ? [createRoute({ ...parent, path: '/parts', component: latePart(pages.parts, Failed) })]
        : []),
      ...places,
      ...doors,
    ]),
    scrollRestoration: true,
    defaultPreload: 'intent',
    // What falls in a page leaves the frame standing.
    defaultErrorComponent: Fallen,
    // Where a page is on its way, its frame is there at once.
    defaultPendingComponent: OnItsWay,
    defaultPendingMs: pendingMs,
    defaultPendingMinMs: 0,
  });
}

/** A page of a desk is drawn when its words are there, too. */
const withWords =
  (page: PageLoader, desk: WordyDesk): PageLoader =>
  async () =>
    (await Promise.all([page(), readDesk(desk)]))[0];

/** Shorter waits are not worth a flicker. */
const pendingMs = 100;

const OnItsWay = () => (
  <div className="page">
    <Bones rows={4} />
  </div>
);

function NotFound() {
  const { words } = useWords();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <DeskPage title={words.shell.notFound}>
      <Panel>
        <EmptyState title={words.shell.notFound} text={words.shell.notFoundWhy(path)}>
          <Link to="/" className="btn sm">
            {words.shell.goHome}
          </Link>
        </EmptyState>
      </Panel>
    </DeskPage>
  );
}

const Fallen = ({ error, reset }: ErrorComponentProps) => <Failed error={error} onAgain={reset} />;

/** Tries again as soon as the service answers after nobody did. */
function useWhenBack(act: () => void): void {
  const { state } = useConnection();
  const wasLost = useRef(false);
  const again = useEffectEvent(act);
  useEffect(() => {
    if (state === 'connected' && wasLost.current) again();
    wasLost.current = state === 'lost';
  }, [state]);
}

function Failed({ error, onAgain }: MissingPartProps) {
  const { words } = useWords();
  const failure = useToldNow(failureWords(error, words));
  useWhenBack(onAgain);
  return (
    <DeskPage title={failure.title}>
      <Panel>
        <ErrorState failure={failure} onAgain={onAgain} isUnderTitle />
      </Panel>
    </DeskPage>
  );
}
