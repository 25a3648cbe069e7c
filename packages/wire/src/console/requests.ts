/** Requests of the console: signing in, coins of the demo, and where a stream of blocks goes on. */
import { signInLimits } from '@symbolon/core/limits/console';
import { custodyLimits } from '@symbolon/core/limits/custody';
import { presenceLimits } from '@symbolon/core/limits/documents';
import * as z from 'zod';
import { readPresence } from '../credentials/presence-requests.ts';
import { readSignature } from '../credentials/request-encodings.ts';
import { didText, name, strict, text, type WithBody } from '../http/schema-parts.ts';
import { malformedAt } from '../http/service-route.ts';

const bySignature = strict({
  did: didText,
  signedText: text(presenceLimits.textCharsMax),
  signData: text(signInLimits.signatureCharsMax),
});
const byApiKey = strict({ apiKey: text(signInLimits.apiKeyCharsMax) });
const byPassword = strict({ address: name, password: text(custodyLimits.passwordCharsMax) });
const byPerson = strict({ person: name });

export const signInOrder = z.union([bySignature, byApiKey, byPassword, byPerson]);

/** Who wants to sign in, by what shows it. */
export type SignInOrder = ReturnType<typeof readSignIn>;

export function readSignIn({ body }: WithBody<typeof signInOrder>) {
  if ('apiKey' in body) return { way: 'apiKey', apiKey: body.apiKey.trim() } as const;
  if ('password' in body) return { way: 'custody', ...body } as const;
  if ('person' in body) return { way: 'person', person: body.person } as const;
  const presence = readPresence(body.signedText);
  if (!presence) throw malformedAt('/signedText');
  const signature = readSignature(body.signData, '/signData');
  return { way: 'signature', did: body.did, presence, signature } as const;
}

export const faucetOrder = strict({ address: name });

/** Blocks are numbered; what is behind one of them is told. */
const blockNumber = z
  .string({ error: 'must be the number of a block, as text' })
  .regex(/^(0|[1-9][0-9]{0,15})$/, 'must be the number of a block');

export const blockPlace = z.object({ after: blockNumber.optional() });

export const readBlockPlace = ({ after }: z.output<typeof blockPlace>): { readonly after?: bigint } =>
  after === undefined ? {} : { after: BigInt(after) };

/** What a client that comes back says, as browsers do; undefined where it says nothing. */
export function readLastBlock(header: string | undefined): bigint | undefined {
  if (header === undefined || header === '') return undefined;
  if (blockNumber.safeParse(header).success) return BigInt(header);
  throw malformedAt('/headers/last-event-id', 'must be the number of a block');
}
