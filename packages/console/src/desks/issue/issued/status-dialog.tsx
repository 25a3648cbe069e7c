/** Asks before the status of a credential is changed, naming whose and what follows. */
import { useEffect } from 'react';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { NotSigned } from '../../../signing/signing.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { actFailureWords, OutcomeUnknown } from '../acting/lost-answer.ts';
import type { OnLedger } from '../applications/issue-application.ts';
import { useIssuerDesk } from '../issuer-desk.ts';
import { useHolderNames } from '../issuer-names.ts';
import { useIssuerRenewal } from '../issuer-queries.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import {
  changeStatus,
  type IssuedNow,
  type StatusAct,
  type StatusWish,
  standingAfter,
} from './change-status.ts';

export interface StatusDialogProps {
  readonly act: StatusAct;
  /** As it stands now. */
  readonly credential: IssuedNow;
  readonly onDone: (recorded: OnLedger) => void;
  readonly onClose: () => void;
}

export function StatusDialog({ act, credential, onDone, onClose }: StatusDialogProps) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox.change;
  const desk = useIssuerDesk();
  const renew = useIssuerRenewal();
  const { nameOf } = useHolderNames([credential]);
  const finish = (recorded: OnLedger): void => {
    onDone(recorded);
    onClose();
  };
  const changing = useSingleMutation({
    mutationFn: async (order: Pick<StatusWish, 'reason' | 'before'>) =>
      changeStatus(await desk(), act, { ...order, vcId: credential.vcId }),
    onSuccess: finish,
    onSettled: renew,
  });
  const isUnknown = changing.error instanceof OutcomeUnknown;
  const found = isUnknown && !changing.isPending ? standingAfter(act, credential) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: news of the credential end the question, once.
  useEffect(() => {
    if (found) finish(found);
  }, [found !== undefined]);
  const isFailure = changing.error && !(changing.error instanceof NotSigned);
  return (
    <ReasonDialog
      title={texts[`${act}Title`](nameOf(credential), credential.templateName ?? credential.templateId)}
      text={texts[`${act}Text`]}
      reasonLabel={texts.reason}
      isReasonNeeded={false}
      act={texts[act]}
      isBad={act === 'revoke'}
      isWorking={changing.isPending}
      failure={isFailure ? actFailureWords(changing.error, words) : undefined}
      onAct={(reason) => changing.mutate({ reason, before: changing.error })}
      onClose={onClose}
    />
  );
}
