/** Asks before the status of a credential is changed, naming whose and what follows. */
import { failureWords } from '../../../api/failure.ts';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { NotSigned } from '../../../signing/signing.tsx';
import { useDeskWords } from '../../../words/words.ts';
import type { OnLedger } from '../applications/issue-application.ts';
import { useIssuerDesk } from '../issuer-desk.ts';
import { holderName } from '../issuer-names.ts';
import { type ListedCredential, useIssuerRenewal } from '../issuer-queries.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { changeStatus, type StatusAct } from './change-status.ts';

export interface StatusDialogProps {
  readonly act: StatusAct;
  readonly credential: Pick<ListedCredential, 'vcId' | 'label' | 'holder' | 'templateName' | 'templateId'>;
  readonly onDone: (recorded: OnLedger) => void;
  readonly onClose: () => void;
}

export function StatusDialog({ act, credential, onDone, onClose }: StatusDialogProps) {
  const { words } = useDeskWords();
  const texts = words.issueInbox.change;
  const desk = useIssuerDesk();
  const renew = useIssuerRenewal();
  const changing = useSingleMutation({
    mutationFn: async (reason: string) => changeStatus(await desk(), act, { vcId: credential.vcId, reason }),
    onSuccess: (recorded) => {
      onDone(recorded);
      onClose();
    },
    onSettled: renew,
  });
  const isFailure = changing.error && !(changing.error instanceof NotSigned);
  return (
    <ReasonDialog
      title={texts[`${act}Title`](holderName(credential), credential.templateName ?? credential.templateId)}
      text={texts[`${act}Text`]}
      reasonLabel={texts.reason}
      isReasonNeeded={false}
      act={texts[act]}
      isBad={act === 'revoke'}
      isWorking={changing.isPending}
      failure={isFailure ? failureWords(changing.error, words) : undefined}
      onAct={(reason) => changing.mutate(reason)}
      onClose={onClose}
    />
  );
}
