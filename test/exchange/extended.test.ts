/**
 * Extended presentations and downloads, as the agent wallet of the family uses them: derived, signed, kept under an id,
 * handed to a verification session, and everything that waits for a holder handed over to its own key alone.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { fixedClock } from '@symbolon/host/testing/fixed-clock';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { Holder } from '../support/credential-fixtures.ts';
import { json, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { shareProofs } from '../support/running-service.ts';
import { getService, postService, type ServiceAnswer } from '../support/service-http.ts';
import {
  claim,
  holderBinding,
  requirementsOf,
  signedText,
  startVerificationWorld,
  type VerificationWorld,
} from '../support/verification-world.ts';
import {
  challenge,
  fetchDefinition,
  postSubmission,
  proofResponseOf,
  verifyProofResponse,
} from '../support/x401.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const clock = fixedClock(Date.now());
let world: VerificationWorld;

before(async () => {
  // As operators set it whose wallets sign nothing but their address.
  const config = { compat: { addressDownloads: true } };
  world = await startVerificationWorld(owner, { proofs, clock, config });
});

const extendedHeaders = async (holder: Holder): Promise<Record<string, string>> => ({
  publicKey: holder.signer.publicKey,
  signedData: await signedText(holder, holder.signer.address),
});

async function post(
  path: string,
  body: JsonObject,
  of: Holder | undefined = world.holder,
): Promise<ServiceAnswer> {
  const headers = of && (await extendedHeaders(of));
  return postService(world.service.url, path, body, headers ? { headers } : {});
}

const dataOf = ({ body, text, status }: ServiceAnswer): JsonObject => {
  assert.equal(status, 200, text);
  assert.deepEqual([body.status, body.message], [200, 'success']);
  return body.data as JsonObject;
};

function assertFault({ status, body, text }: ServiceAnswer, expected: number, code: string): void {
  assert.deepEqual([status, body.status, body.code, body.data], [expected, expected, code, null], text);
}

/** Created and signed; the body that submits it. */
async function signed(order: JsonObject, more: JsonObject = {}): Promise<JsonObject> {
  const { blobId, blob } = dataOf(await post('/v1/vp/ext/create', { vc: world.vc, ...order })) as {
    blobId: string;
    blob: string;
  };
  const signature = await world.holder.signer.sign(Buffer.from(blob, 'hex'));
  return {
    blobId,
    signedBlob: Buffer.from(signature).toString('hex'),
    publicKey: world.holder.signer.publicKey,
    ...more,
  };
}

describe('presentations', () => {
  test('prove_identity of the agent wallet: fetch, create, submit, bind, answer', async () => {
    const requirements = requirementsOf(world, [
      { path: ['id'] },
      claim('city'),
      claim('height', { minimum: 100 }),
    ]);
    const asked = await challenge(world.server, requirements);
    const definition = await fetchDefinition(world.wallet, asked.presentationId);
    const body = await signed({ revealAttributes: ['id', 'city', 'height'] }, { includeVp: true });
    const { id, vp } = dataOf(await post('/v1/vp/ext/submit', body)) as { id: string; vp: JsonObject };
    assert.match(id, /^v2-[0-9a-f-]{36}$/);
    assert.deepEqual(vp.type, ['VerifiablePresentation']);
    const bound = await holderBinding(world.holder, definition.nonce);
    const answer = await postSubmission(world.wallet, definition, { vpToken: vp, holderBinding: bound });
    const facts = { expectedId: asked.presentationId, nowMs: clock.nowMs() };
    assert.equal(verifyProofResponse(world.server, proofResponseOf(answer), facts), 'ok', answer.text);
  });

  test('without includeVp the id alone, which verifies and answers sessions until it lapses', async () => {
    const body = await signed({ revealAttributes: ['city'] }, { vpExpiry: 60 });
    const data = dataOf(await post('/v1/vp/ext/submit', body));
    assert.deepEqual(Object.keys(data), ['id']);
    const path = `/cred/v1/vp/verify?id=${data.id}`;
    const verdict = await getService(world.service.url, path);
    assert.deepEqual([verdict.body.verified, verdict.body.vcDetails], [true, { city: 'Dunedin' }]);
    const asked = await challenge(world.server, requirementsOf(world, [claim('city')]));
    const definition = await fetchDefinition(world.wallet, asked.presentationId);
    const bound = await holderBinding(world.holder, definition.nonce);
    const given = { vpToken: data.id as string, holderBinding: bound };
    const answer = await postSubmission(world.wallet, definition, given);
    assert.equal((answer.body.object as JsonObject).verified, true, answer.text);
    clock.advanceMs(60_000);
    assert.equal((await getService(world.service.url, path)).body.code, 'presentationUnknown');
    assert.equal((await getService(world.service.url, '/cred/v1/vp/verify?id=v2-x')).status, 400);
  });

  test('a condition in a body that nothing reads gets no verdict', async () => {
    const body = await signed({ revealAttributes: ['city'] });
    const { id } = dataOf(await post('/v1/vp/ext/submit', body));
    const url = `${world.service.url}/cred/v1/vp/verify?id=${id}`;
    const conditions: JsonObject[] = [
      { trustedIssuers: [world.holder.did] },
      { challenge: 'another' },
      { domain: 'bank.example' },
      { templates: [`did:zid:${'00'.repeat(32)}`] },
      { trustList: 'none' },
    ];
    for (const condition of conditions) {
      const answer = await send(url, { method: 'GET', body: JSON.stringify(condition) });
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.text, /"this route takes no body: .*\\"trustedIssuers\\".* in the address"/);
    }
    assert.equal(json(await send(url, { body: '{}' })).verified, true);
  });

  test('a blob is completed once, by its holder', async () => {
    const body = await signed({ revealAttributes: ['city'] });
    const foreign = { ...body, publicKey: world.otherHolder.signer.publicKey };
    assertFault(await post('/v1/vp/ext/submit', foreign), 403, 'holderMismatch');
    assertFault(await post('/v1/vp/ext/submit', foreign, world.otherHolder), 401, 'signerMismatch');
    const late = { ...body, vpExpiry: 999_999_999 };
    assertFault(await post('/v1/vp/ext/submit', late), 400, 'requestMalformed');
    dataOf(await post('/v1/vp/ext/submit', body));
    assertFault(await post('/v1/vp/ext/submit', body), 404, 'blobUnknown');
  });

  test('nobody presents the credential of another', async () => {
    const order = { vc: world.vc, revealAttributes: ['city'] };
    assertFault(await post('/v1/vp/ext/create', order, world.otherHolder), 403, 'holderMismatch');
    const headers = { ...(await extendedHeaders(world.holder)), signedData: '00'.repeat(64) };
    const forged = await postService(world.service.url, '/v1/vp/ext/create', order, { headers });
    assertFault(forged, 401, 'walletNotAuthenticated');
    assertFault(await post('/v1/vp/ext/create', { vc: {} }), 403, 'holderMismatch');
    const unknown = { ...order, revealAttributes: ['shoeSize'] };
    assertFault(await post('/v1/vp/ext/create', unknown), 400, 'attributeUnknown');
  });
});

describe('download', () => {
  test('everything that waits for the holder, in a list inside of data', async () => {
    const { address } = world.holder.signer;
    const { data } = dataOf(await post('/v1/vc/ext/download', { address })) as { data: JsonObject[] };
    const found = data.find(({ vc }) => (vc as JsonObject).id === world.vc.id);
    assert.deepEqual(found, { vc: world.vc, extraData: null, status: 'ACTIVE' });
    assert.deepEqual(
      dataOf(
        await post('/v1/vc/ext/download', { address: world.otherHolder.signer.address }, world.otherHolder),
      ),
      { data: [] },
    );
  });

  test('another address, no headers, headers of another', async () => {
    const { address } = world.holder.signer;
    assertFault(await post('/v1/vc/ext/download', { address }, world.otherHolder), 403, 'holderMismatch');
    const without = await postService(world.service.url, '/v1/vc/ext/download', { address });
    assertFault(without, 401, 'walletNotAuthenticated');
    const headers = {
      publicKey: world.holder.signer.publicKey,
      signedData: await signedText(world.otherHolder, address),
    };
    const stolen = await postService(world.service.url, '/v1/vc/ext/download', { address }, { headers });
    assertFault(stolen, 401, 'walletNotAuthenticated');
    assertFault(await post('/v1/vc/ext/download', {}), 400, 'requestMalformed');
  });
});
