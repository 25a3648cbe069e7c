/**
 * A credential as its issuer orders it, and what the issuer signs for it. The service drafts; the issuer makes the same
 * credential from its own order, compares the two to the last member, and computes from its own everything that is
 * signed: digests, header, messages, commitment. Left to the service are the moment of the draft, within bounds, the
 * salt, and the registry where none is pinned.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { isInstantText, unixMsOf } from '@symbolon/core/basics/calendar';
import {
  assembleCredential,
  contentsCommitment,
  type IssuerStatement,
  issuerSigningInput,
} from '@symbolon/core/credential/credential-assembly';
import { credentialHeader, credentialMessages } from '@symbolon/core/credential/credential-messages';
import { parseProofValue, saltBytes } from '@symbolon/core/credential/credential-shapes';
import { issuerProofOptions } from '@symbolon/core/credential/issuer-proof-options';
import { readAttributeValues } from '@symbolon/core/credential/template-rules';
import type { ContentsCommitment, UnsignedCredential } from '@symbolon/core/documents/model';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { presenceLimits } from '@symbolon/core/limits/documents';
import { submitLimits } from '@symbolon/core/limits/waiting';
import { commitContents } from '@symbolon/core/proofs/commitment';
import type { CommitOrder } from '@symbolon/core/proofs/proof-engine';
import { credentialRoutes } from '@symbolon/wire/credentials/routes';
import { readServiceRequest } from '@symbolon/wire/http/service-route';
import { isJsonObject, type JsonValue } from '@symbolon/wire/json/json';
import type { MembersOf } from '../arguments/exact-arguments.ts';
import { assertAsOrdered, notAsOrdered, type OwnTerms } from '../comparison/order-comparison.ts';
import type { CredentialClient, CredentialReply } from '../service/credential-client.ts';
import {
  orderedTemplate,
  type TemplateChoice,
  templateChoiceMembers,
  valuesBelow,
} from './template-order.ts';

/** The contents of a credential, all of them. */
export interface CredentialOrder extends TemplateChoice {
  /** The application that becomes the credential, and its identifier. */
  readonly vcId: string;
  /** DID of whoever gets it. */
  readonly holder: string;
  /** Everything that it is to say, and nothing else. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly expiredDate: string | number;
  /** The moment at which it is drafted, if left out. */
  readonly validFrom?: string | number;
  /** Milliseconds since 1970; the clock of this machine if left out. */
  readonly now?: number;
}

export const credentialOrderMembers: MembersOf<CredentialOrder> = {
  ...templateChoiceMembers,
  vcId: true,
  holder: true,
  attributes: true,
  expiredDate: true,
  validFrom: true,
  now: true,
};

/** What the issuer signs, all of it computed here. */
export interface OrderedStatement extends IssuerStatement {
  readonly contents: ContentsCommitment;
  /** For the issuer's Ed25519 key. */
  readonly signingInput: Uint8Array;
  /** For its BBS+ key: header and messages. */
  readonly task: CommitOrder;
}

const what = 'the credential';

/** What the service is asked for. */
export const creationBody = ({ vcId, templateId, attributes, expiredDate, validFrom }: CredentialOrder) => ({
  vcId,
  templateId,
  issuanceData: { ...attributes },
  expiredDate,
  ...(validFrom !== undefined && { validFrom }),
});

/** Throws `notAsOrdered` unless the draft is the ordered credential and nothing else. */
export async function orderedStatement(
  client: Pick<CredentialClient, 'getTemplate'>,
  issuer: string,
  order: CredentialOrder,
  { unsigned, ed25519Blob }: CredentialReply<'createCredential'>,
): Promise<OrderedStatement> {
  const created = draftedAt(unsigned.proofOptions.created, order.now ?? Date.now());
  const { credential: offered, salt } = unsigned;
  const credential = await orderedCredential(client, issuer, order, { offered, created });
  const expected = order.pins?.credentialRegistry;
  const callerTerms: OwnTerms =
    expected === undefined
      ? {}
      : { 'credentialStatus.id': { name: 'credentialRegistry', expected, offered: registryIn(offered) } };
  assertAsOrdered(
    { what, rootMember: 'unsigned.credential', derivedFrom: { id: 'vcId' }, callerTerms },
    plain(credential),
    offered,
  );
  const options = issuerProofOptions(credential, created);
  const { proofOptions } = unsigned;
  assertAsOrdered({ what, rootMember: 'unsigned' }, { proofOptions: plain(options) }, { proofOptions });
  if (parseProofValue(salt)?.length !== saltBytes) throw notAsOrdered(what, ['salt']);
  const task = {
    header: credentialHeader(credential, credential.credentialSubject.id),
    messages: credentialMessages({ ...credential, salt }, sha256),
  };
  const statement = { credential, options, contents: contentsCommitment(salt, commitContents(task)) };
  const signingInput = issuerSigningInput(statement, sha256);
  // Everything else in the text to sign is compared already.
  if (ed25519Blob.toLowerCase() !== encodeHex(signingInput))
    throw notAsOrdered(what, ['ed25519Blob', 'salt']);
  return { ...statement, signingInput, task };
}

const plain = (document: object): JsonValue => document as unknown as JsonValue;

/** A draft may wait a day for its signature, and clocks differ by minutes. */
function draftedAt(created: JsonValue | undefined, now: number): string {
  const ms = typeof created === 'string' && isInstantText(created) ? unixMsOf(created) : undefined;
  const { ageMsMax: toleranceMs } = presenceLimits;
  const isNear =
    ms !== undefined && ms <= now + toleranceMs && ms >= now - submitLimits.draftLifetimeMs - toleranceMs;
  if (!isNear)
    throw notAsOrdered(what, ['proofOptions.created'], { why: "and is far from this machine's time" });
  return created as string;
}

interface Draft {
  readonly offered: JsonValue;
  readonly created: string;
}

async function orderedCredential(
  client: Pick<CredentialClient, 'getTemplate'>,
  issuer: string,
  order: CredentialOrder,
  { offered, created }: Draft,
): Promise<UnsignedCredential> {
  const { holder, attributes, pins, profile = zetrixProfile } = order;
  const template = await orderedTemplate(client, issuer, order);
  // Read as the service reads it, so that no date means one thing here and another there.
  const asked = readServiceRequest(credentialRoutes.createCredential, { body: creationBody(order) });
  return assembleCredential({
    id: asked.vcId,
    template,
    holder,
    values: readAttributeValues(template, valuesBelow('/attributes', attributes), { pointer: '/attributes' }),
    validFrom: asked.validFrom ?? created,
    validUntil: asked.validUntil,
    registry: {
      networkId: profile.networkId,
      address: pins?.credentialRegistry ?? registryIn(offered),
    },
  });
}

/** The address that an offered status entry names; what is none is seen when the entries are compared. */
function registryIn(offered: JsonValue): string {
  const status = isJsonObject(offered) ? offered.credentialStatus : undefined;
  const id = isJsonObject(status) ? status.id : undefined;
  const [, address = ''] = typeof id === 'string' ? (/:([1-9A-Za-z]{20,64})#[^#]*$/.exec(id) ?? []) : [];
  return address;
}
