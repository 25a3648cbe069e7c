/** What every answer tells beside what was agreed to: it makes its owner recognisable, so it is said before and after. */
import { Did } from '../../../parts/written/did.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { useWallet } from '../frame/wallet-context.ts';

/** `name`: whoever gets it. */
export function AlongNote({ name }: { readonly name: string }) {
  const { words } = useDeskWords('wallet');
  const { did } = useWallet();
  const texts = words.wallet.requests;
  return (
    <p className="muted">
      <b className="consent-along">{texts.along}</b> {texts.alongWhat} <Did did={did} isCopied={false} />.{' '}
      {texts.alongMeans(name)}
    </p>
  );
}
