/**
 * The units with which systemd runs a validator: its node, its CometBFT and, where its key is apart, its signer. Each
 * sees its own folder and what it talks to, nothing else that can be kept from it.
 */

export interface UnitsOrder {
  /** All with their whole path. */
  readonly data: string;
  readonly symbolon: string;
  readonly cometbft: string;
  readonly user: string;
  readonly signer?: { readonly data: string; readonly socket: string; readonly user: string } | undefined;
}

/** What neither of them needs. */
const hardening = [
  'NoNewPrivileges=yes',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'ProtectClock=yes',
  'ProtectHostname=yes',
  'ProtectControlGroups=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'ProtectProc=invisible',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'LockPersonality=yes',
  'CapabilityBoundingSet=',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'UMask=0077',
] as const;

/** For good: none of them gives up by itself, whatever it waits for. */
const restarting = ['Restart=always', 'RestartSec=2', 'TimeoutStopSec=90'] as const;

interface Unit {
  readonly description: string;
  readonly unit?: readonly string[];
  readonly service: readonly string[];
}

/** Words of a command line as systemd reads them: a percent sign and a dollar sign mean something there. */
export function unitWord(word: string): string {
  const plain = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w@./:+,=%$-]+$/.test(plain)
    ? plain
    : `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

const commandLine = (words: readonly string[]): string => words.map(unitWord).join(' ');

function unitText({ description, unit = [], service }: Unit): string {
  return [
    '[Unit]',
    `Description=${description}`,
    'Wants=network-online.target',
    'After=network-online.target',
    'StartLimitIntervalSec=0',
    ...unit,
    '',
    '[Service]',
    'Type=exec',
    ...service,
    ...restarting,
    ...hardening,
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n');
}

export const unitNames = {
  ledger: 'symbolon-ledger.service',
  cometbft: 'symbolon-cometbft.service',
  signer: 'symbolon-signer.service',
} as const;

/** The folder below /run that systemd makes for a socket and removes with its process; none for one elsewhere. */
export const runtimeFolderOf = (socket: string): string | undefined =>
  /^\/run\/((?:[^/]+\/)*[^/]+)\/[^/]+$/.exec(socket)?.[1];

/** By the names of their files. */
export function unitTexts({ data, symbolon, cometbft, user, signer }: UnitsOrder): Record<string, string> {
  const network = 'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK';
  const runtime = signer && runtimeFolderOf(signer.socket);
  const texts: Record<string, string> = {
    [unitNames.ledger]: unitText({
      description: 'Ledger node of a Symbolon network',
      service: [
        `ExecStart=${commandLine([symbolon, 'node', 'start', '--data', `${data}/ledger`])}`,
        `User=${user}`,
        `ReadWritePaths=${unitWord(data)}`,
        'LimitNOFILE=65536',
        network,
      ],
    }),
    [unitNames.cometbft]: unitText({
      description: 'CometBFT of a Symbolon network',
      unit: [
        // It ends without its node; the other way round the node waits.
        `Wants=${unitNames.ledger}`,
        `After=${unitNames.ledger}`,
        ...(signer ? [`Wants=${unitNames.signer}`] : []),
      ],
      service: [
        `ExecStart=${commandLine([cometbft, 'start', '--home', `${data}/cometbft`])}`,
        `User=${user}`,
        `ReadWritePaths=${unitWord(data)}`,
        // Gone with the process, however it ends: a socket that stays keeps the next one from listening.
        ...(runtime === undefined ? [] : [`RuntimeDirectory=${runtime}`, 'RuntimeDirectoryMode=0750']),
        'LimitNOFILE=65536',
        'MemoryDenyWriteExecute=yes',
        network,
      ],
    }),
  };
  if (signer)
    texts[unitNames.signer] = unitText({
      description: 'Signer of a Symbolon validator',
      service: [
        `ExecStart=${commandLine([symbolon, 'signer', 'start', '--data', signer.data])}`,
        `User=${signer.user}`,
        `SupplementaryGroups=${user}`,
        `ReadWritePaths=${unitWord(signer.data)}`,
        '# The PIN of a hardware module: SYMBOLON_SIGNER_HSM_PIN=…, readable by root alone',
        'EnvironmentFile=-/etc/symbolon/signer.env',
        '# A hardware module at a device or in the network needs its own of these two',
        'RestrictAddressFamilies=AF_UNIX',
        'IPAddressDeny=any',
      ],
    });
  // The signer's user comes to the socket by its group.
  if (signer)
    texts[unitNames.cometbft] = (texts[unitNames.cometbft] as string).replace('UMask=0077', 'UMask=0007');
  return texts;
}
