/** `symbolon validator init|genesis|join`: from the keys of one validator to its place in a network. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { given } from '@symbolon/core/basics/plain-values';
import { peerIdOf, writeCometKeys, writeCometSettings } from '@symbolon/ledger-node/node/comet-home';
import { writeMemberFolder } from '@symbolon/ledger-node/node/network-folder';
import { publicKeyOf } from '@symbolon/ledger-node/signatures/ed25519';
import { readSignerFacts } from '@symbolon/ledger-node/signer/signer-folder';
import { isFree, makeFolder } from '../../machine/durable-files.ts';
import { assertDifferent, checkedGenesis, genesisTextsOf } from '../../network/founding.ts';
import { chooseNodePorts } from '../../network/free-ports.ts';
import {
  cometPart,
  type Founding,
  hasJoined,
  ledgerPart,
  type Member,
  memberFile,
  memberSchema,
  type OwnSettings,
  ownFile,
  readFounding,
  readMember,
  readOwn,
} from '../../network/member.ts';
import { type NodePorts, payeeKeyFile } from '../../network/network-file.ts';
import { makeKeyFile } from '../../profile/key-file.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { removeIfInterrupted } from '../../terminal/interruption.ts';
import { printFields } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printJson, processTerminal } from '../../terminal/terminal.ts';

/** Where node and CometBFT listen by themselves. */
const usualPorts: NodePorts = { http: 36_002, socket: 36_003, abci: 26_658, rpc: 26_657, p2p: 26_656 };

interface InitWords {
  readonly data: string;
  readonly name: string;
  readonly at: string;
  readonly signer?: string;
  readonly power: number;
  readonly snapshotEvery: number;
  readonly portsFrom?: number;
  readonly json?: boolean;
}

export async function initValidator(words: InitWords): Promise<void> {
  const { data, json, signer } = words;
  if (!(await isFree(data)))
    throw usageFailure(
      `${data} is not an empty folder.\nA validator gets a folder of its own. Name another one.`,
    );
  const ports =
    words.portsFrom === undefined
      ? usualPorts
      : ((await chooseNodePorts(1, { from: words.portsFrom }))[0] as NodePorts);
  const apart = signer === undefined ? undefined : await readSignerFacts(signer);
  const seed = apart ? undefined : randomBytes(32);
  const peerSeed = randomBytes(32);
  const at = /:[0-9]+$/.test(words.at) ? words.at : `${words.at}:${ports.p2p}`;
  const facts: Omit<Member, 'payTo'> = {
    name: words.name,
    publicKey: apart?.publicKey ?? encodeHex(publicKeyOf(seed as Uint8Array)),
    peerId: peerIdOf(peerSeed),
    at,
    power: words.power,
  };
  const wrong = memberSchema.omit({ payTo: true }).safeParse(facts).error?.issues[0];
  if (wrong)
    throw usageFailure(
      wrong.path[0] === 'at'
        ? '--at must be a host, or host:port, such as validator.example.org:26656.'
        : '--name must have small letters, digits and hyphens, 40 at most.',
    );
  await makeFolder(path.dirname(path.resolve(data)));
  const unfinished = `${path.resolve(data)}.${randomBytes(4).toString('hex')}.new`;
  const whole = removeIfInterrupted(unfinished);
  try {
    await mkdir(unfinished, { mode: 0o700 });
    const payee = await makeKeyFile(payeeKeyFile(unfinished));
    await writeCometKeys(cometPart(unfinished), { validatorSeed: seed, peerSeed });
    const own: OwnSettings = {
      ports,
      snapshotEvery: words.snapshotEvery,
      ...given({ signer: apart?.connect }),
    };
    await writeJson(ownFile(unfinished), own);
    await writeJson(memberFile(unfinished), { ...facts, payTo: payee.address });
    await rename(unfinished, data);
    whole();
    if (json) return printJson(processTerminal, { data, member: { ...facts, payTo: payee.address } });
    printFields(processTerminal, `A validator is in ${data}.`, {
      name: facts.name,
      'public key': facts.publicKey,
      'reached at': at,
      'gets fees': payee.address,
    });
    processTerminal.remark(
      `Give ${memberFile(data)} to whoever puts the network together: it has no secret in it.`,
    );
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

const writeJson = (file: string, value: object): Promise<void> =>
  writeFile(file, `${JSON.stringify(value, null, 2)}\n`, { flag: 'wx', mode: 0o600, flush: true });

interface GenesisWords {
  readonly member: readonly string[];
  readonly council: string;
  readonly genesisAccount: string;
  readonly blockMs: number;
  readonly out: string;
  readonly json?: boolean;
}

export async function foundNetwork(words: GenesisWords): Promise<void> {
  const { council, genesisAccount: genesisAddress, blockMs: commitMs, out, json } = words;
  if (existsSync(out))
    throw usageFailure(`${out} is there already; nothing was written.\nName another file.`);
  const members = await Promise.all(words.member.map(readMember));
  assertDifferent(members);
  // A second: CometBFT keeps whole ones in its document as it is written here.
  const time = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
  const agreed = { council, genesisAddress, time, commitMs, members };
  const { chainId, cometGenesisHash } = await genesisTextsOf(agreed);
  const founding: Founding = { symbolonNetwork: 1, ...agreed, chainId, cometGenesisHash };
  await writeJson(out, founding);
  if (json) return printJson(processTerminal, { out, chainId, members: members.length });
  printFields(processTerminal, `The network is in ${out}.`, { chain: chainId, validators: members.length });
  processTerminal.remark(
    'Give the file to all of them. Who joins sees the same name of the chain, or has another file.',
  );
}

interface JoinWords {
  readonly data: string;
  readonly founding: string;
  readonly json?: boolean;
}

export async function joinNetworkOf({ data, founding: file, json }: JoinWords): Promise<void> {
  const own = await readOwn(data);
  const member = await readMember(memberFile(data));
  const founding = await readFounding(file);
  const texts = await checkedGenesis(founding);
  const stands = founding.members.find(({ publicKey }) => publicKey === member.publicKey);
  if (stands && JSON.stringify(memberSchema.parse(stands)) !== JSON.stringify(member))
    throw usageFailure(
      `${file} says of ${member.name} what ${memberFile(data)} does not say.\nNothing was written. Have the network put together anew.`,
    );
  if (hasJoined(data)) throw usageFailure(`${data} is in a network already; nothing was changed.`);
  const { ports, snapshotEvery, signer } = own;
  const abci = `tcp://127.0.0.1:${ports.abci}`;
  // What a join that was cut short has left: it has no blocks yet.
  await rm(ledgerPart(data), { recursive: true, force: true });
  await rm(path.join(cometPart(data), 'config/genesis.json'), { force: true });
  await writeMemberFolder(ledgerPart(data), {
    genesis: texts.ledger,
    settings: {
      port: ports.http,
      socketPort: ports.socket,
      cometbft: { abci, rpc: `http://127.0.0.1:${ports.rpc}`, snapshotEvery },
    },
  });
  const isHere = /^(127\.|\[::1\]|localhost)/.test(member.at);
  await writeCometSettings(cometPart(data), {
    name: member.name,
    abci,
    rpcPort: ports.rpc,
    p2pHost: isHere ? '127.0.0.1' : '0.0.0.0',
    p2pPort: ports.p2p,
    peers: founding.members
      .filter(({ peerId }) => peerId !== member.peerId)
      .map(({ peerId, at }) => `${peerId}@${at}`),
    genesis: texts.comet,
    commitMs: founding.commitMs,
    signer,
  });
  const { chainId } = texts;
  if (json) return printJson(processTerminal, { data, chainId, validates: stands !== undefined });
  printFields(processTerminal, `${member.name} is in the network.`, {
    chain: chainId,
    validates: stands ? 'yes' : 'no, it follows',
    peers: founding.members.length - (stands ? 1 : 0),
    'reached at': `${member.at}: port ${ports.p2p} of this machine, which the others must reach; no other one`,
  });
  processTerminal.remark(startWords(data, signer));
}

/** What is done next, a line each. */
function startWords(data: string, signer: string | undefined): readonly string[] {
  const genesis = shellWord(path.join(cometPart(data), 'config/genesis.json'));
  const withSigner = [
    `Its signer, which calls ${signer}:`,
    `  symbolon signer join --data SIGNER-FOLDER --genesis ${genesis}`,
    '  symbolon signer start --data SIGNER-FOLDER',
  ];
  return [
    ...(signer === undefined ? [] : withSigner),
    'Then both of its own processes:',
    `  symbolon node start --data ${shellWord(ledgerPart(data))}`,
    `  cometbft start --home ${shellWord(cometPart(data))}`,
    `With systemd: symbolon validator units --data ${shellWord(data)}${signer === undefined ? '' : ' --signer SIGNER-FOLDER'}`,
  ];
}
