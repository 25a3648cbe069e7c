/**
 * Conditions as verifiers of other dialects spell them, by table: wherever a verifier says what it expects, a name that
 * is not known is refused, and the answer names one that is. None is dropped.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { extendedRoutes } from '../credentials/extended-routes.ts';
import { credentialRoutes } from '../credentials/routes.ts';
import { type ArrivedRequest, readServiceRequest, type ServiceRoute } from '../http/service-route.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { parseDcql } from '../sessions/dcql-query.ts';
import { verificationRoutes } from '../sessions/routes.ts';

const did = `did:zid:${'01'.repeat(32)}`;
const vp = { type: ['VerifiablePresentation'] };
const vc = { id: did };
const claim = { path: ['credentialSubject', 'x'] };

interface Place {
  /** Where the member is put, and where the complaint about it must point. */
  readonly pointer: string;
  readonly read: (member: JsonObject) => unknown;
  /** The foreign name, and the name of ours that the answer must hold. */
  readonly names: Readonly<Record<string, string>>;
}

const reading =
  (route: ServiceRoute, arrived: (member: JsonObject) => ArrivedRequest) =>
  (member: JsonObject): unknown =>
    readServiceRequest(route, arrived(member));
const { verifyPresentation, createPresentation } = credentialRoutes;
const { requestVerification } = verificationRoutes;
const { verifySavedPresentation, createExtendedPresentation } = extendedRoutes;
const verifying = (request: (member: JsonObject) => JsonValue) =>
  reading(verifyPresentation, (member) => ({ body: { vp, request: request(member) } }));
const dcql = (query: (member: JsonObject) => JsonObject) =>
  reading(requestVerification, (member) => ({ body: { requirements: query(member) } }));
const asking = (credential: JsonObject, more: JsonObject = {}): JsonObject => ({
  credentials: [{ id: 'a', ...credential }],
  ...more,
});

const disclosureNames = {
  rangeProofs: 'rangeProof',
  range_proof: 'rangeProof',
  ranges: 'rangeProof',
  predicates: 'rangeProof',
  ages: 'age',
  minAge: 'age',
  revealedAttributes: 'revealAttributes',
  reveal_attributes: 'revealAttributes',
  attributes: 'revealAttributes',
  fields: 'revealAttributes',
  limit_disclosure: 'revealAttributes',
};
const bindingNames = {
  nonce: 'challenge',
  challange: 'challenge',
  expectedChallenge: 'challenge',
  expected_challenge: 'challenge',
  audience: 'domain',
  expectedDomain: 'domain',
  origin: 'domain',
};
const rangeNames = {
  minimum: 'min',
  maximum: 'max',
  gte: 'min',
  lte: 'max',
  min_value: 'minValue',
  name: 'key',
};

const places: Readonly<Record<string, Place>> = {
  'vp/verify': {
    pointer: '',
    read: reading(verifyPresentation, (member) => ({ body: { vp, ...member } })),
    names: {
      ...bindingNames,
      requests: 'request',
      requested: 'request',
      rangeProof: 'request',
      rangeProofs: 'request',
      revealAttributes: 'request',
      age: 'request',
      ages: 'request',
      minAge: 'request',
      presentation_definition: 'request',
      dcql_query: 'request',
      requirements: 'request',
      options: 'challenge',
      verifiablePresentation: 'vp',
    },
  },
  'vp/verify in the address': {
    pointer: '/query',
    read: reading(verifyPresentation, (member) => ({
      body: { vp },
      query: Object.fromEntries(Object.keys(member).map((name) => [name, 'x'])),
    })),
    names: { challenge: '', domain: '', trustedIssuers: '' },
  },
  'request of vp/verify': {
    pointer: '/request',
    read: verifying((member) => ({ revealAttributes: ['a'], ...member })),
    names: { ...disclosureNames, challenge: 'revealAttributes', trusted_issuers: 'revealAttributes' },
  },
  'one of several requests of vp/verify': {
    pointer: '/request/1',
    read: verifying((member) => [{ revealAttributes: ['a'] }, member]),
    names: disclosureNames,
  },
  'a range of a request': {
    pointer: '/request/rangeProof',
    read: verifying((member) => ({ rangeProof: { attribute: 'a', max: 3, ...member } })),
    names: { ...rangeNames, minAge: 'min', bits: 'attribute', domain: 'attribute' },
  },
  'a range in a list of a request': {
    pointer: '/request/rangeProof/0',
    read: verifying((member) => ({ rangeProof: [{ attribute: 'a', max: 3, ...member }] })),
    names: rangeNames,
  },
  'ranges in columns of a request': {
    pointer: '/request/rangeProof',
    read: verifying((member) => ({ rangeProof: { attributes: ['a'], maxValues: [3], ...member } })),
    names: { minimums: 'minValues', min_values: 'minValues', mins: 'minValues', bits: 'attributes' },
  },
  'an age of a request': {
    pointer: '/request/age',
    read: verifying((member) => ({ age: { attribute: 'born', maxAge: 90, ...member } })),
    names: { min: 'minAge', min_age: 'minAge', minimumAge: 'minAge', over: 'minAge', max: 'maxAge' },
  },
  'vp/create': {
    pointer: '',
    read: reading(createPresentation, (member) => ({ body: { vc, ...member } })),
    names: { ...disclosureNames, ...bindingNames, range_method: 'rangeMethod' },
  },
  'one of several credentials of vp/create': {
    pointer: '/vcs/0',
    read: reading(createPresentation, (member) => ({ body: { vcs: [{ vc, ...member }] } })),
    names: disclosureNames,
  },
  'vp/ext/create': {
    pointer: '',
    read: reading(createExtendedPresentation, (member) => ({ body: { vc, ...member } })),
    names: { ...disclosureNames, ...bindingNames },
  },
  'a kept presentation': {
    pointer: '/query',
    read: reading(verifySavedPresentation, (member) => ({
      query: {
        id: `v2-${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`,
        ...Object.fromEntries(Object.keys(member).map((name) => [name, 'x'])),
      },
    })),
    names: { ...bindingNames, request: 'challenge', revealAttributes: 'challenge' },
  },
  'a session': {
    pointer: '',
    read: reading(requestVerification, (member) => ({ body: { requirements: asking({}), ...member } })),
    names: {
      trustedIssuer: 'trustedIssuers',
      allowed_issuers: 'trustedIssuers',
      acceptedIssuers: 'trustedIssuers',
      trusted_authorities: 'trustedIssuers',
      issuer: 'trustedIssuers',
      dcql_query: 'requirements',
      presentation_definition: 'requirements',
      credentials: 'requirements',
      request: 'requirements',
      callback_url: 'callbackUrl',
      state: 'stateId',
      expiration_minutes: 'expirationMinutes',
      expiresIn: 'expirationMinutes',
      nonce: 'requirements',
      challenge: 'requirements',
    },
  },
  'a session in the address': {
    pointer: '/query',
    read: reading(requestVerification, (member) => ({
      body: { requirements: asking({}) },
      query: Object.fromEntries(Object.keys(member).map((name) => [name, 'x'])),
    })),
    names: { trusted_issuers: '' },
  },
  'the query of a session': {
    pointer: '/requirements',
    read: dcql((member) => asking({}, member)),
    names: {
      allowed_issuers: 'trusted_issuers',
      acceptedIssuers: 'trusted_issuers',
      trusted_authorities: 'trusted_issuers',
      credentialSets: 'credential_sets',
      credential: 'credentials',
      input_descriptors: 'credentials',
      nonce: 'credentials',
      submission_requirements: 'credential_sets',
    },
  },
  'the query in its wrapper': {
    pointer: '/requirements/query',
    read: dcql((member) => ({ requirementsId: 'r', query: asking({}, member) })),
    names: { allowed_issuers: 'trusted_issuers', credentialSets: 'credential_sets' },
  },
  'the wrapper of a query': {
    pointer: '/requirements',
    read: dcql((member) => ({ requirementsId: 'r', query: asking({}), ...member })),
    names: { minimumAge: 'query', credentials: 'query', allowed_issuers: 'query' },
  },
  'a credential of a query': {
    pointer: '/requirements/credentials/0',
    read: dcql((member) => asking(member)),
    names: {
      claim_sets: 'claims',
      claimSets: 'claims',
      trusted_authorities: 'trusted_issuers',
      allowed_issuers: 'trusted_issuers',
      issuer: 'trusted_issuers',
      multiple: 'claims',
      require_cryptographic_holder_binding: 'claims',
      constraints: 'claims',
      limit_disclosure: 'claims',
      schema: 'credentialType',
      type: 'credentialType',
      vct_values: 'meta',
      type_values: 'meta',
      template: 'id',
    },
  },
  'meta of a credential': {
    pointer: '/requirements/credentials/0/meta',
    read: dcql((member) => asking({ meta: member })),
    names: {
      doctype_value: 'type_values',
      vct: 'vct_values',
      vctValues: 'vct_values',
      types: 'type_values',
      credentialType: 'type_values',
      template_values: 'type_values',
    },
  },
  'a claim': {
    pointer: '/requirements/credentials/0/claims/0',
    read: dcql((member) => asking({ claims: [{ ...claim, ...member }] })),
    names: {
      value: 'values',
      minimum: 'constraints',
      const: 'values',
      range: 'constraints',
      constraint: 'constraints',
      predicate: 'constraints',
      optional: 'required',
      intent_to_retain: 'path',
      claim_name: 'path',
      namespace: 'path',
    },
  },
  'constraints of a claim': {
    pointer: '/requirements/credentials/0/claims/0/constraints',
    read: dcql((member) => asking({ claims: [{ ...claim, constraints: { maximum: 9, ...member } }] })),
    names: {
      min: 'minimum',
      gte: 'minimum',
      exclusiveMinimum: 'minimum',
      exclusiveMaximum: 'maximum',
      fields: 'enum',
      values: 'enum',
      equals: 'const',
      regex: 'pattern',
      format: 'type',
      minLength: 'pattern',
      not: 'enum',
      formatMinimum: 'minimum',
    },
  },
  'a set of a query': {
    pointer: '/requirements/credential_sets/0',
    read: dcql((member) => asking({}, { credential_sets: [{ options: [['a']], ...member }] })),
    names: { optional: 'required', count: 'options', multiple: 'options', pick: 'options' },
  },
};

/** What is wrong in the answer to a foreign name, if anything. */
function complaintAbout({ pointer, read }: Place, name: string, ours: string): string | undefined {
  try {
    read({ [name]: 'x' });
    return 'was dropped';
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.status !== 400) return `was answered ${error.status}`;
    const found = error.errors.find((one) => one.pointer === `${pointer}/${name}`);
    if (!found) return `was not pointed at: ${JSON.stringify(error.errors)}`;
    if (!found.detail.startsWith(`"${name}" is not known here`)) return `was told "${found.detail}"`;
    return ours === '' || found.detail.includes(`"${ours}"`) ? undefined : `was told "${found.detail}"`;
  }
}

describe('a condition that is not understood is refused, with the name that is', () => {
  for (const [what, place] of Object.entries(places))
    test(what, () => {
      const wrong = Object.entries(place.names).flatMap(([name, ours]) => {
        const complaint = complaintAbout(place, name, ours);
        return complaint === undefined ? [] : [`${name} ${complaint}`];
      });
      assert.deepEqual(wrong, []);
    });

  test('however many there are and however long, the answer stays short', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => [`condition${index}`, 1]);
    for (const members of [Object.fromEntries(many), { ['x'.repeat(1_000_000)]: 1 }])
      for (const read of [places['vp/verify'].read, places['request of vp/verify'].read])
        assert.throws(
          () => read(members),
          (error: unknown) =>
            error instanceof Fault &&
            error.errors.length <= 20 &&
            JSON.stringify(error.errors).length < 10_000,
        );
  });

  test('the table is long enough to mean something', () => {
    const spellings = new Set(Object.values(places).flatMap(({ names }) => Object.keys(names)));
    assert.ok(spellings.size >= 60, `${spellings.size} spellings`);
  });
});

describe('null is no condition', () => {
  const isRefused = (read: () => unknown) =>
    assert.throws(read, (error: unknown) => error instanceof Fault && error.status === 400);

  test('of a verifier, whatever it stands for', () => {
    for (const name of ['challenge', 'domain', 'request'])
      isRefused(() => readServiceRequest(verifyPresentation, { body: { vp, [name]: null } }));
    for (const name of ['revealAttributes', 'revealAttribute', 'rangeProof', 'age'])
      isRefused(() => readServiceRequest(verifyPresentation, { body: { vp, request: { [name]: null } } }));
    const range = { attribute: 'a', max: 3 };
    for (const name of ['min', 'minValue', 'key'])
      isRefused(() =>
        readServiceRequest(verifyPresentation, {
          body: { vp, request: { rangeProof: { ...range, [name]: null } } },
        }),
      );
    const requirements = asking({});
    for (const name of ['trusted_issuers', 'issuers'])
      isRefused(() => readServiceRequest(requestVerification, { body: { requirements, [name]: null } }));
    for (const query of [
      asking({}, { trusted_issuers: null }),
      asking({}, { credential_sets: null }),
      asking({ claims: null }),
      asking({ credentialType: null }),
      asking({ meta: { type_values: null } }),
      asking({ claims: [{ ...claim, constraints: null }] }),
    ])
      isRefused(() => parseDcql(query, ''));
  });

  test('and no harm where typed clients send it beside their wishes', () => {
    const order = { requirements: asking({}), callbackUrl: null, stateId: null, expirationMinutes: null };
    readServiceRequest(requestVerification, { body: order });
    const wishes = { vc, revealAttribute: null, rangeProof: null, challenge: null, domain: null };
    readServiceRequest(createPresentation, { body: wishes });
  });
});

describe('what the family sends beside its wishes', () => {
  test('is known and says nothing', () => {
    const keys = { bbsPublicKey: 'z1', ed25519PubKey: 'b001' };
    readServiceRequest(createPresentation, { body: { vc, revealAttribute: ['a'], ...keys } });
    readServiceRequest(createExtendedPresentation, { body: { vc, revealAttributes: ['a'], ...keys } });
    const columns = { attributes: ['a'], minValues: [1], maxValues: [0], bits: 32, domain: 'zetrix-vc' };
    readServiceRequest(createPresentation, { body: { vc, rangeProof: columns } });
  });
});
