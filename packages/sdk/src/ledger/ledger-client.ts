/**
 * A typed client of the ledger node, made from the route table: one function a route, its parameters, body and reply
 * typed by the route's own schemas. There is no list of routes here. Names of parameters and fields are the wire's;
 * flows in plainer words are in `transactions.ts` and `state-proofs.ts`.
 */
import type { LedgerRoute } from '@symbolon/wire/http/ledger-route';
import type { InputOf, OutputOf } from '@symbolon/wire/http/route';
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { wrongMembers } from '../arguments/member-paths.ts';
import { LedgerError, unexpectedReply } from '../errors/errors.ts';
import { queryText } from '../transport/http-exchange.ts';
import type { Transport } from '../transport/transport.ts';

type LedgerRoutes = typeof ledgerRoutes;
/** Names of the ledger's routes, which are functions of its client. */
export type LedgerRouteName = keyof LedgerRoutes;

/** Parameters travel as text; numbers and truth values are written out. */
export type QueryValue = string | number | bigint | boolean;
type QueryOf<R extends LedgerRoute> = { readonly [Name in keyof R['query']]?: QueryValue };
type BodyOf<R extends LedgerRoute> = Exclude<R['body'], undefined>;

/** A route with a body takes that, one with parameters takes these, any other nothing. */
type ArgumentsOf<R extends LedgerRoute> = [BodyOf<R>] extends [never]
  ? [keyof R['query']] extends [never]
    ? []
    : [query?: QueryOf<R>]
  : [body: InputOf<BodyOf<R>>];

/** What a route of the ledger replies, by the name of the route. */
export type LedgerReply<Name extends LedgerRouteName> = OutputOf<LedgerRoutes[Name]['reply']>;

/** Every route as a function that resolves to the successful reply and rejects with `LedgerError` or `SdkError`. */
export type LedgerClient = {
  readonly [Name in LedgerRouteName]: (
    ...args: ArgumentsOf<LedgerRoutes[Name]>
  ) => Promise<LedgerReply<Name>>;
};

/** Every route as a function that resolves to whatever object the node sent, refusals included. */
export type RawLedgerClient = {
  readonly [Name in LedgerRouteName]: (...args: ArgumentsOf<LedgerRoutes[Name]>) => Promise<JsonObject>;
};

/**
 * A reply that says `error_code` other than 0 is thrown, with the reply in it; a reply that is not what the route's
 * schema says is an `SdkError`. A submission of several items says in its `error_code` what became of the first:
 * the others stand in `results`.
 */
export function createLedgerClient(transport: Transport): LedgerClient {
  const raw = createRawLedgerClient(transport);
  return mapRoutes((name, route) => async (argument) => {
    const call = raw[name] as (argument: unknown) => Promise<JsonObject>;
    const reply = await call(argument);
    const { error_code: code, error_desc: description } = reply;
    if (typeof code === 'number' && code !== 0) {
      throw new LedgerError(code, typeof description === 'string' ? description : '', reply, name);
    }
    // Checked, then passed on as it came: the schemas describe replies, they do not rewrite them.
    const check = route.reply.safeParse(reply);
    if (!check.success) throw unexpectedReply(name, wrongMembers(check));
    return reply;
  }) as LedgerClient;
}

/** A client whose replies keep their envelopes: refusals are answers, too. */
export function createRawLedgerClient(transport: Transport): RawLedgerClient {
  return mapRoutes((name, route) => async (argument) => {
    const parameters = () => Object.entries(argument ?? {}).filter(([, value]) => value !== undefined);
    const reply = route.body
      ? await transport('POST', `/${name}`, argument as JsonValue)
      : await transport('GET', `/${name}${queryText(parameters())}`);
    if (!isJsonObject(reply)) throw unexpectedReply(name, []);
    return reply;
  }) as RawLedgerClient;
}

type RouteCaller = (argument?: unknown) => Promise<JsonObject>;

function mapRoutes(
  callerOf: (name: LedgerRouteName, route: LedgerRoute) => RouteCaller,
): Record<string, RouteCaller> {
  return Object.fromEntries(
    Object.entries(ledgerRoutes).map(([name, route]) => [name, callerOf(name as LedgerRouteName, route)]),
  );
}
