/**
 * What a holder compares when a credential is handed over that was bought: whose it is, of which template, what it says
 * and how long. Its signatures are another question: they say that the issuer made it, this says that it is the one.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { parseCredential } from '@symbolon/core/credential/credential-parsing';
import { type AttributeValues, readAttributeValues } from '@symbolon/core/credential/template-rules';
import type { SignedAttribute, UnsignedCredential } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { templateId as templateIdOf } from '@symbolon/core/names/template-names';
import { readInstant } from '@symbolon/wire/credentials/request-encodings';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { wrongInFault } from '../arguments/member-paths.ts';
import { assertDoneAsOrdered, notDoneAsOrdered } from '../comparison/order-comparison.ts';
import { assertPins, type NetworkTerms } from '../ledger/pins.ts';
import { valuesBelow } from './template-order.ts';

/** What was ordered of a credential that was bought. */
export interface BoughtTerms extends NetworkTerms {
  readonly vcId: string;
  readonly holder: string;
  readonly templateId: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** The issuer's choice, if left out. */
  readonly expirationDate?: string;
}

const boughtMembers: MembersOf<BoughtTerms> = {
  vcId: true,
  holder: true,
  templateId: true,
  attributes: true,
  expirationDate: true,
  pins: true,
  profile: true,
};

const action = 'issued the credential';
const rootMember = 'verifiableCredential';

/** Throws `notAsOrdered` with the first member that is not as it was bought. */
export function assertBought(document: JsonObject, terms: BoughtTerms): void {
  assertMembers(terms, boughtMembers, 'terms');
  assertPins(terms.pins);
  const { holder, templateId, expirationDate, pins, profile = zetrixProfile } = terms;
  const credential = readOrRefuse([], () => parseCredential(document, profile).credential);
  const { issuer, type, credentialSchema, credentialSubject, validUntil, credentialStatus } = credential;
  const registry = pins?.credentialRegistry;
  const statusId = `ledger:${profile.networkId}:${registry}#${credential.id}`;
  const values = readOrRefuse(['credentialSchema.attributes'], () => valuesOf(terms, credential));
  // The identifier is made of issuer and name, which stand beside it.
  const named = templateIdOf({ issuer, name: type[1] }, { didMethod: profile.didMethod, sha256 });
  if (named !== templateId) throw notDoneAsOrdered(action, ['templateId', 'issuer', 'type']);
  const bought = {
    id: terms.vcId,
    credentialSchema: { id: templateId },
    credentialSubject: { id: holder, ...values },
    validUntil: expirationDate === undefined ? validUntil : readInstant(expirationDate, '/expirationDate'),
    credentialStatus: { id: registry === undefined ? credentialStatus.id : statusId },
  };
  assertDoneAsOrdered({ action, rootMember, derivedFrom: { id: 'vcId' } }, bought, {
    id: credential.id,
    credentialSchema: { id: credentialSchema.id },
    credentialSubject: credentialSubject as unknown as JsonValue,
    validUntil,
    credentialStatus: { id: credentialStatus.id },
  });
}

/** In the form that the credential's own attributes give them. */
function valuesOf({ attributes }: BoughtTerms, { credentialSchema }: UnsignedCredential): AttributeValues {
  const own = credentialSchema.attributes.map((attribute: SignedAttribute) => ({
    ...attribute,
    label: attribute.key,
    mandatory: false,
  }));
  return readAttributeValues({ attributes: own }, valuesBelow('/credentialSubject', attributes), {
    pointer: '',
  });
}

/** Whatever cannot be read is not what was bought. `members` are those that it is read with. */
function readOrRefuse<Read>(members: readonly string[], read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const wrong = [...members, ...wrongInFault(error)];
    throw notDoneAsOrdered(action, wrong.length === 0 ? [rootMember] : wrong);
  }
}
