/** How a session ended that was answered: verdict, what was seen and by whose word, the six checks, and what happened when. */
import { CopyButton } from '../../../parts/controls/copy-button.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { usePageTitle } from '../../../parts/frame/page-title.ts';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { shortSession } from '../../../text/short-ids.ts';
import { momentText } from '../../../text/times.ts';
import { useDeskWords } from '../../../words/words.ts';
import { ChecksPanel } from '../checks-panel.tsx';
import { type CredentialFacts, IssuerFacts } from '../issuer-facts.tsx';
import { useTemplatesById } from '../parties.ts';
import { templatesOfSession } from '../request/ask-again.ts';
import { labelOf } from '../request/request-words.ts';
import { VerdictHead } from '../verdict-head.tsx';
import { AskAgain } from './ask-again-button.tsx';
import { BreakPanel } from './break-panel.tsx';
import { EventLog } from './event-log.tsx';
import { refusalWords } from './refusal-words.ts';
import { ResultHalves } from './result-halves.tsx';
import {
  countChecks,
  type OutcomeCredential,
  type SessionOutcome,
  type SessionReply,
} from './session-facts.ts';
import { SessionRefusal } from './session-refusal.tsx';
import { StandingNow } from './standing-now.tsx';
import type { HeardEvents } from './use-session.ts';

export interface ResultViewProps {
  readonly session: SessionReply;
  readonly result: SessionOutcome;
  readonly events: HeardEvents;
}

const factsOf = (credential: OutcomeCredential): CredentialFacts => ({
  id: credential.id,
  issuer: credential.issuer ?? '',
  issuerName: credential.issuer_name,
  issuerNameSource: credential.issuer_name_source,
  issuerTrust: credential.issuer_trust,
  templateId: credential.template_id ?? '',
  templateName: credential.template_name,
  holder: credential.holder,
  validFrom: credential.valid_from,
  validUntil: credential.valid_until,
  ledgerSeq: credential.status?.ledger_seq,
});

export function ResultView({ session, result, events }: ResultViewProps) {
  const { checks = [], credentials, tookMs, verified } = result;
  const { words } = useDeskWords('verify');
  return (
    <div className="page">
      <ResultHead session={session} result={result} />
      {verified &&
        credentials.map((credential) => <ResultHalves key={credential.id} credential={credential} />)}
      <div className="res">
        <div className="stack">
          <ChecksPanel checks={checks} tookMs={tookMs} isOfThen />
          <Panel
            title={words.verify.result.signed}
            aside={<CopyButton text={signedText(result)} what={words.verify.result.signed} isWordy />}
          >
            <p className="pad hint">{words.verify.result.signedWhy}</p>
          </Panel>
        </div>
        <div className="stack">
          {verified &&
            credentials.map((credential) => <IssuerFacts key={credential.id} facts={factsOf(credential)} />)}
          <EventLog session={session} events={events} />
          {verified && <BreakPanel session={session} />}
        </div>
      </div>
    </div>
  );
}

/** Text, time and signature: what others need to see that the service said so. */
const signedText = ({ signedResult, timestamp, resultSignature }: SessionOutcome): string =>
  JSON.stringify({ signedResult, timestamp, resultSignature }, undefined, 2);

function ResultHead({ session, result }: Pick<ResultViewProps, 'session' | 'result'>) {
  const { words, language } = useDeskWords('verify');
  const texts = words.verify.result;
  const { passed, idle } = countChecks(result.checks ?? []);
  const refusal = refusalWords(result.errors, words);
  const good = idle === 0 ? texts.verifiedAll : texts.verifiedSome(passed, idle);
  const seconds = (Date.parse(session.updatedAt) - Date.parse(session.createdAt)) / 1_000;
  const holder = result.credentials[0]?.holder;
  const title = result.verified ? good : texts.refused(refusal.reason);
  usePageTitle(title, shortSession(session.presentationId));
  return (
    <>
      <VerdictHead isGood={result.verified} title={title} act={<AskAgain session={session} />}>
        {holder !== undefined && (
          <>
            {texts.answered} <Did did={holder} />{' '}
          </>
        )}
        {texts.after(seconds.toFixed(seconds < 10 ? 1 : 0))}{' '}
        {texts.checkedAt(momentText(Date.parse(result.timestamp), language))}
        {result.verified && (
          <>
            <RecordedSince credentials={result.credentials} />
            <StandingNow credentials={result.credentials} />
          </>
        )}
        {!result.verified && (
          <SessionRefusal refusal={refusal} hasChecks={(result.checks ?? []).length > 0} />
        )}
      </VerdictHead>
      {refusal.excess.length > 0 && <Excess session={session} keys={refusal.excess} />}
    </>
  );
}

/** Where the ledger has the state that counted; of several credentials each says it for itself. */
function RecordedSince({ credentials }: Pick<SessionOutcome, 'credentials'>) {
  const { words } = useDeskWords('verify');
  const [seq, ...others] = credentials.map(({ status }) => status?.ledger_seq);
  if (seq === undefined || others.length > 0) return null;
  return (
    <>
      {' '}
      {words.verify.result.recordedSince} <Block number={Number(seq)} to={`/ledger/blocks/${seq}`} />.
    </>
  );
}

function Excess({ session, keys }: { readonly session: SessionReply; readonly keys: readonly string[] }) {
  const { words, language } = useDeskWords('verify');
  const templates = useTemplatesById(templatesOfSession(session));
  const label = (key: string): string =>
    [...templates.values()].map((template) => labelOf(template, key)).find((text) => text !== key) ?? key;
  const labels = new Intl.ListFormat(language, { type: 'conjunction' }).format(keys.map(label));
  return (
    <p className="note warn excess" role="alert">
      <Icon name="shared" />
      {words.verify.result.excess(labels)}
    </p>
  );
}
