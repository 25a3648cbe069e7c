/** Credentials with a proof of data integrity (`ldp_vc`) as formats of OpenID4VCI: one for each cryptosuite. */
import { assert } from '@symbolon/core/basics/assert';
import { keyOfJwk } from '@symbolon/core/did/public-jwk';
import { templateProblems, typeOfTemplate } from '@symbolon/formats/credential/template-context';
import { contextUrls } from '@symbolon/formats/json-ld/contexts';
import { didOfKey } from '@symbolon/formats/json-ld/did-key';
import type { ProvenKey } from '@symbolon/formats/oid4vci/key-proofs';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { contextPlaceOf } from '../../ldp-credentials/template-contexts.ts';
import {
  issueLdpCredentials,
  type LdpIssuerParts,
  type LdpSuite,
  ldpSuites,
} from '../../ldp-credentials/template-credentials.ts';
import { credentialMetadata, walletBinding } from '../parts/configuration-members.ts';
import { configurationId, type FormatSuffix } from '../parts/configurations.ts';
import type { FormatIssuer } from '../parts/format-issuer.ts';

const suffixes: Readonly<Record<LdpSuite, FormatSuffix>> = {
  'bbs-2023': 'bbs2023',
  'eddsa-rdfc-2022': 'eddsa',
};

/** An issuer for each cryptosuite. */
export const createLdpIssuers = (parts: LdpIssuerParts): readonly FormatIssuer[] =>
  ldpSuites.map((suite) => createLdpIssuer(parts, suite));

const createLdpIssuer = (parts: LdpIssuerParts, suite: LdpSuite): FormatIssuer => ({
  suffix: suffixes[suite],
  name: suite,
  configurationOf(template): JsonObject | undefined {
    if (templateProblems(template).length > 0) return undefined;
    return {
      format: 'ldp_vc',
      scope: configurationId(template, suffixes[suite]),
      credential_definition: {
        '@context': [contextUrls.credentialsV2, contextPlaceOf(parts.publicUrl, template).contextUrl],
        type: ['VerifiableCredential', typeOfTemplate(template)],
      },
      ...walletBinding,
      credential_signing_alg_values_supported: [suite],
      credential_metadata: credentialMetadata(template, ['credentialSubject']),
    };
  },
  async issue({ issuer, template, dataset, holders, slots }) {
    const instances = holders.map((holder, index) => ({ subject: subjectOf(holder), slot: slots[index] }));
    const order = { issuer: issuer.did, template, dataset, suite, instances };
    return (await issueLdpCredentials(parts, order)) as unknown as readonly JsonValue[];
  },
});

/** As the holder named the key, or by the key itself. */
function subjectOf({ key, did }: ProvenKey): string {
  const named = keyOfJwk(key);
  assert(named && (named.keyType === 'p256' || named.keyType === 'ed25519'), 'a key that was proved signs');
  return did ?? didOfKey({ keyType: named.keyType, publicKey: named.publicKey });
}
