/** Forgetting a wallet of this browser: from inside, or at the door, where whoever lost what opens it stands. */
import { useQueryClient } from '@tanstack/react-query';
import { failureWords } from '../../../api/failure.ts';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { foreignLine } from '../../../text/foreign-text.ts';
import { lockVault, vaultsChanged } from '../../../vault/open-vaults.ts';
import type { VaultFacts } from '../../../vault/vault-list.ts';
import { forgetVault } from '../../../vault/vaults.ts';
import { useDeskWords } from '../../../words/words.ts';
import { chooseVault } from './chosen-vault.ts';
import { ConfirmButton } from './confirm-button.tsx';

export interface ForgetWalletProps extends Pick<VaultFacts, 'did' | 'name'> {
  /** Nobody has shown that it is theirs: then a word is typed before it is done. */
  readonly isLocked?: boolean;
}

export function ForgetWallet({ did, name, isLocked = false }: ForgetWalletProps) {
  const { words } = useDeskWords('wallet');
  const queries = useQueryClient();
  const texts = words.wallet.backup;
  const forgetting = useSingleMutation({
    mutationFn: () => forgetVault(did),
    onSuccess: () => {
      chooseVault(undefined);
      // Somebody of the demo gets an empty vault in its place.
      queries.removeQueries({ queryKey: ['wallet', did, 'opening'] });
      lockVault(did);
      vaultsChanged();
    },
  });
  return (
    <>
      {forgetting.isError && <ErrorState failure={failureWords(forgetting.error, words)} />}
      <div className="row">
        <ConfirmButton
          label={texts.forgetAct}
          question={texts.forgetQuestion(name === '' ? words.wallet.gate.unnamed : foreignLine(name))}
          consequence={isLocked ? texts.forgetLockedWhy : texts.forgetWhy}
          isDisabled={forgetting.isPending}
          onConfirm={() => forgetting.mutate()}
          {...(isLocked && { kind: 'quiet', word: texts.forgetWord })}
        />
      </div>
    </>
  );
}
