/**
 * The ten most used commands, run one after the other on a demo of their own in a terminal of 80 columns, and what each
 * of them showed. `script` of the system makes the terminal.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCollecting } from './child.mjs';
import { root } from './node.mjs';
import { Complaint } from './say.mjs';
import { createSteadier } from './steady-text.mjs';
import { columns } from './terminal-picture.mjs';

const patienceMs = 120_000;
const pollMs = 50;
const main = path.join(root, 'packages', 'cli', 'src', 'main.ts');
export const capturesFolder = path.join(root, 'docs', 'captures');

/** What is typed may name what an earlier command left behind. */
const credential = 'credential.json';
const presentation = 'presentation.json';
const asked = '--template "University degree" --age birthDate:18..';

/** Of each: its name, what a reader types, and one sentence. `id` stands for the credential that was applied for. */
const shots = [
  {
    name: 'dev',
    typed: 'symbolon dev',
    says: 'A node, a service and four people on this machine, in seconds.',
  },
  {
    name: 'status',
    typed: 'symbolon node status && symbolon service status',
    says: 'Whether both are there, and ready.',
  },
  {
    name: 'template-create',
    typed:
      'symbolon template create --name "Choir membership" \\\n    --attribute name:string:required --attribute birthDate:date',
    says: 'An issuer says what its credentials have.',
  },
  { name: 'template-list', typed: 'symbolon template list', says: 'What issuers of this service offer.' },
  {
    name: 'vc-issue',
    typed: 'symbolon vc issue ID --valid-until 2099-12-31',
    says: 'The issuer approves and signs; the ledger records that the credential exists, and nothing of what is in it.',
  },
  {
    name: 'wallet-list',
    typed: 'symbolon wallet list',
    says: 'A holder looks at what she has, and what the ledger says of each.',
  },
  {
    name: 'request',
    typed: `symbolon request ${asked} --wait`,
    says: 'A verifier asks for an age; a wallet answers in another terminal.',
  },
  {
    name: 'verify',
    typed: `symbolon verify ${presentation} --ask name --challenge hall-7b21`,
    says: 'A presentation in a file is checked, and each check is told.',
  },
  { name: 'tail', typed: 'symbolon tail', says: 'What happens, while it happens.' },
  {
    name: 'doctor',
    typed: 'symbolon doctor',
    says: 'What is wrong on this machine, and what to do about it.',
  },
];

/** A terminal of 80 columns with one command in it. */
function openTerminal(typed, { folder, env }) {
  const words = ['-qefc', `stty cols ${columns} rows 50; ${typed}`, '/dev/null'];
  const child = spawn('script', words, {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk;
  });
  const ended = new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Complaint(`script could not be started (${error.code}).`)));
    child.once('close', (code) => resolve(code));
  });
  return {
    ended,
    printed: () => printed.replaceAll('\r\n', '\n'),
    /** Waits until something was printed. */
    async shows(pattern) {
      const deadline = performance.now() + patienceMs;
      while (!pattern.test(printed)) {
        if (performance.now() > deadline || child.exitCode !== null)
          throw new Complaint(`"${typed}" does not print ${pattern}:\n${printed}`);
        await sleep(pollMs);
      }
      return printed;
    },
    /** Ctrl-C, typed. */
    async interrupt() {
      child.stdin.write('\u0003');
      return ended;
    },
    kill: () => void (child.exitCode === null && process.kill(-child.pid, 'SIGKILL')),
  };
}

/** A folder with nothing in it, and the command of this checkout on the path. */
function makePlace() {
  const home = mkdtempSync(path.join(os.tmpdir(), 'symbolon-captures-'));
  const [folder, programs] = ['work', 'programs'].map((name) => path.join(home, name));
  for (const made of [folder, programs]) mkdirSync(made);
  const program = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  writeFileSync(path.join(programs, 'symbolon'), program, { mode: 0o755 });
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(SYMBOLON_|NODE_|NO_COLOR|FORCE_COLOR|COLUMNS|CI$|TEAMCITY_)/.test(name),
  );
  const env = {
    ...Object.fromEntries(kept),
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, 'config'),
    TERM: 'xterm-256color',
    PATH: `${programs}:${process.env.PATH}`,
  };
  return { home, folder, env };
}

/** Runs a command that is in no picture; answers what it printed. */
async function quietly(command, { folder, env }) {
  const { code, output } = await runCollecting('sh', ['-c', command], {
    cwd: folder,
    env,
    timeout: patienceMs,
  });
  if (code !== 0) throw new Complaint(`"${command}" ended with ${code}:\n${output}`);
  return output;
}

/** What has to be there, or has to happen meanwhile, for single commands. */
function sceneOf(place) {
  const apply = `symbolon vc apply "Choir membership" --set name="Aroha Ngata" --set birthDate=1990-05-17 --json 2> /dev/null`;
  let id = '';
  return {
    typed: (text) => text.replace(/\bID\b/, id),
    before: {
      'vc-issue': async () => {
        id = JSON.parse(await quietly(apply, place)).vcId;
      },
      'wallet-list': () => quietly('symbolon wallet add', place),
      verify: () =>
        quietly(
          `symbolon vc download ${id} --out ${credential} && symbolon vp create ${credential} --reveal name --challenge hall-7b21 --out ${presentation}`,
          place,
        ),
    },
    meanwhile: {
      request: async (terminal) => {
        const [link] = /zetrix:\S+/.exec(await terminal.shows(/zetrix:\S+\s/)) ?? [];
        await quietly(`symbolon wallet answer '${link}' --yes`, place);
        await terminal.ended;
      },
      tail: async (terminal) => {
        await terminal.shows(/Watching/);
        await quietly(`symbolon vc revoke ${id} --reason "left the choir"`, place);
        await quietly('symbolon tx pay holder2 2.5gas --as holder', place);
        await terminal.shows(/2\.5 Gas/);
        await terminal.interrupt();
      },
    },
  };
}

/** Of the demo that runs: its document, and what of it is the same in every run. */
const demoFacts = ({ folder }) => {
  const demo = JSON.parse(readFileSync(path.join(folder, '.symbolon/dev/demo.json'), 'utf8'));
  const text = JSON.stringify([demo.templates, ...Object.values(demo).map((one) => one?.did ?? '')]);
  const steady = text.match(/[0-9a-f]{64}/g) ?? [];
  // The contracts of the service have other addresses each time.
  const accounts = Object.values(demo).flatMap((one) => one?.address ?? []);
  return { demo, steady, accounts };
};

/** In a checkout the command is called through npm; readers of documents have it installed. */
const calledByName = (text) =>
  text
    .replaceAll('npm run symbolon -- ', 'symbolon ')
    .replaceAll('npm run symbolon', 'symbolon')
    .replaceAll('npm start', 'symbolon dev');

const linesOf = (text) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());

/** Every command, in order: [{ name, says, typed, lines }], lines with their tones. */
export async function takeCaptures() {
  const place = makePlace();
  const opened = [];
  const open = (typed) => {
    const terminal = openTerminal(typed, place);
    opened.push(terminal);
    return terminal;
  };
  try {
    // What servers remark on a busy machine is not what a picture is about.
    const demoTerminal = open('symbolon dev --ledger-port 0 --service-port 0 --log dev.log');
    await demoTerminal.shows(/Ctrl-C stops/);
    const { demo, steady, accounts } = demoFacts(place);
    const [, socket] = /ws:\/\/127\.0\.0\.1:(\d+)/.exec(demoTerminal.printed()) ?? [];
    const [genesis = ''] = /ZTX3\w{33}/.exec(demoTerminal.printed().split('genesis')[1] ?? '') ?? [];
    const places = {
      [new URL(demo.ledger).port]: '36002',
      [new URL(demo.service).port]: '8080',
      [socket]: '36003',
    };
    // Settings fit what the pictures say of ports.
    Object.assign(place.env, {
      SYMBOLON_LEDGER_PORT: new URL(demo.ledger).port,
      SYMBOLON_LEDGER_SOCKET_PORT: socket,
      SYMBOLON_PORT: new URL(demo.service).port,
    });
    const steadied = createSteadier({ steady, accounts: [...accounts, genesis], places });
    const scene = sceneOf(place);
    const taken = [];
    for (const shot of shots) {
      await scene.before[shot.name]?.();
      const typed = scene.typed(shot.typed);
      const terminal = shot.name === 'dev' ? demoTerminal : open(typed.replaceAll('\\\n', ''));
      if (shot.name !== 'dev') await (scene.meanwhile[shot.name]?.(terminal) ?? terminal.ended);
      const text = steadied(
        calledByName(`\u001b[2m$\u001b[22m \u001b[1m${typed}\u001b[22m\n${terminal.printed()}`),
      );
      taken.push({ ...shot, lines: linesOf(text) });
    }
    await demoTerminal.interrupt();
    return taken;
  } finally {
    for (const terminal of opened) terminal.kill();
    rmSync(place.home, { recursive: true, force: true, maxRetries: 3 });
  }
}
