/** What can go wrong when somebody shows who they are, in words. */
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { failureWords } from '../api/failure.ts';
import type { FailureWords } from '../parts/states/error-state.tsx';
import type { FrameWords } from '../words/catalogue.ts';
import { NotForThisPage } from './ways.ts';

/** A key of somebody else: nothing was signed. */
export class ForeignKey extends Error {
  override readonly name = 'ForeignKey';
  readonly did: string;

  constructor(did: string) {
    super('the key is of another DID');
    this.did = did;
  }
}

export function signInFailure(error: unknown, words: FrameWords): FailureWords {
  const { signIn } = words;
  if (error instanceof ForeignKey)
    return { title: signIn.foreignKey, text: signIn.foreignKeyWhy(error.did), code: error.name };
  if (!(error instanceof NotForThisPage)) {
    const failure = failureWords(error, words);
    // Whoever is not let in was not signed in before, either: what is said is about what they have shown.
    return error instanceof ServiceError && error.code === 'notAuthenticated'
      ? { ...failure, title: signIn.notLetIn, text: words.failures.said(error.detail) }
      : failure;
  }
  const { problem, audience, name } = error;
  return problem === 'unset'
    ? {
        title: signIn.nameUnset,
        text: signIn.nameUnsetWhy(audience),
        advice: signIn.nameUnsetDo,
        command: `"publicUrl": "${location.origin}"`,
        code: name,
      }
    : {
        title: signIn.elsewhere,
        text: signIn.elsewhereWhy(audience, location.origin),
        advice: signIn.elsewhereDo(audience),
        code: name,
      };
}
