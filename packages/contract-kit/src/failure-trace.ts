/** The calls that were under way when a transaction failed, in sentences: who ran whom, and where the last one ended. */
import type { TracedCall } from '@symbolon/core/ledger/contracts/call-tracer';
import { isJsonObject, parseJsonOrNothing } from '@symbolon/wire/json/json';

/** One line a call, the outermost first, then where it failed; none where no contract was running. */
export function traceLines(
  calls: readonly TracedCall[],
  nameOf: (address: string) => string = (address) => address,
): string[] {
  const last = calls.at(-1);
  if (!last) return [];
  const began = calls.map((call, index) => {
    const ran = `${call.entry} of ${nameOf(call.contract)}${codeWords(call, nameOf)}${methodWords(call)}`;
    const caller = calls[index - 1];
    if (caller) return `${nameOf(caller.contract)} ran ${ran} (${caller.builtIn ?? 'a call'}).`;
    return call.entry === 'query' ? `Asked: ${ran}.` : `Operation ${call.operationIndex + 1} ran ${ran}.`;
  });
  return [...began, ...endLines(last, nameOf(last.contract))];
}

function endLines({ builtIn, line, source }: TracedCall, name: string): string[] {
  const inside = builtIn === undefined ? '' : ` in ${builtIn}`;
  if (line === undefined) return [`${name} failed${inside}.`];
  const ended = `${name} failed${inside}, line ${line}`;
  return source === undefined ? [`${ended}.`] : [`${ended}:`, `  ${line} | ${source}`];
}

const codeWords = ({ codeOf }: TracedCall, nameOf: (address: string) => string): string =>
  codeOf === undefined ? '' : ` with the code of ${nameOf(codeOf)}`;

/**
 * Contracts are asked for a method in their input, by custom: `{"method":"…","params":…}`. Of a long input only the
 * beginning is known.
 */
function methodWords({ input }: TracedCall): string {
  const document = parseJsonOrNothing(input);
  const begun = /^\s*\{\s*"method"\s*:\s*"([^"]+)"/.exec(input)?.[1];
  const method = isJsonObject(document) ? document.method : begun;
  return typeof method === 'string' && /^[\w.:-]{1,64}$/.test(method) ? `, method ${method}` : '';
}
