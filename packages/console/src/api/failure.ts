/**
 * A failure of a call in words: what happened, what did not happen, what to do, and the names by which others can look
 * it up. FrameWords of the service stand as they came; those about statuses that mean something to people are our own.
 */
import { LedgerError, SdkError } from '@symbolon/sdk/errors/errors';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import type { FailureWords } from '../parts/states/error-state.tsx';
import { VaultFailure } from '../vault/vault-failure.ts';
import type { FrameWords } from '../words/catalogue.ts';

type FailureTexts = FrameWords['failures'];

/** Where the service explains its codes. */
const helpOf = (code: string): string => `/docs/errors#${encodeURIComponent(code.toLowerCase())}`;

export function failureWords(error: unknown, words: FrameWords): FailureWords {
  const texts = words.failures;
  if (error instanceof ServiceError) return serviceFailure(error, texts);
  if (error instanceof LedgerError)
    return {
      title: texts.refused,
      text: texts.said(error.message),
      advice: texts.advised(error.hint),
      code: error.name,
    };
  if (error instanceof VaultFailure) return { ...words.vault.failures[error.code], code: error.code };
  if (error instanceof SdkError) return sdkFailure(error, texts);
  if (isMissingPart(error)) return silentService(error, 'unreachable', texts);
  return { title: texts.defect, text: texts.defectWhy, advice: texts.defectDo, code: nameOf(error) };
}

/** A part of the console that is loaded when it is needed, and could not be: in the words of Chromium, Firefox and Safari. */
const isMissingPart = (error: unknown): error is TypeError =>
  error instanceof TypeError && /dynamically imported module|Importing a module script/.test(error.message);

/** Whether the browser was not connected when a failure was first told: pages tell it anew as often as they are drawn. */
const offlineThen = new WeakMap<Error, boolean>();

function wasOffline(error: Error): boolean {
  // A browser that says nothing of it may well be connected.
  const isOffline = offlineThen.get(error) ?? globalThis.navigator?.onLine === false;
  offlineThen.set(error, isOffline);
  return isOffline;
}

/** Failures of what only reads: nothing can have been changed by it. */
const ofReads = new WeakSet<Error>();

export const noteReadFailure = (error: Error): void => void ofReads.add(error);

function silentService(error: Error, code: string, texts: FailureTexts): FailureWords {
  const isOfRead = ofReads.has(error) || isMissingPart(error);
  const text = isOfRead ? texts.unreachableRead : texts.unreachableWhy;
  if (wasOffline(error)) return { title: texts.offline, text, advice: texts.offlineDo, code };
  return {
    title: texts.unreachable,
    text,
    advice: texts.unreachableDo,
    operator: { advice: texts.unreachableStart, command: 'npm start' },
    code,
  };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

function serviceFailure(error: ServiceError, texts: FailureTexts): FailureWords {
  const { code, requestId, detail, hint } = error;
  const known = statusWords(error, texts);
  // What the service says of sign-in is said to programs, which have keys and headers.
  const isOfSignIn = known?.title === texts.notAuthenticated;
  const scope = code === 'notAllowed' ? /lacks the scope (\w+)/.exec(detail)?.[1] : undefined;
  const said = scope === undefined ? texts.said(detail) : texts.lacksScope(scope);
  return {
    title: known?.title ?? texts.refused,
    text: [...(isOfSignIn ? [] : [said]), ...(known?.text === undefined ? [] : [known.text])].join(' '),
    advice: hint === detail || isOfSignIn ? undefined : texts.advised(hint),
    code,
    requestId: requestId === '' ? undefined : requestId,
    help: helpOf(code),
  };
}

/** Of status 401, and about something that was shown, not about who is signed in. */
const proofCodes = new Set(['walletNotAuthenticated', 'signerMismatch', 'presenceRefused', 'txCodeWrong']);

/** By the code first, then by the status. */
function statusWords(
  { code, status, retryAfterSeconds }: ServiceError,
  texts: FailureTexts,
): { readonly title: string; readonly text?: string } | undefined {
  if (code === 'ledgerUnreachable') return { title: texts.ledgerUnreachable };
  if (code === 'ledgerUnconfirmed')
    return { title: texts.ledgerUnconfirmed, text: texts.ledgerUnconfirmedWhy };
  // Whoever is signed in and lacks a scope is answered with 401, too.
  if (code === 'notAllowed') return { title: texts.notAllowed };
  if (code === 'passwordWrong') return { title: texts.passwordWrong };
  if (proofCodes.has(code)) return undefined;
  if (status === 401) return { title: texts.notAuthenticated, text: texts.notAuthenticatedWhy };
  if (status === 402) return { title: texts.paymentRequired, text: texts.paymentRequiredWhy };
  if (status === 403) return { title: texts.notAllowed };
  if (status === 409) return { title: texts.conflict, text: texts.conflictWhy };
  if (status === 410) return { title: texts.gone, text: texts.goneWhy };
  if (status === 429) return { title: texts.tooMany, text: texts.tooManyWhy(retryAfterSeconds) };
  return undefined;
}

function sdkFailure(error: SdkError, texts: FailureTexts): FailureWords {
  const { code, hint, message } = error;
  if (code === 'unreachable') return silentService(error, code, texts);
  if (code === 'timedOut') {
    const text = ofReads.has(error) ? texts.timedOutRead : texts.timedOutWhy;
    return { title: texts.timedOut, text, code };
  }
  if (code === 'applicationDecided') return { title: texts.decided, text: texts.decidedWhy, code };
  if (code === 'passwordWrong') return { title: texts.passwordWrong, text: message, advice: hint, code };
  if (code === 'signingUnavailable')
    return { title: texts.signingUnavailable, text: texts.signingUnavailableWhy, advice: hint, code };
  if (code === 'invalidArgument') return { title: texts.defect, text: message, advice: hint, code };
  return { title: texts.unexpected, text: texts.unexpectedWhy, advice: texts.unexpectedDo, code };
}
