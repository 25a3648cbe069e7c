/** `symbolon signer start`: signs until a signal ends it, or its key or its disk fails. */
import { once } from 'node:events';
import { given } from '@symbolon/core/basics/plain-values';
import { createLog } from '@symbolon/host/telemetry/log';
import { RemoteSigner } from '@symbolon/ledger-node/signer/remote-signer';
import { writeSignedState } from '@symbolon/ledger-node/signer/signed-state';
import { openSignerFolder } from '@symbolon/ledger-node/signer/signer-folder';
import { VoteSigner } from '@symbolon/ledger-node/signer/vote-signer';
import { logStreamOf } from '../../servers/server-log.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { processTerminal } from '../../terminal/terminal.ts';

interface StartWords {
  readonly data: string;
  readonly log?: string;
}

export async function runSigner({ data, log: logFile }: StartWords): Promise<void> {
  ifInterrupted('The signer stops. Its validator votes no more until it is back.');
  const { config, socketPath, key, last, close } = await openSignerFolder(data, process.env);
  const stream = logStreamOf({ file: logFile, level: config.logLevel });
  const log = createLog({ level: config.logLevel, name: 'signer', ...given({ stream }) });
  const signer = new VoteSigner({
    chainId: config.chainId,
    key,
    last,
    save: (signed) => writeSignedState(data, signed),
    onRefused: (reason) => log.warn({ reason }, 'not signed'),
    onPassed: (reason) => log.info({ reason }, 'asked again for a step that is over'),
  });
  const failed = Promise.withResolvers<never>();
  const remote = new RemoteSigner({
    socketPath,
    signer,
    onNotice: (text) => log.info(text),
    onFailure: failed.reject,
  });
  remote.start();
  try {
    processTerminal.print([`Signer  ${config.connect}`, 'The signer is ready. Ctrl-C stops it.']);
    const stopped = ['SIGINT', 'SIGTERM'].map((signal) => once(process, signal));
    await Promise.race([...stopped, failed.promise]);
  } catch (error) {
    log.error({ err: error }, 'nothing more is signed');
    throw new CommandFailure(
      'The signer cannot go on; the log says why. What it told was on the disk before.',
    );
  } finally {
    await remote.close();
    await close();
  }
}
