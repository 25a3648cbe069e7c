/** Who may sign for an account, from its weights and thresholds. Pure. */
import type { LedgerReply } from '@symbolon/sdk/ledger/ledger-client';

export type AccountBase = NonNullable<LedgerReply<'getAccountBase'>['result']>;

export interface Control {
  /** Its own key alone; nobody, because no weights reach the threshold; or several together. */
  readonly kind: 'ownKey' | 'nobody' | 'shared';
  readonly needed: bigint;
  readonly signers: readonly { readonly address: string; readonly weight: bigint }[];
  readonly types: readonly { readonly type: number; readonly needed: bigint }[];
}

export function controlOf({ address, priv }: Pick<AccountBase, 'address' | 'priv'>): Control {
  const own = BigInt(priv?.master_weight ?? 0);
  const others = (priv?.signers ?? []).flatMap((signer) =>
    signer?.address ? [{ address: signer.address, weight: BigInt(signer.weight ?? 0) }] : [],
  );
  const needed = BigInt(priv?.thresholds?.tx_threshold ?? 0);
  const types = (priv?.thresholds?.type_thresholds ?? []).flatMap((row) =>
    row?.type === undefined ? [] : [{ type: row.type, needed: BigInt(row.threshold ?? 0) }],
  );
  const signers = [...(own > 0n ? [{ address, weight: own }] : []), ...others];
  const sum = signers.reduce((all, { weight }) => all + weight, 0n);
  const isAlone = others.length === 0 && types.length === 0 && own >= needed && own > 0n;
  const kind = sum < needed || signers.length === 0 ? 'nobody' : isAlone ? 'ownKey' : 'shared';
  return { kind, needed, signers, types };
}
