/**
 * What is wrong with a template before anybody is asked: by the schema of the wire and by the rules that the service has,
 * each complaint with its place in the request. Whether a name is taken only the service knows.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { templateOfDraft } from '@symbolon/core/credential/template-rules';
import { Fault, type FaultDetail } from '@symbolon/core/faults/faults';
import { compareVersions, isVersion, normalisedName } from '@symbolon/core/names/template-names';
import { credentialRoutes } from '@symbolon/wire/credentials/routes';
import { readServiceRequest } from '@symbolon/wire/http/service-route';
import { isJsonObject, type JsonValue } from '@symbolon/wire/json/json';

export interface DraftTerms {
  readonly issuer: string;
  readonly didMethod: string;
  /** The version that a new one follows. */
  readonly base?: { readonly name: string; readonly version: string };
}

/** Complaints of the console's own, which have words in every language. */
export type OwnComplaint = 'nameStays' | 'versionHigher' | 'issuerOther';
export type DraftComplaint = FaultDetail & { readonly own?: OwnComplaint };

/** Members of a draft as the wire spells them. */
const spelling = {
  name: 'templateName',
  issuer: 'issuerDid',
  attributes: 'credentialFormat',
  label: 'attribute',
} as const;

export function complaintsAbout(
  body: JsonValue,
  { issuer, didMethod, base }: DraftTerms,
): readonly DraftComplaint[] {
  const given = isJsonObject(body) ? body : undefined;
  if (given?.issuerDid !== undefined && given.issuerDid !== issuer)
    return [{ pointer: '/issuerDid', detail: '', own: 'issuerOther' }];
  const whole = given ? { ...given, issuerDid: issuer } : body;
  const wrong = orFault(() => {
    const { acceptsUnbound: _, ...draft } = readServiceRequest(credentialRoutes.createTemplateBlob, {
      body: whole,
    });
    templateOfDraft(draft, { didMethod, sha256, spelling });
  });
  return [...wrong, ...(base && given ? againstBase(given.templateName, given.version, base) : [])];
}

function orFault(read: () => void): readonly FaultDetail[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.errors.length > 0 ? error.errors : [{ pointer: '', detail: error.message }];
  }
}

/** The name makes the identifier, and a version is registered once: what follows must be higher. */
function againstBase(
  name: JsonValue | undefined,
  version: JsonValue | undefined,
  base: NonNullable<DraftTerms['base']>,
): DraftComplaint[] {
  const complaints: DraftComplaint[] = [];
  if (typeof name === 'string' && normalisedName(name) !== normalisedName(base.name))
    complaints.push({ pointer: '/templateName', detail: '', own: 'nameStays' });
  if (typeof version === 'string' && isVersion(version) && compareVersions(version, base.version) <= 0)
    complaints.push({ pointer: '/version', detail: '', own: 'versionHigher' });
  return complaints;
}
