/**
 * Credentials of data model 2.0 with a proof of data integrity (`ldp_vc`): bbs-2023, of which a holder shows parts, and
 * eddsa-rdfc-2022, which is shown as a whole. Times are whole days: a moment would tell a holder from others.
 */
import { assert } from '@symbolon/core/basics/assert';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { keyOfJwk } from '@symbolon/core/did/public-jwk';
import type { Template } from '@symbolon/core/documents/model';
import { buildCredential, type StatusEntry } from '@symbolon/formats/credential/credential-builder';
import { templateProblems, typeOfTemplate } from '@symbolon/formats/credential/template-context';
import { contextUrls } from '@symbolon/formats/json-ld/contexts';
import { didOfKey } from '@symbolon/formats/json-ld/did-key';
import { createDocumentLoader, type DocumentLoader } from '@symbolon/formats/json-ld/document-loader';
import type { ProvenKey } from '@symbolon/formats/oid4vci/key-proofs';
import { startOfDay } from '@symbolon/formats/sd-jwt/issuing';
import { bitstringEntry } from '@symbolon/formats/status-lists/bitstring-list';
import { purposes, type StatusPurpose } from '@symbolon/formats/status-lists/slots';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { listUri } from '../../status-lists/list-requests.ts';
import type { TakenSlot } from '../../status-lists/slot-rows.ts';
import { credentialMetadata, walletBinding } from '../parts/configuration-members.ts';
import { configurationId, type FormatSuffix } from '../parts/configurations.ts';
import type { FormatIssuer, FormatOrder } from '../parts/format-issuer.ts';
import { eddsaSigner, type ProvingParts, secureByParts, secureWhole } from '../parts/issuer-proofs.ts';
import { contextOf, contextPlaceOf } from '../parts/template-places.ts';

export interface LdpIssuerParts extends ProvingParts {
  /** Where contexts and status lists are published. */
  readonly publicUrl: string;
}

interface Suite {
  readonly suffix: FormatSuffix;
  readonly name: 'bbs-2023' | 'eddsa-rdfc-2022';
  /** With a proof each, in their order. */
  secure(issuer: string, documents: readonly Fields[], load: DocumentLoader): Promise<readonly Fields[]>;
}

/** An issuer for each cryptosuite. */
export function createLdpIssuers(parts: LdpIssuerParts): readonly FormatIssuer[] {
  const suites: readonly Suite[] = [
    {
      suffix: 'bbs2023',
      name: 'bbs-2023',
      secure: (issuer, documents, load) => secureByParts(parts, issuer, { documents, load }),
    },
    {
      suffix: 'eddsa',
      name: 'eddsa-rdfc-2022',
      async secure(issuer, documents, load) {
        const signer = await eddsaSigner(parts, issuer);
        return Promise.all(documents.map((document) => secureWhole(document, { signer, load })));
      },
    },
  ];
  return suites.map((suite) => createLdpIssuer(parts, suite));
}

const createLdpIssuer = (parts: LdpIssuerParts, { suffix, name, secure }: Suite): FormatIssuer => ({
  suffix,
  name,
  configurationOf(template): JsonObject | undefined {
    if (templateProblems(template).length > 0) return undefined;
    return {
      format: 'ldp_vc',
      scope: configurationId(template, suffix),
      credential_definition: {
        '@context': [contextUrls.credentialsV2, contextPlaceOf(parts.publicUrl, template).contextUrl],
        type: ['VerifiableCredential', typeOfTemplate(template)],
      },
      ...walletBinding,
      credential_signing_alg_values_supported: [name],
      credential_metadata: credentialMetadata(template, ['credentialSubject']),
    };
  },
  async issue(order) {
    const documents = order.holders.map((holder, index) =>
      documentOf(parts, order, { holder, slot: order.slots[index] }),
    );
    const secured = await secure(order.issuer.did, documents, loaderOf(parts, order.template));
    return secured as unknown as readonly JsonValue[];
  },
});

/** Nothing but the published contexts and the template's own. */
function loaderOf({ publicUrl }: LdpIssuerParts, template: Template): DocumentLoader {
  const { contextUrl } = contextPlaceOf(publicUrl, template);
  return createDocumentLoader({
    ownContext: (url) => (url === contextUrl ? contextOf(publicUrl, template) : undefined),
  });
}

interface Instance {
  readonly holder: ProvenKey;
  readonly slot: TakenSlot;
}

function documentOf(
  { publicUrl, webDidOf }: LdpIssuerParts,
  { issuer, template, dataset }: FormatOrder,
  { holder, slot }: Instance,
): Fields {
  const day = (text: string): string => instantTextOfUnixMs(startOfDay(Date.parse(text)) * 1_000);
  return buildCredential({
    template,
    place: contextPlaceOf(publicUrl, template),
    values: dataset.values,
    issuer: webDidOf(issuer.did),
    subject: subjectOf(holder),
    validFrom: day(dataset.validFrom),
    validUntil: day(dataset.validUntil),
    statuses: statusesOf(publicUrl, issuer.did, slot),
  });
}

/** As the holder named the key, or by the key itself. */
function subjectOf({ key, did }: ProvenKey): string {
  const named = keyOfJwk(key);
  assert(named && (named.keyType === 'p256' || named.keyType === 'ed25519'), 'a key that was proved signs');
  return did ?? didOfKey({ keyType: named.keyType, publicKey: named.publicKey });
}

const statusesOf = (publicUrl: string, issuer: string, { list, slot }: TakenSlot): readonly StatusEntry[] =>
  (Object.keys(purposes) as StatusPurpose[]).map(
    (purpose) => bitstringEntry(listUri(publicUrl)({ issuer, list }, purpose), purpose, slot) as StatusEntry,
  );
