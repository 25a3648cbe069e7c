/**
 * What is done, and what counts, is the ledger's word: a service that answers "revoked" and keeps the transaction to
 * itself, or tells another status than the ledger has, is found out. Node and service are real; what lies is put
 * between them and the command.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { showStatus } from '@symbolon/cli/commands/vc/holding';
import { revoke as revokeByCommand } from '@symbolon/cli/commands/vc/issuing';
import type { Connection } from '@symbolon/cli/profile/connection';
import type { Lines } from '@symbolon/cli/terminal/terminal';
import { revokeCredential, SdkError } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { issueTo, type PresentationWorld, startPresentationWorld } from '../support/credential-fixtures.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { shareProofs } from '../support/running-service.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let world: PresentationWorld;
let registry: string;
before(async () => {
  world = await startPresentationWorld(owner, { proofs });
  const { credentialStatus } = await issueTo(world, world.holder, { city: 'Napier' });
  registry = /^ledger:.*:([^:#]+)#/.exec(String((credentialStatus as JsonObject).id))?.[1] ?? '';
});

function connectionWith(lies: object, pins: object = {}): Connection {
  const { ledger, node, url, issuer } = world.service;
  return {
    ledger,
    ledgerUrl: node.url,
    serviceUrl: url,
    service: { ...issuer.client, ...lies },
    pins,
    signer: async () => issuer.signer,
  } as unknown as Connection;
}

async function said(deed: (terminal: Parameters<typeof showStatus>[0]['terminal']) => Promise<void>) {
  const lines: string[] = [];
  const keep = (text: Lines) => void lines.push(...[text].flat());
  await deed({ print: keep, remark: keep, isWatched: false, hasColours: false });
  return lines.join('\n');
}

const words = { profile: 'dev', as: 'issuer' };
/** Nothing is handed on, and the answer is the usual one. */
const swallowing = (vcId: string) => ({ submitRevocation: async () => ({ vcId, status: 'Revoked' }) });

describe('a revocation that the service keeps to itself', () => {
  test('is not told as done, with pins and without', async () => {
    const vcId = String((await issueTo(world, world.holder, { city: 'Taupo' })).id);
    const revoke = (connection: Connection) =>
      said((terminal) => revokeByCommand({ connection, words, terminal }, vcId));
    await assert.rejects(revoke(connectionWith(swallowing(vcId))), /ledger does not bear it out/);
    const { signer, client } = world.service.issuer;
    const order = { signer, vcId, ledger: world.service.ledger, wait: { timeoutMs: 500 } };
    const lying = { ...client, ...swallowing(vcId) } as typeof client;
    await assert.rejects(
      revokeCredential(lying, order),
      (error: unknown) => error instanceof SdkError && error.code === 'receiptTimedOut',
    );
    assert.match(await revoke(connectionWith({}, { credentialRegistry: registry })), /is revoked/);
  });
});

describe('the status of a credential', () => {
  test('is what the pinned registry has, whatever the service says', async () => {
    const vcId = String((await issueTo(world, world.holder, { city: 'Levin' })).id);
    const { client, signer } = world.service.issuer;
    await revokeCredential(client, { signer, vcId });
    const told = await client.getCredentialStatus({ vcId });
    const lies = { getCredentialStatus: async (): Promise<object> => ({ ...told, status: 'Active' }) };
    const status = (pins: object) =>
      said((terminal) => showStatus({ connection: connectionWith(lies, pins), words, terminal }, vcId));
    assert.match(await status({ credentialRegistry: registry }), /^Revoked[\s\S]*said by +the ledger/);
    const other = String((await issueTo(world, world.holder, { city: 'Foxton' })).id);
    lies.getCredentialStatus = () => client.getCredentialStatus({ vcId: other });
    assert.match(await status({ credentialRegistry: registry }), /^Revoked/, 'and whichever it speaks of');
    assert.doesNotMatch(
      await status({ credentialRegistry: registry }),
      /transaction/,
      'that is another one’s',
    );
    assert.match(await status({}), /said by +the service: the profile pins no registry/);
  });
});
