/** How requests of the VC-API look on the wire. Options that are not known are refused: each is a wish or a condition. */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import * as z from 'zod';
import { document, list, maybe, missingOr, name, strict, text, truth } from '../http/schema-parts.ts';

const { nameCharsMax, attributesMax } = credentialRequestLimits;

export const instancePath = z.object({
  issuer: text(64)
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits')
    .describe('Whose instance it is: the last part of the DID that the API key acts for'),
});

/** Cryptosuites of what is issued. */
export const issuedSuites = ['bbs-2023', 'eddsa-rdfc-2022'] as const;
export type IssuedSuite = (typeof issuedSuites)[number];

const pointers = list(text(1_024).regex(/^\//, 'must begin with /'), attributesMax);

export const issueOrder = strict({
  credential: document,
  options: maybe(
    strict({
      credentialId: maybe(name),
      mandatoryPointers: maybe(pointers),
      cryptosuite: maybe(z.enum(issuedSuites, { error: missingOr(`must be ${issuedSuites.join(' or ')}`) })),
    }),
  ),
});

export const deriveOrder = strict({
  verifiableCredential: document,
  options: strict({ selectivePointers: pointers }),
});

const binding = {
  challenge: maybe(text(nameCharsMax)),
  domain: maybe(text(2_048)),
};
/** How the verdict is told. */
const telling = { returnResults: maybe(truth), returnProblemDetails: maybe(truth) };

export const credentialVerification = strict({
  verifiableCredential: document,
  options: maybe(strict(telling)),
});

export const presentationVerification = strict({
  verifiablePresentation: maybe(document),
  presentation: maybe(document),
  options: maybe(strict({ ...binding, ...telling })),
});

export const presentationOrder = strict({
  presentation: document,
  options: strict({ challenge: text(nameCharsMax), domain: text(2_048) }),
});

export const statusOrder = strict({
  credentialId: maybe(name),
  credentialStatus: strict({
    id: maybe(text(2_048)),
    type: maybe(z.literal('BitstringStatusListEntry', { error: 'must be BitstringStatusListEntry' })),
    statusPurpose: z.enum(['revocation', 'suspension'], {
      error: missingOr('must be revocation or suspension'),
    }),
    statusListIndex: maybe(text(15)),
    statusListCredential: maybe(text(2_048)),
  }),
  status: truth,
});
