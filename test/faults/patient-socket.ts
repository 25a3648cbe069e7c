/** A connection to a node that may not listen yet: a CometBFT that is refused tries again, one that is closed on ends. */
import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { until } from '../support/until.ts';

export const connectPatiently = (port: number): Promise<Socket> =>
  until(`a node that listens at ${port}`, async () => {
    const socket = net.connect(port, '127.0.0.1');
    return once(socket, 'connect').then(
      () => socket,
      () => undefined,
    );
  });
