/** Signing in: by a key file, an API key, an account in custody, or as somebody of the demo. */
import { TextInput } from '@mantine/core';
import { signInLimits } from '@symbolon/core/limits/console';
import type { Signer } from '@symbolon/sdk/keys/signer';
import { parseApiKey } from '@symbolon/wire/http/api-key-form';
import { useState } from 'react';
import { useChair, useClients, useConsoleConfig } from '../api/api.tsx';
import { failureWords } from '../api/failure.ts';
import { PasswordField } from '../parts/controls/password-field.tsx';
import { Segments } from '../parts/controls/segments.tsx';
import { ActForm } from '../parts/frame/act-form.tsx';
import { Dialog } from '../parts/frame/dialog.tsx';
import { SignInContext } from '../parts/hooks/use-sign-in.ts';
import { useToast } from '../parts/hooks/use-toast.ts';
import { ErrorState, type FailureWords } from '../parts/states/error-state.tsx';
import { IdentityMark } from '../parts/written/identity-mark.tsx';
import { useKeepSigner } from '../signing/signing.tsx';
import { kindOf } from '../text/identity.ts';
import { shortDid } from '../text/short-ids.ts';
import { useWords } from '../words/words.ts';
import { KeyFileForm } from './key-file-form.tsx';
import { signInFailure } from './sign-in-failure.ts';
import './sign-in.css';
import { useOwnVaults, VaultForm } from './vault-form.tsx';
import { type Shown, signInByCustody, signInByKey } from './ways.ts';

type Way = 'vault' | 'keyFile' | 'apiKey' | 'custody' | 'person';

export default function SignInDialog({ onClose }: { readonly onClose: () => void }) {
  const { words } = useWords();
  const { service } = useClients();
  const { enter } = useChair();
  const keep = useKeepSigner();
  const toast = useToast();
  const offered = useConsoleConfig()?.signIn ?? [];
  const vaults = useOwnVaults();
  const ways: readonly Way[] = [
    ...(offered.includes('person') ? (['person'] as const) : []),
    ...(offered.includes('signature') && vaults.length > 0 ? (['vault'] as const) : []),
    ...(offered.includes('signature') ? (['keyFile'] as const) : []),
    ...(offered.includes('apiKey') ? (['apiKey'] as const) : []),
    ...(offered.includes('custody') ? (['custody'] as const) : []),
  ];
  const [chosen, setChosen] = useState<Way>();
  const way = chosen ?? ways[0];
  const nameOf = ({ did, keyId = '' }: Shown['begun']): string =>
    did === undefined ? words.signIn.keyNamed(keyId) : shortDid(did).id;
  const goInByKey = async (signer: Signer): Promise<void> => goIn(await signInByKey(service, signer));
  const goIn = async ({ begun, signer }: Shown): Promise<void> => {
    await enter(begun);
    if (signer && begun.did !== undefined) keep(begun.did, signer);
    toast({ tone: 'ok', text: words.signIn.signedIn(nameOf(begun)) });
    onClose();
  };
  return (
    <Dialog title={words.signIn.title} onClose={onClose}>
      <SignInContext value={undefined}>
        <div className="pad stack">
          {!isSecureContext && <p className="note warn">{words.signIn.plainHttp}</p>}
          {way === undefined && <p className="muted">{words.signIn.noWay}</p>}
          {ways.length > 1 && way !== undefined && (
            <Segments
              label={words.signIn.way}
              value={way}
              options={ways.map((value) => ({ value, label: words.signIn.ways[value] }))}
              onChoose={setChosen}
            />
          )}
          {way === 'person' && <People onDone={onClose} />}
          {way === 'vault' && <VaultForm submit={words.signIn.submit} vaults={vaults} onOpen={goInByKey} />}
          {way === 'keyFile' && <KeyFileForm submit={words.signIn.submit} onOpen={goInByKey} />}
          {way === 'apiKey' && <ApiKeyForm onShown={goIn} />}
          {way === 'custody' && <CustodyForm onShown={goIn} />}
        </div>
      </SignInContext>
    </Dialog>
  );
}

interface WayProps {
  readonly onShown: (shown: Shown) => Promise<void>;
}

function ApiKeyForm({ onShown }: WayProps) {
  const { words } = useWords();
  const { service } = useClients();
  const [apiKey, setApiKey] = useState('');
  const given = apiKey.trim();
  // What is no API key may be a private key that landed in the wrong field: it is not sent.
  const isKey = parseApiKey(given) !== undefined;
  return (
    <ActForm
      failureOf={signInFailure}
      submit={words.signIn.submit}
      hint={words.signIn.apiKeyOnce}
      isReady={isKey}
      onSubmit={async () => {
        const begun = await service.signIn({ apiKey: given });
        setApiKey('');
        await onShown({ begun });
      }}
    >
      <TextInput
        type="password"
        autoComplete="off"
        label={words.signIn.apiKey}
        value={apiKey}
        maxLength={signInLimits.apiKeyCharsMax}
        error={given === '' || isKey ? undefined : words.signIn.apiKeyForm}
        onChange={(event) => setApiKey(event.target.value)}
        data-autofocus
      />
    </ActForm>
  );
}

function CustodyForm({ onShown }: WayProps) {
  const { words } = useWords();
  const { service } = useClients();
  const [address, setAddress] = useState('');
  const [password, setPassword] = useState('');
  return (
    <ActForm
      failureOf={signInFailure}
      submit={words.signIn.submit}
      hint={words.signIn.custodyKey}
      isReady={address.trim() !== '' && password !== ''}
      onSubmit={async () => onShown(await signInByCustody(service, { address, password }))}
    >
      <TextInput
        label={words.signIn.address}
        autoComplete="username"
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        data-autofocus
      />
      <PasswordField
        value={password}
        onType={setPassword}
        label={words.signIn.password}
        autoComplete="current-password"
      />
    </ActForm>
  );
}

function People({ onDone }: { readonly onDone: () => void }) {
  const { words } = useWords();
  const { people, take } = useChair();
  const [failure, setFailure] = useState<FailureWords>();
  return (
    <ul className="sign-in-people">
      {people.map((one) => (
        <li key={one.did}>
          <button
            type="button"
            className="pop-item"
            onClick={() => take(one).then(onDone, (error: unknown) => setFailure(failureWords(error, words)))}
          >
            <IdentityMark id={one.did} name={one.name} kind={kindOf(one.person)} />
            {one.name}
          </button>
        </li>
      ))}
      <li className="hint">{words.signIn.peopleKnown}</li>
      {failure && (
        <li>
          <ErrorState failure={failure} />
        </li>
      )}
    </ul>
  );
}
