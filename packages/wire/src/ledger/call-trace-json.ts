/**
 * The calls that were under way when a trial failed (`trace` of testTransaction and callContract), written and read.
 * A node of another kind sends none, and what does not look like one is none.
 */
import { given } from '@symbolon/core/basics/plain-values';
import type { TracedCall } from '@symbolon/core/ledger/contracts/call-tracer';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';

/** An input can be as long as a transaction; who called whom is told by its beginning. */
const inputCharsMax = 256;
const callsReadMax = 16;

/** Beside the refusal; left out where no contract was running. */
export const traceMember = (calls: readonly TracedCall[]): JsonObject =>
  calls.length === 0 ? {} : { trace: calls.map(callToJson) };

const callToJson = ({ contract, codeOf, entry, input, operationIndex, ...end }: TracedCall): JsonObject => ({
  contract_address: contract,
  ...given({ code_address: codeOf }),
  entry,
  input: input.slice(0, inputCharsMax),
  operation_index: operationIndex,
  ...given({ function: end.builtIn, exception: end.exception, line: end.line, source: end.source }),
});

export function readTrace({ trace }: JsonObject): readonly TracedCall[] {
  if (!Array.isArray(trace) || trace.length > callsReadMax) return [];
  const calls = trace.map(readCall);
  return calls.every((call) => call !== undefined) ? calls : [];
}

function readCall(value: JsonValue): TracedCall | undefined {
  if (!isJsonObject(value)) return undefined;
  const { contract_address: contract, entry, input, operation_index: operationIndex, line } = value;
  const isEntry = entry === 'init' || entry === 'main' || entry === 'query';
  if (!isEntry || typeof contract !== 'string' || typeof input !== 'string') return undefined;
  if (typeof operationIndex !== 'number') return undefined;
  return {
    contract,
    entry,
    input,
    operationIndex,
    ...given({
      codeOf: textOrNothing(value.code_address),
      builtIn: textOrNothing(value.function),
      exception: textOrNothing(value.exception),
      line: typeof line === 'number' ? line : undefined,
      source: textOrNothing(value.source),
    }),
  };
}

const textOrNothing = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
