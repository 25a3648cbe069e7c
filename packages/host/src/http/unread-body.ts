/**
 * A body sent to a route that reads none. Its sender may count on what it says, such as a condition of a verifier, so it
 * is refused instead of dropped. An empty body and an object without members say nothing and are accepted: some clients
 * send them with every request.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** `ledger-failures.ts` and `problem-details.ts` answer with its message. */
export class UnreadBody extends Error {
  readonly statusCode = 400;
}

const nothing = /^[ \t\r\n]*\{[ \t\r\n]*\}[ \t\r\n]*$/;

/** `parameters` are those that may stand in the address instead. */
export function refuseUnread(bodyText: string | undefined, parameters: readonly string[] = []): void {
  if (bodyText === undefined || nothing.test(bodyText)) return;
  const names = parameters.map((name) => JSON.stringify(name)).join(', ');
  const where = parameters.length === 0 ? '' : `: ${names} may stand in the address`;
  throw new UnreadBody(`this route takes no body${where}`);
}

/** For places outside every route table. */
export async function takeNoBody({ body }: FastifyRequest, _reply: FastifyReply): Promise<void> {
  refuseUnread(body as string | undefined);
}
