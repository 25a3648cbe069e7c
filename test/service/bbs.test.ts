/**
 * The BBS+ utilities over HTTP: keys from every form of seed, always the same; signatures that another implementation
 * of the draft verifies; keys that only their owner uses, across restarts and never in clear on the disk.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { encodeUtf8, parseBase58, parseBase64 } from '@symbolon/core/basics/bytes';
import { parseBbsPublicKey } from '@symbolon/core/did/did';
import { loadDigitalBazaar } from '@symbolon/core/proofs/testing/digital-bazaar';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { outcomeOf, postService } from '../support/service-http.ts';
import { ok, paths } from '../support/service-steps.ts';
import { makeParty, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const other = await loadDigitalBazaar();
let service: RunningService;
let world: World;

before(async () => {
  service = await startService(owner, { proofs });
  world = worldOf(service);
});

const create = (seed: string, apiKey = world.issuer.apiKey) =>
  postService(service.url, paths.bbsCreate, { seed }, { apiKey });
const sign = (body: JsonObject, apiKey = world.issuer.apiKey) =>
  postService(service.url, paths.bbsSign, body, { apiKey });

const mnemonic = `${'abandon '.repeat(11)}about`;

describe('a key', () => {
  test('is the same for the same seed, however it is spelled', async () => {
    const bytes = Buffer.from(Array.from({ length: 48 }, (_, index) => 5 * index));
    const spellings = [
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      `0x${bytes.toString('hex')}`,
      bytes.toString('base64'),
      bytes.toString('base64url'),
      ` ${bytes.toString('hex')}\n`,
    ];
    const keys = await Promise.all(spellings.map(async (seed) => ok(await create(seed))));
    for (const key of keys) assert.deepEqual(key, keys[0]);
    assert.deepEqual(Object.keys(keys[0] as JsonObject), ['publicKeyMultibase', 'privateKeyMultibase']);
    const [byWords, again] = [ok(await create(mnemonic)), ok(await create(`  ${mnemonic.toUpperCase()} `))];
    assert.deepEqual(again, byWords);
    assert.notDeepEqual(byWords, keys[0]);
  });

  test('is 96 bytes in public, 32 in private, in base58', async () => {
    const { publicKeyMultibase, privateKeyMultibase } = ok(await create('11'.repeat(32)));
    const lengthOf = (text: unknown) => parseBase58(String(text).slice(1), 300)?.length;
    assert.match(String(publicKeyMultibase), /^z/);
    assert.match(String(privateKeyMultibase), /^z/);
    assert.deepEqual([lengthOf(publicKeyMultibase), lengthOf(privateKeyMultibase)], [96, 32]);
  });

  test('belongs to whom it was made for, also when another has the same seed', async () => {
    const rival = await makeParty(world, 'rival', ['bbs']);
    const { publicKeyMultibase } = ok(await create('22'.repeat(32)));
    const order = { publicKeyMultibase: publicKeyMultibase as string, data: ['x'] };
    assert.equal(outcomeOf(await sign(order, rival.apiKey)), '404 keyUnknown');
    ok(await create('22'.repeat(32), rival.apiKey));
    assert.equal((await sign(order, rival.apiKey)).status, 200);
  });

  test('survives a restart and is nowhere on the disk in clear', async () => {
    const { publicKeyMultibase, privateKeyMultibase } = ok(await create('33'.repeat(32)));
    service = await service.restart();
    world = worldOf(service);
    assert.equal((await sign({ publicKeyMultibase: publicKeyMultibase as string, data: ['x'] })).status, 200);
    const secret = Buffer.from(parseBase58(String(privateKeyMultibase).slice(1), 300) as Uint8Array);
    const hidden = [secret, secret.toString('hex'), secret.toString('base64'), String(privateKeyMultibase)];
    for (const name of readdirSync(service.folder)) {
      const bytes = readFileSync(join(service.folder, name));
      for (const form of hidden) assert.equal(bytes.indexOf(form), -1, name);
    }
    for (const form of [String(privateKeyMultibase), '33333333']) assert.ok(!service.logged().includes(form));
  });
});

describe('a signature', () => {
  test('is one that another implementation verifies, for 1 to 60 messages', async () => {
    const { publicKeyMultibase } = ok(await create('44'.repeat(32)));
    const publicKey = parseBbsPublicKey(publicKeyMultibase as string) as Uint8Array;
    for (const count of [1, 2, 12, 60]) {
      const data = Array.from({ length: count }, (_, index) => (index % 7 === 3 ? '' : `Wert ${index} ✓`));
      const { signature, ...rest } = ok(
        await sign({ publicKeyMultibase: publicKeyMultibase as string, data }),
      );
      assert.deepEqual(rest, {});
      const bytes = parseBase64(String(signature)) as Uint8Array;
      assert.equal(bytes.length, 80);
      const signed = { publicKey, header: new Uint8Array(0), messages: data.map(encodeUtf8) };
      assert.equal(await other.verify({ ...signed, signature: bytes }), true, `${count} messages`);
      const changed = { ...signed, messages: [...signed.messages.slice(0, -1), encodeUtf8('other')] };
      assert.equal(await other.verify({ ...changed, signature: bytes }), false);
    }
  });

  test('is also made with a key that is given, which must be that of the public key', async () => {
    const [mine, theirs] = [ok(await create('55'.repeat(32))), ok(await create('66'.repeat(32)))];
    const stranger = await makeParty(world, 'stranger', ['bbs']);
    const order = { ...mine, data: ['a', 'b'] };
    assert.equal((await sign(order, stranger.apiKey)).status, 200);
    const mixed = { ...order, publicKeyMultibase: theirs.publicKeyMultibase as string };
    const refused = await sign(mixed, stranger.apiKey);
    assert.equal(outcomeOf(refused), '400 requestMalformed');
    assert.ok(!JSON.stringify(refused.body).includes(String(mine.privateKeyMultibase)));
  });

  test('is refused for messages or keys out of bounds', async () => {
    const { publicKeyMultibase } = ok(await create('77'.repeat(32)));
    const key = publicKeyMultibase as string;
    const tooMany = Array.from({ length: 61 }, () => 'x');
    assert.equal(outcomeOf(await sign({ publicKeyMultibase: key, data: tooMany })), '400 requestMalformed');
    const strange = { publicKeyMultibase: `${key.slice(0, -2)}00`, data: ['x'] };
    assert.equal(outcomeOf(await sign(strange)), '400 publicKeyMalformed');
    const bytes = { publicKeyMultibase: key, data: ['not base64!'], encoding: 'base64' };
    assert.equal(outcomeOf(await sign(bytes)), '400 requestMalformed');
  });
});
