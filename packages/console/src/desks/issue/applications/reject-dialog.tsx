/** Says no to an application, with a reason that the applicant reads. */
import { useClients } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { useDeskWords } from '../../../words/words.ts';
import { useHolderNames } from '../issuer-names.ts';
import { useIssuerRenewal } from '../issuer-queries.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import type { ReviewedApplication } from './review-query.ts';

export interface RejectDialogProps {
  readonly review: ReviewedApplication;
  readonly onClose: () => void;
}

export function RejectDialog({ review: { shown }, onClose }: RejectDialogProps) {
  const { words } = useDeskWords('issue');
  const { service } = useClients();
  const toast = useToast();
  const renew = useIssuerRenewal();
  const name = useHolderNames([shown]).nameOf(shown);
  const texts = words.issueInbox;
  const rejecting = useSingleMutation({
    mutationFn: (reason: string) => service.rejectApplication({ vcId: shown.vcId, reason }),
    onSuccess: () => {
      toast({ tone: 'plain', text: texts.rejected(name) });
      onClose();
    },
    onSettled: renew,
  });
  return (
    <ReasonDialog
      title={texts.rejectTitle(name, shown.templateName ?? shown.templateId)}
      text={texts.rejectText}
      reasonLabel={texts.rejectReason}
      isReasonNeeded
      act={texts.rejectAct}
      isBad
      isWorking={rejecting.isPending}
      failure={rejecting.error ? failureWords(rejecting.error, words) : undefined}
      onAct={(reason) => rejecting.mutate(reason)}
      onClose={onClose}
    />
  );
}
