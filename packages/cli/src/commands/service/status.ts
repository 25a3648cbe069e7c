/** `symbolon service status`: whether a running service can work, and whether it is the one that is meant. */
import { serviceAddress } from '../../profile/addresses.ts';
import type { PartyWords } from '../../profile/connection.ts';
import { askReadiness } from '../../servers/readiness.ts';
import { CommandFailure, exitCodes, usageFailure } from '../../terminal/failure.ts';
import { printable, processTerminal } from '../../terminal/terminal.ts';

const { print } = processTerminal;

export async function showStatus({ json, url: typed, ...words }: PartyWords): Promise<void> {
  const url = typed ?? (await serviceAddress(words));
  const address = URL.parse('/readyz', url);
  if (!address) throw usageFailure(`${url} is not an address, like http://127.0.0.1:8080`);
  const { status, text } = await askReadiness(address, 'service');
  const isReady = status === 200;
  const warnings = isReady ? await askWarnings(address) : [];
  const facts = { ...(!isReady && { problem: text }), ...(warnings.length > 0 && { warnings }) };
  if (json) print(JSON.stringify({ ready: isReady, ...facts }));
  else if (isReady) print(['The service is ready.', ...warnings.map((one) => `Warning: ${printable(one)}`)]);
  if (isReady) return;
  if (status !== 503)
    throw new CommandFailure(
      `What answers at ${address.origin} is not a credential service.`,
      exitCodes.unreachable,
    );
  throw new CommandFailure(`The service is not ready: ${printable(text)}`);
}

/** What keeps nobody from calling, and is worth knowing. */
async function askWarnings(address: URL): Promise<readonly string[]> {
  const { text } = await askReadiness(new URL('?verbose', address), 'service');
  return text.split('\n').flatMap((line) => /^[^:]+: warning, (.+)$/.exec(line)?.slice(1, 2) ?? []);
}

