/** Where the keys are, whose vault it is, and how to lock it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../../parts/controls/button.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { lockByHand } from './chosen-vault.ts';
import { useWallet } from './wallet-context.ts';

export function WalletNote() {
  const { words } = useDeskWords('wallet');
  const { did, vault } = useWallet();
  const texts = words.wallet.note;
  const { data: damaged = 0 } = useQuery({
    queryKey: ['wallet', did, 'damaged'],
    queryFn: () => vault.countDamaged(),
  });
  return (
    <div className="note wallet-note">
      <Icon name="lock" />
      <span className="grow">
        {texts.keys[vault.facts.protection]}{' '}
        <Link to="/wallet/backup" className="lk">
          {texts.backup}
        </Link>
        {damaged > 0 && (
          <b className="wallet-damaged" role="alert">
            {texts.damaged(damaged)}
          </b>
        )}
      </span>
      <Button size="small" onClick={() => lockByHand(did)}>
        {texts.lock}
      </Button>
    </div>
  );
}
