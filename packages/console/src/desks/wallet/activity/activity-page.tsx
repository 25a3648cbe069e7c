/** What came, what was paid for, what was shared with whom, what was declined; newest first, known to this browser alone. */
import { Link } from '@tanstack/react-router';
import { failureWords } from '../../../api/failure.ts';
import { Icon, type IconName } from '../../../parts/controls/icon.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { assetPriceText } from '../../../text/price.ts';
import { shortDid } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { WalletGate } from '../frame/wallet-gate.tsx';
import type { ActivityEntry, Asker, SharedEntry } from './activity-log.ts';
import { ToldPart } from './told-part.tsx';
import { useActivity } from './use-activity.ts';

export default function ActivityPage() {
  return (
    <WalletGate>
      <ActivityInside />
    </WalletGate>
  );
}

const icons: Readonly<Record<ActivityEntry['kind'], IconName>> = {
  received: 'card',
  paid: 'swap',
  shared: 'shared',
  declined: 'cross',
};

function ActivityInside() {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.activity;
  const query = useActivity();
  useShownCode(texts.title, []);
  return (
    <DeskPage title={texts.title} text={texts.text}>
      <Panel>
        {!query.data &&
          (query.isError ? (
            <ErrorState failure={failureWords(query.error, words)} onAgain={() => void query.refetch()} />
          ) : (
            <Bones rows={4} />
          ))}
        {query.data?.length === 0 && <EmptyState title={texts.empty} text={texts.emptyWhy} />}
        <ul className="wallet-list">
          {query.data?.map((entry) => (
            <li key={entry.id} className="wallet-row wallet-event">
              <Icon name={icons[entry.kind]} />
              <span className="grow">
                <Told entry={entry} />
              </span>
              <span className="hint">
                <Time at={entry.at} />
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </DeskPage>
  );
}

function Told({ entry }: { readonly entry: ActivityEntry }) {
  const { words, language } = useDeskWords('wallet');
  const texts = words.wallet.activity;
  const nameOf = ({ name, did }: Asker): string =>
    name ?? (did === undefined ? words.wallet.requests.somebody : shortDid(did).id);
  if (entry.kind === 'declined') return <b>{texts.declined(nameOf(entry.asker))}</b>;
  if (entry.kind === 'received')
    return (
      <Link to="/wallet/cards/$vcId" params={{ vcId: entry.vcId }} className="wallet-told">
        <b>{texts.received(entry.template, entry.issuerName ?? shortDid(entry.issuer).id)}</b>
      </Link>
    );
  if (entry.kind === 'paid')
    return (
      <>
        <b>{texts.paid(assetPriceText(entry.price, language, words.parts.unitsOf), entry.template)}</b>{' '}
        {entry.txHash !== undefined && <Hash hash={entry.txHash} to={`/ledger/tx/${entry.txHash}`} />}
      </>
    );
  return (
    <>
      <b>{texts.shared(nameOf(entry.asker))}</b> <CameOfIt entry={entry} />
      {entry.parts.map((part) => (
        <ToldPart key={part.vcId} part={part} />
      ))}
    </>
  );
}

/** What came of what was shared: the verifier's verdict, that it was not taken, or nothing that was heard. */
function CameOfIt({ entry }: { readonly entry: SharedEntry }) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.activity;
  const { isVerified, presentation, request: id } = entry;
  if (isVerified !== undefined)
    return (
      <span className={isVerified ? 'st ok' : 'st bad'}>
        {isVerified ? texts.verified : texts.notVerified}
      </span>
    );
  if (presentation === undefined) return <span className="st bad">{texts.notTaken}</span>;
  return (
    <Link to="/wallet/requests/$id" params={{ id }} className="st warn">
      {texts.noAnswer}
    </Link>
  );
}
