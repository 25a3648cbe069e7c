/** The decision itself: both halves of every card that is used, what goes along every time, share or decline. */
import { Menu } from '@mantine/core';
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import type { ReactNode } from 'react';
import { CredentialCard } from '../../../parts/card/credential-card.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { TokenGlyph } from '../../../parts/controls/token-glyph.tsx';
import { Halves } from '../../../parts/halves/halves.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Did } from '../../../parts/written/did.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { IdentityMark } from '../../../parts/written/identity-mark.tsx';
import { foreignLine } from '../../../text/foreign-text.ts';
import { useDeskWords } from '../../../words/words.ts';
import { cardProps, labelOfKey } from '../cards/card-words.ts';
import type { KeptCard } from '../cards/kept-cards.ts';
import { AlongNote } from './along-note.tsx';
import type { AnswerPart } from './answer-plan.ts';
import type { AskedSet } from './asked-sets.ts';
import { IssuersNote } from './issuers-note.tsx';
import type { FetchedRequest, ShareStep } from './open-request.ts';
import { OptionChoice } from './option-choice.tsx';
import { countsOf, neededFacts, rowsOf, wishRowsOf } from './shared-parts.ts';
import { WishedCards } from './wished-cards.tsx';
import { WishedFacts } from './wished-facts.tsx';

export interface ConsentPanelProps {
  readonly request: FetchedRequest;
  readonly name: string;
  readonly parts: readonly AnswerPart[];
  readonly onUse: (queryId: string, vcId: string) => void;
  /** Whether a wish of a part of the request is met. */
  readonly onGrant: (queryId: string, key: string, isGranted: boolean) => void;
  /** Where there is a choice: of cards of which one option is needed, and of cards besides that are wished for. */
  readonly sets: readonly AskedSet[];
  /** An option of a set; undefined for none. */
  readonly onChoose: (set: number, option: number | undefined) => void;
  readonly step: ShareStep | undefined;
  readonly isBusy: boolean;
  readonly isOver: boolean;
  readonly onShare: () => void;
  readonly onDecline: () => void;
  /** A failure of the act. */
  readonly children?: ReactNode;
}

export function ConsentPanel(props: ConsentPanelProps) {
  const { request, name, parts, sets, isBusy, onUse, onGrant, onChoose } = props;
  const { words, language } = useDeskWords('wallet');
  const now = useNow();
  const texts = words.wallet.requests;
  const receiver = { id: request.asker.did ?? name, name };
  const wording = { words, language, now };
  const rows = parts.map((part) => rowsOf(part, wording));
  const counts = countsOf(rows.flat());
  return (
    <>
      <AskHead request={request} name={name} facts={neededFacts(parts, sets, wording)} now={now} />
      <div className="consent-sum">
        <span>{texts.sumShared(counts.shared)}</span>
        <span className="proof-word">{texts.sumProved(counts.proved)}</span>
        <span className="muted">{texts.sumHidden(counts.hidden)}</span>
        <span className="only-m muted num consent-left">{leftText(request.expiresAt - now)}</span>
      </div>
      {sets
        .filter(({ isRequired }) => isRequired)
        .map((one) => (
          <OptionChoice
            key={one.set}
            legend={texts.oneOf(name)}
            asked={one}
            wording={wording}
            isBusy={isBusy}
            onChoose={onChoose}
          />
        ))}
      {parts.map((part, place) => (
        <div key={part.queryId} className="consent-part">
          <UsedCard part={part} query={request.query} onUse={(vcId) => onUse(part.queryId, vcId)} />
          <Halves
            templateId={part.card.parsed.credential.credentialSchema.id}
            rows={rows[place] ?? []}
            owner="self"
            receiver={receiver}
          />
          <WishedFacts
            name={name}
            wishes={wishRowsOf(part, wording)}
            isBusy={isBusy}
            onGrant={(key, isGranted) => onGrant(part.queryId, key, isGranted)}
          />
        </div>
      ))}
      <WishedCards
        name={name}
        sets={sets.filter(({ isRequired }) => !isRequired)}
        wording={wording}
        isBusy={isBusy}
        onChoose={onChoose}
      />
      <ConsentFoot {...props} />
    </>
  );
}

/** What goes along, what went wrong, share or decline. */
function ConsentFoot({ name, parts, step, isBusy, isOver, onShare, onDecline, children }: ConsentPanelProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.requests;
  const told = [...new Set(parts.flatMap(({ telling }) => telling))];
  const isEmpty = parts.length === 0;
  return (
    <div className="consent-foot">
      {told.length > 0 && (
        <p className="note warn">{texts.telling(told.map((key) => toldLabel(parts, key)).join(', '))}</p>
      )}
      <AlongNote name={name} />
      {children}
      {isEmpty && <p className="note">{texts.tickOne}</p>}
      {isOver && <p className="note warn">{texts.over}</p>}
      <div className="consent-acts">
        <Button kind="primary" size="large" disabled={isBusy || isOver || isEmpty} onClick={onShare}>
          <TokenGlyph size={16} />
          {step === undefined ? texts.share(name) : texts.steps[step]}
        </Button>
        <Button size="large" disabled={isBusy} onClick={onDecline}>
          {texts.decline}
        </Button>
        <span className="hint only-d">{texts.madeHere}</span>
      </div>
      {step !== undefined && (
        <span className="sr" role="status">
          {texts.steps[step]}
        </span>
      )}
    </div>
  );
}

const toldLabel = (parts: readonly AnswerPart[], key: string): string =>
  parts.map(({ card }) => card.names.labels[key]).find((label) => label !== undefined) ?? labelOfKey(key);

/** `4:32`. */
function leftText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

interface AskHeadProps {
  readonly request: FetchedRequest;
  readonly name: string;
  readonly facts: number;
  readonly now: number;
}

function AskHead({ request, name, facts, now }: AskHeadProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.requests;
  const { did, source } = request.asker;
  return (
    <div className="consent-ask">
      <IdentityMark id={did ?? name} name={name} size="large" />
      <div className="grow">
        <h1>{words.parts.asks(name, facts)}</h1>
        <p className="muted consent-who">
          {did !== undefined && <Did did={did} />} {texts.named[nameSource(source)]}
        </p>
        {request.purpose !== undefined && (
          <p className="consent-why">
            {texts.purpose}{' '}
            <q>
              <ForeignText text={request.purpose} />
            </q>
          </p>
        )}
      </div>
      <div className="consent-count only-d">
        <b className="num">{leftText(request.expiresAt - now)}</b>
        <span className="hint">{texts.toAnswer}</span>
      </div>
    </div>
  );
}

const nameSource = (source: string | undefined): 'operator' | 'itself' | 'nobody' =>
  source === 'operator' || source === 'itself' ? source : 'nobody';

interface UsedCardProps {
  readonly part: AnswerPart;
  readonly query: DcqlQuery;
  readonly onUse: (vcId: string) => void;
}

function UsedCard({ part, query, onUse }: UsedCardProps) {
  const { words, language } = useDeskWords('wallet');
  const now = useNow();
  const props = cardProps(part.card, { language, now });
  const others = part.fitting.filter(({ vcId }) => vcId !== part.card.vcId);
  return (
    <div className="consent-using">
      <CredentialCard {...props} detail="thumb" />
      <span className="grow">
        <b>{props.templateName}</b> <span className="muted">{words.wallet.card.from(props.issuer.name)}</span>
        <span className="hint wallet-reason">
          <IssuersNote query={query} queryId={part.queryId} />
        </span>
      </span>
      {others.length > 0 && <OtherCards cards={others} onUse={onUse} />}
    </div>
  );
}

function OtherCards({
  cards,
  onUse,
}: {
  readonly cards: readonly KeptCard[];
  readonly onUse: (vcId: string) => void;
}) {
  const { words, language } = useDeskWords('wallet');
  const now = useNow();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="small" kind="quiet" icon="down">
          {words.wallet.requests.useAnother}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {cards.map((card) => {
          const { templateName, telling, issuer } = cardProps(card, { language, now });
          return (
            <Menu.Item key={card.vcId} onClick={() => onUse(card.vcId)}>
              {templateName}
              {telling === undefined ? '' : `, ${foreignLine(telling)}`} ({issuer.name})
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
