/** A key file and its password. The file is read and opened here; neither of them leaves this tab. */
import { keyFileLimits } from '@symbolon/core/limits/documents';
import type { Signer } from '@symbolon/sdk/keys/signer';
import { useId, useState } from 'react';
import { PasswordField } from '../parts/controls/password-field.tsx';
import { ActForm } from '../parts/frame/act-form.tsx';
import { useWords } from '../words/words.ts';
import { signInFailure } from './sign-in-failure.ts';

export interface KeyFileFormProps {
  readonly submit: string;
  readonly onOpen: (signer: Signer) => Promise<void>;
}

export function KeyFileForm({ submit, onOpen }: KeyFileFormProps) {
  const { words } = useWords();
  const id = useId();
  const [file, setFile] = useState<File>();
  const [password, setPassword] = useState('');
  const isTooLarge = file !== undefined && file.size > keyFileLimits.fileCharsMax;
  const open = async (): Promise<void> => {
    if (!file) return;
    const { signerFromKeyFile } = await import('@symbolon/sdk/keys/key-file');
    await onOpen(await signerFromKeyFile(await file.text(), password));
  };
  return (
    <ActForm
      failureOf={signInFailure}
      submit={submit}
      hint={words.signIn.keyStays}
      isReady={file !== undefined && !isTooLarge && password !== ''}
      onSubmit={open}
    >
      <div className="fld">
        <label htmlFor={id}>{words.signIn.keyFile}</label>
        <input
          id={id}
          type="file"
          accept=".json,application/json"
          className="fld-file"
          data-autofocus
          onChange={(event) => setFile(event.target.files?.[0])}
        />
        {isTooLarge && <span className="fld-error">{words.signIn.fileTooLarge}</span>}
      </div>
      <PasswordField
        value={password}
        onType={setPassword}
        label={words.signIn.filePassword}
        autoComplete="current-password"
      />
    </ActForm>
  );
}
