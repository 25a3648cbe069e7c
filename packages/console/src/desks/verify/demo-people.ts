/** Acting as the people of the demo, whose keys everybody knows. */
import { signerFromPrivateKey } from '@symbolon/sdk/keys/signer';
import { createRouteClient } from '@symbolon/sdk/transport/route-client';
import { httpServiceTransport } from '@symbolon/sdk/transport/service-transport';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import type { Clients } from '../../api/clients.ts';
import type { ConsoleConfig, KnownPerson } from '../../api/console-config.ts';
import { sessionHeader } from '../../api/tab-session.ts';

/** The service as the SDK's flows take it: texts are signed for its public address. */
export const audienceClient = (service: Clients['service'], { publicUrl }: ConsoleConfig) => ({
  ...service,
  audience: publicUrl,
});

export const signerOfPerson = ({ privateKey }: KnownPerson) => signerFromPrivateKey(privateKey);

type SessionHeaders = Readonly<Record<string, string>>;

/** The service, called with these headers beside the request's own, and by nobody who sits in this tab. */
function otherService(headers: SessionHeaders): Clients['service'] {
  const transport = httpServiceTransport(location.origin, {
    fetch: (url, request) =>
      fetch(url, { ...request, headers: { ...request.headers, ...headers }, credentials: 'same-origin' }),
  });
  return createRouteClient({ routes: allRoutes, transport, apiKey: undefined });
}

/** As a wallet calls it, which has no key and no session: who it is, it shows by signatures. */
export const walletService = (): Clients['service'] => otherService({});

/** Does something as somebody else of the demo, in a session that ends with it. This tab stays whose it is. */
export async function actAs<Result>(
  person: string,
  own: Clients['service'],
  work: (service: Clients['service']) => Promise<Result>,
): Promise<Result> {
  const { session } = await own.signIn({ person });
  const service = otherService({ [sessionHeader]: session });
  try {
    return await work(service);
  } finally {
    // It would end by itself; what was done is done either way.
    await service.signOut().catch(() => undefined);
  }
}
