/**
 * `symbolon demo`: the whole story of a credential against the running demo, in front of whoever watches; or, with
 * `--as`, the same story as a program to take along. It fails when the story does not end as it must: verified first,
 * refused after the revocation.
 */
import { readFile } from 'node:fs/promises';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { type Command, Option } from 'commander';
import { quietName, startName } from '../../machine/own-name.ts';
import { isHome } from '../../profile/api-key.ts';
import type { PartyWords } from '../../profile/connection.ts';
import {
  defaultNodeUrl,
  defaultServiceUrl,
  jsonOption,
  ledgerOption,
  profileOption,
  serviceOption,
} from '../../profile/options.ts';
import { demoProfile } from '../../profile/places.ts';
import { type Profile, readProfile } from '../../profile/profile.ts';
import { CommandFailure, exitCodes, usageFailure } from '../../terminal/failure.ts';
import { shellWord, typeScriptText } from '../../terminal/quoting.ts';
import { processTerminal, type Terminal } from '../../terminal/terminal.ts';
import type { Cast, Player, StoryStep } from './story.ts';

interface DemoWords extends Omit<PartyWords, 'as'> {
  readonly as?: keyof typeof programs;
}

/** The story as programs, which are files of this folder. */
const programs = { curl: 'story.sh', ts: 'story-on-sdk.ts' } as const;
/** How each writes a file's name. */
const written = { curl: shellWord, ts: typeScriptText } as const;
/** Where the programs look for the demo's people, unless they are told. */
const usualFile = '.symbolon/dev/demo.json';

export function addDemoCommand(program: Command, terminal: Terminal = processTerminal): void {
  program
    .command('demo')
    .description('play the whole life of a credential on the running demo')
    .addOption(
      new Option('--as <form>', 'print it as a program instead, to read, change and run').choices(
        Object.keys(programs),
      ),
    )
    // Its people, whatever profile is current.
    .addOption(profileOption().default(demoProfile))
    .addOption(ledgerOption())
    .addOption(serviceOption())
    .addOption(jsonOption())
    .action(async (words: DemoWords) => {
      if (words.as !== undefined) return printProgram(words, words.as, terminal);
      return runDemo(words, terminal);
    });
}

async function printProgram(
  { profile: name }: DemoWords,
  form: keyof typeof programs,
  terminal: Terminal,
): Promise<void> {
  const text = await readFile(new URL(programs[form], import.meta.url), 'utf8');
  const { file: people = usualFile } = await readProfile(name);
  const program = text.trimEnd().replaceAll(`'${usualFile}'`, () => written[form](people));
  terminal.print(program.split('\n'));
}

async function runDemo(words: DemoWords, terminal: Terminal): Promise<void> {
  const [{ playStory }, { storyLines }] = await Promise.all([
    import('./story.ts'),
    import('./story-lines.ts'),
  ]);
  const { cast, serviceUrl } = await castOf(words);
  const steps: StoryStep[] = [];
  try {
    for await (const step of playStory(cast)) {
      steps.push(step);
      if (!words.json) for (const line of storyLines(terminal, steps.length, step)) terminal.print(line);
    }
  } catch (error) {
    const isAway = error instanceof SdkError && error.code === 'unreachable';
    throw isAway && steps.length === 0 ? notRunning(serviceUrl) : error;
  }
  if (words.json) terminal.print(stringifyJson({ steps: steps as unknown as JsonObject[] }));
  else terminal.print(`  As code: ${quietName} demo --as curl > story.sh (or --as ts)`);
  judge(steps);
}

/** The story proves something only if it ends as it must. */
function judge(steps: readonly StoryStep[]): void {
  const first = steps.find((step) => step.step === 'verify');
  const again = steps.find((step) => step.step === 'verifyAgain');
  if (!first?.verified) throw new CommandFailure('The presentation was not verified.', exitCodes.notVerified);
  const isRevoked = again?.failures.length === 1 && again.failures[0]?.check === 'status';
  if (!again || again.verified || !isRevoked)
    throw new CommandFailure('The presentation should have been refused because of its status, and was not.');
}

async function castOf(words: DemoWords): Promise<{ cast: Cast; serviceUrl: string }> {
  const { createCredentialClient, createLedgerClient, httpTransport, signerFromPrivateKey } = await import(
    '@symbolon/sdk/index'
  );
  const profile = await readProfile(words.profile);
  const serviceUrl = words.service ?? profile.service ?? defaultServiceUrl;
  if (!isHome({ serviceUrl, profileService: profile.service })) throw notHome(profile.service);
  const ledgerUrl = words.ledger ?? profile.ledger ?? defaultNodeUrl;
  const player = async (role: string): Promise<Player> => {
    const { privateKey, apiKey, name } = profile.person(role) ?? {};
    if (privateKey === undefined || apiKey === undefined) throw nobody(profile, role);
    return {
      name: typeof name === 'string' ? name : role,
      signer: await signerFromPrivateKey(privateKey),
      client: createCredentialClient(serviceUrl, { apiKey }),
    };
  };
  const bbsPublicKey = profile.person('issuer')?.bbsPublicKeyMultibase;
  if (bbsPublicKey === undefined) throw nobody(profile, 'issuer');
  const cast = {
    issuer: { ...(await player('issuer')), bbsPublicKey },
    holder: await player('holder'),
    verifier: await player('verifier'),
    ledger: createLedgerClient(httpTransport(ledgerUrl)),
  };
  return { cast, serviceUrl };
}

const howToStart = `Start it in another terminal, in this folder, and leave it running: ${startName}`;

const notRunning = (url: string): CommandFailure =>
  new CommandFailure(
    `The demo does not run.\nNothing answers at ${url}.\n${howToStart}`,
    exitCodes.unreachable,
  );

/** The people of the demo have API keys, which are for their own service. */
const notHome = (service = defaultServiceUrl): CommandFailure =>
  usageFailure(
    `The story was not played.\nThe API keys of its people are for ${service} and are not sent elsewhere.\nLeave --service out, or name the profile of that service with --profile.`,
  );

const nobody = ({ file }: Profile, role: string): CommandFailure =>
  file === undefined
    ? new CommandFailure(
        `There is no demo in this folder.\nIt has no ${usualFile}, which the first start writes.\n${howToStart}`,
        exitCodes.unreachable,
      )
    : new CommandFailure(
        `The story lacks somebody.\n${file} has no keys of ${role === 'issuer' ? 'an' : 'a'} ${role}.\n` +
          `Use the profile of a demo: leave --profile out, or start one with ${startName}.`,
        exitCodes.config,
      );
