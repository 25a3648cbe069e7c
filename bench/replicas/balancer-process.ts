/**
 * One address in front of several services, in a process of its own: each new connection goes to the service after the
 * one before, and stays there. It reads nothing of what passes, so that it costs little and changes nothing.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { answerCalls } from '../child.ts';

let targets: readonly number[] = [];
let turn = 0;

const server = createServer((near) => {
  const far = connect({ host: '127.0.0.1', port: targets[turn++ % targets.length] as number });
  near.setNoDelay(true);
  far.setNoDelay(true);
  near.pipe(far).pipe(near);
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

answerCalls(
  {
    port: (): number => (server.address() as AddressInfo).port,
    choose: ({ ports }: { readonly ports: readonly number[] }): void => {
      [targets, turn] = [ports, 0];
    },
  },
  () => void server.close(),
);
