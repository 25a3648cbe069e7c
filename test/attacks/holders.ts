/** Attacks on who presents, on what a presentation was made for, and on what was asked. */
import { type Forgery, firstOf, forge, forgery, type Question } from '../support/credential-fixtures.ts';
import { type AttackWorld, asJson, birthRange, derive, question, revealAttributes } from './attack-world.ts';
import { type Attack, proofFails } from './three-verifiers.ts';

const claimedBy =
  ({ thief }: AttackWorld): Forgery =>
  (presentation) => {
    presentation.holder = thief.did;
    presentation.proof.verificationMethod = `${thief.did}#controllerKey`;
  };

export const holders: readonly Attack[] = [
  {
    name: 'somebody else signs',
    checks: ['holderSignature'],
    forge: ({ good, thief }) => forge(good.plain, thief),
  },
  {
    name: 'somebody else signs, and says so',
    checks: ['holderSignature'],
    forge: (world) => forge(world.good.plain, world.thief, claimedBy(world)),
  },
  {
    name: "somebody else's key under the holder's name",
    checks: ['holderSignature'],
    forge: ({ good, thief }) =>
      forge(good.plain, thief, forgery.holderProof({ verificationMethod: `${thief.did}#controllerKey` })),
  },
  {
    name: "the holder's key under somebody else's name",
    checks: ['holderSignature'],
    forge: ({ good, thief, holder }) =>
      forge(good.plain, holder, forgery.presentation({ holder: thief.did })),
  },
  {
    name: 'somebody else signs, and is the subject now',
    checks: proofFails,
    forge: (world) =>
      forge(world.good.plain, world.thief, claimedBy(world), forgery.subject({ id: world.thief.did })),
  },
  {
    name: 'the holder presents a subject that is somebody else',
    checks: ['holderSignature'],
    forge: ({ good, holder, thief }) => forge(good.plain, holder, forgery.subject({ id: thief.did })),
  },
  {
    name: 'the issuer is the holder',
    checks: ['holderSignature'],
    forge: ({ good, holder, university }) =>
      forge(good.plain, holder, forgery.presentation({ holder: university.did })),
  },
  {
    name: 'a signature that is no signature',
    checks: ['holderSignature'],
    forge: async ({ good, holder }) => {
      const forged = await forge(good.plain, holder);
      const proof = forged.proof as { jws: string };
      const [header = ''] = proof.jws.split('..');
      return { ...forged, proof: { ...proof, jws: `${header}..${'A'.repeat(86)}` } };
    },
  },
  {
    name: "the signature of the holder's other presentation",
    checks: ['holderSignature'],
    forge: ({ good }) => {
      const { jws } = good.two.proof as { jws: string };
      return { ...good.plain, proof: { ...(good.plain.proof as object), jws } };
    },
  },
  {
    name: 'a key that no holder has',
    checks: ['malformed'],
    forge: ({ good, holder }) =>
      forge(good.plain, holder, forgery.holderProof({ verificationMethod: `${holder.did}#controller` })),
  },
];

const { challenge, domain } = question;
const elsewhere: Question = { challenge: 'another verifier', domain: 'https://other.example' };

const asIs = (name: string, asked: Question): Attack => ({
  name,
  checks: ['challenge'],
  asked,
  forge: ({ good }) => good.bound,
});
const replaced = (name: string, members: Record<string, string | undefined>, asked: Question): Attack => ({
  name,
  checks: proofFails,
  asked,
  forge: ({ good, holder }) => forge(good.bound, holder, forgery.holderProof(members)),
});

export const bindings: readonly Attack[] = [
  asIs("another verifier's challenge", { challenge: 'another verifier', domain }),
  asIs("another verifier's domain", { challenge, domain: 'other.example' }),
  asIs('a domain in another spelling', { challenge, domain: 'https://VERIFIER.example' }),
  asIs('a challenge in another case', { challenge: challenge.toUpperCase(), domain }),
  asIs('no challenge expected', { domain }),
  asIs('no domain expected', { challenge }),
  asIs('neither expected', {}),
  asIs('challenge and domain exchanged', { challenge: domain, domain: challenge }),
  {
    name: 'made for nobody, and both are expected',
    checks: ['challenge'],
    asked: question,
    forge: ({ good }) => good.plain,
  },
  replaced('another challenge, signed again', { challenge: 'another verifier' }, { ...elsewhere, domain }),
  replaced('another domain, signed again', { domain: 'https://other.example' }, { ...elsewhere, challenge }),
  replaced('challenge taken away, signed again', { challenge: undefined }, { domain }),
  replaced('domain taken away, signed again', { domain: undefined }, { challenge }),
  replaced('both taken away, signed again', { challenge: undefined, domain: undefined }, {}),
  {
    name: 'challenge and domain put to what was made for nobody',
    checks: proofFails,
    asked: question,
    forge: ({ good, holder }) => forge(good.plain, holder, forgery.holderProof({ ...question })),
  },
  {
    name: 'an old proof in a new presentation',
    checks: proofFails,
    asked: elsewhere,
    forge: async (world) => {
      const { good, holder, credentials } = world;
      const order = { vc: asJson(credentials.first), revealAttributes, ...elsewhere };
      const fresh = await derive(world, holder, order);
      return forge(fresh, holder, forgery.credential({ proof: firstOf(good.bound).proof }));
    },
  },
  {
    name: 'another time of signing, with another time of derivation',
    checks: proofFails,
    asked: question,
    forge: ({ good, holder }) =>
      forge(
        good.bound,
        holder,
        forgery.holderProof({ created: '2026-01-01T00:00:00Z' }),
        forgery.proof({ created: '2026-01-01T00:00:00Z' }),
      ),
  },
];

const asking = (name: string, request: Question['request']): Attack => ({
  name,
  checks: ['disclosure'],
  asked: { request },
  forge: ({ good }) => good.ranged,
});

export const disclosures: readonly Attack[] = [
  asking('less is asked than is shown', {
    revealAttributes: ['fullName', 'nationality'],
    rangeProof: birthRange,
  }),
  asking('more is asked than is shown', {
    revealAttributes: [...revealAttributes, 'city'],
    rangeProof: birthRange,
  }),
  asking('a stricter range is asked', {
    revealAttributes,
    rangeProof: { attribute: 'birthDate', max: '2000-01-01' },
  }),
  asking('a range of another attribute is asked', {
    revealAttributes,
    rangeProof: { attribute: 'height', min: 1 },
  }),
  asking('a value is asked of which a range is shown', {
    revealAttributes: [...revealAttributes, 'birthDate'],
  }),
  asking('two credentials are asked', [
    { revealAttributes, rangeProof: birthRange },
    { revealAttributes: ['city'] },
  ]),
];
