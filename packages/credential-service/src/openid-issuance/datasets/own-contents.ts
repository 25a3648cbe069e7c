/**
 * Our own credential as what is offered to a wallet: it names its holder in all that is signed, so it is made whole when
 * the offer is, for a holder whom the order names, and handed over to whoever proves that holder's key. Its entry on the
 * ledger is that of any credential of ours.
 */

import { randomBytes } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import { encodeHex, equalBytes, parseHex } from '@symbolon/core/basics/bytes';
import { issuerDigests, issuerSigningInput } from '@symbolon/core/credential/credential-assembly';
import { parseProofValue } from '@symbolon/core/credential/credential-shapes';
import { encodeBbsPublicKey } from '@symbolon/core/did/did';
import type { Credential, Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { sha256 } from '@symbolon/host/work/sha256';
import type { AttributePlaces, GivenAttributes } from '@symbolon/wire/credentials/request-encodings';
import { keyOfLedgerDid } from '../../access/signatures.ts';
import {
  type CredentialDraft,
  draftReply,
  makeDraft,
  publishedBbsKeys,
} from '../../issuance/credential-drafts.ts';
import type { ServiceParts } from '../../parts/service-parts.ts';

export interface OwnContents {
  readonly draft: CredentialDraft;
  /** The BBS+ key of the issuer that has signed it. */
  readonly verificationMethod: string;
}

export interface OwnOrder {
  readonly template: Template;
  /** DID of the holder. */
  readonly holder: string;
  readonly attributes: GivenAttributes;
  readonly places: AttributePlaces;
  readonly validFrom: string | undefined;
  readonly validUntil: string;
}

/** Throws `didMalformed`, `validityInvalid`, `attributesInvalid`, and `keyNotPublished` where the service has no BBS+ key. */
export async function makeOwnContents(parts: ServiceParts, order: OwnOrder): Promise<OwnContents> {
  const { template, holder, attributes, places, validFrom, validUntil } = order;
  keyOfLedgerDid(holder, parts.keys);
  const draft = await makeDraft(parts, {
    template,
    application: { vcId: `did:${parts.profile.didMethod}:${randomBytes(32).toString('hex')}`, holder },
    values: {},
    request: { attributes, places, validFrom, validUntil, context: undefined },
  });
  const { bbs } = draft;
  const published = await publishedBbsKeys(parts, template.issuer);
  const key = published.find(({ publicKey }) => encodeBbsPublicKey(publicKey) === bbs?.publicKey);
  if (!bbs || !key)
    throw new Fault('keyNotPublished', {
      detail:
        'The service has no BBS+ key of yours that your DID document names, and such an offer is signed by it',
    });
  return { draft, verificationMethod: key.id };
}

/** What the issuer signs and the ledger records of it. */
export const ownSigned = ({ draft }: OwnContents) => ({
  input: issuerSigningInput(draft, sha256),
  digest: encodeHex(issuerDigests(draft, sha256).credential),
  commitment: encodeHex(parseProofValue(draft.contents.commitment) as Uint8Array),
  options: draft.options,
});

export function ownSigningReply(parts: Pick<ServiceParts, 'format'>, { draft }: OwnContents) {
  const { ed25519Blob, unsigned } = draftReply(parts, draft);
  return { ed25519Blob, unsigned };
}

export const holderOfOwn = ({ draft }: OwnContents): string => draft.credential.credentialSubject.id;

/** With the issuer's signature, in hex. */
export function completeOwn(
  { format }: Pick<ServiceParts, 'format'>,
  { draft, verificationMethod }: OwnContents,
  signed: string,
): Credential {
  const { credential, options, contents, bbs } = draft;
  const [bbsSignature, signature] = [parseHex(bbs?.signature ?? ''), parseHex(signed)];
  assert(bbsSignature && signature, 'what is handed over was signed');
  return format.attachProofs(credential, {
    bbs: { created: options.created, verificationMethod, signature: bbsSignature, contents },
    issuer: { options, signature },
  });
}

/** Whether a key is the one that the holder's DID is made of. */
export const isKeyOfHolder = (
  { keys }: Pick<ServiceParts, 'keys'>,
  own: OwnContents,
  publicKey: Uint8Array,
): boolean => equalBytes(keyOfLedgerDid(holderOfOwn(own), keys), publicKey);
