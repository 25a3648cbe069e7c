/** The routes: the frame, home, the page of parts, and every place that is built (`pages.ts`). */
import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  type RouteComponent,
  useRouterState,
} from '@tanstack/react-router';
import { failureWords } from './api/failure.ts';
import { desks } from './navigation/places.ts';
import { type PageLoader, pages } from './pages.ts';
import { DeskPage } from './parts/frame/desk-page.tsx';
import { Panel } from './parts/frame/panel.tsx';
import { EmptyState } from './parts/states/empty-state.tsx';
import { ErrorState } from './parts/states/error-state.tsx';
import { useWords } from './words/words.tsx';

export interface RouterParts {
  /** Drawn around every page. */
  readonly frame: RouteComponent;
  readonly home: RouteComponent;
}

export function createConsoleRouter({ frame, home }: RouterParts) {
  const root = createRootRoute({
    component: frame,
    notFoundComponent: NotFound,
    errorComponent: Failed,
  });
  const parent = { getParentRoute: () => root };
  const places = desks.flatMap((desk) =>
    desk.places.flatMap(({ name, path, details = [] }) => {
      const page = pages[name];
      const paths = page === undefined ? [] : [path, ...details.map((detail) => `${path}/${detail}`)];
      return paths.map((one) =>
        createRoute({ ...parent, path: one, component: lazyRouteComponent(page as PageLoader) }),
      );
    }),
  );
  return createRouter({
    routeTree: root.addChildren([
      createRoute({ ...parent, path: '/', component: home }),
      ...(pages.parts
        ? [createRoute({ ...parent, path: '/parts', component: lazyRouteComponent(pages.parts) })]
        : []),
      ...places,
    ]),
    scrollRestoration: true,
    defaultPreload: 'intent',
  });
}

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

function Failed({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  const { words } = useWords();
  const failure = failureWords(error, words);
  return (
    <DeskPage title={failure.title}>
      <Panel>
        <ErrorState failure={failure} onAgain={reset} />
      </Panel>
    </DeskPage>
  );
}
