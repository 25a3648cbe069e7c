/** What keys of issuers do with a database behind them, whichever. Run like `store/store.conformance.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { compactVerify, createLocalJWKSet, importJWK, type JWK } from 'jose';
import {
  freshClock,
  freshVault,
  holder,
  issuer,
  type MakeRecords,
  twentyTimes,
} from '../database/testing/records.ts';
import { createIssuerKeys } from './issuer-keys.ts';

const proofs = { publicKeyOf: async (secretKey: Uint8Array) => new Uint8Array(96).fill(secretKey[0] | 1) };
const isFault = (code: string) => (error: unknown) => error instanceof Fault && error.code === code;

export function registerIssuerKeyConformance(name: string, make: MakeRecords): void {
  const opened = async (...[context]: Parameters<MakeRecords>) => {
    const database = await make(context);
    const parts = { database, vault: freshVault(), clock: freshClock(), proofs };
    return { ...parts, keys: createIssuerKeys(parts), again: () => createIssuerKeys(parts) };
  };

  test(`${name}: a key of an issuer is made by the first signature, and asked for by nobody`, async (context) => {
    const { keys } = await opened(context);
    assert.deepEqual(await keys.jwksOf(issuer), { keys: [] });
    assert.deepEqual(await keys.publicKeys(issuer), []);
    const jws = await keys.signJws(issuer, {
      header: { typ: 'dc+sd-jwt' },
      payload: { iss: 'x', text: 'ä' },
    });
    const { keys: published } = await keys.jwksOf(issuer);
    assert.deepEqual(
      published.map(({ kid, alg, crv, use }) => [kid, alg, crv, use]),
      [['es256-1', 'ES256', 'P-256', 'sig']],
    );
    assert.ok(published.every((jwk) => !('d' in jwk)));
    const verified = await compactVerify(jws, createLocalJWKSet({ keys: published as unknown as JWK[] }));
    assert.deepEqual(verified.protectedHeader, { kid: 'es256-1', typ: 'dc+sd-jwt', alg: 'ES256' });
    assert.equal(Buffer.from(verified.payload).toString(), '{"iss":"x","text":"ä"}');
    assert.deepEqual(await keys.jwksOf(holder), { keys: [] });
  });

  test(`${name}: what a header says comes first, but never another algorithm`, async (context) => {
    const { keys } = await opened(context);
    const jws = await keys.signJws(issuer, {
      kind: 'ed25519',
      header: ({ kid, ...jwk }) => ({ kid: `did:web:x#${kid}`, jwk: { ...jwk }, alg: 'none' }),
      payload: 'text',
    });
    const [jwk] = (await keys.jwksOf(issuer)).keys;
    const { protectedHeader, payload } = await compactVerify(jws, await importJWK(jwk as unknown as JWK));
    assert.deepEqual([protectedHeader.kid, protectedHeader.alg], ['did:web:x#ed25519-1', 'EdDSA']);
    assert.equal(Buffer.from(payload).toString(), 'text');
    const { kid, signature } = await keys.sign(issuer, 'es256', Uint8Array.of(1));
    assert.deepEqual([kid, signature.length], ['es256-1', 64]);
  });

  test(`${name}: of many first signatures on two replicas all are by one key`, async (context) => {
    const { keys, again } = await opened(context);
    const other = again();
    const signed = await twentyTimes((index) => (index % 2 ? keys : other).signJws(issuer, { payload: 'x' }));
    const jwks = createLocalJWKSet({ keys: (await keys.jwksOf(issuer)).keys as unknown as JWK[] });
    for (const jws of signed) await compactVerify(jws, jwks);
    assert.equal((await other.publicKeys(issuer)).length, 1);
  });

  test(`${name}: a former key stays published, one that has ended does not`, async (context) => {
    const { keys, again } = await opened(context);
    const first = await keys.signJws(issuer, { payload: 'x' });
    assert.equal((await keys.rotate(issuer, 'es256')).kid, 'es256-2');
    const second = await again().signJws(issuer, { payload: 'x' });
    const published = async () =>
      createLocalJWKSet({ keys: (await keys.jwksOf(issuer)).keys as unknown as JWK[] });
    for (const jws of [first, second]) await compactVerify(jws, await published());
    for (let round = 3; round <= 11; round++) await keys.rotate(issuer, 'es256');
    assert.equal((await keys.currentKey(issuer, 'es256')).kid, 'es256-11');
    await keys.end(issuer, 'es256-1');
    await assert.rejects(compactVerify(first, await published()));
    await compactVerify(second, await published());
    await keys.end(issuer, 'es256-11');
    assert.equal((await again().currentKey(issuer, 'es256')).kid, 'es256-12');
    for (const kid of ['es256-1', 'es256-99', 'ed25519-1', '', '../x'])
      await assert.rejects(keys.end(issuer, kid), isFault('keyUnknown'), kid);
    await assert.rejects(keys.end(holder, 'es256-2'), isFault('keyUnknown'));
  });

  test(`${name}: no secret lies in the database, and rewriting its owner gives it to nobody`, async (context) => {
    const { keys, database, again } = await opened(context);
    await keys.signJws(issuer, { payload: 'x' });
    const { keys: published } = await keys.jwksOf(issuer);
    const { secretKey, kid, publicKey } = await keys.bbsKey(issuer);
    assert.deepEqual([secretKey.length, kid, publicKey.length], [32, 'bbs2023-1', 96]);
    assert.deepEqual((await keys.bbsKey(issuer)).secretKey, secretKey);
    const rows = await database.kysely.selectFrom('delegatedKeys').selectAll().execute();
    for (const { secret } of rows)
      assert.equal(Buffer.from(secret ?? []).includes(Buffer.from(secretKey)), false);
    await database.kysely.updateTable('delegatedKeys').set({ issuer: holder }).execute();
    assert.deepEqual(await again().publicKeys(holder), []);
    const jws = await again().signJws(holder, { payload: 'x' });
    const stolen = createLocalJWKSet({ keys: published as unknown as JWK[] });
    await assert.rejects(compactVerify(jws, stolen));
  });
}
