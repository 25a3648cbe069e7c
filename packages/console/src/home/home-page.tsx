/**
 * The first page: whether everything runs, whose chair one can take, what is issued here, what just happened, where things
 * are. What does not answer says so, and the rest stays.
 */
import { useQuery } from '@tanstack/react-query';
import { useClients, useConnection, useConsoleConfig } from '../api/api.tsx';
import { failureWords } from '../api/failure.ts';
import type { CodeRequest } from '../code/code-request.ts';
import { latePart } from '../late/late-part.tsx';
import { useNewestBlock } from '../ledger/newest-block.ts';
import { DeskPage } from '../parts/frame/desk-page.tsx';
import { Panel } from '../parts/frame/panel.tsx';
import { Bones } from '../parts/states/bones.tsx';
import { EmptyState } from '../parts/states/empty-state.tsx';
import { ErrorState } from '../parts/states/error-state.tsx';
import type { StatusName } from '../parts/written/status.tsx';
import { useShownCode } from '../shell/shown-code.tsx';
import type { FrameWords } from '../words/catalogue.ts';
import { useWords } from '../words/words.ts';
import { Addresses } from './addresses.tsx';
import { feedMax } from './feed-max.ts';
import './home.css';
import { PeopleDoors } from './people-doors.tsx';
import { DemoStory } from './story.tsx';
import { TemplateList } from './template-list.tsx';

/** Sentences of transactions bring everything along that reads one, so they come after the page. */
const RecentPanel = latePart(() => import('./recent-panel.tsx'));

const templatesMax = 6;

const requests: readonly CodeRequest[] = [
  { server: 'service', route: 'listTemplates', given: { limit: templatesMax } },
  { server: 'ledger', route: 'getTransactionHistory', given: { limit: feedMax } },
  { server: 'ledger', route: 'getLedger' },
];

/** Whether the service welcomes requests; undefined until it has answered. */
function useReadiness() {
  const { isReady } = useClients();
  return useQuery({ queryKey: ['service', 'ready'], queryFn: isReady, refetchInterval: 5_000 });
}

function useTemplates() {
  const { service } = useClients();
  return useQuery({
    queryKey: ['service', 'templates', templatesMax],
    queryFn: () => service.listTemplates({ limit: String(templatesMax) }),
  });
}

interface Running {
  readonly service: StatusName;
  readonly ledger: StatusName;
}

function useRunning(): Running {
  const { data, isError } = useReadiness();
  const isLost = useConnection().state === 'lost';
  const { block, hasFailed } = useNewestBlock();
  return {
    service: isError || isLost || data === false ? 'NotReady' : data === undefined ? 'Unknown' : 'Ready',
    ledger: hasFailed ? 'NotReady' : block ? 'Ready' : 'Unknown',
  };
}

function titleOf({ service, ledger }: Running, words: FrameWords, hasPeople: boolean): string {
  const { home } = words;
  if (service === 'NotReady') return ledger === 'Ready' ? home.notReady : home.serviceSilent;
  if (ledger === 'NotReady') return home.ledgerSilent;
  if (service === 'Unknown' || ledger === 'Unknown') return home.asking;
  return hasPeople ? home.running : home.runningPlain;
}

export function HomePage() {
  const { words } = useWords();
  const config = useConsoleConfig();
  const people = config?.people ?? [];
  const running = useRunning();
  const templates = useTemplates();
  const listed = templates.data?.templates.length ?? 0;
  const count = words.home.templateCount(listed, templates.data?.nextCursor !== undefined);
  const about = people.length > 0 ? words.home.about(people.length, count) : words.home.aboutPlain(count);
  useShownCode(words.shell.places.home, requests);
  return (
    <DeskPage
      title={titleOf(running, words, people.length > 0)}
      text={
        templates.data && (
          <>
            {about} {config === null && words.home.aboutNoConsole}
          </>
        )
      }
    >
      <PeopleDoors people={people} templates={templates.data?.templates ?? []} />
      <div className="grid home-two">
        {people.length > 0 && templates.data ? (
          <DemoStory people={people} templates={templates.data.templates} />
        ) : (
          <Panel title={words.home.templates}>
            <TemplatesInside query={templates} names={new Map(people.map(({ did, name }) => [did, name]))} />
          </Panel>
        )}
        <RecentPanel
          waiting={
            <Panel title={words.home.feed}>
              <Bones rows={5} hasMark={false} />
            </Panel>
          }
        />
      </div>
      <Panel className="home-places">
        <Addresses host={location.host} {...running} />
      </Panel>
    </DeskPage>
  );
}

function TemplatesInside({
  query,
  names,
}: {
  readonly query: ReturnType<typeof useTemplates>;
  readonly names: ReadonlyMap<string, string>;
}) {
  const { words } = useWords();
  // What was read before stays when it cannot be read again: the bar at the top says since when.
  if (query.data === undefined) {
    if (query.isError)
      return <ErrorState failure={failureWords(query.error, words)} onAgain={() => void query.refetch()} />;
    return <Bones rows={3} />;
  }
  const { templates } = query.data;
  if (templates.length === 0)
    return <EmptyState title={words.home.templatesEmpty} text={words.home.templatesEmptyWhy} />;
  return <TemplateList templates={templates} names={names} />;
}
