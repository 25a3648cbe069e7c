/** Where the node listens for CometBFT, in CometBFT's spelling: `tcp://127.0.0.1:26658` or `unix:///path`. */

export type AbciAddress = { readonly path: string } | { readonly host: string; readonly port: number };

/** Undefined for any other text. */
export function parseAbciAddress(text: string): AbciAddress | undefined {
  const path = /^unix:\/\/(\/.+)$/.exec(text)?.[1];
  // The system takes no longer path for a socket.
  if (path !== undefined) return Buffer.byteLength(path) <= 107 ? { path } : undefined;
  const [, host, digits] = /^tcp:\/\/(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):([0-9]{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (host === undefined || port > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port };
}
