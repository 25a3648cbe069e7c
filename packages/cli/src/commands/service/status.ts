/** `symbolon service status`: whether a running service can work, and whether it is the one that is meant. */
import { given } from '@symbolon/core/basics/plain-values';
import { serviceAddress } from '../../profile/addresses.ts';
import type { PartyWords } from '../../profile/connection.ts';
import { readProfile } from '../../profile/profile.ts';
import { askReadiness } from '../../servers/readiness.ts';
import { CommandFailure, exitCodes, unsuccessful, usageFailure } from '../../terminal/failure.ts';
import { printable, processTerminal } from '../../terminal/terminal.ts';

const { print } = processTerminal;

export async function showServiceStatus({ json, ...words }: PartyWords): Promise<void> {
  const url = await serviceAddress(words);
  const address = URL.parse('/readyz', url);
  if (!address) throw usageFailure(`${url} is not an address, like http://127.0.0.1:8080`);
  const { status, text } = await askReadiness(address, 'service');
  const isReady = status === 200;
  const warnings = isReady ? await askWarnings(address) : [];
  const stranger = isReady ? await strangerTo(words) : undefined;
  if (stranger !== undefined) throw new CommandFailure(stranger, exitCodes.unreachable);
  if (!isReady && status !== 503)
    throw new CommandFailure(
      `What answers at ${address.origin} is not a credential service.`,
      exitCodes.unreachable,
    );
  if (json) {
    const problem = unsuccessful('The service is not ready.', exitCodes.failed, { code: 'notReady' });
    const facts = {
      ...(!isReady && { problem: text, ...problem }),
      ...(warnings.length > 0 && { warnings }),
    };
    print(JSON.stringify({ ready: isReady, ...facts }));
    // One document: what is wrong stands in it.
    if (!isReady) process.exitCode = exitCodes.failed;
    return;
  }
  if (isReady)
    return print(['The service is ready.', ...warnings.map((one) => `Warning: ${printable(one)}`)]);
  throw new CommandFailure(`The service is not ready: ${printable(text)}`);
}

/**
 * Whether another service listens where the profile says: one that does not know the profile's API key. Where an address
 * is named nobody else is meant, and where there is no API key nobody can tell.
 */
async function strangerTo({ profile: named, service, url }: PartyWords): Promise<string | undefined> {
  if (service !== undefined || url !== undefined) return undefined;
  const profile = await readProfile(named);
  const bearer = profile.people().find(({ person }) => person.apiKey !== undefined);
  if (bearer === undefined || profile.service === undefined) return undefined;
  const [{ connect }, { ServiceError }] = await Promise.all([
    import('../../profile/connection.ts'),
    import('@symbolon/sdk/errors/service-error'),
  ]);
  const connection = await connect({ ...given({ profile: named }), as: bearer.name }, processTerminal);
  try {
    await connection.service.testVerification({});
    return undefined;
  } catch (error) {
    // What else is refused is refused by a service that knows who asks.
    if (!(error instanceof ServiceError) || error.code !== 'notAuthenticated') return undefined;
    return `A service is ready at ${profile.service}, but it is not the one of the profile ${profile.name}.\nIt does not know the API key of ${bearer.name}: somebody else's service listens there, or the key was revoked.\nIf yours has moved: symbolon issuer init ${profile.name} --data FOLDER takes up its new address.`;
  }
}

/** What keeps nobody from calling, and is worth knowing. */
async function askWarnings(address: URL): Promise<readonly string[]> {
  const { text } = await askReadiness(new URL('?verbose', address), 'service');
  return text.split('\n').flatMap((line) => /^[^:]+: warning, (.+)$/.exec(line)?.slice(1, 2) ?? []);
}
