/** Attacks on proved ranges, by both methods. */
import type { JsonObject } from '@symbolon/wire/json/json';
import { type Forgery, firstOf, forge, forgery } from '../support/credential-fixtures.ts';
import { asJson, birthRange, derive, type GoodPresentations, revealAttributes } from './attack-world.ts';
import { type Attack, proofFails } from './three-verifiers.ts';

const claiming = (...ranges: JsonObject[]): Forgery => forgery.proof({ ranges });
const removed = forgery.proof({ ranges: undefined, rangeMethod: undefined, rangeParameters: undefined });

const changes: Readonly<Record<string, Forgery>> = {
  'moved by a day': claiming({ attribute: 'birthDate', max: '2008-11-14' }),
  widened: claiming({ attribute: 'birthDate', max: '2020-01-01' }),
  'narrowed from the other side': claiming({ ...birthRange, min: '1990-01-01' }),
  'turned around': claiming({ attribute: 'birthDate', min: '2008-11-15' }),
  'about another attribute': claiming({ attribute: 'height', max: 200 }),
  'about an amount': claiming({ attribute: 'income', min: '100000' }),
  'about a time instead of a date': claiming({ attribute: 'enteredAt', max: '2020-01-01T00:00:00Z' }),
  'with a second one': claiming(birthRange, { attribute: 'height', min: 170 }),
  removed,
  'removed, with an invented value in its place': (all, credential) => {
    removed(all, credential);
    forgery.subject({ birthDate: '1980-01-01' })(all, credential);
  },
};

const invalid: Readonly<Record<string, Forgery>> = {
  'about a value that is shown': forgery.subject({ birthDate: '1990-05-17' }),
  'about no attribute': claiming({ attribute: 'rank', min: 1 }),
  'about a text': claiming({ attribute: 'city', min: 'A' }),
  'twice for one attribute': claiming(birthRange, birthRange),
  'in a spelling that is not the one': claiming({ attribute: 'birthDate', max: '2008-11-15T00:00:00Z' }),
};

function both(
  name: string,
  forgeOf: (of: keyof GoodPresentations) => Attack['forge'],
  checks: readonly string[],
) {
  return (['ranged', 'membership'] as const).map(
    (of): Attack => ({ name: `a range ${name}, ${of}`, checks, forge: forgeOf(of) }),
  );
}

const alike = (table: Readonly<Record<string, Forgery>>, checks: readonly string[]): readonly Attack[] =>
  Object.entries(table).flatMap(([name, change]) =>
    both(
      name,
      (of) =>
        ({ good, holder }) =>
          forge(good[of], holder, change),
      checks,
    ),
  );

const single: readonly Attack[] = [
  {
    name: 'a range added where none was proved',
    checks: proofFails,
    forge: ({ good, holder }) =>
      forge(good.plain, holder, forgery.proof({ ranges: [birthRange], rangeMethod: 'bulletproofs' })),
  },
  {
    name: 'a true range that was not proved for this holder, claimed narrower',
    checks: proofFails,
    forge: async (world) => {
      const truth = { attribute: 'birthDate', max: '2008-11-16' };
      const vc = asJson(world.credentials.thiefs);
      const order = { vc, revealAttributes, rangeProof: truth, rangeParameters: world.setMembership };
      return forge(await derive(world, world.thief, order), world.thief, claiming(birthRange));
    },
  },
  {
    name: "an older relative's range proof, pasted in",
    checks: proofFails,
    forge: ({ good, thief }) =>
      forge(good.thiefs, thief, forgery.credential({ proof: firstOf(good.ranged).proof })),
  },
  {
    name: 'a range proved with parameters that the verifier did not make',
    checks: ['bbsProof'],
    forge: async (world) => {
      const parameters = await world.engine.makeRangeParameters();
      const order = { vc: asJson(world.credentials.first), revealAttributes, rangeProof: birthRange };
      return derive(world, world.holder, {
        ...order,
        rangeParameters: { method: 'set-membership', parameters },
      });
    },
  },
  {
    name: "a range proved with other parameters, named as the verifier's",
    checks: proofFails,
    forge: async (world) => {
      const parameters = await world.engine.makeRangeParameters();
      const order = { vc: asJson(world.credentials.first), revealAttributes, rangeProof: birthRange };
      const own = await derive(world, world.holder, {
        ...order,
        rangeParameters: { method: 'set-membership', parameters },
      });
      const { rangeParameters } = firstOf(world.good.membership).proof;
      return forge(own, world.holder, forgery.proof({ rangeParameters }));
    },
  },
  {
    name: 'a bulletproof that is called set membership',
    checks: ['bbsProof'],
    forge: ({ good, holder }) => forge(good.ranged, holder, forgery.proof({ rangeMethod: 'set-membership' })),
  },
  {
    name: "a bulletproof that is called set membership with the verifier's parameters",
    checks: proofFails,
    forge: ({ good, holder }) => {
      const { rangeMethod, rangeParameters } = firstOf(good.membership).proof;
      return forge(good.ranged, holder, forgery.proof({ rangeMethod, rangeParameters }));
    },
  },
  {
    name: 'set membership that is called a bulletproof',
    checks: proofFails,
    forge: ({ good, holder }) =>
      forge(
        good.membership,
        holder,
        forgery.proof({ rangeMethod: 'bulletproofs', rangeParameters: undefined }),
      ),
  },
  {
    name: 'parameters named without a range',
    checks: ['bbsProof'],
    forge: ({ good, holder }) => {
      const { rangeParameters } = firstOf(good.membership).proof;
      return forge(good.plain, holder, forgery.proof({ rangeParameters }));
    },
  },
];

export const ranges: readonly Attack[] = [
  ...alike(changes, proofFails),
  ...alike(invalid, ['bbsProof']),
  ...single,
];
