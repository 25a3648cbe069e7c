/** upgrade_contract (10): the owner replaces a contract's code, hands the contract over, or both. State stays. */

import { create } from '@bufbuild/protobuf';
import { type Contract, ContractSchema } from '../../proto/ledger_pb.ts';
import { noAccount, refuse } from '../terms/codes.ts';
import { checkContractCode } from './contract-code.ts';
import { checkDestination, defineOperation } from './operation.ts';

export const upgradeContract = defineOperation('upgradeContract', {
  check(body, context) {
    const { rules } = context;
    const refusal = checkDestination(body.destAddress, context);
    if (refusal) return refusal;
    if (!body.sPayload && !body.sOwner)
      return refuse('invalidParameter', 'neither code nor owner is to change');
    if (body.sOwner && !rules.keys.isAddress(body.owner)) {
      return refuse('invalidAddress', 'owner is not a valid address');
    }
    if (!body.sPayload) return undefined;
    return body.payload === ''
      ? refuse('invalidParameter', 'the new code is empty')
      : checkContractCode(body.payload, rules);
  },

  apply(body, { layer, source }) {
    const account = layer.account(body.destAddress);
    if (!account) return noAccount(body.destAddress);
    const contract = account.contract;
    if (!contract?.payload)
      return refuse('invalidParameter', `account ${body.destAddress} is not a contract`);
    if (contract.owner !== source) {
      return refuse('weightTooLow', `account ${source} does not own the contract`);
    }
    const changed: Contract = create(ContractSchema, {
      ...contract,
      payload: body.sPayload ? body.payload : contract.payload,
      owner: body.sOwner ? body.owner : contract.owner,
    });
    layer.putAccount({ ...account, contract: changed });
    return undefined;
  },
});
