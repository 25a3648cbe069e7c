/** set_privilege (9): changes who may act for the source, and with which weight. */
import { create } from '@bufbuild/protobuf';
import { parseAmount } from '../../basics/plain-values.ts';
import { operationLimits, weightMax } from '../../limits/consensus.ts';
import {
  type AccountPrivilege,
  AccountPrivilegeSchema,
  AccountThresholdSchema,
  type SetPrivilege,
  SignerSchema,
  TypeThresholdSchema,
} from '../../proto/ledger_pb.ts';
import { refuse } from '../terms/codes.ts';
import { defineOperation } from './operation.ts';
import { checkSigners, checkTypeThresholds, isWeight, tooManySigners } from './privilege-rules.ts';

export const setPrivilege = defineOperation('setPrivilege', {
  check(body, { rules, source }) {
    if (body.masterWeight !== '') {
      const weight = parseAmount(body.masterWeight);
      if (weight === undefined || !isWeight(weight)) {
        return refuse('invalidWeight', `master_weight must lie in 0 to ${weightMax}`);
      }
    }
    const refusal = checkSigners(body.signers, source, rules);
    if (refusal) return refusal;
    if (body.txThreshold !== '' && parseAmount(body.txThreshold) === undefined) {
      return refuse('invalidThreshold', 'tx_threshold must be a whole number of 64 bits, not negative');
    }
    return checkTypeThresholds(body.typeThresholds);
  },

  apply(body, { layer, account }) {
    const priv = privilegeAfter(body, account.priv);
    if (priv.signers.length > operationLimits.signersMax) return tooManySigners;
    layer.putAccount({ ...account, priv });
    return undefined;
  },
});

/** What an order makes of the privileges of an account; what it does not name stays. */
export function privilegeAfter(
  body: Pick<SetPrivilege, 'masterWeight' | 'signers' | 'txThreshold' | 'typeThresholds'>,
  priv: AccountPrivilege | undefined,
): AccountPrivilege {
  const signers = new Map(priv?.signers.map(({ address, weight }) => [address, weight]));
  for (const { address, weight } of body.signers) setOrDelete(signers, address, weight);
  const thresholds = priv?.thresholds;
  const byType = new Map(thresholds?.typeThresholds.map(({ type, threshold }) => [type, threshold]));
  for (const { type, threshold } of body.typeThresholds) setOrDelete(byType, type, threshold);
  return create(AccountPrivilegeSchema, {
    masterWeight: parseAmount(body.masterWeight) ?? priv?.masterWeight ?? 0n,
    signers: Array.from(signers, ([address, weight]) => create(SignerSchema, { address, weight })),
    thresholds: create(AccountThresholdSchema, {
      txThreshold: parseAmount(body.txThreshold) ?? thresholds?.txThreshold ?? 0n,
      typeThresholds: Array.from(byType, ([type, threshold]) =>
        create(TypeThresholdSchema, { type, threshold }),
      ),
    }),
  });
}

/** Zero deletes; anything else inserts at the end or updates in place. */
function setOrDelete<Key>(entries: Map<Key, bigint>, key: Key, value: bigint): void {
  if (value === 0n) entries.delete(key);
  else entries.set(key, value);
}
