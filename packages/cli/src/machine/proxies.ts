/**
 * Requests to this very machine stay on it. Where Node is told to use the proxies of the environment, its fetch would
 * send even those through them, in clear; so the names of this machine are put on the list of what goes without a
 * proxy, which fetch reads with every request.
 */
const ownNames = ['localhost', '127.0.0.1', '[::1]'];

export function keepProxiesOut(env: NodeJS.ProcessEnv = process.env): void {
  const spared = (env.no_proxy ?? env.NO_PROXY ?? '').trim();
  if (spared !== '*') env.no_proxy = [...(spared === '' ? [] : [spared]), ...ownNames].join(',');
}
