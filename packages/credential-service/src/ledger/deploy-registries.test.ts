/** Deploying the registries once, going on after a break, and knowing other contracts from ours. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestChain } from '@symbolon/sdk/testing/test-chain.test';
import { deployRegistries, type Registries, RegistryMismatch } from './deploy-registries.ts';

describe('the registries', () => {
  test('are deployed once and recognised afterwards', async (t) => {
    const { client, fund } = await openTestChain(t);
    const signer = await fund(10_000_000_000n);
    const remembered: Partial<Registries>[] = [];
    const order = {
      signer,
      didMethod: 'zid',
      remember: async (it: Partial<Registries>) => void remembered.push(it),
    };
    const registries = await deployRegistries(client, order);
    assert.deepEqual(remembered, [{ templates: registries.templates }, registries]);
    const nonceOf = async () => (await client.getAccountBase({ address: signer.address })).result?.nonce;
    const nonce = await nonceOf();
    assert.deepEqual(await deployRegistries(client, { ...order, known: registries }), registries);
    assert.equal(await nonceOf(), nonce, 'nothing was sent');
    assert.equal(remembered.length, 2);
    const { templates } = registries;
    const resumed = await deployRegistries(client, { ...order, known: { templates } });
    assert.equal(resumed.templates, templates);
    assert.notEqual(resumed.credentials, registries.credentials);
  });

  test('are not taken for ours when they are something else', async (t) => {
    const { client, fund } = await openTestChain(t);
    const signer = await fund(10_000_000_000n);
    const { templates, credentials } = await deployRegistries(client, { signer, didMethod: 'zid' });
    const other = await fund();
    const attempts: [Partial<Registries>, string, typeof signer][] = [
      [{ templates: credentials, credentials }, 'zid', signer],
      [{ templates, credentials: templates }, 'zid', signer],
      [{ templates: signer.address, credentials }, 'zid', signer],
      [{ templates: 'nowhere', credentials }, 'zid', signer],
      [{ templates, credentials }, 'bid', signer],
      [{ templates, credentials }, 'zid', other],
    ];
    for (const [known, didMethod, by] of attempts) {
      await assert.rejects(deployRegistries(client, { signer: by, didMethod, known }), RegistryMismatch);
    }
  });
});
