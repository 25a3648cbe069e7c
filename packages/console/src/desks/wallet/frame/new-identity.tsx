/** No vault yet: make an identity, bring a key file, or restore a backup. */
import { Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { failureWords } from '../../../api/failure.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { PasswordField } from '../../../parts/controls/password-field.tsx';
import { Segments } from '../../../parts/controls/segments.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { withoutHidden } from '../../../text/foreign-text.ts';
import { readBackup } from '../../../vault/backup.ts';
import { keepOpen } from '../../../vault/open-vaults.ts';
import type { VaultSecret } from '../../../vault/protection.ts';
import { makeVault, type VaultOrder } from '../../../vault/vaults.ts';
import { useDeskWords } from '../../../words/words.ts';
import { offerBehind } from '../links/wallet-link.ts';
import { chooseVault } from './chosen-vault.ts';
import { useNewSecret } from './protection-fields.tsx';

type Way = 'make' | 'file' | 'backup';
const ways: readonly Way[] = ['make', 'file', 'backup'];

interface Wanted {
  readonly way: Way;
  readonly name: string;
  readonly text: string;
  readonly password: string;
  readonly protection: VaultSecret;
}

/** What the vault is made of. Keys are read here, in the page, and sent nowhere. */
async function orderOf({ way, name, text, password, protection }: Wanted): Promise<VaultOrder> {
  if (way === 'backup') {
    const { privateKey, name: called, records } = await readBackup(text, password);
    return { privateKey, records, protection, name: name === '' ? called : name };
  }
  if (way === 'file') {
    const { openKeyFile } = await import('@symbolon/sdk/keys/key-file');
    const { privateKey } = await openKeyFile(text, password);
    return { privateKey, name, protection };
  }
  const { generateKey } = await import('@symbolon/sdk/keys/generated-key');
  const { privateKey } = await generateKey();
  return { privateKey, name, protection };
}

export interface NewIdentityProps {
  /** Back to the vaults that are there. */
  readonly onBack?: () => void;
}

export function NewIdentity({ onBack }: NewIdentityProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.gate;
  const [way, setWay] = useState<Way>('make');
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [password, setPassword] = useState('');
  const { secret, fields } = useNewSecret({ isNew: true });
  const making = useSingleMutation({
    mutationFn: async (wanted: Wanted) => {
      const vault = await makeVault(await orderOf(wanted));
      keepOpen(vault);
      chooseVault(vault.facts.did);
    },
  });
  const isNameHidden = withoutHidden(name) !== name;
  const isGiven = way === 'make' || (text !== '' && password !== '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (secret && isGiven && !isNameHidden)
      making.mutate({ way, name: name.trim(), text, password, protection: secret });
  };
  return (
    <DeskPage title={texts.newTitle} text={texts.newText}>
      <Panel isPadded className="wallet-narrow">
        <form className="stack" onSubmit={submit}>
          <Segments
            label={texts.ways}
            value={way}
            options={ways.map((value) => ({ value, label: texts.way[value] }))}
            onChoose={(chosen) => {
              setWay(chosen);
              making.reset();
            }}
          />
          {offerBehind(location.hash) && <p className="note">{texts.offerWaits}</p>}
          <p className="muted">{texts.wayText[way]}</p>
          {way !== 'make' && (
            <>
              <FileField label={texts.fileOf[way]} onText={setText} />
              <PasswordField
                label={texts.filePassword}
                value={password}
                autoComplete="off"
                onType={setPassword}
              />
            </>
          )}
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            value={name}
            maxLength={80}
            error={isNameHidden && texts.nameHidden}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          {fields}
          {making.isError && <ErrorState failure={failureWords(making.error, words)} />}
          <div className="row wrap">
            <Button
              kind="primary"
              type="submit"
              disabled={making.isPending || secret === undefined || !isGiven || isNameHidden}
            >
              {making.isPending ? texts.making : texts.act[way]}
            </Button>
            {onBack && (
              <Button kind="quiet" onClick={onBack}>
                {texts.back}
              </Button>
            )}
            <span className="hint">{texts.keyStays}</span>
          </div>
        </form>
      </Panel>
    </DeskPage>
  );
}

/** A file, or its text pasted. */
function FileField({ label, onText }: { readonly label: string; readonly onText: (text: string) => void }) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.gate;
  const picker = useRef<HTMLInputElement>(null);
  const [pasted, setPasted] = useState('');
  const [fileName, setFileName] = useState('');
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setFileName(file.name);
    setPasted('');
    onText(await file.text());
  };
  return (
    <div className="fld">
      <span className="lb">{label}</span>
      <input
        ref={picker}
        type="file"
        accept=".json,application/json"
        className="sr"
        aria-label={label}
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          void take(currentTarget.files?.[0]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <div className="row">
        <Button icon="inbox" onClick={() => picker.current?.click()}>
          {texts.chooseFile}
        </Button>
        <span className="hint cut" role="status">
          {fileName}
        </span>
      </div>
      <Textarea
        aria-label={texts.pasted}
        placeholder={texts.pasted}
        rows={2}
        value={pasted}
        onChange={({ currentTarget }) => {
          setPasted(currentTarget.value);
          setFileName('');
          onText(currentTarget.value);
        }}
      />
    </div>
  );
}
