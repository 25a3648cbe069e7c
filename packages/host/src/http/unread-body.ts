/**
 * A body where none is read. It may hold what its sender counts on, a verifier's condition for one, so it is refused
 * instead of dropped. None, an empty one and the object without members say nothing, and are taken: some clients send
 * them with every request.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** `errors.ts` and `problem-details.ts` answer it with its own words. */
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
