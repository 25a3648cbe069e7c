/** A transfer of a token: the input that tells its contract to move it. Pure. */
import { asObject, parseAmount, parseObject } from '../basics/plain-values.ts';
import { paymentLimits } from '../limits/payments.ts';

/** The input of a token's transfer, in its one compact form: a member given twice would be read twice differently. */
export function readTransfer(input: string): { readonly to: string; readonly value: bigint } | undefined {
  if (input.length > paymentLimits.inputCharsMax) return undefined;
  const call = parseObject(input);
  if (!call || JSON.stringify(call) !== input || !hasExactly(call, ['method', 'params'])) return undefined;
  const params = asObject(call.params);
  if (call.method !== 'transfer' || !params || !hasExactly(params, ['to', 'value'])) return undefined;
  const { to, value } = params;
  if (typeof to !== 'string' || typeof value !== 'string') return undefined;
  const amount = parseAmount(value);
  return amount === undefined || amount === 0n ? undefined : { to, value: amount };
}

const hasExactly = (value: object, names: readonly string[]): boolean =>
  JSON.stringify(Object.keys(value).sort()) === JSON.stringify(names);
