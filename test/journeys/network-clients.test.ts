/**
 * Whoever uses a network does not notice that one of its four validators is dead: the public client packages and the whole
 * life of a credential, the very suites that a node alone passes, the service being told of the dead node first.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { processParts } from '@symbolon/cli/network/processes';
import { createLedgerNodes } from '@symbolon/credential-service/ledger/ledger-nodes';
import type { OpenChain } from '../clients/client-chain.ts';
import { registerSdk } from '../clients/zetrix-sdk.conformance.ts';
import { registerBuilders } from '../clients/zetrix-sdk-builders.conformance.ts';
import { registerContracts } from '../clients/zetrix-sdk-contracts.conformance.ts';
import { registerX402 } from '../exchange/x402.conformance.ts';
import { liveCredential } from '../support/credential-life.ts';
import { at } from '../support/http.ts';
import { type RunningNetwork, startNetwork } from '../support/networks.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { paymentWorldOf } from '../support/payment-world.ts';
import { type Person, person, richest } from '../support/people.ts';
import { type AskedNode, nodeAt, operations } from '../support/running-node.ts';
import { type ServiceOn, shareProofs, startServiceOn } from '../support/running-service.ts';
import { worldOf } from '../support/service-world.ts';

const dead = 1;
const alive = [2, 3, 4];
const share = 10n ** 16n;
/** Each acts alone, so that suites do not take nonces from each other. */
const riches = {
  sdk: person('rich for the SDK'),
  builders: person('rich for the builders'),
  contracts: person('rich for contracts'),
  services: richest,
};

/** Blocks and not work are what suites wait for, so they wait side by side. */
const sideBySide = { concurrency: true };
const oneByOne = { concurrency: 1 };

describe('a network of four, one of them dead', () => {
  const owner = ownerOfSuite();
  let network: RunningNetwork;

  before(async () => {
    network = await startNetwork(owner, { blockMs: 50, waitMs: 300 });
    const payments = Object.values(riches).map(({ address }) => operations.payCoin(address, share));
    const first = nodeAt(await network.url(alive[0] as number));
    const paid = await first.execute({ source: network.genesis, operations: payments });
    assert.equal(paid.error_code, 0, paid.error_desc as string);
    const { nodes } = await network.command(['kill', String(dead)]);
    assert.deepEqual(new Set(at(nodes, 0, 'killed') as string[]), new Set(processParts));
    await network.goOn(1, alive);
  });

  const chainOf =
    (rich: Person, node: number): OpenChain =>
    async () => ({
      node: nodeAt(await network.url(node)),
      rich,
      balance: String(share),
      validators: (await network.facts()).nodes.map(({ payTo }) => payTo),
    });

  describe('serves as one that is whole:', sideBySide, () => {
    describe('the public SDK', oneByOne, () => registerSdk(chainOf(riches.sdk, 2)));
    describe('its builders', oneByOne, () => registerBuilders(chainOf(riches.builders, 3)));
    describe('its contracts', oneByOne, () => registerContracts(chainOf(riches.contracts, 4)));

    describe('a service that is told of the dead node first', oneByOne, () => {
      const servicesOwner = ownerOfSuite();
      const proofs = shareProofs(servicesOwner);
      const moves: string[] = [];
      let urls: string[];
      let service: ServiceOn<AskedNode>;

      before(async () => {
        urls = await Promise.all([dead, ...alive].map((node) => network.url(node)));
        const nodes = createLedgerNodes(urls, { onMove: (url) => moves.push(url) });
        const order = { nodes, client: nodes.client, proofs };
        service = await startServiceOn(servicesOwner, nodeAt(urls[1] as string), order);
      });

      test('leaves it for the next', () => assert.equal(moves[0], urls[1]));
      test('has a credential live from its template to its refusal', () => liveCredential(worldOf(service)));
      registerX402(() => paymentWorldOf(service));
    });
  });

  test('the others have one chain, and the dead one has come back to none of it', async () => {
    assert.equal(await network.heightOf(dead), undefined);
    const height = await network.goOn(1, alive);
    // Of the newest block the commit is told one block later.
    const block = await network.blockOn(height - 1, alive);
    assert.deepEqual([block.isSame, block.nodes.length], [true, alive.length], JSON.stringify(block));
  });
});
