/** Attacks on revealed values: the proof is an honest one, the values beside it are not. */
import { type Forgery, firstOf, forge, forgery } from '../support/credential-fixtures.ts';
import { smallestPng } from './samples.ts';
import { type Attack, proofFails } from './three-verifiers.ts';

const changes: Readonly<Record<string, Forgery>> = {
  'a changed text': forgery.subject({ fullName: 'Aroha Ngata II' }),
  'a text in another case': forgery.subject({ fullName: 'AROHA NGATA' }),
  'a text with a space at its end': forgery.subject({ fullName: 'Aroha Ngata ' }),
  'a text with a letter of another alphabet': forgery.subject({ fullName: 'Аroha Ngata' }),
  'a changed truth': forgery.subject({ isResident: false }),
  'values of two attributes exchanged': forgery.subject({ fullName: 'NZ', nationality: 'Aroha Ngata' }),
  'the same value for two attributes': forgery.subject({ fullName: 'NZ' }),
  'a value left out': forgery.subject({ nationality: undefined }),
  'two values left out': forgery.subject({ nationality: undefined, isResident: undefined }),
  'a true value added': forgery.subject({ city: 'Dunedin' }),
  'a false value added': forgery.subject({ height: 200 }),
  'a false date added': forgery.subject({ birthDate: '1980-01-01' }),
  'a false amount added': forgery.subject({ income: '1000000' }),
  'a false time added': forgery.subject({ enteredAt: '2001-01-01T00:00:00Z' }),
  'another picture added': forgery.subject({ photo: smallestPng }),
  'a value moved to another attribute': forgery.subject({ city: 'NZ', nationality: undefined }),
  'an optional attribute that the credential lacks': forgery.subject({ remark: 'sworn' }),
  'all values at once': forgery.subject({
    city: 'Dunedin',
    email: 'aroha@example.org',
    documentNumber: 'LK-0042',
    height: 171,
  }),
};

const misspelled: Readonly<Record<string, Forgery>> = {
  'a text in another normal form': forgery.subject({ fullName: 'Aroha Nga\u0301ta' }),
  'an empty text': forgery.subject({ nationality: '' }),
  'a value that is no attribute': forgery.subject({ rank: 'general' }),
  'a truth as a text': forgery.subject({ isResident: 'true' }),
  'a truth as a number': forgery.subject({ isResident: 1 }),
  'a text as a number': forgery.subject({ nationality: 64 }),
  'an amount in another spelling': forgery.subject({ income: '52000.50' }),
  'a time in another zone': forgery.subject({ enteredAt: '2019-08-01T11:30:00+02:00' }),
};

export const revealedValues: readonly Attack[] = [
  ...Object.entries(changes).map(
    ([name, change]): Attack => ({
      name,
      checks: proofFails,
      forge: ({ good, holder }) => forge(good.plain, holder, change),
    }),
  ),
  ...Object.entries(misspelled).map(
    ([name, change]): Attack => ({
      name,
      checks: ['revealedAttributes'],
      forge: ({ good, holder }) => forge(good.plain, holder, change),
    }),
  ),
  {
    name: 'every value left out',
    checks: ['bbsProof'],
    forge: ({ good, holder }) =>
      forge(good.plain, holder, forgery.credential({ credentialSubject: { id: holder.did } })),
  },
  {
    name: "values of the holder's other credential",
    checks: proofFails,
    forge: ({ good, holder }) => forge(good.plain, holder, forgery.subject({ nationality: 'FR' })),
  },
  {
    name: "somebody else's values",
    checks: proofFails,
    forge: ({ good, holder }) => {
      const { id: _theirs, ...values } = firstOf(good.thiefs).credentialSubject;
      return forge(good.plain, holder, forgery.subject(values));
    },
  },
];
