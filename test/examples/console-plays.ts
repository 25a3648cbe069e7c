/** The examples of the console: what it asks first, somebody who signs in by a signature, coins, and blocks. */
import { signText } from '../support/service-steps.ts';
import { type DemoWorld, presence, textOf } from './demo-world.ts';
import type { PlayService } from './player.ts';

export async function playConsole(play: PlayService, { issuer, holder, service }: DemoWorld): Promise<void> {
  await play('getConsoleConfig');
  const challenge = textOf(await play('makeSignInChallenge'), 'challenge');
  const signedText = presence('sign-in', issuer.did, { challenge });
  await play('signIn', {
    body: { did: issuer.did, signedText, signData: signText(issuer, signedText) },
  });
  const session = await openSession(service.url, issuer.apiKey);
  await play('getSignedIn', { session });
  await play('signOut', { session });
  await play('askFaucet', { body: { address: holder.address } });
  const { result } = await service.ledger.getLedger({});
  await play('watchBlocks', { query: { after: String(BigInt(result?.header.seq ?? 0) - 2n) } });
}

/** What a tab sends from then on. */
async function openSession(url: string, apiKey: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/console/session`, { method: 'POST', body: JSON.stringify({ apiKey }) });
  const { session } = (await answer.json()) as { readonly session: string };
  const [cookie = ''] = answer.headers.getSetCookie();
  return { 'x-symbolon-session': session, cookie: cookie.split(';', 1)[0] as string };
}
