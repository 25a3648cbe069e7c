/**
 * One credential, from template to refusal: what of it has happened is seen on the ledger, and in the chair of who asked.
 * Every step leads to the desk where it is done.
 */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { useChair, useClients, useConsoleConfig } from '../api/api.tsx';
import type { ShownPerson } from '../api/console-config.ts';
import { useBuiltPlaces } from '../navigation/built-places.tsx';
import { desks, type PlaceName } from '../navigation/places.ts';
import { Button } from '../parts/controls/button.tsx';
import { Icon } from '../parts/controls/icon.tsx';
import { Panel } from '../parts/frame/panel.tsx';
import { Block } from '../parts/written/block.tsx';
import { Who } from '../parts/written/who.tsx';
import { useWords } from '../words/words.ts';
import { type StoryFacts, type StoryRecord, storyFacts } from './story-facts.ts';

const askedEveryMs = 5_000;
const recordsMax = 100;

/** The newest transactions, for the story and for who only watches. */
export function useStoryRecords() {
  const { ledger } = useClients();
  return useQuery({
    queryKey: ['ledger', 'story'],
    queryFn: async (): Promise<readonly StoryRecord[]> => {
      const { result } = await ledger.getTransactionHistory({ limit: recordsMax });
      return (result?.transactions ?? [])
        .filter(({ trigger }) => trigger === undefined)
        .map(({ ledger_seq, error_code, transaction }) => {
          const call = transaction.operations?.[0]?.pay_coin;
          return {
            block: Number(ledger_seq),
            hasFailed: error_code !== 0,
            to: call?.dest_address,
            input: call?.input,
          };
        });
    },
    refetchInterval: askedEveryMs,
  });
}

/** How the sessions of whoever sits here ended; undefined in every chair but the verifier's. */
function useOwnVerdicts(isVerifier: boolean) {
  const { service } = useClients();
  const { data } = useQuery({
    queryKey: ['service', 'story', 'sessions'],
    queryFn: async () => (await service.listVerifications({ limit: '50' })).sessions,
    enabled: isVerifier,
    refetchInterval: askedEveryMs,
  });
  if (!isVerifier || !data) return undefined;
  const has = (status: string): boolean => data.some((session) => session.status === status);
  return { isAsked: data.length > 0, isVerified: has('VERIFIED'), isRefused: has('FAILED') };
}

interface Step {
  readonly key: string;
  readonly text: ReactNode;
  readonly isDone: boolean;
  /** Where the ledger has it. */
  readonly blocks?: readonly number[] | undefined;
  readonly role: string;
  readonly place: PlaceName;
}

export interface DemoStoryProps {
  readonly people: readonly ShownPerson[];
  readonly templates: readonly TemplateReply[];
}

export function DemoStory({ people, templates }: DemoStoryProps) {
  const { words } = useWords();
  const steps = useSteps(people, templates);
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone)?.key;
  const { story } = words.home;
  return (
    <Panel title={story.title} aside={<span className="hint">{story.done(done, steps.length)}</span>}>
      <ol className="story">
        {steps.map((step, at) => (
          <StoryLine key={step.key} step={step} number={at + 1} isNext={step.key === next} people={people} />
        ))}
      </ol>
    </Panel>
  );
}

function useSteps(people: readonly ShownPerson[], templates: readonly TemplateReply[]): readonly Step[] {
  const { words } = useWords();
  const network = useConsoleConfig()?.network;
  const records = useStoryRecords().data ?? [];
  const { person } = useChair();
  const verdicts = useOwnVerdicts(person?.person === 'verifier');
  const nothing: StoryFacts = { registered: undefined, issued: undefined, revoked: undefined };
  const nameOf = (role: string): string => people.find((one) => one.person === role)?.name ?? '';
  const who = (role: string): ReactNode => {
    const found = people.find((one) => one.person === role);
    return found && <Who id={found.did} name={found.name} />;
  };
  const template = templates.find(({ templateName }) => templateName === 'University degree') ?? templates[0];
  const facts = network ? storyFacts(records, { ...network, templateId: template?.templateId }) : nothing;
  const { story } = words.home;
  return [
    {
      key: 'register',
      text: (
        <>
          {who('issuer')} {story.registers} <b>{template?.templateName}</b>
        </>
      ),
      isDone: templates.length > 0,
      blocks: facts.registered?.blocks,
      role: 'issuer',
      place: 'templates',
    },
    {
      key: 'issue',
      text: facts.issued ? story.issued(facts.issued.count) : story.issues(nameOf('holder')),
      isDone: facts.issued !== undefined,
      blocks: facts.issued?.blocks,
      role: 'issuer',
      place: 'applications',
    },
    {
      key: 'ask',
      text: (
        <>
          {who('verifier')} {story.asks}
        </>
      ),
      isDone: verdicts?.isAsked ?? false,
      role: 'verifier',
      place: 'ask',
    },
    {
      key: 'verify',
      text: story.verifies(nameOf('holder')),
      isDone: verdicts?.isVerified ?? false,
      role: 'verifier',
      place: 'sessions',
    },
    {
      key: 'revoke',
      text: facts.revoked ? story.revoked(facts.revoked.count) : story.revokes,
      isDone: facts.revoked !== undefined,
      blocks: facts.revoked?.blocks,
      role: 'issuer',
      place: 'issued',
    },
    {
      key: 'refuse',
      text: story.refuses,
      isDone: verdicts?.isRefused ?? false,
      role: 'verifier',
      place: 'check',
    },
  ];
}

interface StoryLineProps {
  readonly step: Step;
  readonly number: number;
  readonly isNext: boolean;
  readonly people: readonly ShownPerson[];
}

function StoryLine({ step, number, isNext, people }: StoryLineProps) {
  const { words } = useWords();
  const built = useBuiltPlaces();
  const navigate = useNavigate();
  const { person, take } = useChair();
  const { text, isDone, blocks = [], role, place } = step;
  const path = desks.flatMap(({ places }) => places).find(({ name }) => name === place)?.path;
  const actor = people.find((one) => one.person === role);
  const go = async (): Promise<void> => {
    const open = () => navigate({ to: path ?? '/' });
    await (actor && person?.did !== actor.did ? take(actor, open) : open());
  };
  return (
    <li className={isDone ? 'done' : isNext ? 'now' : 'later'}>
      <span className="mk">{isDone ? <Icon name="check" size={13} /> : number}</span>
      <span className="grow told">{text}</span>
      {isDone && <span className="sr">{words.home.story.isDone}</span>}
      <StoryBlocks blocks={blocks} />
      {!isDone && actor && built.has(place) && (
        <Button size="small" kind={isNext ? 'primary' : 'quiet'} onClick={() => void go()}>
          {words.home.story.acts[place as keyof typeof words.home.story.acts] ?? words.home.story.go}
        </Button>
      )}
    </li>
  );
}

/** So many blocks have room in a line: of more, the first and the last are told. */
const blocksMax = 3;

function StoryBlocks({ blocks }: { readonly blocks: readonly number[] }) {
  const hasExplorer = useBuiltPlaces().has('explorer');
  const isCut = blocks.length > blocksMax;
  const shown = isCut ? [...blocks.slice(0, 1), ...blocks.slice(-1)] : blocks;
  return (
    <span className="row story-blocks">
      {shown.map((block, at) => (
        <Fragment key={block}>
          {isCut && at === 1 && <span className="faint">…</span>}
          <Block number={block} {...(hasExplorer && { to: `/ledger/blocks/${block}` })} />
        </Fragment>
      ))}
    </span>
  );
}
