/** A transfer of a token, or leave to take of it: the input that tells its contract so. Pure. */
import { asObject, parseAmount, parseObject } from '../basics/plain-values.ts';
import { paymentLimits } from '../limits/payments.ts';

/** The input of a token's transfer, in its one compact form: a member given twice would be read twice differently. */
export function readTransfer(input: string): { readonly to: string; readonly value: bigint } | undefined {
  const { party: to, value } = readTokenCall(input, 'transfer', 'to') ?? {};
  return to === undefined || value === undefined ? undefined : { to, value };
}

/** The same of an `approve`: who may take how much. */
export function readApproval(
  input: string,
): { readonly spender: string; readonly value: bigint } | undefined {
  const { party: spender, value } = readTokenCall(input, 'approve', 'spender') ?? {};
  return spender === undefined || value === undefined ? undefined : { spender, value };
}

function readTokenCall(
  input: string,
  method: string,
  partyName: string,
): { readonly party: string; readonly value: bigint } | undefined {
  if (input.length > paymentLimits.inputCharsMax) return undefined;
  const call = parseObject(input);
  if (!call || JSON.stringify(call) !== input || !hasExactly(call, ['method', 'params'])) return undefined;
  const params = asObject(call.params);
  if (call.method !== method || !params || !hasExactly(params, [partyName, 'value'])) return undefined;
  const { [partyName]: party, value } = params;
  if (typeof party !== 'string' || typeof value !== 'string') return undefined;
  const amount = parseAmount(value);
  return amount === undefined || amount === 0n ? undefined : { party, value: amount };
}

const hasExactly = (value: object, names: readonly string[]): boolean =>
  JSON.stringify(Object.keys(value).sort()) === JSON.stringify(names);
