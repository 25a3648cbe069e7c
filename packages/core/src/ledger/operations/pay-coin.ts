/** pay_coin (7): moves Gas; an address without an account gets one, a contract is called. */
import { int64Max } from '../../limits/consensus.ts';
import { refuse } from '../terms/codes.ts';
import { newAccount } from '../terms/state.ts';
import { callTarget } from './contract-calls.ts';
import { checkDestination, defineOperation } from './operation.ts';

export const payCoin = defineOperation('payCoin', {
  check({ amount, destAddress }, context) {
    if (amount < 0n) return refuse('invalidParameter', 'the amount is negative');
    if (destAddress === context.source) return refuse('sourceIsDestination', 'an account cannot pay itself');
    const refusal = checkDestination(destAddress, context);
    if (refusal) return refusal;
    return context.rules.keys.isReservedAddress(destAddress)
      ? refuse('invalidAddress', `address ${destAddress} is reserved`)
      : undefined;
  },

  apply({ amount, destAddress, input }, context) {
    const { layer, rules, account: payer } = context;
    const { baseReserve } = rules.parameters.fees;
    if (amount + baseReserve > int64Max) return refuse('mathOverflow', 'amount and reserve exceed 64 bits');
    if (payer.balance < amount + baseReserve) {
      return refuse('lowBalance', `account ${payer.address} cannot pay ${amount} above its reserve`);
    }
    const receiver = layer.account(destAddress);
    if (!receiver && amount < baseReserve) {
      return refuse('lowInitialBalance', `a new account needs at least ${baseReserve}`);
    }
    const balance = (receiver?.balance ?? 0n) + amount;
    if (balance > int64Max) return refuse('mathOverflow', 'the receiver would hold more than 64 bits');
    layer.putAccount({ ...payer, balance: payer.balance - amount });
    layer.putAccount(receiver ? { ...receiver, balance } : newAccount(destAddress, balance));
    return callTarget(destAddress, input, { context, sent: { coinAmount: amount } });
  },
});
