/** Failures that pass: whoever makes the same call again a moment later may be answered. */
import { SdkError } from './errors.ts';
import { ServiceError } from './service-error.ts';

/** The service answers, and wants to be asked later. */
const busyCodes: ReadonlySet<string> = new Set(['tooManyRequests', 'overloaded', 'requestInProgress']);
/** Nobody answers, or somebody behind the service does not. */
const awayCodes: ReadonlySet<string> = new Set([
  'unreachable',
  'timedOut',
  'httpStatus',
  'ledgerUnreachable',
  'databaseFailed',
]);

export const codeOfError = (error: unknown): string =>
  error instanceof ServiceError || error instanceof SdkError ? error.code : '';
export const isBusy = (error: unknown): boolean => busyCodes.has(codeOfError(error));
export const isAway = (error: unknown): boolean => awayCodes.has(codeOfError(error));
/** Worth waiting for; something else at the address, which answers in its own words, is not. */
export const isPassing = (error: unknown): boolean =>
  codeOfError(error) !== 'httpStatus' && (isBusy(error) || isAway(error));
