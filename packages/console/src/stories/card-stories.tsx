/** A card through its life, and cards of several issuers and templates. */
import { CredentialCard, type CredentialCardProps } from '../parts/card/credential-card.tsx';
import {
  bank,
  customerTemplate,
  degreeTemplate,
  mira,
  residenceTemplate,
  standingTemplate,
  transcriptTemplate,
  university,
  validUntil,
} from './samples.ts';
import { Story } from './story.tsx';

const issuedBy = ({ id, name }: { readonly id: string; readonly name: string }) => ({
  issuer: { did: id, name },
});

const degree = {
  ...issuedBy(university),
  templateId: degreeTemplate,
  templateName: 'University degree',
  telling: 'BSc Mathematics',
  holder: mira.name,
  until: validUntil,
  badge: 'state',
} as const;

const life: readonly CredentialCardProps[] = [
  { ...degree, state: 'Active' },
  { ...degree, state: 'NotYet' },
  { ...degree, state: 'Suspended' },
  { ...degree, state: 'Expired', until: Date.UTC(2026, 5, 30) },
  { ...degree, state: 'Revoked' },
];

const others: readonly CredentialCardProps[] = [
  {
    ...issuedBy(university),
    templateId: residenceTemplate,
    templateName: 'Proof of residence',
    telling: 'Exampleton',
    holder: mira.name,
    until: validUntil,
    state: 'Active',
  },
  {
    ...issuedBy(university),
    templateId: transcriptTemplate,
    templateName: 'Transcript of records',
    telling: '180 credits',
    holder: mira.name,
    until: validUntil,
    state: 'Active',
  },
  {
    ...issuedBy(bank),
    templateId: customerTemplate,
    templateName: 'Customer since',
    telling: '2019',
    holder: mira.name,
    until: validUntil,
    state: 'Active',
  },
  {
    ...issuedBy(bank),
    templateId: standingTemplate,
    templateName: 'Account standing',
    telling: 'Good',
    holder: 'Oren Example',
    until: validUntil,
    state: 'Active',
  },
];

export function CardsStory() {
  return (
    <Story title="A card through its life">
      <div className="grid four">
        {[...life, ...others].map((card) => (
          <CredentialCard key={`${card.templateId} ${card.state}`} {...card} />
        ))}
      </div>
    </Story>
  );
}
