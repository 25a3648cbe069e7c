/** What came of a check, by whom, and of when: also what could not be asked. */
import type { UnsignedCredential } from '@symbolon/core/documents/model';
import type { ProvedRange } from '@symbolon/core/presentation/presentation-verdict';
import { Icon } from '../../../parts/controls/icon.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { Time } from '../../../parts/written/time.tsx';
import type { DeskWords } from '../../../words/desk-words.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { ShownCheck } from '../checks-panel.tsx';
import { ChecksPanel } from '../checks-panel.tsx';
import { IssuerFacts } from '../issuer-facts.tsx';
import { refusalWords } from '../session/refusal-words.ts';
import { ResultHalves } from '../session/result-halves.tsx';
import { countChecks } from '../session/session-facts.ts';
import { SessionRefusal } from '../session/session-refusal.tsx';
import { StandingNow } from '../session/standing-now.tsx';
import { VerdictHead } from '../verdict-head.tsx';
import type { CheckedBy, CheckedCredential, CheckedDocument, CheckedPresentation } from './check-document.ts';

export function CheckOutcome({ checked }: { readonly checked: CheckedDocument }) {
  return checked.kind === 'presentation' ? (
    <PresentationOutcome checked={checked} />
  ) : (
    <CredentialOutcome checked={checked} />
  );
}

/** Whether the ledger was asked. What it said earlier is no word on revocation since then. */
const isOfNow = (by: CheckedBy): boolean => by.who === 'service' || by.isLive;

/** A status that was kept passes no check of today. */
const asKept = (check: ShownCheck, words: string): ShownCheck =>
  check.name === 'status' && check.passed ? { ...check, passed: null, words, facts: undefined } : check;

function ByWhom({ by }: { readonly by: CheckedBy }) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.check;
  if (isOfNow(by))
    return (
      <p>
        {by.who === 'service' ? texts.byService : texts.byHereLive} <Time at={by.at} />.
      </p>
    );
  return (
    <p className="note warn as-kept">
      <Icon name="clock" />
      <span>
        {texts.byHere} <Time at={by.at} />.
      </span>
    </p>
  );
}

const rangeOf = ({ age, ...range }: ProvedRange) => ({
  ...range,
  ...(age && {
    age: {
      ...(age.minAge !== undefined && { min_age: age.minAge }),
      ...(age.maxAge !== undefined && { max_age: age.maxAge }),
    },
  }),
});

function PresentationOutcome({ checked }: { readonly checked: CheckedPresentation }) {
  const { words } = useDeskWords('verify');
  const { check, result } = words.verify;
  const { verified, errors, checks, credentials, claimed, by, tookMs } = checked;
  const { passed, idle } = countChecks(checks);
  const refusal = refusalWords(errors, words);
  const goodNow = idle === 0 ? result.verifiedAll : result.verifiedSome(passed, idle);
  const good = isOfNow(by) ? goodNow : check.verifiedThen;
  return (
    <>
      <VerdictHead isGood={verified} title={verified ? good : result.refused(refusal.reason)} level={2}>
        <ByWhom by={by} />
        {!verified && <SessionRefusal refusal={refusal} hasChecks={checks.length > 0} />}
        {verified && isOfNow(by) && <StandingNow credentials={credentials} />}
      </VerdictHead>
      {credentials.map((one) => (
        <ResultHalves
          key={one.id}
          isWhole={false}
          credential={{
            query_id: one.id,
            id: one.id,
            template_id: one.template.id,
            template_version: one.template.version,
            revealed: { ...one.revealed },
            ranges: one.ranges.map(rangeOf),
          }}
        />
      ))}
      <div className="res">
        <ChecksPanel
          checks={isOfNow(by) ? checks : checks.map((one) => asKept(one, check.statusThen))}
          tookMs={tookMs}
        />
        <div className="stack">
          {credentials.map(({ id, issuer, issuerTrust, template, holder, validFrom, validUntil, status }) => (
            <IssuerFacts
              key={id}
              facts={{
                id,
                issuer: issuer.id,
                issuerName: issuer.name,
                issuerNameSource: issuer.nameSource,
                issuerTrust,
                templateId: template.id,
                templateName: template.name,
                holder,
                validFrom,
                validUntil,
                ledgerSeq: status.ledgerSeq,
              }}
            />
          ))}
          {claimed.length > 0 && <Claimed credentials={claimed} text={check.claimed} />}
        </div>
      </div>
    </>
  );
}

function Claimed({
  credentials,
  text,
}: {
  readonly credentials: CheckedPresentation['claimed'];
  readonly text: string;
}) {
  const { words } = useDeskWords('verify');
  const { result } = words.verify;
  return (
    <Panel isPadded>
      <p className="muted">{text}</p>
      {credentials.map(({ id, issuer }) => (
        <dl key={id} className="facts">
          <dt>{result.issuer}</dt>
          <dd>
            <Did did={issuer} />
          </dd>
          <dt>{result.number}</dt>
          <dd>
            <Did did={id} />
          </dd>
        </dl>
      ))}
    </Panel>
  );
}

/** Undefined where nothing speaks against it. */
function objectionTo(
  { verdict, term, isTrusted }: CheckedCredential,
  words: DeskWords<'verify'>,
): string | undefined {
  const { check } = words.verify;
  const { isGenuine, status, problem } = verdict;
  if (!isGenuine) return check.notGenuine(problem?.reason ?? '');
  if (status !== 'active') return check.genuineBut[status];
  if (term !== 'valid') return check.genuineBut[term];
  return isTrusted === false ? check.genuineBut.notTrusted : undefined;
}

function CredentialOutcome({ checked }: { readonly checked: CheckedCredential }) {
  const { words } = useDeskWords('verify');
  const { check } = words.verify;
  const { by, credential, isTrusted } = checked;
  const objection = objectionTo(checked, words);
  const good = isOfNow(by) ? check.genuine : check.genuineThen;
  return (
    <>
      <VerdictHead isGood={objection === undefined} title={objection ?? good} level={2}>
        <ByWhom by={by} />
        <p>{check.whole}</p>
        {objection === undefined && credential && isOfNow(by) && <StandingNow credentials={[credential]} />}
      </VerdictHead>
      {credential && <GenuineContents credential={credential} isTrusted={isTrusted} />}
    </>
  );
}

/** Whose it is, by whom, and what it says: a verdict on a document is one on this and on nothing that stands beside it. */
function GenuineContents({
  credential,
  isTrusted,
}: {
  readonly credential: UnsignedCredential;
  readonly isTrusted: boolean | undefined;
}) {
  const { id, issuer, validFrom, validUntil, credentialSchema, credentialSubject } = credential;
  const { id: holder, ...values } = credentialSubject;
  const templateId = credentialSchema.id;
  return (
    <>
      <ResultHalves
        isWhole={false}
        signed={credentialSchema.attributes}
        credential={{
          query_id: id,
          id,
          template_id: templateId,
          template_version: credentialSchema.version,
          revealed: values,
          ranges: [],
        }}
      />
      <IssuerFacts
        facts={{
          id,
          issuer,
          issuerTrust: isTrusted === undefined ? 'notAsked' : isTrusted ? 'trusted' : 'notTrusted',
          templateId,
          holder,
          validFrom,
          validUntil,
        }}
      />
    </>
  );
}
