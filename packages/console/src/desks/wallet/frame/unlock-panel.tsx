/** A vault that is locked: which one, and what opens it. */
import { type FormEvent, useState } from 'react';
import { failureWords } from '../../../api/failure.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { PasswordField } from '../../../parts/controls/password-field.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { IdentityMark } from '../../../parts/written/identity-mark.tsx';
import { keepOpen } from '../../../vault/open-vaults.ts';
import type { ProtectionKind, VaultSecret } from '../../../vault/protection.ts';
import type { VaultFacts } from '../../../vault/vault-list.ts';
import { unlockVault } from '../../../vault/vaults.ts';
import { useDeskWords } from '../../../words/words.ts';
import { chooseVault } from './chosen-vault.ts';
import { ForgetWallet } from './forget-wallet.tsx';
import { NewIdentity } from './new-identity.tsx';

export interface UnlockPanelProps {
  /** One, or several to choose from. */
  readonly vaults: readonly VaultFacts[];
  /** Of somebody of the demo. */
  readonly demoKey: { readonly privateKey: string } | undefined;
  /** Whether another identity may be made here. */
  readonly hasOthers: boolean;
}

export function UnlockPanel({ vaults, demoKey, hasOthers }: UnlockPanelProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.gate;
  const [isNew, setNew] = useState(false);
  if (isNew) return <NewIdentity onBack={() => setNew(false)} />;
  return (
    <DeskPage title={texts.lockedTitle} text={texts.lockedText}>
      <div className="stack wallet-narrow">
        {vaults.map((facts) => (
          <Panel key={facts.did} isPadded>
            <div className="stack">
              {facts.protection === 'unreadable' ? (
                <>
                  <Whose facts={facts} />
                  <p className="note warn">{texts.unreadable}</p>
                </>
              ) : (
                <UnlockForm facts={facts} protection={facts.protection} demoKey={demoKey} />
              )}
              {facts.protection !== 'demo' && <ForgetWallet did={facts.did} name={facts.name} isLocked />}
            </div>
          </Panel>
        ))}
        {hasOthers && (
          <div className="row wrap">
            <Button kind="quiet" icon="plus" onClick={() => setNew(true)}>
              {texts.another}
            </Button>
            {vaults.length === 1 && (
              <Button kind="quiet" onClick={() => chooseVault(undefined)}>
                {texts.all}
              </Button>
            )}
          </div>
        )}
      </div>
    </DeskPage>
  );
}

function Whose({ facts: { did, name, protection } }: { readonly facts: VaultFacts }) {
  const { words } = useDeskWords('wallet');
  return (
    <div className="row">
      <IdentityMark id={did} name={name === '' ? '?' : name} kind="person" size="large" />
      <span className="grow">
        <b className="cut">{name === '' ? words.wallet.gate.unnamed : <ForeignText text={name} />}</b>
        <br />
        <Did did={did} />
      </span>
      {protection === 'demo' && <span className="tag">{words.shell.demo}</span>}
    </div>
  );
}

interface UnlockFormProps extends Pick<UnlockPanelProps, 'demoKey'> {
  readonly facts: VaultFacts;
  readonly protection: ProtectionKind;
}

function UnlockForm({ facts, protection, demoKey }: UnlockFormProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.gate;
  const [password, setPassword] = useState('');
  const { did } = facts;
  const secret = secretOf(protection, password, demoKey);
  const opening = useSingleMutation({
    mutationFn: async (given: VaultSecret) => keepOpen(await unlockVault(did, given)),
    onSuccess: () => chooseVault(did),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (secret) opening.mutate(secret);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Whose facts={facts} />
      {protection === 'password' && (
        <PasswordField
          label={texts.password}
          value={password}
          autoComplete="current-password"
          onType={setPassword}
        />
      )}
      {protection === 'demo' && !demoKey && <p className="note warn">{texts.demoAway}</p>}
      {opening.isError && <ErrorState failure={failureWords(opening.error, words)} />}
      <div className="row">
        <Button kind="primary" type="submit" icon="lock" disabled={secret === undefined || opening.isPending}>
          {opening.isPending ? texts.opening : texts.unlock[protection]}
        </Button>
      </div>
    </form>
  );
}

function secretOf(
  kind: ProtectionKind,
  password: string,
  demoKey: UnlockPanelProps['demoKey'],
): VaultSecret | undefined {
  if (kind === 'passkey') return { kind };
  if (kind === 'password') return password === '' ? undefined : { kind, password };
  return demoKey && { kind, privateKey: demoKey.privateKey };
}
