/** No card answers: what was asked for and why, which cards of the wallet do not count, and the way to one that would. */
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import { Link } from '@tanstack/react-router';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { foreignLine } from '../../../text/foreign-text.ts';
import { shortDid } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { labelOfKey } from '../cards/card-words.ts';
import type { KeptCard } from '../cards/kept-cards.ts';
import type { AnswerPlan } from './answer-plan.ts';
import { askedCardName, askedCards } from './asked-cards.ts';
import { IssuersNote } from './issuers-note.tsx';
import { useTemplateNames } from './missing-cards.tsx';
import { uncountedCards } from './uncounted-cards.ts';

export interface CannotAnswerProps {
  readonly name: string;
  readonly plan: Extract<AnswerPlan, { kind: 'none' }>;
  readonly query: DcqlQuery;
  /** In the verifier's own words. */
  readonly purpose: string | undefined;
  readonly cards: readonly KeptCard[];
}

export function CannotAnswer({ name, plan, query, purpose, cards }: CannotAnswerProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.requests;
  const missing = plan.problems.flatMap((problem) =>
    'attributes' in problem ? problem.attributes.map(labelOfKey) : [],
  );
  const why =
    plan.misfits.length > 0
      ? texts.misfit(plan.misfits.map(labelOfKey).join(', '))
      : missing.length > 0
        ? texts.missing(missing.join(', '))
        : texts.noCard;
  const templates = askedCards(
    query,
    query.credentials.map(({ id }) => id),
  ).flatMap(({ templateId }) => templateId ?? []);
  // Which one to apply for is its owner's choice where several are asked for.
  const [templateId, ...others] = new Set(templates);
  return (
    <>
      <EmptyState title={texts.cannot(name)} text={`${why} ${texts.nothingShown}`}>
        {templateId !== undefined && others.length === 0 ? (
          <Link to="/wallet/apply/$templateId" params={{ templateId }} className="btn pri">
            {words.wallet.cards.apply}
          </Link>
        ) : (
          <Link to="/wallet/apply" className="btn pri">
            {words.wallet.cards.apply}
          </Link>
        )}
      </EmptyState>
      {purpose !== undefined && (
        <p className="pad">
          {texts.purpose}{' '}
          <q>
            <ForeignText text={purpose} />
          </q>
        </p>
      )}
      {query.credentials.map(({ id }) => (
        <AskedPart key={id} query={query} queryId={id} cards={cards} />
      ))}
    </>
  );
}

interface AskedPartProps extends Pick<CannotAnswerProps, 'query' | 'cards'> {
  readonly queryId: string;
}

/** One card that is asked for: what it is called, what of it, whose counts, and why those that are here do not. */
function AskedPart({ query, queryId, cards }: AskedPartProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.requests;
  const [asked] = askedCards(query, [queryId]);
  const names = useTemplateNames(asked?.templateId === undefined ? [] : [asked.templateId]);
  const uncounted = uncountedCards(query, queryId, { cards, now: useNow() });
  if (!asked) return null;
  const [own] = uncounted;
  const naming = {
    templateName: (id: string) => names.get(id) ?? own?.card.names.template,
    withFacts: (keys: readonly string[]) => texts.cardWith(keys.map(labelOfKey).join(', ')),
    any: texts.furtherCard,
  };
  const facts = asked.keys.map((key) => own?.card.names.labels[key] ?? labelOfKey(key));
  return (
    <div className="pad asked-part">
      <p>
        <b>{texts.askedOf(foreignLine(askedCardName(asked, naming)), foreignLine(facts.join(', ')))}</b>
      </p>
      <p className="hint">
        <IssuersNote query={query} queryId={queryId} />
      </p>
      {uncounted.map(({ card, why }) => {
        const issuer = card.names.issuer ?? shortDid(card.parsed.credential.issuer).id;
        return (
          <p key={card.vcId} className="note warn">
            {texts.notCounted[why](foreignLine(card.names.template), foreignLine(issuer))}
          </p>
        );
      })}
    </div>
  );
}
