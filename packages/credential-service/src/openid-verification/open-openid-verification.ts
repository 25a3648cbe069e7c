/** The parts of OpenID4VP, opened with the service. */
import type { ServiceConfig } from '../parts/service-config.ts';
import { createFieldFacts, type FieldSources } from './parts/field-facts.ts';
import { openRequestCertificate, readAnchors } from './parts/operator-certificates.ts';

/** Throws `CertificateProblem` for what the operator has to put right. */
export const openOpenidVerification = (
  sources: Omit<FieldSources, 'anchors'>,
  settings: Pick<ServiceConfig['openid'], 'requestCertificate' | 'trustAnchors'>,
) => ({
  requestCertificate: openRequestCertificate(settings),
  fieldFacts: createFieldFacts({ ...sources, anchors: readAnchors(settings) }),
});
