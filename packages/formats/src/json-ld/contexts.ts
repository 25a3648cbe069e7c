/**
 * The published JSON-LD contexts that this program knows: they come with it and are never fetched, so nobody on the way
 * decides what the terms of a credential mean. Each is checked against the hash of its canonical text before it is used,
 * so that a damaged or exchanged file is found and not believed.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { assert } from '@symbolon/core/basics/assert';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { canonicalJsonBytes } from '@symbolon/core/basics/jcs';
import credentialsV1 from './published/credentials-v1.json' with { type: 'json' };
import credentialsV2 from './published/credentials-v2.json' with { type: 'json' };
import dataIntegrityV2 from './published/data-integrity-v2.json' with { type: 'json' };
import ed25519Signature2020 from './published/ed25519-2020-v1.json' with { type: 'json' };
import examplesV2 from './published/examples-v2.json' with { type: 'json' };
import multikeyV1 from './published/multikey-v1.json' with { type: 'json' };

export const contextUrls = {
  credentialsV1: 'https://www.w3.org/2018/credentials/v1',
  credentialsV2: 'https://www.w3.org/ns/credentials/v2',
  dataIntegrityV2: 'https://w3id.org/security/data-integrity/v2',
  ed25519Signature2020: 'https://w3id.org/security/suites/ed25519-2020/v1',
  multikeyV1: 'https://w3id.org/security/multikey/v1',
  examplesV2: 'https://www.w3.org/ns/credentials/examples/v2',
} as const;

interface Published {
  readonly document: { readonly '@context': unknown };
  /** SHA-256 of the canonical JSON (RFC 8785). */
  readonly hash: string;
}

const published: Readonly<Record<string, Published>> = {
  [contextUrls.credentialsV1]: {
    document: credentialsV1,
    hash: 'b01e671e873981f19a9102a9a57f666dbcaeb31b99e3e124378d143e71549247',
  },
  [contextUrls.credentialsV2]: {
    document: credentialsV2,
    hash: 'b463c8d6a066214123ddd9827b135e1b50e1fc73322cc52a9b12a4f1fc7d86cf',
  },
  [contextUrls.dataIntegrityV2]: {
    document: dataIntegrityV2,
    hash: '7ba3c50acf2689d5e07927267343eb353249c7c22a9f2d00307cc970e855e305',
  },
  [contextUrls.ed25519Signature2020]: {
    document: ed25519Signature2020,
    hash: '4b858b66af0876eb62596445c45aefc790199ba859a17c76c5e302126ba97c17',
  },
  [contextUrls.multikeyV1]: {
    document: multikeyV1,
    hash: '86f3bdc802998b6a734f15dc7d7d373440ef8bc241d0092e353561df5767949d',
  },
  [contextUrls.examplesV2]: {
    document: examplesV2,
    hash: '8a675bead391be98e6054c4e07c41f73337508d398e07047344c5d349aa2dc58',
  },
};

export const publishedContextUrls: readonly string[] = Object.keys(published);

const checked = new Set<string>();

/** A published context; undefined for every other URL. */
export function publishedContext(url: string): Published['document'] | undefined {
  if (!Object.hasOwn(published, url)) return undefined;
  const { document, hash } = published[url] as Published;
  if (!checked.has(url)) {
    assert(
      encodeHex(sha256(canonicalJsonBytes(document))) === hash,
      `the context ${url} as it was published`,
    );
    checked.add(url);
  }
  return document;
}

/** Every term that the context of data model 2.0 defines at its top: nobody may define one of them again. */
export const credentialTerms: ReadonlySet<string> = new Set(
  Object.keys(credentialsV2['@context']).filter((term) => !term.startsWith('@')),
);
