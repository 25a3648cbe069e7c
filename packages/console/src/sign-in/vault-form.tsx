/** A vault of this browser: its passkey or its password opens it, and it signs from then on. */
import { Select } from '@mantine/core';
import type { Signer } from '@symbolon/sdk/keys/signer';
import { useState } from 'react';
import { PasswordField } from '../parts/controls/password-field.tsx';
import { ActForm } from '../parts/frame/act-form.tsx';
import { foreignLine } from '../text/foreign-text.ts';
import { shortDid } from '../text/short-ids.ts';
import { keepOpen } from '../vault/open-vaults.ts';
import { useVaults } from '../vault/use-vaults.ts';
import type { VaultFacts } from '../vault/vault-list.ts';
import { unlockVault } from '../vault/vaults.ts';
import { useWords } from '../words/words.ts';
import { signInFailure } from './sign-in-failure.ts';

/** Those that somebody can open: people of the demo are asked for nothing, and what is broken opens with nothing. */
export const useOwnVaults = (): readonly VaultFacts[] =>
  (useVaults() ?? []).filter(({ protection }) => protection !== 'demo' && protection !== 'unreadable');

export interface VaultFormProps {
  readonly submit: string;
  readonly vaults: readonly VaultFacts[];
  readonly onOpen: (signer: Signer) => Promise<void>;
}

const nameOf = ({ name, did }: VaultFacts): string =>
  name === '' ? shortDid(did).id : `${foreignLine(name)} · ${shortDid(did).id}`;

export function VaultForm({ submit, vaults, onOpen }: VaultFormProps) {
  const { words } = useWords();
  const [chosen, setChosen] = useState(vaults[0]?.did);
  const [password, setPassword] = useState('');
  const vault = vaults.find(({ did }) => did === chosen) ?? vaults[0];
  if (!vault) return null;
  const isByPasskey = vault.protection === 'passkey';
  return (
    <ActForm
      failureOf={signInFailure}
      submit={submit}
      hint={isByPasskey ? words.signIn.passkeyOpens : words.signIn.keyStays}
      isReady={isByPasskey || password !== ''}
      onSubmit={async () => {
        const opened = await unlockVault(
          vault.did,
          isByPasskey ? { kind: 'passkey' } : { kind: 'password', password },
        );
        keepOpen(opened);
        await onOpen(opened.signer);
      }}
    >
      <Select
        label={words.signIn.vaultOf}
        data={vaults.map((one) => ({ value: one.did, label: nameOf(one) }))}
        value={vault.did}
        allowDeselect={false}
        onChange={(did) => setChosen(did ?? vault.did)}
      />
      {!isByPasskey && (
        <PasswordField
          value={password}
          onType={setPassword}
          label={words.signIn.vaultPassword}
          autoComplete="current-password"
        />
      )}
    </ActForm>
  );
}
