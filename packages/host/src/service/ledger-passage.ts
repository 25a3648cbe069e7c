/**
 * The ledger node under the service's own origin, for pages whose policy lets them ask nobody else: every route of the
 * ledger's table, and nothing besides, is passed on as it is and answered as the node answers. What goes through is not
 * kept: an answer flows at the pace of who reads it.
 */
import { Fault } from '@symbolon/core/faults/faults';
import { queryLimits } from '@symbolon/core/limits/requests';
import type { RouteTable } from '@symbolon/wire/http/ledger-route';
import { type HttpLimits, type HttpRoute, queryTextOf, type SentAnswer } from '../http/server.ts';
import { passageLimits } from '../limits/server-limits.ts';

/** A request as it is passed on: the name of a route, and texts as they came. */
export interface PassedRequest {
  readonly method: string;
  readonly pathWithQuery: string;
  readonly bodyText: string | undefined;
  readonly signal: AbortSignal;
}

export interface PassedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly chunks: AsyncIterable<string>;
}

export interface LedgerPassage {
  readonly routes: RouteTable;
  /** Rejects where the node gives no answer. */
  readonly pass: (request: PassedRequest) => Promise<PassedAnswer>;
}

/** Where the node's routes stand. */
const root = '/ledger';
const routeName = 'ledgerPassage';

/** Who went away gets no answer any more, and nothing has failed. The status is the one that proxies count it by. */
const toNobody: SentAnswer<string> = { status: 499, contentType: 'text/plain', text: '', code: 'callerGone' };

export function passageRoutes(
  { routes, pass }: LedgerPassage,
  { limits, admit }: { readonly limits: HttpLimits; readonly admit: HttpRoute<string>['admit'] },
): HttpRoute<string>[] {
  let underWay = 0;

  const answerOf =
    (name: string): HttpRoute<string>['answer'] =>
    async (request, reply): Promise<SentAnswer<string>> => {
      if (underWay >= passageLimits.atOnceMax)
        throw new Fault('overloaded', {
          detail: 'Too many questions to the ledger are under way',
          retryAfterSeconds: 1,
        });
      underWay += 1;
      const gone = new AbortController();
      reply.raw.once('close', () => {
        underWay -= 1;
        gone.abort();
      });
      const query = queryTextOf(request);
      const answer = await pass({
        // The node knows no HEAD: it is asked as by GET, and who answers leaves the body out.
        method: request.method === 'HEAD' ? 'GET' : request.method,
        // The name of the table, and never what stood in the address.
        pathWithQuery: `/${name}${query === '' ? '' : `?${query}`}`,
        bodyText: request.body as string | undefined,
        signal: AbortSignal.any([gone.signal, AbortSignal.timeout(passageLimits.exchangeMs)]),
      }).catch((cause: unknown) => {
        if (gone.signal.aborted) return undefined;
        throw new Fault('ledgerSilent', { cause });
      });
      return answer ? { ...answer, text: '', code: 'ok' } : toNobody;
    };

  return Object.entries(routes).map(([name, { body, aliases = [] }]) => ({
    name: routeName,
    methods: ['GET', 'POST'],
    paths: [name, ...aliases].flatMap((spelling) => [`${root}/${spelling}`, `${root}/v1/:group/${spelling}`]),
    bodyBytesMax: body ? queryLimits.bodyBytesMax : limits.smallBodyBytesMax,
    // As at the node: what takes no body reads what is on the ledger, and changes nothing.
    isPublic: !body,
    failureContext: { route: routeName },
    ...(admit && { admit }),
    answer: answerOf(name),
  }));
}
