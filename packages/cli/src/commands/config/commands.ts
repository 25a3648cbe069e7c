/**
 * `symbolon config check|print`: the settings of a node's or a service's folder before anything is started with them:
 * what each is, where it comes from, and every mistake at once. Secrets are not shown.
 */
import type { ConfigReport, SettingReport } from '@symbolon/host/config/config';
import type { JsonValue } from '@symbolon/wire/json/json';
import type { Command } from 'commander';
import { jsonOption } from '../../profile/options.ts';
import { type FoundFolder, findFolders, inspectFolder } from '../../servers/config-folders.ts';
import type { ChosenEngine } from '../../servers/proof-engine.ts';
import { CommandFailure, exitCodes, unsuccessful } from '../../terminal/failure.ts';
import { columns } from '../../terminal/layout.ts';
import { printJson, processTerminal, type Terminal, toned } from '../../terminal/terminal.ts';

interface ConfigWords {
  readonly data: string;
  readonly json?: boolean;
}

interface Inspected extends FoundFolder, ConfigReport {}

export function addConfigCommands(program: Command, terminal: Terminal = processTerminal): void {
  const config = program.command('config').description('check and print the settings of node and service');
  const command = (name: string, description: string): Command =>
    config
      .command(name)
      .description(description)
      .option('--data <folder>', 'folder of a node, of a service, or of the demo', '.symbolon/dev')
      .addOption(jsonOption());

  command('check', 'say everything that is wrong with the settings').action(async (words: ConfigWords) => {
    const inspected = await inspect(words);
    const checked = await Promise.all(
      inspected.map(async (it) => ({
        ...it,
        engine: it.kind === 'service' ? await engineOf(it) : undefined,
      })),
    );
    if (words.json)
      printJson(terminal, {
        folders: checked.map(({ engine, ...it }) => ({
          ...withoutSettings(it),
          ...(engine && { proofEngine: { ...engine } }),
        })),
        ...problemOf(inspected),
      });
    else
      for (const { kind, folder, problems, engine } of checked) {
        if (problems.length === 0) terminal.print(`${folder}: the settings of this ${kind} are fine`);
        if (engine) terminal.print(`${folder}: proof engine ${engineText(engine)}`);
      }
    conclude(inspected, words, terminal);
  });

  command('print', 'every setting, its value, and where it comes from').action(async (words: ConfigWords) => {
    const inspected = await inspect(words);
    if (words.json) {
      const folders = inspected.map((it) => ({
        ...withoutSettings(it),
        settings: it.settings.map(settingToJson),
      }));
      printJson(terminal, { folders, ...problemOf(inspected) });
    } else for (const it of inspected) terminal.print(describe(it, terminal));
    conclude(inspected, words, terminal);
  });
}

async function inspect({ data }: ConfigWords): Promise<Inspected[]> {
  const folders = await findFolders(data);
  if (folders.length > 0) return folders.map((found) => ({ ...found, ...inspectFolder(found, process.env) }));
  throw new CommandFailure(
    `There is neither a node nor a service in ${data}.
A node's folder holds genesis.json, a service's service.json.
Name one with --data <folder>, or make one: symbolon node init, symbolon service init.`,
    exitCodes.config,
  );
}

/** Loaded by whom it serves. Of settings that cannot be read no engine is known. */
async function engineOf({ settings }: Inspected): Promise<ChosenEngine | undefined> {
  const { proofEngineOf } = await import('../../servers/proof-engine.ts');
  const found = settings.find(({ path }) => path === 'proofEngine')?.value;
  const setting = (['auto', 'native', 'webassembly'] as const).find((one) => one === found);
  return setting && proofEngineOf(setting);
}

const engineText = ({ engine, reason, problem }: ChosenEngine): string =>
  [engine === 'native' ? 'native' : 'WebAssembly', problem ?? reason].filter(Boolean).join(': ');

const problemOf = (inspected: readonly Inspected[]) =>
  inspected.some(({ problems }) => problems.length > 0) &&
  unsuccessful('Some settings cannot be used.', exitCodes.config);

/** All mistakes of all folders; a program has read them already. */
function conclude(inspected: readonly Inspected[], { json }: ConfigWords, { remark }: Terminal): void {
  const problems = inspected.flatMap((it) => it.problems);
  if (problems.length === 0) return;
  process.exitCode = exitCodes.config;
  if (json) return;
  remark(
    problems.length === 1 ? 'One mistake in the settings:' : `${problems.length} mistakes in the settings:`,
  );
  // A setting of the environment is looked at by each folder it concerns, and is still one mistake.
  for (const line of new Set(problems.map(({ place, problem }) => `  ${place}: ${problem}`))) remark(line);
  remark('Nothing starts with these settings. Correct them in the file or in the environment.');
}

const withoutSettings = ({ kind, folder, problems }: Inspected) => ({
  kind,
  folder,
  problems: problems.map(({ place, problem }) => ({ place, problem })),
});

const settingToJson = ({ path, env, value, isSecret, isSet, place }: SettingReport) => ({
  setting: path,
  environment: env,
  value: (value ?? null) as JsonValue,
  secret: isSecret,
  set: isSet,
  from: place,
});

function describe({ kind, folder, settings }: Inspected, terminal: Terminal): readonly string[] {
  const rows = settings.map((setting) => {
    const isOwn = setting.place !== 'default' && setting.isSet;
    return [`${isOwn ? '*' : ' '} ${setting.path}`, shownValue(setting), originOf(setting), setting.env];
  });
  const title = toned(terminal, 'strong', `${kind} in ${folder}  (* is not the default)`);
  const table = [['  setting', 'value', 'from', 'environment'], ...rows];
  const { width = Number.POSITIVE_INFINITY } = terminal;
  const whole = columns({ ...terminal, width: undefined }, table);
  if (whole.every((line) => line.length <= width)) return [title, ...whole];
  terminal.remark('--wide shows which variable of the environment sets each, and which file.');
  const short = table.map(([setting = '', value = '', from = '']) => [
    setting,
    value,
    from.replace(/^file .*/, 'file'),
  ]);
  return [title, ...columns(terminal, short)];
}

const shownCharactersMax = 60;

function shownValue({ value, isSet }: SettingReport): string {
  if (!isSet) return '-';
  if (value === undefined) return '(secret)';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
}

/** The place in the file repeats the setting's name, which stands in the same row. */
const originOf = ({ place, path }: SettingReport): string => place.replace(`${path} in `, 'file ');
