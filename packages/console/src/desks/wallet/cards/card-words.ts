/** A kept credential as people read it: its state, its values, the one that tells it from others. Pure. */
import { subjectValue } from '@symbolon/core/credential/credential-messages';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { registryOf } from '@symbolon/sdk/ledger/registries';
import { attributeText, holderOf, tellingOf, type WrittenValue } from '../../../parts/card/card-values.ts';
import type { CardState, CredentialCardProps } from '../../../parts/card/credential-card.tsx';
import { standingAt } from '../../../parts/card/credential-standing.ts';
import type { StatusName } from '../../../parts/written/status.tsx';
import type { Language } from '../../../text/language.ts';
import { shortDid } from '../../../text/short-ids.ts';
import type { KeptCard, LedgerWord } from './kept-cards.ts';

type Shown = Pick<KeptCard, 'parsed' | 'names' | 'word'>;

const statusOfWord = {
  active: 'Active',
  suspended: 'Suspended',
  revoked: 'Revoked',
  unknown: 'Unknown',
} as const;

/** Where it stands. `Unknown` is no state of a card: nothing that the ledger does not confirm may look good. */
export function cardStanding({ parsed, word }: Shown, now: number): StatusName {
  const { validFrom, validUntil } = parsed.credential;
  return standingAt({ status: statusOfWord[word.status], validFrom, validUntil }, now);
}

/** Whether showing it may lead to anything: revoked or expired, everybody refuses it, from now on for good. */
export const canBeShown = (standing: StatusName): boolean => standing !== 'Revoked' && standing !== 'Expired';

interface BlockOfCard {
  readonly name: 'recorded' | Exclude<LedgerWord['status'], 'unknown'>;
  readonly block: number;
}

/** In which block it was recorded, and in which it came to stand as it does; what is not known is left out. */
export function ledgerBlocks({ status, block, recordedIn }: LedgerWord): readonly BlockOfCard[] {
  const isChanged = block !== undefined && block !== recordedIn && status !== 'unknown';
  return [
    ...(recordedIn === undefined ? [] : [{ name: 'recorded', block: recordedIn } as const]),
    ...(isChanged ? [{ name: status, block }] : []),
  ];
}

/**
 * Why the ledger does not know a card: it is recorded in another registry than the one that the service names, or in that
 * one there is nothing of it. Undefined where the ledger knows it.
 */
export function unknownBecause(
  { parsed, word }: Pick<KeptCard, 'parsed' | 'word'>,
  network: { readonly credentialRegistry: string } | undefined,
): 'otherLedger' | 'notRecorded' | undefined {
  if (word.status !== 'unknown') return undefined;
  const known = { profile: zetrixProfile, ...(network && { pins: network }) };
  return registryOf(parsed.credential, known) === undefined ? 'otherLedger' : 'notRecorded';
}

const drawnState = (standing: StatusName): CardState =>
  standing === 'Unknown' || standing === 'Ready' || standing === 'NotReady' ? 'Suspended' : standing;

export interface CardValue extends WrittenValue {
  readonly label: string;
}

/** `graduatedOn` reads "Graduated on" where nobody said better. */
export const labelOfKey = (key: string): string => {
  const words = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

/** In the order of the template. */
export const cardValues = ({ parsed, names }: Shown, language: Language): readonly CardValue[] =>
  parsed.credential.credentialSchema.attributes.flatMap((attribute) => {
    const { key, type } = attribute;
    const value = subjectValue(parsed.credential.credentialSubject, key);
    if (value === undefined) return [];
    const label = names.labels[key] ?? labelOfKey(key);
    return [{ key, label, type, text: attributeText(attribute, value, language) }];
  });

export function cardProps(
  card: Shown,
  { language, now }: { readonly language: Language; readonly now: number },
) {
  const { credential } = card.parsed;
  const values = cardValues(card, language);
  const standing = cardStanding(card, now);
  return {
    templateId: credential.credentialSchema.id,
    templateName: card.names.template,
    issuer: { did: credential.issuer, name: card.names.issuer ?? shortDid(credential.issuer).id },
    state: drawnState(standing),
    vcId: credential.id,
    until: Date.parse(credential.validUntil),
    telling: tellingOf(values),
    holder: holderOf(values),
  } satisfies CredentialCardProps;
}
