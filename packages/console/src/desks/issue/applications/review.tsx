/** One application under review: who applies for what, each value, what can be found out about it, and the two acts. */
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useKeys } from '../../../keys/keys.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { KeyHint } from '../../../parts/controls/key-hint.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { IdentityMark } from '../../../parts/written/identity-mark.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { NotSigned } from '../../../signing/signing.tsx';
import { foreignLine } from '../../../text/foreign-text.ts';
import { assetPriceText } from '../../../text/price.ts';
import { useDeskWords } from '../../../words/words.ts';
import { actFailureWords, OutcomeUnknown } from '../acting/lost-answer.ts';
import { useIssuerDesk } from '../issuer-desk.ts';
import { useHolderNames } from '../issuer-names.ts';
import { useIssuerRenewal } from '../issuer-queries.ts';
import { type ReadValidity, readValidity, type TypedValidity } from '../validity/read-validity.ts';
import { useUsualUntil } from '../validity/use-usual-until.ts';
import { Validity } from '../validity/validity.tsx';
import { beginIssuing, type OnLedger } from './issue-application.ts';
import { RecordedNote } from './recorded-note.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import type { ReviewedApplication } from './review-query.ts';
import { ReviewValues } from './review-values.tsx';
import { orderedValues, type TypedValues, typedByReader, type ValueRow, valueRows } from './value-rows.ts';

/** What the preview follows: what is typed, and then what became of it. */
export interface Reviewed {
  readonly rows: readonly ValueRow[];
  /** From when it is to be valid; from its issuing on, if left out. */
  readonly from: string | undefined;
  /** Until when it is to be valid; undefined as long as that cannot be read. */
  readonly until: string | undefined;
  /** Undefined until it is issued. */
  readonly recorded: OnLedger | undefined;
}

export interface ReviewProps {
  readonly review: ReviewedApplication;
  readonly onReviewed: (reviewed: Reviewed) => void;
  readonly onNext: (() => void) | undefined;
}

/** What is typed on the page, what it would order, and whether that can be issued. */
function useDraft(review: ReviewedApplication) {
  const now = useNow();
  const { language } = useDeskWords('issue');
  const { shown, template } = review;
  // What was applied with is not stored any longer once it is issued; what was reviewed stays on the page.
  const [applied] = useState(review.applied);
  const [typed, setTyped] = useState<TypedValues>(() =>
    typedByReader(template.credentialFormat, applied, { language }),
  );
  const usual = useUsualUntil([shown.templateId]);
  const [chosen, setValidity] = useState<TypedValidity>();
  const validity = chosen ?? { from: '', until: usual?.day ?? '' };
  const rows = valueRows(template.credentialFormat, applied, typed, language);
  const strange = Object.keys(typed).filter((key) => !rows.some((row) => row.key === key));
  return {
    rows,
    setTyped,
    /** Values of JSON are written as they are kept. */
    setKept: (kept: TypedValues) =>
      setTyped(typedByReader(template.credentialFormat, kept, { language, typed })),
    usual,
    validity,
    setValidity,
    /** Names that the template does not have. */
    strange,
    terms: readValidity(validity, now),
    fits: rows.every(({ misfit }) => misfit === undefined) && strange.length === 0,
    isOpen: shown.status === 'Pending' || shown.status === 'Approved',
    isStored: Object.keys(applied).length > 0,
  };
}

export function Review({ review, onReviewed, onNext }: ReviewProps) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox;
  const { shown, signed } = review;
  const { vcId, templateId } = shown;
  const draft = useDraft(review);
  const { rows, terms, strange, usual } = draft;
  const [isRejecting, setRejecting] = useState(false);
  const issuing = useIssuing(review);
  const recorded = issuing.data;
  const isAtRest = draft.isOpen && !issuing.isPending && !recorded;
  const canIssue = isAtRest && signed.isGood && draft.fits && terms !== undefined;
  const issue = (): void => {
    if (canIssue) issuing.mutate({ values: orderedValues(rows), terms, before: issuing.error });
  };
  const { validFrom: from, validUntil: until } = terms ?? {};
  const order = { vcId, templateId, issuanceData: orderedValues(rows), expiredDate: until ?? '' };
  const seen = JSON.stringify([order, from, recorded]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the preview changes with the order and its time alone.
  useEffect(() => onReviewed({ rows, from, until, recorded }), [seen]);
  useShownCode(
    texts.issueAct,
    draft.isOpen && !recorded
      ? [
          { act: 'issue', given: order },
          { server: 'service', route: 'rejectApplication', given: { vcId } },
        ]
      : [{ server: 'service', route: 'getApplication', given: { vcId } }],
  );
  useKeys([
    { keys: 'e', title: texts.issueAct, group: 'page', act: issue },
    { keys: 'r', title: texts.rejectAct, group: 'page', act: () => isAtRest && setRejecting(true) },
  ]);
  return (
    <>
      <div className="rev-body">
        <Applicant review={review} isIssued={recorded !== undefined} />
        {recorded && <IssuedNote recorded={recorded} />}
        {shown.reason !== undefined && (
          <p className="note">{texts.rejectedBecause(foreignLine(shown.reason))}</p>
        )}
        {draft.isStored || draft.isOpen ? (
          <ReviewValues
            rows={rows}
            stage={recorded ? 'signed' : draft.isOpen ? 'open' : 'over'}
            {...(isAtRest && { onType: draft.setTyped, onKept: draft.setKept })}
          />
        ) : (
          <p className="note">{texts.notStored}</p>
        )}
        {strange.length > 0 && <p className="fld-error">{texts.strange(strange.join(', '))}</p>}
        {isAtRest && usual && <Validity typed={draft.validity} usual={usual} onType={draft.setValidity} />}
        {draft.isOpen && !recorded && <Findings review={review} rows={rows} fits={draft.fits} />}
        <p className="note rev-note">
          <Icon name="lock" />
          <span>{texts.notOnLedger}</span>
        </p>
      </div>
      <IssuingFault error={issuing.error} isOpen={draft.isOpen} onAgain={canIssue ? issue : undefined} />
      <ReviewBar
        progress={issuing.isPending ? 'working' : isAtRest ? 'open' : 'over'}
        onIssue={canIssue ? issue : undefined}
        onReject={() => setRejecting(true)}
        onNext={onNext}
      />
      {isRejecting && <RejectDialog review={review} onClose={() => setRejecting(false)} />}
    </>
  );
}

interface IssuingFaultProps {
  readonly error: Error | null;
  /** Whether the application still waits for its issuer. */
  readonly isOpen: boolean;
  readonly onAgain: (() => void) | undefined;
}

function IssuingFault({ error, isOpen, onAgain }: IssuingFaultProps) {
  const { words } = useDeskWords('issue');
  // What nobody knew is known once the application says what became of it.
  const isToldByNow = error instanceof OutcomeUnknown && !isOpen;
  if (!error || error instanceof NotSigned || isToldByNow) return null;
  return (
    <div className="rev-fault">
      <ErrorState failure={actFailureWords(error, words)} {...(onAgain && { onAgain })} />
    </div>
  );
}

function IssuedNote({ recorded }: { readonly recorded: OnLedger }) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox;
  return (
    <RecordedNote title={texts.issued} recorded={recorded}>
      <p className="row wrap hint">
        <Link className="lk" to="/issue/issued/$vcId" params={{ vcId: recorded.vcId }}>
          {texts.seeIssued}
        </Link>
      </p>
    </RecordedNote>
  );
}

interface ReviewBarProps {
  readonly progress: 'open' | 'working' | 'over';
  /** Left out as long as it cannot be issued. */
  readonly onIssue: (() => void) | undefined;
  readonly onReject: () => void;
  readonly onNext: (() => void) | undefined;
}

function ReviewBar({ progress, onIssue, onReject, onNext }: ReviewBarProps) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox;
  if (progress === 'over' && !onNext) return null;
  return (
    <div className="rev-bar">
      {progress === 'open' && (
        <>
          <Button kind="primary" disabled={onIssue === undefined} onClick={onIssue}>
            <Icon name="pencil" />
            {texts.issueAct} <KeyHint>E</KeyHint>
          </Button>
          <Button kind="bad" onClick={onReject}>
            {texts.rejectAct}…
          </Button>
        </>
      )}
      {progress === 'working' && (
        <Button kind="primary" disabled>
          {texts.signing}
        </Button>
      )}
      <span className="grow" />
      {onNext && (
        <Button kind={progress === 'over' ? 'primary' : 'quiet'} onClick={onNext}>
          {texts.next}
        </Button>
      )}
    </div>
  );
}

interface IssueAsReviewed {
  readonly values: Readonly<Record<string, string>>;
  readonly terms: ReadValidity;
  /** What the last attempt ended with. */
  readonly before: unknown;
}

/** Issues exactly what was reviewed: holder and template as the holder signed them, values as they stand here. */
function useIssuing({ signed }: ReviewedApplication) {
  const desk = useIssuerDesk();
  const renew = useIssuerRenewal();
  return useSingleMutation({
    mutationFn: async ({ values, terms, before }: IssueAsReviewed) => {
      if (!signed.isGood) throw signed.error;
      const run = await beginIssuing(await desk());
      return run.issue({ ...signed.read, attributes: values, ...terms }, before);
    },
    onSettled: renew,
  });
}

/** What became of a wish, by the status of the application; the rest was issued. */
const standings: Readonly<Record<string, 'open' | 'rejected'>> = {
  Pending: 'open',
  Approved: 'open',
  Rejected: 'rejected',
};

interface ApplicantProps extends Pick<ReviewProps, 'review'> {
  /** Just now, on this page. */
  readonly isIssued: boolean;
}

function Applicant({ review: { shown }, isIssued }: ApplicantProps) {
  const { words, language } = useDeskWords('issue');
  const texts = words.issueInbox;
  const { nameOf, wordOf } = useHolderNames([shown]);
  const name = nameOf(shown);
  const word = wordOf(shown);
  const standing = (isIssued ? undefined : standings[shown.status]) ?? 'issued';
  return (
    <header className="row rev-who">
      <IdentityMark id={shown.holder} name={name} kind="person" size="large" />
      <div className="grow">
        <h1>
          <ForeignText text={name} />
        </h1>
        <p className="muted">
          {texts.applicant[standing]} <b>{shown.templateName ?? shown.templateId}</b>{' '}
          {`${shown.templateVersion}${texts.ofHolder[standing]}`} <Did did={shown.holder} />
          {word && <span className="hint"> {words.parts.nameWords[word]}</span>}
        </p>
        {shown.paid && (
          <p>
            <span className="tag ok">
              {texts.paid(assetPriceText(shown.paid, language, words.parts.unitsOf))}
            </span>
          </p>
        )}
      </div>
    </header>
  );
}

interface FindingsProps {
  readonly review: ReviewedApplication;
  readonly rows: readonly ValueRow[];
  readonly fits: boolean;
}

/** What was found out, each with a shape: nothing is called good that was not looked at. */
function Findings({ review: { signed, held, shown, template }, rows, fits }: FindingsProps) {
  const { words, language } = useDeskWords('issue');
  const texts = words.issueInbox;
  const name = shown.templateName ?? shown.templateId;
  const bad = rows.filter(({ misfit }) => misfit !== undefined).length;
  return (
    <ul className="fit">
      <Finding tone={signed.isGood ? 'ok' : 'bad'}>{signed.isGood ? texts.ownKey : texts.notOwnKey}</Finding>
      <Finding tone={fits ? 'ok' : 'bad'}>
        {fits ? texts.allFit(rows.length) : texts.someDoNotFit(bad)}
      </Finding>
      {template.price && !shown.paid && (
        <Finding tone="warn">
          {texts.notPaid(assetPriceText(template.price, language, words.parts.unitsOf))}
        </Finding>
      )}
      <Finding tone={held ? 'warn' : 'ok'}>{held ? texts.hasOne(name) : texts.hasNone(name)}</Finding>
    </ul>
  );
}

const icons = { ok: 'check', bad: 'cross', warn: 'statusWarn' } as const;

function Finding({ tone, children }: { readonly tone: keyof typeof icons; readonly children: ReactNode }) {
  return (
    <li className={tone}>
      <Icon name={icons[tone]} />
      <span>{children}</span>
    </li>
  );
}
