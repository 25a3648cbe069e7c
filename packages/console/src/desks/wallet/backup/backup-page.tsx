/** Backup, what opens the vault, and forgetting it. */
import { type FormEvent, useState } from 'react';
import { failureWords } from '../../../api/failure.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { PasswordField } from '../../../parts/controls/password-field.tsx';
import { saveFile } from '../../../parts/controls/save-file.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { lockVault, vaultsChanged } from '../../../vault/open-vaults.ts';
import type { VaultSecret } from '../../../vault/protection.ts';
import { changeProtection } from '../../../vault/vaults.ts';
import { useDeskWords } from '../../../words/words.ts';
import { ForgetWallet } from '../frame/forget-wallet.tsx';
import { useNewPassword, useNewSecret } from '../frame/protection-fields.tsx';
import { useWallet } from '../frame/wallet-context.ts';
import { WalletGate } from '../frame/wallet-gate.tsx';
import { WalletNote } from '../frame/wallet-note.tsx';

export default function BackupPage() {
  return (
    <WalletGate>
      <BackupInside />
    </WalletGate>
  );
}

function BackupInside() {
  const { words } = useDeskWords('wallet');
  const { did, isDemo, name } = useWallet();
  const texts = words.wallet.backup;
  useShownCode(texts.title, []);
  return (
    <DeskPage title={texts.title} text={texts.text}>
      <div className="stack wallet-narrow">
        <Panel title={texts.save} isPadded>
          <SaveForm />
        </Panel>
        {!isDemo && (
          <Panel title={texts.protection} isPadded>
            <ProtectionForm />
          </Panel>
        )}
        <Panel title={texts.forget} isPadded>
          <div className="stack">
            <p className="muted">
              <ForeignText text={name} /> <Did did={did} />
            </p>
            <ForgetWallet did={did} name={name} />
          </div>
        </Panel>
        <WalletNote />
      </div>
    </DeskPage>
  );
}

function SaveForm() {
  const { words } = useDeskWords('wallet');
  const { vault, did } = useWallet();
  const toast = useToast();
  const texts = words.wallet.backup;
  const { password, fields, clear } = useNewPassword(texts.password);
  const saving = useSingleMutation({
    mutationFn: async (given: string) => {
      const text = await vault.backup(given);
      saveFile({ name: `symbolon-wallet-${did.slice(-8)}.json`, type: 'application/json', contents: text });
    },
    onSuccess: () => {
      clear();
      toast({ tone: 'ok', text: texts.saved });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (password !== undefined) saving.mutate(password);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p className="muted">{texts.saveText}</p>
      {fields}
      {saving.isError && <ErrorState failure={failureWords(saving.error, words)} />}
      <div className="row">
        <Button
          kind="primary"
          icon="save"
          type="submit"
          disabled={password === undefined || saving.isPending}
        >
          {saving.isPending ? texts.saving : texts.act}
        </Button>
      </div>
    </form>
  );
}

function ProtectionForm() {
  const { words } = useDeskWords('wallet');
  const { vault, did } = useWallet();
  const toast = useToast();
  const texts = words.wallet.backup;
  const { protection } = vault.facts;
  const [current, setCurrent] = useState('');
  const { secret, fields } = useNewSecret();
  const given: VaultSecret | undefined =
    protection === 'passkey'
      ? { kind: 'passkey' }
      : current === ''
        ? undefined
        : { kind: 'password', password: current };
  const changing = useSingleMutation({
    mutationFn: ({ old, next }: { readonly old: VaultSecret; readonly next: VaultSecret }) =>
      changeProtection(did, old, next),
    onSuccess: () => {
      toast({ tone: 'ok', text: texts.changed });
      vaultsChanged();
      // It is opened anew with what protects it now.
      lockVault(did);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (secret && given) changing.mutate({ old: given, next: secret });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p className="muted">{texts.protectionText}</p>
      {protection === 'password' && (
        <PasswordField
          label={texts.currentPassword}
          value={current}
          autoComplete="current-password"
          onType={setCurrent}
        />
      )}
      {fields}
      {changing.isError && <ErrorState failure={failureWords(changing.error, words)} />}
      <div className="row">
        <Button type="submit" disabled={!secret || !given || changing.isPending}>
          {texts.change}
        </Button>
      </div>
    </form>
  );
}
