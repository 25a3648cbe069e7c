/** A request and the decision about it: who asks, why, what would be shared, proved and hidden, of which card. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { failureWords } from '../../../api/failure.ts';
import type { CodeRequest } from '../../../code/code-request.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { usePageTitle } from '../../../parts/frame/page-title.ts';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Bones } from '../../../parts/states/bones.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { shortDid } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { type ActivityEntry, type Asker, rangesProvedOf } from '../activity/activity-log.ts';
import { NotGenuine } from '../cards/card-intake.ts';
import type { KeptCard } from '../cards/kept-cards.ts';
import { useArrivals, useCards } from '../cards/use-cards.ts';
import { useWallet } from '../frame/wallet-context.ts';
import { AnswerChanged } from './agreed-answer.ts';
import type { AnswerPlan, PlanFacts } from './answer-plan.ts';
import { AnsweredView, Declined } from './answered.tsx';
import { type Answering, useAnswering } from './answering.ts';
import { planConsent, type SetChoice } from './asked-sets.ts';
import { CannotAnswer, type CannotAnswerProps } from './cannot-answer.tsx';
import { CardsBeside, type CardsBesideProps } from './cards-beside.tsx';
import { ConsentPanel } from './consent-panel.tsx';
import { type FetchedRequest, fetchRequest, wireRange } from './open-request.ts';
import { Unanswered } from './unanswered.tsx';

export function Consent({ id }: { readonly id: string }) {
  const { words } = useDeskWords('wallet');
  const wallet = useWallet();
  const { cards } = useCards();
  const arrivals = useArrivals();
  const answering = useAnswering(id);
  const asked = useQuery({
    queryKey: ['wallet', wallet.did, 'request', id, wallet.origin],
    queryFn: () => fetchRequest(wallet, id),
    enabled: wallet.pins !== undefined,
    // What is asked does not change; what became of it is told by its answer.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { answered, sent } = answering;
  const nameOf = (asker: Asker): string => askerName(asker, words.wallet.requests.somebody);
  if (answered)
    return <AnsweredView {...answered} name={nameOf(answered.sent.asker)} parts={answering.shown} />;
  if (sent) return <Unanswered {...answering} sent={sent} name={nameOf(sent.asker)} />;
  if (asked.isError)
    return (
      <DeskPage title={words.wallet.requests.title}>
        <Panel>
          <ErrorState failure={failureWords(asked.error, words)} onAgain={() => void asked.refetch()}>
            <Link to="/wallet/requests" className="btn sm">
              {words.wallet.requests.another}
            </Link>
          </ErrorState>
        </Panel>
      </DeskPage>
    );
  if (!asked.data || !cards || !answering.activity.data)
    return (
      <DeskPage title={words.wallet.requests.title}>
        <Panel>
          <Waiting text={words.wallet.requests.reading} />
        </Panel>
      </DeskPage>
    );
  return <Decision request={asked.data} cards={cards} arrivals={arrivals} answering={answering} />;
}

/** Rows on their way, and in words what they are waited for. */
const Waiting = ({ text }: { readonly text: string }) => (
  <>
    <p className="muted pad" role="status">
      {text}
    </p>
    <Bones rows={5} />
  </>
);

/** What to call whoever asks, where nobody has said. */
export const askerName = ({ name, did }: Asker, nobody: string): string =>
  name ?? (did === undefined ? nobody : shortDid(did).id);

/** Neither has a blank in it. */
const wishId = (queryId: string, key: string): string => `${queryId} ${key}`;

function ticked<Item>(all: ReadonlySet<Item>, item: Item, isTicked: boolean): ReadonlySet<Item> {
  const others = [...all].filter((one) => one !== item);
  return new Set(isTicked ? [...others, item] : others);
}

/** The plan, and what its owner may choose of it: another card, wishes that are met, options of sets. */
function usePlan(
  request: FetchedRequest,
  cards: readonly KeptCard[],
  entries: readonly ActivityEntry[] | undefined,
) {
  const [wanted, setWanted] = useState<ReadonlyMap<string, string>>(new Map());
  const [granted, setGranted] = useState<ReadonlySet<string>>(new Set());
  const [choices, setChoices] = useState<readonly SetChoice[]>([]);
  const planFor = useCallback(
    (known: readonly ActivityEntry[]) => {
      const facts = {
        cards,
        wanted,
        isGranted: (queryId, key) => granted.has(wishId(queryId, key)),
        provedBefore: (isOfFact) => rangesProvedOf(known, isOfFact),
        now: Date.now(),
      } satisfies PlanFacts;
      return planConsent(request.query, facts, choices);
    },
    [cards, choices, granted, request, wanted],
  );
  const planned = useMemo(() => entries && planFor(entries), [entries, planFor]);
  return {
    plan: planned?.plan,
    sets: planned?.sets ?? [],
    planAgain: (known: readonly ActivityEntry[]) => planFor(known).plan,
    use: (queryId: string, vcId: string) => setWanted(new Map([...wanted, [queryId, vcId]])),
    grant: (queryId: string, key: string, isGranted: boolean) =>
      setGranted(ticked(granted, wishId(queryId, key), isGranted)),
    choose: (set: number, option: number | undefined) => {
      const others = choices.filter((one) => one.set !== set);
      setChoices(option === undefined ? others : [...others, { set, option }]);
    },
  };
}

/** The act as code: what is shown and proved of each card. */
const answerCode = (id: string, plan: AnswerPlan | undefined): CodeRequest => ({
  act: 'answer',
  given: {
    id,
    ...(plan?.kind === 'answer' && {
      parts: plan.parts.map(({ reveal, ranges }) => ({
        revealAttributes: [...reveal],
        rangeProof: ranges.map(wireRange),
      })),
    }),
  },
});

interface DecisionProps {
  readonly request: FetchedRequest;
  readonly cards: readonly KeptCard[];
  /** What is on its way. */
  readonly arrivals: ReturnType<typeof useArrivals>;
  readonly answering: Answering;
}

function Decision({ request, cards, arrivals, answering }: DecisionProps) {
  const { words } = useDeskWords('wallet');
  const now = useNow();
  const { isBusy, step, error } = answering;
  const { plan, sets, planAgain, use, grant, choose } = usePlan(request, cards, answering.activity.data);
  useShownCode(words.wallet.requests.code, [answerCode(request.id, plan)]);
  const { asker } = request;
  const name = askerName(asker, words.wallet.requests.somebody);
  if (answering.isDeclined) return <Declined name={name} />;
  const failure = error && <AnswerFailure error={error} />;
  return (
    <ConsentPage
      name={name}
      cards={cards}
      inUse={plan?.kind === 'answer' ? plan.parts.map(({ card }) => card) : []}
    >
      {plan?.kind === 'answer' && (
        <ConsentPanel
          request={request}
          name={name}
          parts={plan.parts}
          onUse={use}
          onGrant={grant}
          // That no card answers is said only after it was looked for.
          sets={arrivals.isLooking ? sets.filter(({ options }) => options.length > 0) : sets}
          onChoose={choose}
          step={step}
          isOver={request.expiresAt <= now}
          isBusy={isBusy}
          onShare={() => answering.share({ request, parts: plan.parts, planAgain })}
          onDecline={() => answering.decline(request)}
        >
          {failure}
        </ConsentPanel>
      )}
      {plan?.kind !== 'answer' && (
        <>
          <NoAnswer
            name={name}
            plan={plan}
            query={request.query}
            purpose={request.purpose}
            cards={cards}
            arrivals={arrivals}
          />
          <div className="consent-foot">
            {failure}
            <div className="consent-acts">
              <Button disabled={isBusy} onClick={() => answering.decline(request)}>
                {words.wallet.requests.decline}
              </Button>
            </div>
          </div>
        </>
      )}
    </ConsentPage>
  );
}

interface ConsentPageProps extends CardsBesideProps {
  /** Of whoever asks. */
  readonly name: string;
  readonly children: ReactNode;
}

function ConsentPage({ name, cards, inUse, children }: ConsentPageProps) {
  const { words } = useDeskWords('wallet');
  usePageTitle(words.wallet.requests.requestOf(name), name);
  return (
    <div className="page wallet-page">
      <div className="consent">
        <CardsBeside cards={cards} inUse={inUse} />
        <section className="panel consent-panel" aria-label={words.wallet.requests.title}>
          {children}
        </section>
      </div>
    </div>
  );
}

function AnswerFailure({ error }: { readonly error: Error }) {
  const { words } = useDeskWords('wallet');
  const { notGood: title, notGoodWhy: text, changed, changedWhy } = words.wallet.requests;
  if (error instanceof AnswerChanged) return <ErrorState failure={{ title: changed, text: changedWhy }} />;
  const failure =
    error instanceof NotGenuine ? { title, text, code: error.message } : failureWords(error, words);
  return <ErrorState failure={failure} />;
}

interface NoAnswerProps extends Omit<CannotAnswerProps, 'plan'>, Pick<DecisionProps, 'arrivals'> {
  readonly plan: CannotAnswerProps['plan'] | undefined;
}

/** Nobody is told that there is no card before it was looked for. */
function NoAnswer({ plan, arrivals, ...asked }: NoAnswerProps) {
  const { words } = useDeskWords('wallet');
  const { isLooking, unasked, lookAgain } = arrivals;
  if (!plan || isLooking) return <Waiting text={words.wallet.requests.fetching} />;
  if (unasked) return <ErrorState failure={failureWords(unasked, words)} onAgain={lookAgain} />;
  return <CannotAnswer plan={plan} {...asked} />;
}
