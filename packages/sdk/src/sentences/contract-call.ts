/** What the input of a contract says. Contracts of this family take `{"method":…,"params":…}`; any other text is a call, too. */
import { operationLimits } from '@symbolon/core/limits/consensus';
import { isJsonObject, type JsonObject, parseJsonOrNothing } from '@symbolon/wire/json/json';

export interface ContractCallText {
  readonly method: string | undefined;
  readonly params: JsonObject | undefined;
}

/** Longer inputs are not looked into. */
const readInputMax = operationLimits.metadataValueBytesMax;

/** Undefined for what is not JSON. */
export function callOf(input: string): ContractCallText | undefined {
  const asked = input.length <= readInputMax ? parseJsonOrNothing(input) : undefined;
  if (!isJsonObject(asked)) return undefined;
  const { method, params } = asked;
  return {
    method: typeof method === 'string' && method !== '' ? method : undefined,
    params: isJsonObject(params) ? params : undefined,
  };
}
