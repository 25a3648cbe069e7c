/** What came of a request: shared, and what the verifier's check said; or declined. */
import { Link } from '@tanstack/react-router';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Halves } from '../../../parts/halves/halves.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { VerdictBar } from '../../../parts/states/verdict-bar.tsx';
import { useDeskWords } from '../../../words/words.ts';
import type { SentEntry } from '../activity/activity-log.ts';
import { ToldPart } from '../activity/told-part.tsx';
import { AlongNote } from './along-note.tsx';
import type { AnswerPart } from './answer-plan.ts';
import type { SubmittedAnswer } from './open-request.ts';
import { rowsOf } from './shared-parts.ts';

export interface AnsweredViewProps extends SubmittedAnswer {
  readonly name: string;
  readonly sent: SentEntry;
  /** What was shown, with the cards that it is of; empty where it was sent before this page was opened. */
  readonly parts: readonly AnswerPart[];
}

export function AnsweredView({ name, sent, reply, parts, requestId }: AnsweredViewProps) {
  const { words, language } = useDeskWords('wallet');
  const texts = words.wallet.requests;
  const wording = { words, language, now: Date.now() };
  return (
    <DeskPage
      isOutcome
      title={texts.shared(name)}
      text={requestId !== undefined && <span className="hint">{words.parts.request(requestId)}</span>}
      acts={
        <Link to="/wallet/activity" className="btn">
          {texts.seeActivity}
        </Link>
      }
    >
      <Panel className="wallet-narrow-wide">
        <VerdictBar
          isGood={reply.verified}
          title={reply.verified ? texts.verified : texts.notVerified}
          checks={[]}
        >
          {reply.verified ? texts.verifiedWhy(name) : (reply.errors ?? []).slice(0, 3).join(' ')}
        </VerdictBar>
        {parts.map((part) => (
          <Halves
            key={part.queryId}
            templateId={part.card.parsed.credential.credentialSchema.id}
            rows={rowsOf(part, wording)}
            owner="self"
            receiver={{ id: sent.asker.did ?? name, name }}
          />
        ))}
        {parts.length === 0 && (
          <div className="pad">
            {sent.parts.map((part) => (
              <ToldPart key={part.vcId} part={part} />
            ))}
          </div>
        )}
        <div className="consent-foot">
          <AlongNote name={name} />
        </div>
      </Panel>
    </DeskPage>
  );
}

export function Declined({ name }: { readonly name: string }) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.requests;
  return (
    <DeskPage title={texts.declinedTitle} isOutcome>
      <Panel>
        <EmptyState title={texts.declined(name)}>
          <Link to="/wallet/cards" className="btn">
            {words.shell.places.cards}
          </Link>
        </EmptyState>
      </Panel>
    </DeskPage>
  );
}
