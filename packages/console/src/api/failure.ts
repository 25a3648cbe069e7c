/**
 * A failure of a call in words: what happened, what did not happen, what to do, and the names by which others can look
 * it up. ConsoleWords of the service stand as they came; those about statuses that mean something to people are our own.
 */
import { LedgerError, SdkError } from '@symbolon/sdk/errors/errors';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import type { FailureWords } from '../parts/states/error-state.tsx';
import type { ConsoleWords } from '../words/catalogue.ts';

type FailureTexts = ConsoleWords['failures'];

/** Where the service explains its codes. */
const helpOf = (code: string): string => `/docs/errors#${encodeURIComponent(code.toLowerCase())}`;

export function failureWords(error: unknown, words: ConsoleWords): FailureWords {
  const texts = words.failures;
  if (error instanceof ServiceError) return serviceFailure(error, texts);
  if (error instanceof LedgerError)
    return { title: texts.refused, text: error.message, advice: error.hint, code: error.name };
  if (error instanceof SdkError) return sdkFailure(error, texts);
  return { title: texts.defect, text: texts.defectWhy, advice: texts.defectDo, code: nameOf(error) };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

function serviceFailure(error: ServiceError, texts: FailureTexts): FailureWords {
  const { code, requestId, detail, hint } = error;
  const known = statusWords(error, texts);
  return {
    title: known?.title ?? texts.refused,
    text: known?.text === undefined ? detail : `${detail} ${known.text}`,
    advice: hint === detail ? undefined : hint,
    code,
    requestId: requestId === '' ? undefined : requestId,
    help: helpOf(code),
  };
}

/** By the code first, then by the status. */
function statusWords(
  { code, status, retryAfterSeconds }: ServiceError,
  texts: FailureTexts,
): { readonly title: string; readonly text?: string } | undefined {
  if (code === 'ledgerUnreachable') return { title: texts.ledgerUnreachable };
  if (code === 'ledgerUnconfirmed')
    return { title: texts.ledgerUnconfirmed, text: texts.ledgerUnconfirmedWhy };
  if (status === 401) return { title: texts.notAuthenticated, text: texts.notAuthenticatedWhy };
  if (status === 402) return { title: texts.paymentRequired, text: texts.paymentRequiredWhy };
  if (status === 403) return { title: texts.notAllowed };
  if (status === 409) return { title: texts.conflict, text: texts.conflictWhy };
  if (status === 410) return { title: texts.gone, text: texts.goneWhy };
  if (status === 429) return { title: texts.tooMany, text: texts.tooManyWhy(retryAfterSeconds) };
  return undefined;
}

function sdkFailure({ code, hint, message }: SdkError, texts: FailureTexts): FailureWords {
  if (code === 'unreachable')
    return {
      title: texts.unreachable,
      text: texts.unreachableWhy,
      advice: texts.unreachableDo,
      command: 'npm start',
      code,
    };
  if (code === 'timedOut') return { title: texts.timedOut, text: texts.timedOutWhy, code };
  if (code === 'invalidArgument') return { title: texts.defect, text: message, advice: hint, code };
  return { title: texts.unexpected, text: texts.unexpectedWhy, advice: texts.unexpectedDo, code };
}
