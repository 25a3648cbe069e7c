/** What members mean in the VC-API. */
import type { Words } from './vocabulary.ts';

export const vcApiWords: Words = {
  verifiableCredential: 'A credential with its proof.',
  verifiablePresentation: 'A presentation with its proof.',
  'verifyPresentationByVcApi.presentation':
    'A presentation without a proof of its own, in place of verifiablePresentation.',
  'presentByVcApi.presentation': 'The presentation, without a proof.',
  'issueByVcApi.credential':
    'The credential, without proof and status: contexts, type, subject and validity of a template.',
  'issueByVcApi.options': 'How it is issued; all of them may be left out.',
  'deriveByVcApi.options': 'What is shown.',
  'presentByVcApi.options': 'Whom the presentation is for, and the one time that it is good.',
  'verifyCredentialByVcApi.options': 'How the verdict is told.',
  'verifyPresentationByVcApi.options': 'What the presentation must be bound to, and how the verdict is told.',
  'LinkedCredential.id': 'What it is called, where it is called something: an address.',
  'LinkedCredential.type': 'VerifiableCredential, and what it is beside that.',
  'LinkedPresentation.id': 'What it is called, where it is called something: an address.',
  'LinkedPresentation.type': 'VerifiablePresentation.',
  credentialId: 'The id that the issuer gives the credential: an address.',
  mandatoryPointers:
    'What every showing shows, beside issuer, validity and status: JSON pointers (bbs-2023).',
  selectivePointers: 'What is shown: JSON pointers.',
  cryptosuite: 'bbs-2023 or eddsa-rdfc-2022.',
  returnResults: 'Whether a verdict that is not good is an answer with status 200.',
  returnProblemDetails: 'The same as returnResults.',
  'changeStatusByVcApi.credentialStatus':
    'Which status is meant: its purpose, and perhaps the place in the list.',
  statusPurpose: 'revocation or suspension.',
  statusListIndex: 'The place in the list.',
  statusListCredential: 'The address of the list.',
};
