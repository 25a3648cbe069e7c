/**
 * The agents' wallet before a service that sells: what it hands over for an application, or for money, is the credential
 * that was applied for, genuine by the word of the ledger and not one that the wallet has had all along; nothing else is
 * kept, or told as bought.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { obtainCredential, purchaseStatus } from '@symbolon/cli/wallet/obtaining';
import { openWallet, type Wallet } from '@symbolon/cli/wallet/wallet';
import { revokeCredential } from '@symbolon/sdk/index';
import { PaymentRequired } from '@symbolon/sdk/transport/payment-required';
import type { JsonObject } from '@symbolon/wire/json/json';
import { issueTo, type PresentationWorld, startPresentationWorld } from '../support/credential-fixtures.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { fundAddress } from '../support/payment-world.ts';
import { shareProofs } from '../support/running-service.ts';
import { tempFolder } from '../support/temp-folder.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let world: PresentationWorld;
let bought: JsonObject;
let earlier: JsonObject;
before(async () => {
  world = await startPresentationWorld(owner, { proofs });
  bought = await issueTo(world, world.holder, { city: 'Wellington' });
  earlier = await issueTo(world, world.holder, { city: 'Nelson' });
  await fundAddress(world.service.ledger, world.holder.signer.address);
});

const paymentId = 'ab'.repeat(16);

interface Answer {
  readonly vc: JsonObject;
  readonly vcId?: string;
  /** Whether it wants money first. */
  readonly isPaid?: boolean;
}

async function walletBefore({ vc, vcId = String(vc.id), isPaid = false }: Answer): Promise<Wallet> {
  const { service, holder } = world;
  const wallet = await openWallet({
    folder: tempFolder(owner),
    signer: holder.signer,
    ledger: service.ledger,
    serviceUrl: service.url,
    pins: {},
    policy: {
      caps: new Map([['ZTX', { perPayment: 10_000_000n, perDay: 10_000_000n }]]),
      mayReveal: new Set(),
      mayCall: [],
    },
  });
  owner.after(() => wallet.close());
  const extra = { paymentId };
  const payTo = service.issuer.signer.address;
  const demand = { scheme: 'exact', network: 'zetrix:testnet', payTo, asset: 'ZTX', amount: '5', extra };
  let asked = 0;
  const lying = {
    ...wallet.service,
    applyForPaidCredential: async () => {
      asked += 1;
      if (isPaid && asked === 1) throw new PaymentRequired({}, demand);
      return { vcId, paymentId, txHash: null, verifiableCredential: structuredClone(vc) };
    },
    getPaymentStatus: async () => ({
      paymentId,
      status: 'settled',
      outcome: 'delivered',
      vcId,
      verifiableCredential: structuredClone(vc),
    }),
  };
  return { ...wallet, service: lying as unknown as Wallet['service'] };
}

/** An application for what this credential says. */
const applicationFor = ({ credentialSubject }: JsonObject) => {
  const { id: _holder, ...attributes } = credentialSubject as Record<string, string>;
  return { templateId: world.templateId, attributes };
};

const idsIn = ({ credentials }: Wallet) => credentials.all().map(({ document }) => document.id);

describe('what a service sells to an agent', () => {
  test('is kept and told as what it is', async () => {
    for (const isPaid of [false, true]) {
      const wallet = await walletBefore({ vc: bought, isPaid });
      const told = await obtainCredential(wallet, applicationFor(bought));
      assert.deepEqual([told.state, told.credentialId], ['issued', bought.id]);
      assert.deepEqual(idsIn(wallet), [bought.id]);
      assert.equal(told.state === 'issued' && told.paid === null, !isPaid);
    }
  });

  test('is not another one, whatever the service calls it', async () => {
    const otherName = await walletBefore({ vc: bought, vcId: String(earlier.id) });
    await assert.rejects(obtainCredential(otherName, applicationFor(bought)), /not kept/);
    assert.deepEqual(idsIn(otherName), []);
    const otherValues = await walletBefore({ vc: earlier });
    await assert.rejects(obtainCredential(otherValues, applicationFor(bought)), /not kept/);
    assert.deepEqual(idsIn(otherValues), []);
  });

  test('is not what the wallet has already, where that is something else', async () => {
    const wallet = await walletBefore({ vc: earlier });
    wallet.credentials.keep(earlier);
    await assert.rejects(obtainCredential(wallet, applicationFor(bought)), /not kept/);
  });

  test('is not what the wallet had before it paid', async () => {
    const wallet = await walletBefore({ vc: bought, isPaid: true });
    wallet.credentials.keep(bought);
    await assert.rejects(obtainCredential(wallet, applicationFor(bought)), (error: Error) => {
      assert.match(error.message, /not kept/);
      assert.match(error.message, /was in the wallet before/);
      assert.match(error.message, /payment of 5 ZTX went out/);
      return true;
    });
  });

  test('is named by the status of its payment as what it is', async () => {
    const wallet = await walletBefore({ vc: earlier, vcId: String(bought.id) });
    const { notKept } = await purchaseStatus(wallet, paymentId);
    assert.equal((notKept as { name: string } | undefined)?.name, 'otherCredential');
    assert.deepEqual(idsIn(wallet), []);
  });

  test('is not told as bought once it is revoked, though the wallet has it', async () => {
    const wallet = await walletBefore({ vc: earlier });
    wallet.credentials.keep(earlier);
    const { client, signer } = world.service.issuer;
    await revokeCredential(client, { signer, vcId: String(earlier.id) });
    await assert.rejects(obtainCredential(wallet, applicationFor(earlier)), /is revoked/);
  });
});
