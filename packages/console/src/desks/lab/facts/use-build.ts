/** All that is known of a transaction on its way: the draft, how it would end, who has signed it, what became of it. */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { signerAddress } from '@symbolon/sdk/transactions/foreign-signatures';
import {
  actingAccounts,
  isSignedEnough,
  type RequiredWeight,
  requiredWeights,
} from '@symbolon/sdk/transactions/required-weights';
import { useConsoleConfig } from '../../../api/api.tsx';
import { type DraftProblem, isDraftProblem, memberText, transactionOfDraft } from '../draft/draft.ts';
import { wrongAddress } from '../draft/wrong-address.ts';
import { useAccount, useAccounts } from './use-accounts.ts';
import { type DraftDesk, useDraft } from './use-draft.ts';
import { type Forecast, useForecast } from './use-forecast.ts';
import { type FormDesk, useForm } from './use-form.ts';
import { type SignatureDesk, useSignatures } from './use-signatures.ts';
import { type SubmissionDesk, useSubmission } from './use-submission.ts';

export interface Build extends Forecast {
  readonly desk: DraftDesk;
  readonly form: FormDesk;
  readonly signatures: SignatureDesk;
  readonly submission: SubmissionDesk;
  /** What is signed, or would be as far as the draft says. */
  readonly transaction: Transaction | undefined;
  /** What is missing in the draft, while it may still change. */
  readonly problem: DraftProblem | undefined;
  readonly required: readonly RequiredWeight[];
  readonly isReady: boolean;
  readonly nextNonce: bigint | undefined;
  /** Back to the draft, without signatures. */
  readonly thaw: () => void;
  readonly startOver: () => void;
}

export function useBuild(): Build {
  const desk = useDraft();
  const form = useForm();
  const signatures = useSignatures();
  const submission = useSubmission();
  const { draft } = desk;
  const { signed } = signatures;
  const thaw = (): void => {
    signatures.drop();
    submission.forget();
  };
  const account = useAccount(memberText(draft, ['source_address']));
  const nextNonce = account ? BigInt(account.nonce ?? 0) + 1n : undefined;
  const made = transactionOfDraft(draft, { nonce: nextNonce, chainId: useConsoleConfig()?.network.chainId });
  // Nothing is asked of the ledger about an account that cannot be.
  const wrong = wrongAddress(draft) ?? (isDraftProblem(made) ? made : undefined);
  const drafted = isDraftProblem(made) || wrong ? undefined : made;
  const transaction = signed?.transaction ?? drafted;
  const required = useRequired(transaction, signed?.signatures.map(signerAddress) ?? []);
  const forecast = useForecast({ drafted, signed, signatures: signaturesOf(required) });
  return {
    desk,
    form,
    signatures,
    submission,
    ...forecast,
    transaction: forecast.prepared?.transaction ?? drafted,
    problem: wrong && !signed ? wrong : forecast.problem,
    required,
    isReady: signed !== undefined && isSignedEnough(required),
    nextNonce,
    thaw,
    startOver() {
      thaw();
      desk.start();
      form.reset();
    },
  };
}

/** Weights of the accounts that act; none until all of them are known. */
function useRequired(
  transaction: Transaction | undefined,
  signedBy: readonly string[],
): readonly RequiredWeight[] {
  const { accounts, isComplete } = useAccounts(transaction ? actingAccounts(transaction) : []);
  if (!transaction || !isComplete) return [];
  return requiredWeights(transaction, accounts, new Set(signedBy));
}

/** How many signatures the fee must cover, if the heaviest sign. */
function signaturesOf(required: readonly RequiredWeight[]): number {
  const addresses = new Set<string>();
  for (const { signers, needed } of required) {
    let weight = 0n;
    for (const signer of signers) {
      if (weight >= needed && weight > 0n) break;
      addresses.add(signer.address);
      weight += signer.weight;
    }
  }
  return Math.max(1, addresses.size);
}
