/** Payments whose outcome is not known: said as long as it is so. */
import { useDeskWords } from '../../../words/words.ts';
import { useOpenPurchases, useSettling } from './use-purchases.ts';

export function PurchasesNote() {
  const { words } = useDeskWords('wallet');
  const open = useOpenPurchases();
  useSettling(open);
  if (open.length === 0) return null;
  return (
    <p className="note warn" role="status">
      {words.wallet.purchase.unknown}
    </p>
  );
}
