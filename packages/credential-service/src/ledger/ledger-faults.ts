/**
 * What the ledger says no to, in the service's own words. A refusal of a registry begins with a word for programs
 * ("templateExists: …"); everything else is a code of the ledger's table, or no answer at all.
 */
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { codeRows, codes } from '@symbolon/core/ledger/terms/codes';
import { LedgerError, SdkError } from '@symbolon/sdk/index';
import { isJsonObject, parseJson } from '@symbolon/wire/json/json';

/** The words of both registries that mean something to a caller. */
const faultsByWord: Readonly<Record<string, FaultName>> = {
  requestMalformed: 'requestMalformed',
  issuerMismatch: 'issuerMismatch',
  notAllowed: 'notAllowed',
  templateExists: 'templateExists',
  templateUnknown: 'templateUnknown',
  validityInvalid: 'validityInvalid',
  signatureInvalid: 'signatureInvalid',
  entryExists: 'stateForbids',
  credentialUnknown: 'credentialUnknown',
  statusForbids: 'statusForbids',
};

/** The ledger is busy, whatever it was asked. */
export const busyCodes: readonly number[] = [codes.timeout, codes.queueFull, codes.queueRefused];
const poorCodes: readonly number[] = [codes.accountMissing, codes.lowBalance, codes.feeTooLow];
const retryAfterSeconds = 5;

/** A failure of a transaction, tried out or executed, as a fault. */
export function faultOfFailure(code: number, description: string): Fault {
  const { word, said } = readRefusal(code, description);
  const name = Object.hasOwn(faultsByWord, word) ? faultsByWord[word] : undefined;
  if (name) return new Fault(name, { detail: said });
  if (poorCodes.includes(code)) return new Fault('issuerAccountMissing', { cause: description });
  if (code === codes.weightTooLow) return new Fault('issuerWeightTooLow', { cause: description });
  if (busyCodes.includes(code)) return new Fault('overloaded', { cause: description, retryAfterSeconds });
  return new Fault('ledgerFailed', {
    detail: `The ledger refused with ${codeWords(code)}`,
    cause: `code ${code}: ${description}`,
  });
}

/** The table's words; those of the node are for the log. */
export function codeWords(code: number): string {
  const row = codeRows.find((one) => one.code === code);
  return `code ${code}${row ? ` (${row.name}): ${row.meaning}` : ''}`;
}

/** Whether a registry has judged the act itself, and not what the account or the node happens to be like. */
export const isVerdict = ({ code }: Fault): boolean => Object.values(faultsByWord).includes(code);

/** The ledger refused or gave no answer; anything else that is thrown is a defect of our own. */
export const isLedgerTrouble = (error: unknown): boolean =>
  error instanceof LedgerError || error instanceof SdkError;

/** Whatever a call of the ledger throws, as a fault; a defect of our own stays what it is. */
export function faultOfError(error: unknown): unknown {
  if (error instanceof LedgerError) return faultOfFailure(error.code, error.description);
  return error instanceof SdkError ? new Fault('ledgerUnreachable', { cause: error }) : error;
}

/** What work answers, or the fault that it throws. */
export async function orFault<Answer>(work: () => Promise<Answer>): Promise<Answer | Fault> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** Runs calls of the ledger; what they throw comes out as a fault. */
export async function withFaults<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw faultOfError(error);
  }
}

/** The word in front of what a contract threw, and the rest of it. */
function readRefusal(code: number, description: string): { word: string; said: string } {
  const exception = code === codes.contractFailed ? exceptionOf(description) : '';
  const [, word = '', said = ''] = /^([a-z]\w{0,31}): (.{1,256})$/is.exec(exception) ?? [];
  return { word, said };
}

function exceptionOf(description: string): string {
  try {
    const document = parseJson(description);
    return isJsonObject(document) && typeof document.exception === 'string' ? document.exception : '';
  } catch {
    // A sentence and no document.
    return '';
  }
}
