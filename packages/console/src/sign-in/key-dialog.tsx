/** Something is to be signed, and the key is not in this tab: it is asked for, and must be that of who is signed in. */
import { didOfSigner, type Signer } from '@symbolon/sdk/keys/signer';
import { useState } from 'react';
import { useClients, useConsoleConfig } from '../api/api.tsx';
import { PasswordField } from '../parts/controls/password-field.tsx';
import { Segments } from '../parts/controls/segments.tsx';
import { ActForm } from '../parts/frame/act-form.tsx';
import { Dialog } from '../parts/frame/dialog.tsx';
import { Did } from '../parts/written/did.tsx';
import type { SignerQuestion } from '../signing/signing.tsx';
import { useWords } from '../words/words.ts';
import { KeyFileForm } from './key-file-form.tsx';
import { ForeignKey, signInFailure } from './sign-in-failure.ts';
import './sign-in.css';
import { useOwnVaults, VaultForm } from './vault-form.tsx';
import { unlockCustody } from './ways.ts';

type Way = 'vault' | 'keyFile' | 'custody';

export default function KeyDialog({ question }: { readonly question: SignerQuestion }) {
  const { words } = useWords();
  const hasCustody = useConsoleConfig()?.signIn.includes('custody') ?? false;
  const { did, answer } = question;
  const vaults = useOwnVaults().filter((vault) => vault.did === did);
  const [chosen, setWay] = useState<Way>();
  const ways: readonly Way[] = [
    ...(vaults.length > 0 ? (['vault'] as const) : []),
    'keyFile',
    ...(hasCustody ? (['custody'] as const) : []),
  ];
  const way = chosen ?? ways[0];
  const take = async (signer: Signer): Promise<void> => {
    const given = didOfSigner(signer);
    if (given !== did) throw new ForeignKey(given);
    answer(signer);
  };
  return (
    <Dialog title={words.signIn.keyTitle} onClose={() => answer(undefined)}>
      <div className="pad stack">
        <p>
          {words.signIn.keyWhy} <Did did={did} isCopied={false} />
        </p>
        {ways.length > 1 && way !== undefined && (
          <Segments
            label={words.signIn.way}
            value={way}
            options={ways.map((value) => ({ value, label: words.signIn.ways[value] }))}
            onChoose={setWay}
          />
        )}
        {way === 'vault' && <VaultForm submit={words.signIn.sign} vaults={vaults} onOpen={take} />}
        {way === 'keyFile' && <KeyFileForm submit={words.signIn.sign} onOpen={take} />}
        {way === 'custody' && <CustodyUnlock did={did} onOpen={take} />}
      </div>
    </Dialog>
  );
}

function CustodyUnlock({
  did,
  onOpen,
}: {
  readonly did: string;
  readonly onOpen: (signer: Signer) => Promise<void>;
}) {
  const { words } = useWords();
  const { service } = useClients();
  const [password, setPassword] = useState('');
  return (
    <ActForm
      failureOf={signInFailure}
      submit={words.signIn.sign}
      hint={words.signIn.custodyKey}
      isReady={password !== ''}
      onSubmit={async () => {
        const signer = await unlockCustody(service, did, password);
        if (!signer) throw new ForeignKey(did);
        await onOpen(signer);
      }}
    >
      <PasswordField
        value={password}
        onType={setPassword}
        label={words.signIn.password}
        autoComplete="current-password"
      />
    </ActForm>
  );
}
