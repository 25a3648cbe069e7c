/** create_account (1): a normal account, or a contract account under a derived address. */
import { create } from '@bufbuild/protobuf';
import { operationLimits } from '../../limits/consensus.ts';
import {
  type AccountPrivilege,
  AccountSchema,
  ContractSchema,
  type CreateAccount,
  MetadataEntrySchema,
} from '../../proto/ledger_pb.ts';
import { type LedgerRefusal, refuse } from '../terms/codes.ts';
import { runContract } from './contract-calls.ts';
import { checkContractCode } from './contract-code.ts';
import { checkNewAccountKey } from './did-log-rules.ts';
import { type CheckContext, checkDestination, defineOperation } from './operation.ts';
import { checkSigners, checkTypeThresholds, isWeight, tooManySigners } from './privilege-rules.ts';
import { checkMetadata } from './set-metadata.ts';

export const createAccount = defineOperation('createAccount', {
  check(body, context) {
    const refusal =
      checkNewAddress(body, context) ?? checkPrivilege(body, context) ?? checkCode(body, context);
    if (refusal) return refusal;
    if (body.initBalance < 0n) return refuse('invalidParameter', 'init_balance is negative');
    for (const entry of body.metadatas) {
      const unfit = checkMetadata(entry) ?? checkNewAccountKey(entry.key);
      if (unfit) return unfit;
    }
    return undefined;
  },

  apply(body, context) {
    const { layer, rules, account: payer, transaction, index } = context;
    const address = isContract(body)
      ? rules.keys.addressOfText(`${transaction.sourceAddress}-${transaction.nonce}-${index}`)
      : body.destAddress;
    const { baseReserve } = rules.parameters.fees;
    if (layer.account(address)) return refuse('destinationExists', `account ${address} exists already`);
    if (body.initBalance < baseReserve) {
      return refuse('lowInitialBalance', `init_balance is below the reserve of ${baseReserve}`);
    }
    if (payer.balance - baseReserve < body.initBalance) {
      return refuse(
        'lowBalance',
        `account ${payer.address} cannot pay ${body.initBalance} above its reserve`,
      );
    }
    for (const { key, version } of body.metadatas) {
      if (version !== 0n && version !== 1n) {
        return refuse('badMetadataVersion', `the first version of "${key}" is 1, not ${version}`);
      }
    }
    layer.putAccount({ ...payer, balance: payer.balance - body.initBalance });
    // A sub-message that is set but empty marks an account born from this operation (it shows as `contract: null`).
    const contract = isContract(body) ? body.contract : create(ContractSchema);
    layer.putAccount(
      create(AccountSchema, { address, balance: body.initBalance, priv: withoutZeros(body.priv), contract }),
    );
    for (const { key, value } of body.metadatas) {
      layer.putMetadata(address, create(MetadataEntrySchema, { key, value, version: 1n }));
    }
    if (!isContract(body)) return undefined;
    const code = body.contract?.payload ?? '';
    const sent = { coinAmount: body.initBalance };
    return runContract({ address, code, entry: 'init', input: body.initInput, sent }, context);
  },
});

const isContract = (body: CreateAccount): boolean => (body.contract?.payload ?? '') !== '';

function checkNewAddress(body: CreateAccount, context: CheckContext): LedgerRefusal | undefined {
  if (context.rules.keys.isReservedAddress(body.destAddress)) {
    return refuse('invalidAddress', `address ${body.destAddress} is reserved`);
  }
  if (isContract(body)) {
    return body.destAddress === ''
      ? undefined
      : refuse('invalidAddress', 'the address of a contract is derived: dest_address must be empty');
  }
  return checkDestination(body.destAddress, context);
}

function checkCode({ contract }: CreateAccount, { rules }: CheckContext): LedgerRefusal | undefined {
  if (!contract?.payload) return undefined;
  if (contract.owner !== '' && !rules.keys.isAddress(contract.owner)) {
    return refuse('invalidAddress', 'the owner of the contract is not a valid address');
  }
  return checkContractCode(contract.payload, rules);
}

function checkPrivilege(body: CreateAccount, { rules }: CheckContext): LedgerRefusal | undefined {
  const { priv } = body;
  if (!priv) return refuse('invalidParameter', 'priv is missing');
  if (!isWeight(priv.masterWeight)) {
    return refuse('invalidWeight', 'master_weight must lie in 0 to 4294967295');
  }
  if (!priv.thresholds) return refuse('invalidParameter', 'priv.thresholds is missing');
  if (priv.thresholds.txThreshold < 0n) return refuse('invalidThreshold', 'tx_threshold is negative');
  const refusal =
    checkTypeThresholds(priv.thresholds.typeThresholds) ??
    checkSigners(priv.signers, body.destAddress, rules);
  if (refusal) return refusal;
  if (priv.signers.length > operationLimits.signersMax) return tooManySigners;
  if (!isContract(body)) {
    return hasWeights(priv, 1n)
      ? undefined
      : refuse('invalidParameter', 'a new account has master_weight 1 and tx_threshold 1');
  }
  // Nobody signs for a contract.
  const isAlone = priv.signers.length === 0 && priv.thresholds.typeThresholds.length === 0;
  return hasWeights(priv, 0n) && isAlone
    ? undefined
    : refuse('invalidParameter', 'a contract has master_weight 0, tx_threshold 1 and nothing else');
}

const hasWeights = (priv: AccountPrivilege, masterWeight: bigint): boolean =>
  priv.masterWeight === masterWeight && priv.thresholds?.txThreshold === 1n;

/** Zero means what it means in set_privilege: that there is no such entry. */
function withoutZeros(priv: AccountPrivilege | undefined): AccountPrivilege | undefined {
  const { signers = [], thresholds } = priv ?? {};
  const isWhole =
    signers.every(({ weight }) => weight > 0n) &&
    thresholds?.typeThresholds.every(({ threshold }) => threshold > 0n);
  if (!priv || !thresholds || isWhole) return priv;
  const typeThresholds = thresholds.typeThresholds.filter(({ threshold }) => threshold > 0n);
  return {
    ...priv,
    signers: signers.filter(({ weight }) => weight > 0n),
    thresholds: { ...thresholds, typeThresholds },
  };
}
