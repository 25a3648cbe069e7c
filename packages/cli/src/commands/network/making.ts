/** `symbolon network init`: the folder of a new network. */
import { makeNetwork } from '../../network/make-network.ts';
import { councilKeyFile, genesisKeyFile, indexOf, ledgerUrlOf } from '../../network/network-file.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { columns } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printJson, processTerminal } from '../../terminal/terminal.ts';

interface InitWords {
  readonly dir: string;
  readonly validators: number;
  readonly blockMs: number;
  readonly snapshotEvery: number;
  readonly portsFrom?: number;
  readonly json?: boolean;
}

export async function initNetwork({ dir, json, ...words }: InitWords): Promise<void> {
  const { validators, blockMs: commitMs, snapshotEvery, portsFrom } = words;
  ifInterrupted('Interrupted. There is no network; what was begun of it is removed.');
  const made = await makeNetwork(dir, { validators, commitMs, snapshotEvery, portsFrom });
  if (json)
    return printJson(processTerminal, {
      dir,
      chainId: made.chainId,
      council: made.council,
      genesisAddress: made.genesisAddress,
      nodes: made.nodes.map((node) => ({ node: indexOf(node), name: node.name, ledger: ledgerUrlOf(node) })),
    });
  processTerminal.print([
    `A network of ${validators} ${validators === 1 ? 'validator' : 'validators'} is in ${dir}.`,
    ...columns(processTerminal, [
      ['  genesis account', made.genesisAddress],
      ['  its key', genesisKeyFile(dir)],
      ['  council', made.council],
      ['  its key', councilKeyFile(dir)],
      ...made.nodes.slice(0, 1).map((node) => [`  ${node.name}`, ledgerUrlOf(node)]),
    ]),
    `Start it with: symbolon network up --dir ${shellWord(dir)}`,
  ]);
}
