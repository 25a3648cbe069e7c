/** Facts that prove themselves: collected from a real node whose blocks a made-up network signs, then changed. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { addressOfDid } from '@symbolon/core/did/did';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import type { LightBlock } from '@symbolon/core/light/light-block';
import { testValidator } from '@symbolon/core/light/testing/made-up-chain';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import type { SdkErrorCode } from '../errors/error-words.ts';
import { SdkError } from '../errors/errors.ts';
import { fetchProvenFacts } from '../flows/proven-facts-flow.ts';
import { signFacts } from '../flows/verifier-flows.ts';
import { didOfSigner, type Signer } from '../keys/signer.ts';
import { createLightClient } from '../light/light-client.ts';
import { LightBlockRefused } from '../light/light-errors.ts';
import { proveCredentialStatus, proveTemplate } from '../light/proven-records.ts';
import { anchorOf, openTestNetwork, showing } from '../testing/test-network.test.ts';
import { sendTransaction } from '../transactions/transactions.ts';
import { type CollectedFacts, factsForm, type OfflineFacts } from './collected-facts.ts';
import type { FactsSource } from './ledger-source.ts';
import { verifyPresentationOffline } from './offline-verification.ts';
import { type ProvenTrust, provenFrom } from './proven-facts.ts';

const keyFormat = createKeyFormat(zetrixProfile, sha256);
const vcId = `did:zid:${'ab'.repeat(32)}`;
const templateId = `did:zid:${'cd'.repeat(32)}`;
const four = ['ann', 'ben', 'cem', 'dot'].map((name) => testValidator(name, 10n));

const entryText = (status: string): string =>
  JSON.stringify({
    status,
    digest: '11'.repeat(32),
    commitment: '22'.repeat(48),
    template: templateId,
    templateVersion: '1',
    validFrom: '2026-01-01T00:00:00Z',
    validUntil: '2030-01-01T00:00:00Z',
    issuedAt: 1_790_000_000_000_000,
    changedAt: 1_790_000_000_000_000,
    changedIn: 3,
  });

const templateText = (issuer: string): string =>
  JSON.stringify({
    templateId,
    templateName: 'Library card',
    version: '1',
    issuerZid: issuer,
    applyFormat: '[]',
    issuer: 'x',
    versionCount: 1,
    createdAt: 1,
    changedAt: 1,
  });

interface World {
  readonly registry: string;
  readonly issuer: string;
  readonly facts: CollectedFacts;
  readonly network: ProvenTrust;
  readonly nowMs: number;
  readonly collector: Signer;
  readonly light: ReturnType<typeof createLightClient>;
}

/** An account stands for both registries: what they hold is metadata, and who may write it is another matter. */
async function openWorld(t: TestContext, status = 'revoked'): Promise<World> {
  const network = await openTestNetwork(t, { setAt: () => four });
  const issuerSigner = await network.fund();
  const registry = await network.fund();
  const issuer = didOfSigner(issuerSigner);
  const values: readonly [string, string][] = [
    ['settings', JSON.stringify({ templateRegistry: registry.address })],
    [`credential__${issuerSigner.address}__${vcId}`, entryText(status)],
    [`template__${templateId}`, templateText(issuer)],
    [`template__${templateId}__1`, templateText(issuer)],
  ];
  const operations = values.map(([key, value]) => ({ setMetadata: { key, value } }));
  await sendTransaction(network.client, { signers: [registry], operations }, { pollIntervalMs: 2 });
  const blocks = await network.sign();
  const trust = { anchor: anchorOf(blocks[0] as LightBlock), trustingPeriodMs: 7_200_000 };
  const node = showing(network.transport, () => blocks);
  const light = createLightClient({ ...trust, nodes: [node], now: () => network.nowMs, waitMs: 0 });
  // A service that says that the credential is good, whatever the ledger says.
  const source: FactsSource = {
    resolveDid: async ({ did }) => ({ didDocument: { id: did }, didDocumentMetadata: {} }) as JsonObject,
    getCredentialStatus: async (asked) =>
      ({ vcId: asked.vcId, issuer, status: 'Active', changedAt: null, txHash: null }) as never,
  };
  const order = { issuer, vcIds: [vcId], now: network.nowMs, basis: { node: 'here' }, light };
  const facts = await fetchProvenFacts(source, { ...order, registry: registry.address });
  const { nowMs } = network;
  const known = { ...trust, registry: registry.address };
  return { registry: registry.address, issuer, facts, network: known, nowMs, collector: issuerSigner, light };
}

const expected = ({ network, nowMs }: World) => ({ network, now: nowMs, profile: zetrixProfile });

const withProvenStatuses = (
  facts: OfflineFacts,
  { network, ...terms }: ReturnType<typeof expected> & { readonly maxAgeSeconds?: number },
): Promise<OfflineFacts> => provenFrom(network)(facts, terms);

const fails = (code: SdkErrorCode) => (error: unknown) => {
  assert.ok(error instanceof SdkError, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

describe('facts with proofs', () => {
  test('say what the ledger holds, whatever the service said', async (t) => {
    const world = await openWorld(t);
    const read = JSON.parse(JSON.stringify(world.facts)) as OfflineFacts;
    const { statuses } = await withProvenStatuses(read, expected(world));
    assert.deepEqual(statuses, world.facts.statuses);
    const [known] = statuses;
    assert.equal(known?.status, 'Revoked');
    assert.equal(known?.record?.registry, world.registry);
    assert.equal(known?.record?.template?.name, 'Library card');
  });

  test('count as they are proven, not as they are told', async (t) => {
    const world = await openWorld(t);
    const [known] = world.facts.statuses;
    assert.ok(known?.record?.template);
    const told = { ...known, status: 'Active' as const, record: { ...known.record, commitment: null } };
    const facts = { ...world.facts, statuses: [told] };
    assert.deepEqual((await withProvenStatuses(facts, expected(world))).statuses, world.facts.statuses);
  });

  test('can be signed, and are then bound with their proofs', async (t) => {
    const world = await openWorld(t);
    const signed = await signFacts(world.facts, world.collector);
    const ask = (facts: OfflineFacts) =>
      verifyPresentationOffline({}, { facts, takenFrom: [world.issuer], now: world.nowMs });
    // The presentation is none: the facts were taken.
    await assert.rejects(ask(signed), { name: 'Fault' });
    const { proofs: _, ...without } = signed;
    await assert.rejects(ask(without), fails('factsNotTrusted'));
  });

  test('of a registry are read with a light client alone, too', async (t) => {
    const { light, registry, issuer } = await openWorld(t, 'suspended');
    const { record } = await proveCredentialStatus(light, { registry, issuer, vcId });
    assert.equal(record?.status, 'suspended');
    assert.equal(
      (await proveTemplate(light, { registry, id: templateId })).record?.template.name,
      'Library card',
    );
    const never = await proveCredentialStatus(light, { registry, issuer, vcId: 'never' });
    assert.deepEqual([never.record, never.proof.entry], [undefined, undefined]);
    assert.equal((await proveTemplate(light, { registry, id: templateId, version: '9' })).record, undefined);
    const nobody = { registry, issuer: 'nobody', vcId };
    await assert.rejects(proveCredentialStatus(light, nobody), fails('invalidArgument'));
  });
});

describe('facts that do not prove what they say are refused by who has an anchor', () => {
  const withProofs = (facts: OfflineFacts, change: Partial<NonNullable<OfflineFacts['proofs']>>) => ({
    ...facts,
    proofs: { ...(facts.proofs as NonNullable<OfflineFacts['proofs']>), ...change },
  });
  const changedState = (facts: OfflineFacts, change: JsonObject): OfflineFacts =>
    withProofs(facts, {
      states: (facts.proofs?.states ?? []).map((state) => {
        const reply = state as { result: JsonObject };
        return { ...reply, result: { ...reply.result, ...change } } as JsonValue;
      }),
    });
  const cases: readonly [string, (facts: OfflineFacts) => OfflineFacts, SdkErrorCode][] = [
    ['without proofs', ({ proofs: _, ...facts }) => facts, 'factsNotProven'],
    ['without blocks', (facts) => withProofs(facts, { chain: [] }), 'proofInvalid'],
    [
      'without the last block',
      (facts) => withProofs(facts, { chain: facts.proofs?.chain.slice(0, 1) ?? [] }),
      'factsNotProven',
    ],
    ['without states', (facts) => withProofs(facts, { states: [] }), 'factsNotProven'],
    [
      'with one state too few',
      (facts) => withProofs(facts, { states: facts.proofs?.states.slice(1) ?? [] }),
      'factsNotProven',
    ],
    [
      'with two states of one entry',
      (facts) =>
        withProofs(facts, { states: [...(facts.proofs?.states ?? []), facts.proofs?.states[0] ?? null] }),
      'factsNotProven',
    ],
    [
      'with more states than are verified',
      (facts) => withProofs(facts, { states: Array(4_001).fill({}) }),
      'factsNotProven',
    ],
    ['with states that are none', (facts) => withProofs(facts, { states: [null] }), 'factsNotProven'],
    ['with blocks that are none', (facts) => withProofs(facts, { chain: ['block'] }), 'unexpectedReply'],
    [
      'with more blocks than are verified',
      (facts) => withProofs(facts, { chain: Array(101).fill({}) }),
      'proofInvalid',
    ],
    ['with another value', (facts) => changedState(facts, { value: '00' }), 'proofInvalid'],
    ['with no value', (facts) => changedState(facts, { value: null }), 'proofInvalid'],
    ['of another entry', (facts) => changedState(facts, { state_key: 'account/nobody' }), 'proofInvalid'],
    [
      'about another credential',
      (facts) => ({ ...facts, statuses: facts.statuses.map((one) => ({ ...one, vcId: 'other' })) }),
      'factsNotProven',
    ],
    [
      'about another issuer',
      (facts) => ({ ...facts, statuses: facts.statuses.map((one) => ({ ...one, issuer: 'other' })) }),
      'factsNotProven',
    ],
  ];
  for (const [what, change, code] of cases)
    test(what, async (t) => {
      const world = await openWorld(t);
      await assert.rejects(withProvenStatuses(change(world.facts), expected(world)), fails(code));
    });

  test('of an account that is not the registry, whatever it says it has recorded', async (t) => {
    const world = await openWorld(t, 'active');
    const network = { ...world.network, registry: addressOfDid(world.issuer, keyFormat) as string };
    await assert.rejects(
      withProvenStatuses(world.facts, { ...expected(world), network }),
      fails('factsNotProven'),
    );
    const { registry: _, ...unnamed } = world.network;
    assert.throws(() => provenFrom(unnamed as never), fails('invalidArgument'));
  });

  test('from another anchor, or when trust or what is proven is too old', async (t) => {
    const world = await openWorld(t);
    const { facts, network, nowMs } = world;
    const other = { ...network, anchor: { ...network.anchor, hash: '11'.repeat(32) } };
    await assert.rejects(
      withProvenStatuses(facts, { ...expected(world), network: other }),
      LightBlockRefused,
    );
    const late = { ...expected(world), now: nowMs + 7_200_000 };
    await assert.rejects(withProvenStatuses(facts, late), LightBlockRefused);
    const strict = { ...expected(world), maxAgeSeconds: 60 };
    await assert.rejects(withProvenStatuses(facts, strict), fails('factsStale'));
  });

  test('by verifyPresentationOffline as well, and only if it has an anchor', async (t) => {
    const { network, nowMs, facts } = await openWorld(t);
    const { proofs: _, ...bare } = facts;
    const prover = provenFrom(network);
    const question = { facts: bare, takenFrom: 'self', now: nowMs } as const;
    const wrong = { ...question, prover: network } as never;
    await assert.rejects(verifyPresentationOffline({}, wrong), fails('invalidArgument'));
    assert.throws(() => provenFrom({ anchor: network.anchor, period: 1 } as never), fails('invalidArgument'));
    await assert.rejects(verifyPresentationOffline({}, { ...question, prover }), fails('factsNotProven'));
    await assert.rejects(verifyPresentationOffline({}, question), { name: 'Fault' });
    await assert.rejects(verifyPresentationOffline({}, { ...question, facts, prover }), { name: 'Fault' });
  });

  test('a document with more in its proofs than proofs is none', async () => {
    const bare = {
      form: factsForm,
      fetchedAt: instantTextOfUnixMs(0),
      issuerKeys: [],
      statuses: [],
    } as const;
    for (const proofs of [{ chain: [] }, { chain: [], states: [], anchor: {} }, []] as never[])
      await assert.rejects(
        verifyPresentationOffline({}, { facts: { ...bare, proofs }, takenFrom: 'self', now: 0 }),
        fails('invalidArgument'),
      );
  });
});
