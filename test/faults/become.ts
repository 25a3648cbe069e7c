/**
 * Stands in for CometBFT where a node is started: asks the test (`namespaced-peers.ts`) what to become, and becomes it
 * under the same number, so that whoever started it signals the real one.
 */
import net from 'node:net';
import { text } from 'node:stream/consumers';

const [socketFile = '', ...words] = process.argv.slice(2);
const socket = net.connect(socketFile);
socket.end(JSON.stringify(words));
const told = JSON.parse(await text(socket)) as
  | { readonly words: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly complaint: string };
if ('complaint' in told) throw new Error(told.complaint);
process.execve?.('/usr/bin/env', ['env', ...told.words], {
  ...(process.env as Record<string, string>),
  ...told.env,
});
