/**
 * Documents that routes pass on whole, and which have rules of their own: credentials, presentations, DID documents,
 * credential queries. For the OpenAPI document alone: nothing is checked against these.
 */
import * as z from 'zod';
import type { Words } from './vocabulary.ts';

const text = z.string();
const texts = z.array(text);
const optional = text.optional();
const attributeValue = z.union([text, z.number(), z.boolean()]);

const entryTerms = z.looseObject({
  credential: text,
  template: text,
  templateVersion: text,
  validFrom: text,
  validUntil: text,
});

const rangeShown = z.looseObject({ attribute: text, min: z.unknown(), max: z.unknown() }).partial();

const proof = z
  .looseObject({
    type: text,
    cryptosuite: optional,
    created: optional,
    proofPurpose: optional,
    verificationMethod: optional,
    proofValue: optional,
    salt: optional,
    commitment: optional,
    registryEntry: entryTerms.optional(),
    jws: optional,
    ranges: z.array(rangeShown).optional(),
    rangeMethod: optional,
    rangeParameters: optional,
    challenge: optional,
    domain: optional,
  })
  .meta({ id: 'Proof', description: 'A signature over a document, or what was derived from one.' });

const oneOrMore = z.union([proof, z.array(proof)]);

const templateAttribute = z.looseObject({ key: text, type: text, format: text });

const credential = z
  .looseObject({
    '@context': texts,
    id: text,
    type: texts,
    issuer: text,
    validFrom: text,
    validUntil: text,
    credentialSchema: z
      .looseObject({ id: text, type: text, version: text, attributes: z.array(templateAttribute) })
      .partial()
      .optional(),
    credentialStatus: z.looseObject({ id: text, type: text }).partial().optional(),
    credentialSubject: z.record(text, attributeValue),
    proof: oneOrMore.optional(),
  })
  .meta({ id: 'Credential', description: 'A verifiable credential: W3C data model 2.0, as JSON.' });

const presentation = z
  .looseObject({
    '@context': texts,
    type: texts,
    holder: optional,
    verifiableCredential: z.array(credential),
    proof: oneOrMore,
  })
  .meta({
    id: 'Presentation',
    description: 'A verifiable presentation: credentials with only what is shown, signed by the holder.',
  });

const anything = z.unknown();
const claims = z.record(text, anything);

const statusPlace = z
  .looseObject({
    id: text.describe('What the place is called, where it is called something.'),
    type: text.describe('BitstringStatusListEntry, say.'),
    statusPurpose: text,
    statusListIndex: text,
    statusListCredential: text,
  })
  .partial();

const linkedCredential = z
  .looseObject({
    '@context': texts,
    id: text,
    type: texts,
    issuer: anything,
    validFrom: text,
    validUntil: text,
    credentialSchema: anything,
    credentialStatus: z.union([statusPlace, z.array(statusPlace)]),
    credentialSubject: z.union([claims, z.array(claims)]),
    proof: oneOrMore,
  })
  .partial()
  .meta({
    id: 'LinkedCredential',
    description: 'A credential of the data model 2.0 in JSON-LD, of any issuer.',
  });

const linkedPresentation = z
  .looseObject({
    '@context': texts,
    id: text,
    type: texts,
    holder: anything,
    verifiableCredential: z.array(linkedCredential),
    proof: oneOrMore,
  })
  .partial()
  .meta({ id: 'LinkedPresentation', description: 'A presentation of such credentials.' });

const verificationMethod = z
  .looseObject({
    id: text,
    type: text,
    controller: text,
    blockchainAccountId: text,
    publicKeyHex: text,
    publicKeyMultibase: text,
  })
  .partial();

const didService = z.looseObject({ id: text, type: text, serviceEndpoint: z.unknown() }).partial();

const didDocument = z
  .looseObject({
    '@context': texts,
    id: text,
    controller: z.unknown(),
    verificationMethod: z.array(verificationMethod),
    authentication: texts,
    assertionMethod: texts,
    service: z.array(didService),
  })
  .partial()
  .meta({ id: 'DidDocument', description: 'Keys and services of an identifier, as W3C DIDs have it.' });

const resolution = z
  .looseObject({
    didDocument: didDocument.nullable(),
    didResolutionMetadata: z.looseObject({ contentType: optional, error: optional }),
    didDocumentMetadata: z.looseObject({
      created: optional,
      updated: optional,
      versionId: optional,
      deactivated: z.boolean().optional(),
      name: optional.describe('What the identifier calls itself on the ledger.'),
    }),
  })
  .meta({ id: 'DidResolution', description: 'The result of W3C DID Resolution.' });

const claimQuery = z
  .looseObject({
    id: text,
    path: texts,
    values: z.array(z.unknown()),
    constraints: z.looseObject({}).describe('What must hold of the claim, such as a least value.'),
  })
  .partial();

const credentialQuery = z
  .looseObject({
    credentials: z.array(
      z
        .looseObject({
          id: text,
          format: text,
          meta: z.looseObject({ vct_values: texts }).partial(),
          claims: z.array(claimQuery),
        })
        .partial(),
    ),
    trusted_issuers: texts.optional(),
  })
  .meta({
    id: 'CredentialQuery',
    description: 'What a wallet is asked to show, in the query language DCQL.',
  });

const fieldClaim = z
  .looseObject({
    id: text,
    path: z
      .array(z.unknown())
      .describe('Where the claim stands: names, positions, or null for every element.'),
    values: z.array(z.unknown()).describe('Those that are good enough; any, if left out.'),
    range: z
      .looseObject({})
      .describe('What is proved of our own credential in place of the value: min, max.'),
  })
  .partial();

const fieldQuery = z
  .looseObject({
    credentials: z.array(
      z
        .looseObject({
          id: text,
          format: text,
          meta: z
            .looseObject({
              vct_values: texts.describe('Of SD-JWT VCs.'),
              type_values: z
                .array(texts)
                .describe('Of credentials in JSON-LD: full names, each list enough.'),
              template_values: texts.describe('Templates of our own credential.'),
            })
            .partial()
            .describe('Which types, by format.'),
          multiple: z.boolean().describe('Whether several may answer it.'),
          require_cryptographic_holder_binding: z
            .boolean()
            .describe('Whether its holder must sign; true, if left out.'),
          claims: z.array(fieldClaim),
          claim_sets: z.array(texts).describe('Ids of claims that are enough together, the best set first.'),
        })
        .partial(),
    ),
    credential_sets: z
      .array(
        z.looseObject({
          options: z.array(texts).describe('Ids of questions that answer it together, the best first.'),
          required: z.boolean().optional(),
        }),
      )
      .optional()
      .describe('Which of the questions must be answered; all, if left out.'),
  })
  .meta({
    id: 'DcqlQuery',
    description: 'What wallets of the field are asked to show: a DCQL query of OpenID4VP 1.0.',
  });

const attributeValues = z
  .union([z.array(z.looseObject({ key: text, value: attributeValue })), z.record(text, attributeValue)])
  .meta({
    id: 'AttributeValues',
    description: 'Values of attributes: an array of key and value, or an object by key.',
  });

const jsonSchema = z
  .looseObject({
    $schema: text,
    $id: text,
    title: text,
    type: text,
    properties: z.record(text, z.unknown()),
    required: texts,
    additionalProperties: z.boolean(),
  })
  .partial()
  .meta({ id: 'JsonSchema', description: 'A JSON Schema of draft 2020-12.' });

export const documentSchemas = [
  credential,
  presentation,
  linkedCredential,
  linkedPresentation,
  resolution,
  credentialQuery,
  fieldQuery,
  attributeValues,
  jsonSchema,
] as const;

/** Which members, and which whole replies, are such a document. */
export const documentMembers: Words = {
  vc: 'Credential',
  vcObject: 'Credential',
  verifiableCredential: 'Credential',
  'issueByVcApi.credential': 'LinkedCredential',
  'issueByVcApi.verifiableCredential': 'LinkedCredential',
  'deriveByVcApi.verifiableCredential': 'LinkedCredential',
  'verifyCredentialByVcApi.verifiableCredential': 'LinkedCredential',
  'presentByVcApi.presentation': 'LinkedPresentation',
  'presentByVcApi.verifiablePresentation': 'LinkedPresentation',
  'verifyPresentationByVcApi.presentation': 'LinkedPresentation',
  'verifyPresentationByVcApi.verifiablePresentation': 'LinkedPresentation',
  'unsigned.credential': 'Credential',
  'unsigned.proofOptions': 'Proof',
  downloadCredential: 'Credential',
  vp: 'Presentation',
  vpObject: 'Presentation',
  vp_token: 'Presentation',
  resolveDid: 'DidResolution',
  getTemplateSchema: 'JsonSchema',
  requirements: 'CredentialQuery',
  credential_query: 'CredentialQuery',
  credentialQuery: 'CredentialQuery',
  dcqlQuery: 'DcqlQuery',
  'applyForCredential.metadata': 'AttributeValues',
  'makeOffer.metadata': 'AttributeValues',
  'makeOpenidOffer.metadata': 'AttributeValues',
  'decideOpenidAuthorization.metadata': 'AttributeValues',
  'quotePaidCredential.metadata': 'AttributeValues',
  'data.metadata': 'AttributeValues',
  issuanceData: 'AttributeValues',
};
