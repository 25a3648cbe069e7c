/** A payment that went out and whose answer was lost: that nothing is known, until it is; and no way to pay again before. */
import { Link } from '@tanstack/react-router';
import { Button } from '../../../parts/controls/button.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { assetPriceText } from '../../../text/price.ts';
import { useDeskWords } from '../../../words/words.ts';
import { ApplyDone } from './apply-done.tsx';
import type { OpenPurchase } from './purchases.ts';
import { useSettling } from './use-purchases.ts';

export interface PurchasePageProps {
  readonly purchase: OpenPurchase;
  /** Back to the form, once it is known that this payment came to nothing. */
  readonly onBack: () => void;
}

export function PurchasePage({ purchase, onBack }: PurchasePageProps) {
  const { words, language } = useDeskWords('wallet');
  const texts = words.wallet.purchase;
  const [outcome] = useSettling([purchase]);
  const { templateName } = purchase;
  if (outcome?.kind === 'issued') return <ApplyDone got={outcome} name={templateName} />;
  if (outcome?.kind === 'notGenuine')
    return (
      <DeskPage title={texts.notGenuineTitle}>
        <Panel>
          <ErrorState
            failure={{
              title: words.wallet.cards.notGenuine(templateName),
              text: words.wallet.cards.notGenuineWhy,
              advice: texts.told.notGenuine,
              code: outcome.reason,
            }}
          />
        </Panel>
      </DeskPage>
    );
  if (outcome?.kind === 'failed')
    return (
      <DeskPage title={texts.failedTitle}>
        <Panel>
          <EmptyState title={texts.told.failed} text={outcome.reason ?? texts.neverCame}>
            <Button onClick={onBack}>{texts.backToForm}</Button>
            {outcome.txHash !== undefined && (
              <Hash hash={outcome.txHash} to={`/ledger/tx/${outcome.txHash}`} />
            )}
          </EmptyState>
        </Panel>
      </DeskPage>
    );
  const price = assetPriceText(purchase.price, language, words.parts.unitsOf);
  return (
    <DeskPage title={texts.unknownTitle}>
      <Panel>
        <div role="status">
          <EmptyState title={texts.unknown} text={texts.unknownWhy(price, templateName)}>
            <Link to="/wallet/cards" className="btn">
              {words.shell.places.cards}
            </Link>
          </EmptyState>
        </div>
      </Panel>
    </DeskPage>
  );
}
