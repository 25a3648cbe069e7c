/** What is to open a vault: a passkey where the browser has such that seal, or a password, typed twice. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PasswordField } from '../../../parts/controls/password-field.tsx';
import { Segments } from '../../../parts/controls/segments.tsx';
import { isNamedHost, namedPage } from '../../../vault/page-names.ts';
import { hasPasskeys } from '../../../vault/passkey.ts';
import type { VaultSecret } from '../../../vault/protection.ts';
import { vaultLimits } from '../../../vault/vault-limits.ts';
import { useDeskWords } from '../../../words/words.ts';

export interface NewSecret {
  /** Undefined while what was typed does not do. */
  readonly secret: VaultSecret | undefined;
  readonly fields: React.ReactNode;
}

/** A password that is typed twice, and what is wrong with it. */
export function useNewPassword(label: string) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.gate;
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const isShort = first !== '' && [...first].length < vaultLimits.passwordCharsMin;
  const isOther = second !== '' && second !== first;
  const isGood = !isShort && first !== '' && first === second;
  return {
    password: isGood ? first : undefined,
    clear: () => {
      setFirst('');
      setSecond('');
    },
    fields: (
      <>
        <PasswordField
          label={label}
          value={first}
          autoComplete="new-password"
          description={texts.passwordRule(vaultLimits.passwordCharsMin)}
          error={isShort && texts.passwordShort}
          onType={setFirst}
        />
        <PasswordField
          label={texts.passwordAgain}
          value={second}
          autoComplete="new-password"
          error={isOther && texts.passwordDiffers}
          onType={setSecond}
        />
      </>
    ),
  };
}

/** Why no passkey is offered, where it is for want of a name. Nothing of this browser's is kept at the other address. */
function NoName({ isNew }: { readonly isNew: boolean }) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.gate;
  if (isNamedHost(location.hostname)) return null;
  const there = isNew ? namedPage(location) : undefined;
  return (
    <p className="hint">
      {texts.noName} {there !== undefined && <a href={there}>{texts.atName}</a>}
    </p>
  );
}

/** `isNew`: of a vault that is still to be made, so it may as well be made where the page has a name. */
export function useNewSecret({ isNew = false }: { readonly isNew?: boolean } = {}): NewSecret {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.gate;
  const { data: canPasskey } = useQuery({ queryKey: ['console', 'passkeys'], queryFn: hasPasskeys });
  const [wanted, setWanted] = useState<'passkey' | 'password'>();
  const { password, fields } = useNewPassword(texts.password);
  const kind = wanted ?? (canPasskey ? 'passkey' : 'password');
  const secret: VaultSecret | undefined =
    kind === 'passkey' ? { kind } : password === undefined ? undefined : { kind, password };
  return {
    secret,
    fields: (
      <>
        {canPasskey && (
          <div className="fld">
            <span className="lb">{texts.protect}</span>
            <Segments
              label={texts.protect}
              value={kind}
              options={[
                { value: 'passkey', label: texts.passkey },
                { value: 'password', label: texts.password },
              ]}
              onChoose={setWanted}
            />
          </div>
        )}
        <NoName isNew={isNew} />
        {kind === 'passkey' ? <p className="hint">{texts.passkeyHint}</p> : fields}
      </>
    ),
  };
}
