/**
 * `symbolon listen`: callbacks of verification sessions for somebody who develops their receiver. Catches them on this
 * machine, checks who signed them, says one line each and hands them on.
 */
import type { Command } from 'commander';
import { addPartyOptions, withConnection } from '../../credentials/party-commands.ts';
import type { PartyWords } from '../../profile/connection.ts';
import { httpUrl, portNumber } from '../../profile/options.ts';
import { acceptNewKeysText } from '../../profile/pinned-result-keys.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { processTerminal, type Terminal } from '../../terminal/terminal.ts';
import type { ListenWords } from './forwarding.ts';

export function addListenCommands(program: Command, terminal: Terminal = processTerminal): void {
  addPartyOptions(program.command('listen'), 'verifier')
    .description('receive callbacks on this machine, check them and hand them on')
    .option('--events', "have the service's events posted here too, as long as this listens")
    .option('--forward-to <url>', 'where to hand them on; its answer is what the service hears', httpUrl)
    .option('--port <number>', 'the port to listen at; a free one, if left out', portNumber, 0)
    .option('--secret-file <file>', 'a file with the shared secret, to check that signature too')
    .option('--accept-new-keys', acceptNewKeysText)
    .action((words: PartyWords & ListenWords) =>
      withConnection(words, terminal, async (connection) => {
        const { listen } = await import('./forwarding.ts');
        const stop = new AbortController();
        ifInterrupted(
          'Ended. Callbacks that the service still has to send find nobody here; it tries again.',
        );
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
        await listen(connection, { words, terminal, signal: stop.signal });
      }),
    );
}
