/** Who signs: each account that acts, how much weight it needs and has, and whose signatures count. */
import type { RequiredWeight } from '@symbolon/sdk/transactions/required-weights';
import { useKnownNames } from '../../../ledger/known-names.ts';
import { Icon } from '../../../parts/controls/icon.tsx';
import { Address } from '../../../parts/written/address.tsx';
import { Who } from '../../../parts/written/who.tsx';
import { useDeskWords } from '../../../words/words.ts';

export function Weights({ required }: { readonly required: readonly RequiredWeight[] }) {
  const { words } = useDeskWords('lab');
  return (
    <ul className="lab-weights">
      {required.map(({ address, exists, needed, given, signers }) => (
        <li key={address}>
          <div className="row between">
            <Party address={address} />
            <span className={exists && given >= needed ? 'st ok' : 'st warn'}>
              <Icon name={exists && given >= needed ? 'statusOk' : 'statusWarn'} />
              {exists ? words.lab.weightOf(String(given), String(needed)) : words.lab.noAccount}
            </span>
          </div>
          {(signers.length > 1 || signers[0]?.address !== address) && (
            <ul className="lab-signers">
              {signers.map((signer) => (
                <li key={signer.address} className="row between">
                  <Party address={signer.address} />
                  <span className="hint">
                    {signer.hasSigned ? words.lab.hasSigned : words.lab.weight(String(signer.weight))}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}

/** By name where there is one. */
export function Party({ address }: { readonly address: string }) {
  const known = useKnownNames().party(address);
  return known ? <Who id={known.id} name={known.name} kind={known.kind} /> : <Address address={address} />;
}
