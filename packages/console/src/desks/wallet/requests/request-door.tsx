/** How a request comes to the wallet: scanned, pasted, or opened as a link. */
import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { latePart } from '../../../late/late-part.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Bones } from '../../../parts/states/bones.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { useWallet } from '../frame/wallet-context.ts';
import { WalletNote } from '../frame/wallet-note.tsx';
import { keepOfferLink } from '../links/offer-link-store.ts';
import { readWalletLink } from '../links/wallet-link.ts';

const QrCamera = latePart(() => import('./qr-camera.tsx'));

export function RequestDoor() {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.requests;
  const { origin } = useWallet();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isScanning, setScanning] = useState(false);
  const follow = (said: string): boolean => {
    const read = readWalletLink(said, [origin, location.origin]);
    if (read.kind === 'request') void navigate({ to: '/wallet/requests/$id', params: { id: read.id } });
    else if (read.kind === 'offer') {
      keepOfferLink(read.link);
      void navigate({ to: '/wallet/apply' });
    } else setProblem(read.kind === 'elsewhere' ? texts.elsewhere(read.origin) : texts.noLink);
    return read.kind === 'request' || read.kind === 'offer';
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    follow(text);
  };
  return (
    <DeskPage title={texts.title} text={texts.text}>
      <div className="stack wallet-narrow">
        <Panel isPadded>
          <div className="stack">
            {isScanning ? (
              <QrCamera
                onText={(said) => {
                  if (follow(said)) setScanning(false);
                }}
                onClose={() => setScanning(false)}
                waiting={<Bones rows={2} />}
              />
            ) : (
              <Button kind="primary" size="large" icon="qr" onClick={() => setScanning(true)}>
                {texts.scan}
              </Button>
            )}
            <form className="row wallet-paste" onSubmit={submit}>
              <TextInput
                className="grow"
                label={texts.paste}
                placeholder="zetrix://?request_uri=…"
                value={text}
                error={problem}
                onChange={({ currentTarget }) => {
                  setText(currentTarget.value);
                  setProblem(undefined);
                }}
              />
              <Button type="submit" disabled={text.trim() === ''}>
                {texts.open}
              </Button>
            </form>
          </div>
        </Panel>
        <WalletNote />
      </div>
    </DeskPage>
  );
}
