/**
 * What every place for keys of custody does: `custody-keys.test.ts` runs this suite on the vault,
 * `test/exchange/custody-hsm.test.ts` on a hardware module.
 */
import assert from 'node:assert/strict';
import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import type { CustodyKeys } from './custody-keys.ts';

export const keyFormat = createKeyFormat(zetrixProfile, (bytes) =>
  createHash('sha256').update(bytes).digest(),
);

/** A place and, for the second call of a test, the same place opened again. */
export type MakeCustodyKeys = (context: TestContext) => Promise<() => Promise<CustodyKeys>>;

const isSigned = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  verify(
    null,
    message,
    createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
      format: 'jwk',
    }),
    signature,
  );

export function registerCustodyKeysConformance(
  name: string,
  make: MakeCustodyKeys,
  options: { readonly skip?: string | false } = {},
): void {
  test(`${name}: signs with the key of the address, bytes of any length`, options, async (context) => {
    const keys = await (await make(context))();
    const { publicKey, ...key } = await keys.create();
    assert.equal(key.backend, keys.backend);
    assert.equal(key.address, keyFormat.addressOf(publicKey));
    for (const size of [1, 32, 100_000]) {
      const message = randomBytes(size);
      const signature = await keys.sign(key, message);
      assert.ok(isSigned(publicKey, message, signature));
      assert.deepEqual(await keys.sign(key, message), signature);
      message[0] ^= 1;
      assert.ok(!isSigned(publicKey, message, signature));
    }
  });

  test(`${name}: every account has a key of its own, and many sign at once`, options, async (context) => {
    const keys = await (await make(context))();
    const made = await Promise.all(Array.from({ length: 5 }, () => keys.create()));
    assert.equal(new Set(made.map(({ address }) => address)).size, made.length);
    const message = randomBytes(64);
    const signed = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const key = made[index % made.length] as (typeof made)[number];
        return isSigned(key.publicKey, message, await keys.sign(key, message));
      }),
    );
    assert.ok(signed.every(Boolean));
  });

  test(`${name}: keys are there after closing and opening again`, options, async (context) => {
    const open = await make(context);
    const before = await open();
    const { publicKey, ...key } = await before.create();
    await before.close();
    const after = await open();
    const message = randomBytes(64);
    assert.ok(isSigned(publicKey, message, await after.sign(key, message)));
  });

  test(`${name}: a key of another account, or of none, signs nothing`, options, async (context) => {
    const keys = await (await make(context))();
    const [one, two] = [await keys.create(), await keys.create()];
    const mixed = { ...one, keyId: 'ab'.repeat(16), secret: two.secret };
    const error = await keys.sign(mixed, randomBytes(8)).then(
      () => assert.fail('it signs'),
      (caught: unknown) => caught,
    );
    assert.ok(error instanceof Error);
    assert.ok(inspect(error, { depth: 9 }).length < 10_000);
  });

  test(`${name}: what is kept with an account does not hold its key in clear`, options, async (context) => {
    const keys = await (await make(context))();
    const { publicKey, secret } = await keys.create();
    assert.ok(secret === null || secret.length > 32);
    assert.ok(secret === null || !Buffer.from(secret).includes(Buffer.from(publicKey)));
  });

  test(`${name}: a key can be taken back`, options, async (context) => {
    const keys = await (await make(context))();
    await keys.discard(await keys.create());
  });
}
