/**
 * `npm test`: installs everything the tests need, checks the code, runs all tests and ends with a table
 * and the line "N passed, N failed". Options choose a part; nothing outside this folder and the system's
 * temporary folder changes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { allFiles, chooseFiles, groupNames, runChecks, runJourneys, runUnit } from './lib/groups.mjs';
import { ensureDependencies } from './lib/install.mjs';
import { checkLauncher, findNode, nodeEnvironment } from './lib/node.mjs';
import { Complaint, main, say } from './lib/say.mjs';
import { closingText } from './lib/summary.mjs';
import { endAllTests } from './lib/test-process.mjs';

const usage = `Usage: npm test -- [options] [test files or folders]
  --only ${groupNames.join(',')}   only these groups
  --name TEXT                only tests whose name contains TEXT
  --list                     show the groups and their files, run nothing
  --strict                   a skipped test is a failure (so it is when CI is set)
  --limit SECONDS            how long one test process may take (900)
  --jobs N                   how many journeys run side by side
  --each                     tell every test as it ends, not only those that fail`;

const limitSecondsDefault = 900;

const optionTypes = {
  only: { type: 'string' },
  name: { type: 'string' },
  list: { type: 'boolean' },
  strict: { type: 'boolean' },
  limit: { type: 'string' },
  jobs: { type: 'string' },
  each: { type: 'boolean' },
  help: { type: 'boolean' },
};

function positive(text, option) {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new Complaint(`--${option} needs a positive whole number.\n\n${usage}`, 2);
  return Number(text);
}

function readArguments(args) {
  let parsed;
  try {
    parsed = parseArgs({ args, options: optionTypes, allowPositionals: true });
  } catch (error) {
    throw new Complaint(`${error.message}\n\n${usage}`, 2);
  }
  const { values, positionals } = parsed;
  const asked = values.only?.split(',').map((name) => name.trim());
  const unknown = asked?.filter((name) => !groupNames.includes(name)) ?? [];
  if (unknown.length > 0) throw new Complaint(`No such group: ${unknown.join(', ')}\n\n${usage}`, 2);
  const isNarrow = positionals.length > 0 || values.name !== undefined;
  const files = positionals.length > 0 ? chooseFiles(positionals) : allFiles();
  const groups = groupNames.filter((name) => {
    if (asked && !asked.includes(name)) return false;
    if (name === 'check') return !isNarrow;
    return positionals.length === 0 || files[name].length > 0;
  });
  return {
    groups,
    files,
    help: values.help === true,
    list: values.list === true,
    strict: values.strict === true || !['', '0', 'false'].includes(process.env.CI ?? ''),
    limitMs: (positive(values.limit, 'limit') ?? limitSecondsDefault) * 1000,
    jobs: positive(values.jobs, 'jobs'),
    each: values.each === true,
    namePattern: values.name?.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  };
}

function list({ groups, files }) {
  for (const group of groups) {
    process.stdout.write(`${group}\n`);
    for (const file of files[group] ?? []) process.stdout.write(`  ${file}\n`);
  }
}

/** Tests put their files into a folder of this run, which goes away whatever becomes of them. */
async function inTemporaryFolder(work) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-test-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.on(signal, () => {
      endAllTests(folder);
      remove();
      process.exit(code);
    });
  }
  try {
    return await work(folder);
  } finally {
    remove();
  }
}

async function runGroups(node, chosen, temporary) {
  const options = { ...chosen, env: { ...nodeEnvironment(), TMPDIR: temporary } };
  const runs = {
    check: () => runChecks(node),
    unit: () => runUnit(node, chosen.files.unit, options),
    journeys: () => runJourneys(node, chosen.files.journeys, options),
  };
  const done = [];
  for (const name of chosen.groups) done.push(await runs[name]());
  return done;
}

await main(async () => {
  checkLauncher();
  const chosen = readArguments(process.argv.slice(2));
  if (chosen.help) return say(usage);
  if (chosen.list) return list(chosen);
  say();
  await ensureDependencies({ development: true });
  const node = findNode();
  const groups = await inTemporaryFolder((temporary) => runGroups(node, chosen, temporary));
  const { text, passed, failed } = closingText(groups, chosen);
  process.stdout.write(`${text}\n`);
  return failed > 0 || passed === 0 ? 1 : 0;
});
