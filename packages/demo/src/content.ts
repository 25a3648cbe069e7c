/**
 * What the demo's university has to offer: templates, credentials and a token, the same on every machine. Names and
 * values are made up. Identifiers of templates follow from issuer and name, so they are the same everywhere, too.
 */
import { type AttributeFormat, attributeTypeOfFormat } from '@symbolon/core/attributes/attribute-formats';
import { attributeTypeCodes } from '@symbolon/core/documents/model';
import type { DemoRole } from './people.ts';

const attribute = (key: string, label: string, format: AttributeFormat) => ({
  key,
  attribute: label,
  format,
  type: attributeTypeCodes[attributeTypeOfFormat[format]],
  mandatory: true,
});

export interface DemoTemplate {
  readonly name: string;
  readonly version: string;
  readonly attributes: readonly ReturnType<typeof attribute>[];
  /** Of one that is sold at once to whoever pays: how many units of the token. */
  readonly price?: string;
}

export const demoTemplates = {
  degree: {
    name: 'University degree',
    version: '1.0.0',
    attributes: [
      attribute('name', 'Name', 'string'),
      attribute('birthDate', 'Date of birth', 'date'),
      attribute('studentNumber', 'Student number', 'string'),
      attribute('degree', 'Degree', 'string'),
      attribute('faculty', 'Faculty', 'string'),
      attribute('grade', 'Final grade', 'decimal'),
      attribute('graduatedOn', 'Graduated on', 'date'),
    ],
  },
  residence: {
    name: 'Proof of residence',
    version: '1.0.0',
    attributes: [
      attribute('name', 'Name', 'string'),
      attribute('birthDate', 'Date of birth', 'date'),
      attribute('street', 'Street', 'string'),
      attribute('city', 'City', 'string'),
      attribute('country', 'Country', 'string'),
      attribute('residentSince', 'Resident since', 'date'),
    ],
  },
  transcript: {
    name: 'Transcript of records',
    version: '1.0.0',
    price: '250',
    attributes: [
      attribute('name', 'Name', 'string'),
      attribute('studentNumber', 'Student number', 'string'),
      attribute('credits', 'Credits', 'integer'),
    ],
  },
} as const satisfies Readonly<Record<string, DemoTemplate>>;
export type DemoTemplateName = keyof typeof demoTemplates;

export interface DemoCredential {
  readonly template: DemoTemplateName;
  readonly holder: DemoRole;
  readonly title: string;
  readonly values: Readonly<Record<string, string>>;
  readonly isRevoked: boolean;
}

export const demoCredentials: readonly DemoCredential[] = [
  {
    template: 'degree',
    holder: 'holder',
    title: "Mira's university degree",
    values: {
      name: 'Mira Example',
      birthDate: '1999-04-12',
      studentNumber: 'EX-20417',
      degree: 'BSc Mathematics',
      faculty: 'Science',
      grade: '1.70',
      graduatedOn: '2024-07-05',
    },
    isRevoked: false,
  },
  {
    template: 'residence',
    holder: 'holder',
    title: "Mira's proof of residence",
    values: {
      name: 'Mira Example',
      birthDate: '1999-04-12',
      street: '12 Harbour Lane',
      city: 'Exampleton',
      country: 'Exampleland',
      residentSince: '2018-09-01',
    },
    isRevoked: false,
  },
  {
    template: 'degree',
    holder: 'holder2',
    title: "Oren's university degree",
    values: {
      name: 'Oren Example',
      birthDate: '2001-11-30',
      studentNumber: 'EX-20983',
      degree: 'MA History',
      faculty: 'Humanities',
      grade: '2.30',
      graduatedOn: '2025-02-14',
    },
    isRevoked: true,
  },
];

/** Amounts in the smallest unit, but the supply, which the contract counts in whole tokens. */
export const demoToken = {
  name: 'Example coin',
  symbol: 'EXC',
  decimals: 2,
  supply: '1000000',
  grants: { holder: '100000', holder2: '100000' },
} as const;

/** When everything of the demo that expires does so: at the end of a last day, as whatever is issued in the console. */
export const demoEnd = '2099-12-31T23:59:59Z';
