/** Several revoked, one after the other: the issuer's account counts its transactions. Each row has its own end. */
import { useState } from 'react';
import { Icon } from '../../../parts/controls/icon.tsx';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { Block } from '../../../parts/written/block.tsx';
import { NotSigned } from '../../../signing/signing.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { actFailureWords, OutcomeUnknown } from '../acting/lost-answer.ts';
import type { OnLedger } from '../applications/issue-application.ts';
import { useLedgerWays } from '../applications/recorded-note.tsx';
import { doSeveral, errorOfItem, type ItemProgress } from '../applications/several.ts';
import { useIssuerDesk } from '../issuer-desk.ts';
import { useHolderNames } from '../issuer-names.ts';
import { type ListedCredential, useIssuerRenewal } from '../issuer-queries.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { changeStatus } from './change-status.ts';

export interface RevokeSeveralProps {
  readonly rows: readonly ListedCredential[];
  readonly onClose: (revoked: readonly string[]) => void;
}

export function RevokeSeveral({ rows, onClose }: RevokeSeveralProps) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox.change;
  const { nameOf } = useHolderNames(rows);
  const desk = useIssuerDesk();
  const renew = useIssuerRenewal();
  const [progress, setProgress] = useState<ReadonlyMap<string, ItemProgress<OnLedger>>>(new Map());
  const left = rows.filter(({ vcId }) => progress.get(vcId)?.state !== 'done');
  const done = rows.filter((row) => !left.includes(row)).map(({ vcId }) => vcId);
  const revoking = useSingleMutation({
    mutationFn: async (reason: string) => {
      const acting = await desk();
      await doSeveral({
        ids: left.map(({ vcId }) => vcId),
        lanes: 1,
        work: (vcId) =>
          changeStatus(acting, 'revoke', { vcId, reason, before: errorOfItem(progress.get(vcId)) }),
        tell: (vcId, one) => setProgress((before) => new Map(before).set(vcId, one)),
      });
    },
    onSettled: renew,
  });
  const isOver = left.length === 0;
  const failed = revoking.error && !(revoking.error instanceof NotSigned) ? revoking.error : undefined;
  return (
    <ReasonDialog
      title={isOver ? texts.several(done.length, rows.length) : texts.severalTitle(left.length)}
      text={isOver ? '' : texts.severalText}
      reasonLabel={texts.reason}
      isReasonNeeded={false}
      act={isOver ? words.issueInbox.close : texts.revoke}
      isBad={!isOver}
      isWorking={revoking.isPending}
      failure={failed && actFailureWords(failed, words)}
      onAct={(reason) => (isOver ? onClose(done) : revoking.mutate(reason))}
      onClose={() => onClose(done)}
    >
      <ul className="panel several" aria-live="polite">
        {rows.map((row) => (
          <RevokedLine key={row.vcId} row={row} name={nameOf(row)} progress={progress.get(row.vcId)} />
        ))}
      </ul>
    </ReasonDialog>
  );
}

function RevokedLine({
  row,
  name,
  progress,
}: {
  readonly row: ListedCredential;
  readonly name: string;
  readonly progress: ItemProgress<OnLedger> | undefined;
}) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox;
  const ways = useLedgerWays();
  const failure = progress?.state === 'failed' ? actFailureWords(progress.error, words) : undefined;
  const isUnknown = errorOfItem(progress) instanceof OutcomeUnknown;
  const block = progress?.state === 'done' ? progress.outcome.block : undefined;
  return (
    <li>
      <div className="row">
        <b className="cut">{name}</b>
        <span className="muted cut grow">{row.templateName ?? row.templateId}</span>
        {progress?.state === 'working' && <span className="hint">{texts.signing}</span>}
        {progress?.state === 'done' && (
          <span className="st bad">
            <Icon name="statusBad" />
            {words.parts.statuses.Revoked}
          </span>
        )}
        {block !== undefined && <Block number={block} {...ways.block(block)} />}
        {failure && <span className="st warn">{isUnknown ? texts.lost.title : texts.change.notRevoked}</span>}
      </div>
      {failure && (
        <p className="hint several-why">
          {failure.title}. {failure.text} <span className="mono">{failure.code}</span>
        </p>
      )}
    </li>
  );
}
