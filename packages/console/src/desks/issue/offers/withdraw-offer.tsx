/** Ends an offer that nobody has accepted, after a question that says whose and what follows. */
import { useQueryClient } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { useDeskWords } from '../../../words/words.ts';
import { Confirm } from '../acting/confirm.tsx';
import { useAct } from '../acting/use-act.ts';
import { type ListedOffer, offersQueryKey } from './offer-queries.ts';

export function WithdrawOffer({
  offer,
  onClose,
}: {
  readonly offer: Pick<ListedOffer, 'offerId' | 'reference'>;
  readonly onClose: () => void;
}) {
  const { words } = useDeskWords('issue');
  const { service } = useClients();
  const queries = useQueryClient();
  const toast = useToast();
  const act = useAct(async () => {
    await service.withdrawOffer({ offerId: offer.offerId });
    await queries.invalidateQueries({ queryKey: offersQueryKey });
    toast({ tone: 'ok', text: words.offers.withdrawn });
    onClose();
  });
  return (
    <Confirm
      title={words.offers.withdrawTitle(offer.reference ?? offer.offerId.slice(0, 8))}
      text={words.offers.withdrawText}
      doIt={words.offers.withdraw}
      act={act}
      onClose={onClose}
    />
  );
}
