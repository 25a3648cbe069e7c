/** The examples of names, the search, API keys, calls and posts to webhooks. */
import { at } from '../support/http.ts';
import { createSteps } from '../support/service-steps.ts';
import { plainPost } from '../support/service-world.ts';
import { until } from '../support/until.ts';
import type { DemoWorld } from './demo-world.ts';
import type { PlayService } from './player.ts';

/** Nobody receives anything in the examples: the post is made again and fails again. */
export async function playDeliveries(play: PlayService, { service, issuer }: DemoWorld): Promise<void> {
  const { apiKey } = issuer;
  await createSteps(plainPost(service.url)).registerTemplate(issuer, { templateName: 'Sports pass' });
  const params = { name: 'registry' };
  await until('it was tried', async () => {
    await service.served.runChore('webhooks');
    const { deliveries } = await service.issuer.client.listDeliveries(params);
    return deliveries.length > 0;
  });
  const { deliveries } = await play('listDeliveries', { params, apiKey });
  const id = at(deliveries, 0, 'id') as string;
  await play('resendDelivery', { params: { ...params, id }, apiKey });
}

/** Names, the search, and what a programmer sees of keys and calls. */
export async function playDeveloper(
  play: PlayService,
  { issuer, verifier, adminKey }: DemoWorld,
): Promise<void> {
  const names = { name: 'Example Bank', site: 'https://bank.example/' };
  await play('setProfile', { body: names, apiKey: verifier.apiKey });
  await play('nameParty', { body: { did: verifier.did, ...names }, apiKey: adminKey });
  await play('getProfile', { params: { did: verifier.did } });
  await play('listProfiles', { query: { dids: `${issuer.did},${verifier.did}` } });
  await play('search', { query: { q: 'uni' } });
  await play('removeProfile', { params: { did: verifier.did }, apiKey: verifier.apiKey });
  const { apiKey } = verifier;
  const body = { label: 'Desk 7', scopes: ['verify'], validSeconds: 86_400 };
  const { id } = await play('makeApiKey', { body, apiKey });
  await play('listApiKeys', { apiKey });
  await play('endApiKey', { params: { id: id as string }, apiKey });
  await play('listRequests', { query: { limit: '3' }, apiKey });
}
