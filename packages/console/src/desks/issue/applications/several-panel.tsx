/** Several applications issued in one go, as they were applied for: each row has its own progress and its own failure. */
import { useState } from 'react';
import { useKeys } from '../../../keys/keys.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { KeyHint } from '../../../parts/controls/key-hint.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { IdentityMark } from '../../../parts/written/identity-mark.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { NotSigned } from '../../../signing/signing.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { actFailureWords, OutcomeUnknown } from '../acting/lost-answer.ts';
import { useIssuerDesk } from '../issuer-desk.ts';
import { useHolderNames } from '../issuer-names.ts';
import { type ListedApplication, useIssuerRenewal } from '../issuer-queries.ts';
import { type ReadValidity, readValidity, type TypedValidity } from '../validity/read-validity.ts';
import { useUsualUntil } from '../validity/use-usual-until.ts';
import { Validity } from '../validity/validity.tsx';
import { beginIssuing, isDecided, type OnLedger } from './issue-application.ts';
import { useLedgerWays } from './recorded-note.tsx';
import { doSeveral, errorOfItem, type ItemProgress } from './several.ts';

export interface SeveralPanelProps {
  /** As they were when they were ticked: what is issued leaves the list. */
  readonly rows: readonly ListedApplication[];
  readonly onClear: () => void;
}

/** The service records what comes close together in one transaction. */
const lanes = 4;

/** What became of each so far, what is left, and issuing that. */
function useSeveral(rows: readonly ListedApplication[], terms: ReadValidity | undefined) {
  const desk = useIssuerDesk();
  const renew = useIssuerRenewal();
  const [progress, setProgress] = useState<ReadonlyMap<string, ItemProgress<OnLedger>>>(new Map());
  const done = rows.filter(({ vcId }) => progress.get(vcId)?.state === 'done').length;
  const left = rows.filter(({ vcId }) => {
    const one = progress.get(vcId);
    return one?.state !== 'done' && !isDecided(errorOfItem(one));
  });
  const issuing = useSingleMutation({
    mutationFn: async () => {
      if (!terms) return;
      const run = await beginIssuing(await desk());
      await doSeveral({
        ids: left.map(({ vcId }) => vcId),
        lanes,
        work: (vcId) => run.issueAsApplied(vcId, terms, errorOfItem(progress.get(vcId))),
        tell: (vcId, one) => setProgress((before) => new Map(before).set(vcId, one)),
        endsAll: (error) => error instanceof NotSigned,
      });
    },
    onSettled: renew,
  });
  return { progress, done, left, issuing };
}

export function SeveralPanel({ rows, onClear }: SeveralPanelProps) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox;
  const { nameOf } = useHolderNames(rows);
  const now = useNow();
  const [typed, setTyped] = useState<TypedValidity>();
  const usual = useUsualUntil(rows.map(({ templateId }) => templateId));
  const validity = typed ?? { from: '', until: usual?.day ?? '' };
  const terms = readValidity(validity, now);
  const { progress, done, left, issuing } = useSeveral(rows, terms);
  const canIssue = terms !== undefined && left.length > 0 && !issuing.isPending;
  const issue = (): void => {
    if (canIssue) issuing.mutate();
  };
  useKeys([{ keys: 'e', title: texts.issueAct, group: 'page', act: issue }]);
  useShownCode(
    texts.issueAct,
    rows.slice(0, 3).map(({ vcId, templateId }) => ({
      act: 'issue',
      given: { vcId, templateId, ...(terms && { expiredDate: terms.validUntil }) },
    })),
  );
  return (
    <>
      <div className="rev-body">
        <header className="rev-who">
          <h1>{texts.several(rows.length)}</h1>
          <p className="muted">
            <SoFar all={rows.length} done={done} left={left.length} isWorking={issuing.isPending} />
          </p>
        </header>
        <ul className="panel several" aria-live="polite">
          {rows.map((row) => (
            <SeveralLine key={row.vcId} row={row} name={nameOf(row)} progress={progress.get(row.vcId)} />
          ))}
        </ul>
        {left.length > 0 && usual && <Validity typed={validity} usual={usual} onType={setTyped} />}
        <p className="note rev-note">
          <Icon name="lock" />
          <span>{texts.notOnLedger}</span>
        </p>
      </div>
      {issuing.error && !(issuing.error instanceof NotSigned) && (
        <div className="rev-fault">
          <ErrorState failure={actFailureWords(issuing.error, words)} />
        </div>
      )}
      <div className="rev-bar">
        {left.length > 0 && (
          <Button kind="primary" disabled={!canIssue} onClick={issue}>
            <Icon name="pencil" />
            {issuing.isPending ? texts.signing : texts.issueSeveral(left.length)} <KeyHint>E</KeyHint>
          </Button>
        )}
        <Button kind={left.length === 0 ? 'primary' : 'plain'} disabled={issuing.isPending} onClick={onClear}>
          {left.length === 0 ? texts.close : texts.untick}
        </Button>
      </div>
    </>
  );
}

interface SoFarProps {
  readonly all: number;
  readonly done: number;
  /** Those that can still be issued. */
  readonly left: number;
  readonly isWorking: boolean;
}

/** Before, while, and after. */
function SoFar({ all, done, left, isWorking }: SoFarProps) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox;
  if (done === all) return texts.severalAll(all);
  if (left === all && !isWorking) return texts.severalText;
  const soFar = texts.severalDone(done, all);
  return isWorking || left === 0 ? soFar : `${soFar} ${texts.severalLeft(left)}`;
}

interface SeveralLineProps {
  readonly row: ListedApplication;
  readonly name: string;
  readonly progress: ItemProgress<OnLedger> | undefined;
}

function SeveralLine({ row, name, progress }: SeveralLineProps) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox;
  const ways = useLedgerWays();
  const failure = progress?.state === 'failed' ? actFailureWords(progress.error, words) : undefined;
  const isUnknown = errorOfItem(progress) instanceof OutcomeUnknown;
  const block = progress?.state === 'done' ? progress.outcome.block : undefined;
  return (
    <li data-state={progress?.state}>
      <div className="row">
        <IdentityMark id={row.holder} name={name} kind="person" />
        <b className="cut">{name}</b>
        <span className="muted cut grow">{row.templateName ?? row.templateId}</span>
        {progress?.state === 'working' && <span className="hint">{texts.signing}</span>}
        {progress?.state === 'waiting' && <span className="hint">{texts.waits}</span>}
        {progress?.state === 'done' && (
          <span className="st ok">
            <Icon name="statusOk" />
            {progress.outcome.isOthers ? texts.issuedByOthers : texts.issuedWord}
          </span>
        )}
        {block !== undefined && <Block number={block} {...ways.block(block)} />}
        {failure && (
          <span className={isUnknown ? 'st warn' : 'st bad'}>
            <Icon name={isUnknown ? 'statusWarn' : 'statusBad'} />
            {isUnknown ? texts.lost.title : texts.notIssued}
          </span>
        )}
      </div>
      {failure && (
        <p className="hint several-why">
          {failure.title}. {failure.text} <span className="mono">{failure.code}</span>
        </p>
      )}
    </li>
  );
}
