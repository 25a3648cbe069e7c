/** A field for an account: known ones are offered by name, and it says whether the account exists and what it has. */
import { addressOfDid } from '@symbolon/core/did/did';
import { usualKeyFormat } from '@symbolon/sdk/keys/usual-keys';
import { useKnownNames } from '../../../ledger/known-names.ts';
import { Who } from '../../../parts/written/who.tsx';
import { amountText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { addressOfName } from '../draft/names.ts';
import { useAccount } from '../facts/use-accounts.ts';
import { SeenField } from './seen-field.tsx';

export interface AccountFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What an address without an account means here. */
  readonly absent: 'created' | 'missing' | 'fine';
  readonly isDisabled?: boolean;
  readonly member?: string;
}

export function AccountField({
  label,
  value,
  onChange,
  absent,
  isDisabled = false,
  member,
}: AccountFieldProps) {
  const { words, language } = useDeskWords('lab');
  const { parties, party } = useKnownNames();
  const account = useAccount(value);
  const isWrong = value !== '' && !usualKeyFormat.isAddress(value);
  const known = party(value);
  const hintOf = (): string | undefined => {
    if (account === undefined) return undefined;
    if (account === null)
      return { created: words.lab.newAccount, missing: words.lab.noAccount, fine: undefined }[absent];
    const { figure, unit } = amountText(BigInt(account.balance ?? 0), language);
    const balance = `${figure} ${unit}`;
    return account.contract?.payload ? words.lab.contractExists(balance) : words.lab.exists(balance);
  };
  return (
    <SeenField
      label={label}
      member={member}
      value={value}
      // A DID stands for the account of its key, a name for whom it means here.
      onChange={(text) =>
        onChange(
          addressOfDid(text.trim(), usualKeyFormat) ??
            addressOfName(text.trim(), parties) ??
            // A space may be on its way to the next word of a name.
            (usualKeyFormat.isAddress(text.trim()) ? text.trim() : text.trimStart()),
        )
      }
      isMono
      isDisabled={isDisabled}
      error={isWrong ? words.lab.noAddress : undefined}
      hint={hintOf()}
      aside={known && <Who id={known.id} name={known.name} kind={known.kind} />}
      offers={[...parties].map(([address, { name }]) => ({ value: address, label: name }))}
    />
  );
}
