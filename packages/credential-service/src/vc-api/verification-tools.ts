/**
 * What documents of anybody are verified with: published contexts and those of templates here, keys by the DIDs that
 * proofs name, lists of others by the guarded fetcher. Contexts of others are not fetched: whoever shows a credential
 * chooses them, and they decide what its members mean.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Complaint } from '@symbolon/core/attributes/attribute-formats';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { publicJwk } from '@symbolon/core/did/public-jwk';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { issuerOfDocument } from '@symbolon/formats/credential/data-model';
import type { SignatureChecks } from '@symbolon/formats/data-integrity/hash-suites';
import {
  type KeyResolver,
  keyResolver,
  type ProofPurpose,
} from '@symbolon/formats/data-integrity/verification-keys';
import { type ProofTools, verifyDocument } from '@symbolon/formats/data-integrity/verifying';
import { createStatusChecker, type StatusChecker } from '@symbolon/formats/status-lists/status-check';
import type { Caller } from '@symbolon/wire/http/service-route';
import { parseUniqueJson } from '@symbolon/wire/json/json-members';
import { createNodeVerifier } from '../jose/node-signatures.ts';
import { templateLoader, templateOfContext } from '../ldp-credentials/template-contexts.ts';
import { OutboundProblem } from '../outbound/outbound-address.ts';
import { findStoredTemplate } from '../templates/template-rows.ts';
import type { VcApiParts } from './vc-api-parts.ts';

function nodeKeyOf(keyType: 'ed25519' | 'p256', publicKey: Uint8Array): KeyObject | undefined {
  const key = publicJwk(keyType, publicKey);
  return key && decodeOrNothing(() => createPublicKey({ key: { ...key }, format: 'jwk' }));
}

const checks: SignatureChecks = {
  ed25519({ publicKey, message, signature }) {
    const key = nodeKeyOf('ed25519', publicKey);
    return key !== undefined && verify(null, message, key, signature);
  },
  p256({ publicKey, message, signature }) {
    const key = nodeKeyOf('p256', publicKey);
    return key !== undefined && verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature);
  },
};

/** Faults that say that there is no such key, or none that can be had. */
const noKey: readonly FaultName[] = [
  'didMalformed',
  'methodUnsupported',
  'didUnknown',
  'didDeactivated',
  'keyNotPublished',
  'foreignDocumentUnavailable',
];

const keysFor =
  ({ didKeys }: VcApiParts, purpose: ProofPurpose): KeyResolver =>
  async (verificationMethod) => {
    try {
      const { id, controller, keyType, publicKey } = await didKeys.find(verificationMethod, purpose);
      return keyType === 'x25519' ? undefined : { id, controller, keyType, publicKey, purposes: [purpose] };
    } catch (error) {
      if (error instanceof Fault && noKey.includes(error.code)) return undefined;
      throw error;
    }
  };

/** The caller pays for proofs of bbs-2023. */
export const proofTools = (parts: VcApiParts, caller: Caller, purpose: ProofPurpose): ProofTools => {
  const { settings, profile, database } = parts;
  const { publicUrl } = settings;
  return {
    load: templateLoader(publicUrl, async (url) => {
      const named = templateOfContext({ publicUrl, profile }, url);
      return named && (await findStoredTemplate(database.kysely, named.id, named.version))?.template;
    }),
    resolveKey: keyResolver(keysFor(parts, purpose)),
    checks,
    engine: parts.proofDesk.metered(caller),
  };
};

const listTypes = ['application/vc', 'application/vc+ld+json', 'application/ld+json', 'application/json'];

/** Of lists of others; a list is by the issuer that it names, and that is the credential's. */
export function foreignStatuses(parts: VcApiParts): StatusChecker {
  const { clock, fetchDocument } = parts;
  // Whoever names a list does not spend the budget of whoever verifies.
  const nobody: Caller = { scopes: new Set(), address: '0.0.0.0' };
  return createStatusChecker({
    now: () => clock.nowMs(),
    async fetchText(url) {
      try {
        return (await fetchDocument({ url, types: listTypes, ageMsMax: 0 })).text;
      } catch (error) {
        if (error instanceof OutboundProblem)
          return { complaint: `the list cannot be had: ${error.message}` };
        throw error;
      }
    },
    async readSecured(text): Promise<Fields | Complaint> {
      const list = asObject(decodeOrNothing(() => parseUniqueJson(text)));
      const issuer = list && issuerOfDocument(list);
      if (!list || issuer === undefined) return { complaint: 'the list is no credential' };
      const expected = { purpose: 'assertionMethod', nowMs: clock.nowMs(), controller: issuer } as const;
      const tools = proofTools(parts, nobody, 'assertionMethod');
      const { isVerified } = await verifyDocument(list, expected, tools);
      return isVerified ? list : { complaint: 'the proof of the list does not hold' };
    },
    // Lists of tokens are of another format.
    findIssuerKeys: async () => ({ complaint: 'lists of this kind are of SD-JWT VCs' }),
    verifySignature: createNodeVerifier(),
  });
}
