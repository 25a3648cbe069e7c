/**
 * The calls of the registries' contracts that an issuer's account makes: registering a version of a template, and
 * changing the status of credentials. Who prepares such a call and who signs it both make it here, so that a signer
 * can compare the two.
 */
import { encodeHex, encodeUtf8, type Sha256 } from '../basics/bytes.ts';
import { attributeTypeCodes, type Template, type TemplateAttribute } from '../documents/model.ts';
import { normalisedName } from '../names/template-names.ts';

/** What a contract reads as its input, as JSON. */
export interface RegistryCall {
  readonly method: string;
  readonly params: Readonly<Record<string, string | readonly string[]>>;
}

export interface TemplateRegistration {
  readonly template: Template;
  /** Encoded, of the issuer's DID. */
  readonly issuerKey: string;
  /** Whether entries that bind no contents count for credentials of this template. */
  readonly acceptsUnbound?: boolean;
}

/** A remark itself stays off the ledger. */
export function templateCall(
  { template, issuerKey, acceptsUnbound }: TemplateRegistration,
  sha256: Sha256,
): RegistryCall {
  const { id, name, version, attributes, issuer, remark } = template;
  return {
    method: 'addTemplate',
    params: {
      templateId: id,
      templateName: name,
      nameKey: normalisedName(name),
      version,
      applyFormat: JSON.stringify(attributes.map(attributeToWire)),
      metadata: JSON.stringify(acceptsUnbound ? { acceptsUnbound } : {}),
      ...(remark !== undefined && { remarkHash: encodeHex(sha256(encodeUtf8(remark))) }),
      issuerZid: issuer,
      publicKey: issuerKey,
    },
  };
}

/** The form of `credentialFormat` that wallets read on the ledger: `mandatory` is a number there. */
const attributeToWire = ({ key, label, format, type, mandatory }: TemplateAttribute) => ({
  key,
  attribute: label,
  format,
  type: attributeTypeCodes[type],
  mandatory: mandatory ? 1 : 0,
});

export const statusChanges = ['revoke', 'suspend', 'reinstate'] as const;
export type StatusChange = (typeof statusChanges)[number];

export interface StatusCall {
  readonly change: StatusChange;
  readonly credentials: readonly string[];
  /** None, or one for each credential. */
  readonly remarkHashes?: readonly string[];
}

export const statusCall = ({ change, credentials, remarkHashes }: StatusCall): RegistryCall => ({
  method: change,
  params: { credentials, ...(remarkHashes !== undefined && { remarkHashes }) },
});

/** What the ledger gets of a remark about a status; the salt keeps anybody from trying out remarks against it. */
export const remarkHash = (salt: string, remark: string, sha256: Sha256): string =>
  encodeHex(sha256(encodeUtf8(`${salt}\n${remark}`)));
