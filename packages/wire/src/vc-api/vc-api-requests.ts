/** Turns requests of the VC-API into requests of the inside. */
import type * as z from 'zod';
import type { WithBody } from '../http/schema-parts.ts';
import { malformedAt } from '../http/service-route.ts';
import type { JsonObject } from '../json/json.ts';
import type * as schemas from './vc-api-schemas.ts';

type OfInstance = { readonly params: z.output<typeof schemas.instancePath> };

export interface VcApiIssueOrder {
  readonly issuer: string;
  readonly credential: JsonObject;
  readonly credentialId: string | undefined;
  readonly mandatoryPointers: readonly string[] | undefined;
  readonly cryptosuite: schemas.IssuedSuite;
}

export function readIssueOrder({
  params,
  body: { credential, options },
}: OfInstance & WithBody<typeof schemas.issueOrder>): VcApiIssueOrder {
  const { credentialId, mandatoryPointers, cryptosuite } = options ?? {};
  if (mandatoryPointers !== undefined && cryptosuite === 'eddsa-rdfc-2022')
    throw malformedAt('/options/mandatoryPointers', 'is of bbs-2023: the other suite shows everything');
  return {
    issuer: params.issuer,
    credential,
    credentialId,
    mandatoryPointers,
    cryptosuite: cryptosuite ?? (mandatoryPointers === undefined ? 'eddsa-rdfc-2022' : 'bbs-2023'),
  };
}

export const readDeriveOrder = ({ params, body }: OfInstance & WithBody<typeof schemas.deriveOrder>) => ({
  issuer: params.issuer,
  credential: body.verifiableCredential,
  selectivePointers: body.options.selectivePointers,
});

interface Telling {
  readonly returnResults?: boolean | undefined;
  readonly returnProblemDetails?: boolean | undefined;
}

/** Whether a verdict that is not good is an answer like any other, and not a refusal. */
const isToldAsResult = (options: Telling | undefined): boolean =>
  options?.returnResults === true || options?.returnProblemDetails === true;

export const readCredentialVerification = ({
  params,
  body: { verifiableCredential, options },
}: OfInstance & WithBody<typeof schemas.credentialVerification>) => ({
  issuer: params.issuer,
  credential: verifiableCredential,
  isToldAsResult: isToldAsResult(options),
});

export interface VcApiPresentationCheck {
  readonly issuer: string;
  readonly presentation: JsonObject;
  readonly isSigned: boolean;
  readonly challenge: string | undefined;
  readonly domain: string | undefined;
  readonly isToldAsResult: boolean;
}

export function readPresentationVerification({
  params,
  body: { verifiablePresentation, presentation, options },
}: OfInstance & WithBody<typeof schemas.presentationVerification>): VcApiPresentationCheck {
  const given = verifiablePresentation ?? presentation;
  if (given === undefined || (verifiablePresentation !== undefined && presentation !== undefined))
    throw malformedAt(
      '/verifiablePresentation',
      'or presentation: exactly one of them is verified, the second without a proof of its own',
    );
  const isSigned = verifiablePresentation !== undefined;
  const { challenge, domain } = options ?? {};
  if (isSigned && challenge === undefined)
    throw malformedAt(
      '/options/challenge',
      'is missing: without one somebody may show again what another saw',
    );
  if (!isSigned && (challenge ?? domain) !== undefined)
    throw malformedAt('/options', 'a presentation without a proof is bound to no challenge and no domain');
  return {
    issuer: params.issuer,
    presentation: given,
    isSigned,
    challenge,
    domain,
    isToldAsResult: isToldAsResult(options),
  };
}

export const readPresentationToSign = ({
  params,
  body: { presentation, options },
}: OfInstance & WithBody<typeof schemas.presentationOrder>) => ({
  issuer: params.issuer,
  presentation,
  challenge: options.challenge,
  domain: options.domain,
});

export interface VcApiStatusOrder {
  readonly issuer: string;
  readonly credentialId: string | undefined;
  readonly place: { readonly uri: string; readonly index: string } | undefined;
  readonly purpose: 'revocation' | 'suspension';
  readonly status: boolean;
}

export function readStatusOrder({
  params,
  body: { credentialId, credentialStatus, status },
}: OfInstance & WithBody<typeof schemas.statusOrder>): VcApiStatusOrder {
  const { statusPurpose: purpose, statusListCredential: uri, statusListIndex: index } = credentialStatus;
  if ((uri === undefined) !== (index === undefined))
    throw malformedAt(
      '/credentialStatus/statusListIndex',
      'and statusListCredential name a place together: both or none',
    );
  if (credentialId === undefined && uri === undefined)
    throw malformedAt('/credentialId', 'is missing, or the place of the credential in its list');
  const place = uri === undefined || index === undefined ? undefined : { uri, index };
  return { issuer: params.issuer, credentialId, place, purpose, status };
}
