/**
 * Credentials that a service hands over, kept by the agents' wallet and by `vc download` only if they are genuine: both
 * signatures, the ledger's entry and terms, the holder and the very one that was asked for. Node and service are real;
 * what lies is put between them and the keeper.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { download } from '@symbolon/cli/commands/vc/holding';
import { fetchFacts, readFactsFile } from '@symbolon/cli/commands/verify/facts';
import type { Connection } from '@symbolon/cli/profile/connection';
import type { Lines } from '@symbolon/cli/terminal/terminal';
import { answerRequest } from '@symbolon/cli/wallet/answering';
import { fetchWaiting } from '@symbolon/cli/wallet/obtaining';
import { openWallet, type Wallet } from '@symbolon/cli/wallet/wallet';
import {
  downloadCredential,
  downloadUnverified,
  endKey,
  revokeCredential,
  SdkError,
  suspendCredential,
} from '@symbolon/sdk/index';
import { verifyCredential } from '@symbolon/sdk/verification/verify-credential';
import { type JsonObject, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { issueTo, type PresentationWorld, startPresentationWorld } from '../support/credential-fixtures.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { shareProofs } from '../support/running-service.ts';
import { tempFolder } from '../support/temp-folder.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let world: PresentationWorld;
let genuine: JsonObject;
let another: JsonObject;
before(async () => {
  world = await startPresentationWorld(owner, { proofs });
  genuine = await issueTo(world, world.holder, { city: 'Wellington' });
  another = await issueTo(world, world.holder, { city: 'Nelson' });
});

type Proofs = readonly [bbs: JsonObject, issuer: JsonObject];
const proofsOf = ({ proof }: JsonObject) => proof as unknown as Proofs;
const subjectOf = ({ credentialSubject }: JsonObject) => credentialSubject as JsonObject;

const silent = { print: () => {}, remark: () => {}, isWatched: false, hasColours: false };

/** What a lying service makes of a genuine credential, and the name of what is wrong with it. */
const forgeries = (): Record<string, readonly [forged: JsonObject, problem: string]> => {
  const [bbs, issuer] = proofsOf(genuine);
  const [otherBbs, otherIssuer] = proofsOf(another);
  return {
    'another value': [
      { ...genuine, credentialSubject: { ...subjectOf(genuine), city: 'Auckland' } },
      'issuerSignature',
    ],
    'another validity': [{ ...genuine, validUntil: '2199-12-31T00:00:00Z' }, 'malformed'],
    'without the issuer’s signature': [{ ...genuine, proof: [bbs] as JsonObject[] }, 'issuerSignature'],
    'another BBS+ signature': [
      { ...genuine, proof: [{ ...bbs, proofValue: otherBbs.proofValue ?? '' }, issuer] },
      'bbsSignature',
    ],
    'another salt': [
      { ...genuine, proof: [{ ...bbs, salt: otherBbs.salt ?? '' }, issuer] },
      'issuerSignature',
    ],
    'another commitment': [
      { ...genuine, proof: [{ ...bbs, commitment: otherBbs.commitment ?? '' }, issuer] },
      'issuerSignature',
    ],
    'the signature of another one': [
      { ...genuine, proof: [bbs, { ...issuer, jws: otherIssuer.jws ?? '' }] },
      'issuerSignature',
    ],
    'another BBS+ key': [
      {
        ...genuine,
        proof: [{ ...bbs, verificationMethod: `${String(genuine.issuer)}#delegateKey-9` }, issuer],
      },
      'issuerKey',
    ],
    'another registry': [
      {
        ...genuine,
        credentialStatus: { ...(genuine.credentialStatus as JsonObject), id: `ledger:x:y#${genuine.id}` },
      },
      'malformed',
    ],
  };
};

describe('verifyCredential', () => {
  const judge = (document: JsonObject, more: object = {}) =>
    verifyCredential(document, {
      ledger: world.service.ledger,
      holder: world.holder.did,
      engine: world.engine,
      ...more,
    });

  test('a genuine one is, with its status and the key of its BBS+ signature', async () => {
    const verdict = await judge(genuine);
    assert.deepEqual([verdict.isGenuine, verdict.status, verdict.problem], [true, 'active', undefined]);
    assert.deepEqual(
      verdict.issuerKeys.map(({ verificationMethod }) => verificationMethod),
      [proofsOf(genuine)[0].verificationMethod],
    );
  });

  test('a forged one is not, and why has a name', async () => {
    for (const [what, [forged, problem]] of Object.entries(forgeries())) {
      const verdict = await judge(forged);
      assert.deepEqual([verdict.isGenuine, verdict.problem?.name], [false, problem], what);
      assert.deepEqual(verdict.issuerKeys, []);
    }
  });

  test('nor is one that is genuine and not the one that was asked for', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ vcId: String(another.id) }, 'otherCredential'],
      [{ holder: world.otherHolder.did }, 'otherHolder'],
      [{ issuer: world.otherHolder.did }, 'otherIssuer'],
      [{ templateId: String(another.id) }, 'otherTemplate'],
      [{ attributes: { city: 'Wellington' } }, 'otherValues'],
      [{ pins: { credentialRegistry: 'ZTX3other' } }, 'otherRegistry'],
    ];
    for (const [expected, problem] of cases)
      assert.equal((await judge(genuine, expected)).problem?.name, problem);
    await assert.rejects(judge(genuine, { vcID: 'x' }), SdkError);
  });

  test('a node that does not know it has the last word', async () => {
    const ledger: typeof world.service.ledger = {
      ...world.service.ledger,
      getAccountMetaData: async (query) => {
        const { key = '' } = query as { key?: string };
        const reply = await world.service.ledger.getAccountMetaData(query);
        return key.startsWith('credential__') ? { ...reply, result: {} } : reply;
      },
    };
    assert.equal((await judge(genuine, { ledger })).problem?.name, 'notRecorded');
  });
});

async function walletOf(handed: () => readonly JsonObject[]): Promise<Wallet> {
  const { service, holder } = world;
  const wallet = await openWallet({
    folder: tempFolder(owner),
    signer: holder.signer,
    ledger: service.ledger,
    serviceUrl: service.url,
    pins: {},
    policy: { caps: new Map(), mayReveal: new Set(['city']), mayCall: [] },
  });
  owner.after(() => wallet.close());
  const downloadExtended = async () => ({ data: handed().map((vc) => ({ vc, status: 'Active' })) });
  return { ...wallet, service: { ...wallet.service, downloadExtended } as unknown as Wallet['service'] };
}

const citiesIn = ({ credentials }: Wallet) =>
  credentials.all().map(({ parsed }) => parsed.credential.credentialSubject.city);

describe('the agents’ wallet', () => {
  test('keeps no forgery, and the genuine one that comes after it', async () => {
    let handed: readonly JsonObject[] = [];
    const wallet = await walletOf(() => handed);
    for (const [what, [forged]] of Object.entries(forgeries())) {
      handed = [forged];
      const { added } = await fetchWaiting(wallet);
      assert.deepEqual(citiesIn(wallet), [], what);
      assert.equal(added.length, 0, what);
    }
    handed = [genuine];
    assert.equal((await fetchWaiting(wallet)).added.length, 1);
    assert.equal((await fetchWaiting(wallet)).added.length, 0);
    assert.deepEqual(citiesIn(wallet), ['Wellington']);
  });

  test('has a genuine one take the place of a forgery of an earlier day', async () => {
    const [[forged]] = Object.values(forgeries()) as [readonly [JsonObject, string]];
    const wallet = await walletOf(() => [genuine]);
    wallet.credentials.keep(forged);
    assert.deepEqual(citiesIn(wallet), ['Auckland']);
    const { added } = await fetchWaiting(wallet);
    assert.deepEqual(citiesIn(wallet), ['Wellington']);
    assert.equal(added.length, 1);
  });

  test('says how many it did not keep, and why', async () => {
    const [[forged]] = Object.values(forgeries()) as [readonly [JsonObject, string]];
    const wallet = await walletOf(() => [forged, genuine]);
    const { added, refused } = await fetchWaiting(wallet);
    assert.equal(added.length, 1);
    assert.deepEqual(
      refused.map(({ name }) => name),
      ['issuerSignature'],
    );
  });

  test('shows no forgery that it kept on an earlier day', async () => {
    const [[forged]] = Object.values(forgeries()) as [readonly [JsonObject, string]];
    const wallet = await walletOf(() => []);
    wallet.credentials.keep(forged);
    const definition = {
      presentation_id: 'p1',
      response_uri: `${world.service.url}/v1/presentation/submit`,
      nonce: 'n1',
      expires_at: '2099-01-01T00:00:00Z',
      credential_query: { credentials: [{ id: 'a', claims: [{ path: ['credentialSubject', 'city'] }] }] },
    };
    const service = {
      ...wallet.service,
      fetchDefinition: async () => definition,
      submitToSession: () => assert.fail('nothing is handed in'),
    } as unknown as Wallet['service'];
    await assert.rejects(answerRequest({ ...wallet, service }, 'p1'), /did not answer/);
  });
});

describe('downloadCredential of the SDK', () => {
  const handedBy = (document: JsonObject) => ({
    ...world.service.stranger,
    downloadCredential: async () => document,
  });
  const orderOf = (more: object = {}) => {
    const { holder, service, engine } = world;
    const vcId = String(genuine.id);
    return { signer: holder.signer, vcId, ledger: service.ledger, engine, ...more };
  };

  test('hands over what is genuine, and nothing else', async () => {
    assert.deepEqual(await downloadCredential(handedBy(genuine), orderOf()), genuine);
    for (const [what, [forged]] of Object.entries(forgeries()))
      await assert.rejects(downloadCredential(handedBy(forged), orderOf()), { code: 'notAsOrdered' }, what);
    const others = [handedBy(another), orderOf()] as const;
    await assert.rejects(downloadCredential(...others), /another one than was asked for/);
    const own = [handedBy(genuine), orderOf({ isIssuer: true })] as const;
    await assert.rejects(downloadCredential(...own), /of another issuer/);
  });

  test('asks nobody without a ledger; what is not verified has a name that says so', async () => {
    const { ledger: _none, ...order } = orderOf();
    const client = { ...handedBy(genuine), downloadCredential: () => assert.fail('the service is asked') };
    await assert.rejects(downloadCredential(client, order as never), { code: 'invalidArgument' });
    const [[forged]] = Object.values(forgeries()) as [readonly [JsonObject, string]];
    const { signer, vcId } = order;
    assert.deepEqual(await downloadUnverified(handedBy(forged), { signer, vcId }), forged);
  });
});

describe('vc download', () => {
  const terminalOf = (lines: string[]) => ({
    print: (text: Lines) => void lines.push(...[text].flat()),
    remark: (text: Lines) => void lines.push(...[text].flat()),
    isWatched: false,
    hasColours: false,
  });
  async function fetched(handed: JsonObject, vcId = String(genuine.id)) {
    const { service, holder } = world;
    const out = path.join(tempFolder(owner), 'credential.json');
    const lines: string[] = [];
    const connection = {
      ledger: service.ledger,
      service: { ...service.stranger, downloadCredential: async () => handed },
      pins: {},
      signer: async () => holder.signer,
      walletSigner: async () => holder.signer,
    } as unknown as Connection;
    const words = { profile: 'dev', out };
    await download({ connection, words, terminal: terminalOf(lines) }, vcId);
    return { out, lines };
  }

  test('writes what is genuine', async () => {
    const { out } = await fetched(genuine);
    assert.deepEqual(parseJson(readFileSync(out, 'utf8')), genuine);
  });

  test('writes nothing else, and says why', async () => {
    for (const [what, [forged]] of Object.entries(forgeries()))
      await assert.rejects(fetched(forged), /was not written/, what);
    await assert.rejects(fetched(another), /another one than was asked for/);
  });

  test('writes one that is suspended or revoked with a warning', async () => {
    const { client, signer } = world.service.issuer;
    const vcId = String(another.id);
    await suspendCredential(client, { signer, vcId });
    const suspended = await fetched(another, vcId);
    assert.match(suspended.lines.join('\n'), /WARNING: .*suspended/);
    await revokeCredential(client, { signer, vcId });
    const { out, lines } = await fetched(another, vcId);
    assert.match(lines.join('\n'), /WARNING: .*revoked/);
    assert.ok(existsSync(out));
  });
});

describe('facts that are collected', () => {
  /** Of one credential, with a service that says of every one that it counts. */
  async function collected(pins: object) {
    const { service, holder } = world;
    const folder = tempFolder(owner);
    const [file, out] = [path.join(folder, 'credential.json'), path.join(folder, 'facts.json')];
    writeFileSync(file, stringifyJson(another));
    const getCredentialStatus: typeof service.stranger.getCredentialStatus = async (query) => ({
      ...(await service.stranger.getCredentialStatus(query)),
      status: 'Active',
    });
    const connection = {
      ledger: service.ledger,
      ledgerUrl: service.node.url,
      service: { ...service.stranger, getCredentialStatus },
      serviceUrl: service.url,
      pins,
      signer: async () => holder.signer,
      walletSigner: async () => holder.signer,
    } as unknown as Connection;
    await fetchFacts(connection, { files: [file], words: { profile: 'dev', out }, terminal: silent });
    return readFactsFile(out);
  }

  test('are a node’s word where the profile knows the registry, and the service’s otherwise', async () => {
    const { ledger } = world.service.served.parts;
    const believed = await collected({});
    assert.deepEqual([believed.statuses[0]?.status, believed.basis.service], ['Active', world.service.url]);
    const known = await collected({ credentialRegistry: ledger.registries.credentials });
    assert.deepEqual([known.statuses[0]?.status, known.basis.service], ['Revoked', undefined]);
    assert.equal(known.basis.node, world.service.node.url);
    const told = (facts: typeof known) => facts.statuses.map(({ record }) => record);
    assert.deepEqual(told(known), told(believed));
    assert.deepEqual(known.issuerKeys, believed.issuerKeys);
  });
});

test('a key that was compromised when the credential was recorded signs nothing', async () => {
  const { service } = world;
  const since = Math.floor(Date.now() / 1_000) - 3_600;
  await endKey(service.ledger, { signer: service.issuer.signer, number: 1, compromisedSince: since });
  const verdict = await verifyCredential(genuine, { ledger: service.ledger, engine: world.engine });
  assert.equal(verdict.problem?.name, 'issuerKey');
  assert.match(verdict.problem?.detail ?? '', /compromised/);
});
