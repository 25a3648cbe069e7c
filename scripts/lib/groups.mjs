/**
 * The groups of `npm test` and how each runs: `check` needs no running code, `unit` runs the tests beside
 * the code in a process for each core, `journeys` gives every file under test/ a process of its own.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checksEngine, listChecks } from './checks.mjs';
import { root } from './node.mjs';
import { Complaint, say, stepLine } from './say.mjs';
import { againCommand } from './summary.mjs';
import { runTestProcess } from './test-process.mjs';

export const groupNames = ['check', 'unit', 'journeys'];

const folders = { unit: ['packages', 'contracts'], journeys: ['test'] };
const ignored = new Set(['node_modules', '.cache', 'dist']);

/** The test files under a folder, as paths from the root, in a fixed order. */
function testFiles(folder) {
  const absolute = path.join(root, folder);
  if (!existsSync(absolute)) return [];
  return readdirSync(absolute, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return ignored.has(entry.name) ? [] : testFiles(file);
      return entry.name.endsWith('.test.ts') ? [file] : [];
    });
}

/** The test files a command line names: files or folders, by group. */
export function chooseFiles(names) {
  const chosen = { unit: [], journeys: [] };
  for (const name of names) {
    const relative = path.relative(root, path.resolve(root, name));
    const isFolder =
      existsSync(path.join(root, relative)) && statSync(path.join(root, relative)).isDirectory();
    const files = isFolder ? testFiles(relative) : existsSync(path.join(root, relative)) ? [relative] : [];
    const known = files.filter((file) => file.endsWith('.test.ts'));
    if (known.length === 0) throw new Complaint(`No test file here: ${name}`, 2);
    for (const file of known) {
      const group = Object.keys(folders).find((key) =>
        folders[key].some((folder) => file.startsWith(folder + path.sep)),
      );
      if (!group) throw new Complaint(`Not among the tests of packages/, contracts/ and test/: ${name}`, 2);
      chosen[group].push(file);
    }
  }
  return chosen;
}

export const allFiles = () => ({
  unit: folders.unit.flatMap(testFiles),
  journeys: folders.journeys.flatMap(testFiles),
});

const emptyGroup = (name, engine) => ({
  name,
  engine,
  passed: 0,
  failed: 0,
  skipped: 0,
  seconds: 0,
  failures: [],
  skips: [],
});

function addFailure(group, failure) {
  group.failed += 1;
  group.failures.push({ group: group.name, ...failure });
}

export async function runChecks(node) {
  const group = emptyGroup('check', checksEngine());
  for (const { name, run } of listChecks(node)) {
    const began = Date.now();
    const problem = await run();
    const took = (Date.now() - began) / 1000;
    group.seconds += took;
    say(stepLine(problem === undefined ? '✔' : '✖', name, `${took.toFixed(1)}s`));
    if (problem === undefined) group.passed += 1;
    else addFailure(group, { title: name, text: problem, again: againCommand({ group: 'check' }) });
  }
  return group;
}

const linesToldAtOnce = 4;

/** Told at once, because the others may take long; the whole of it stands at the end. */
function tellFailure({ name, file, line, error = '' }) {
  say(`  ✖ failing test: ${name.join(' › ')}${file ? ` (${file}:${line})` : ''}`);
  for (const words of error.split('\n').slice(0, linesToldAtOnce)) say(`      ${words}`);
}

/** `each`: of those that pass, too, for runs of hours. */
const teller = (each) => (result) => {
  if (result.outcome === 'failed') tellFailure(result);
  else if (each) say(stepLine('✔', result.name.at(-1), `${result.seconds.toFixed(1)}s`));
};

const runTests = (node, files, { each, ...options }) =>
  runTestProcess(node, files, { ...options, onResult: teller(each) });

/** Adds what one test process did to its group. */
function addProcess(group, files, done) {
  const only = files.length === 1 ? files[0] : undefined;
  for (const result of done.results) {
    const { outcome, name, file, line, column, error, reason } = result;
    const title = name.join(' › ');
    if (outcome === 'passed') group.passed += 1;
    else if (outcome === 'skipped') {
      group.skipped += 1;
      group.skips.push({ title: `${file ?? group.name} › ${title}`, reason });
    } else {
      const again = againCommand({
        group: group.name,
        file: file ?? only,
        name: title === file ? undefined : name.at(-1),
      });
      addFailure(group, { title, place: file ? `${file}:${line}:${column}` : only, text: error, again });
    }
  }
  if (done.problem) {
    const again = againCommand({ group: group.name, file: only });
    const title = only ?? `${files.length} files in one process`;
    addFailure(group, { title, text: done.problem, output: done.output, again });
  }
  for (const note of done.notes) say(`  ! ${only ?? group.name}: ${note}`);
  group.seconds += done.seconds;
}

function tell(group, title, before) {
  const passed = group.passed - before.passed;
  const failed = group.failed - before.failed;
  const skipped = group.skipped - before.skipped;
  const counts = [`${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`];
  const took = `${(group.seconds - before.seconds).toFixed(1)}s`;
  say(stepLine(failed > 0 ? '✖' : '✔', title, took, counts.filter(Boolean).join(', ')));
}

function skipEmpty(group) {
  group.skipped += 1;
  group.skips.push({ title: group.name, reason: 'no test files' });
  return group;
}

/** How many processes run side by side: not many, because journeys start nodes of their own. */
const lanesOf = ({ jobs }, spare = 0) => jobs ?? Math.min(4, os.availableParallelism() + spare);

/** All unit tests in as many processes as there are lanes; neighbours among the files go to different ones. */
export async function runUnit(node, files, options) {
  const group = emptyGroup('unit', `node ${node.version}`);
  if (files.length === 0) return skipEmpty(group);
  const began = Date.now();
  const lanes = lanesOf(options);
  const shares = Array.from({ length: lanes }, (_, lane) => files.filter((_file, at) => at % lanes === lane));
  const run = async (share) => addProcess(group, share, await runTests(node, share, options));
  await Promise.all(shares.filter((share) => share.length > 0).map(run));
  group.seconds = (Date.now() - began) / 1000;
  tell(group, `${files.length} unit test ${files.length === 1 ? 'file' : 'files'}`, emptyGroup());
  return group;
}

/** Every journey in its own process. */
export async function runJourneys(node, files, options) {
  const group = emptyGroup('journeys', `node ${node.version}`);
  if (files.length === 0) return skipEmpty(group);
  const began = Date.now();
  const waiting = [...files];
  const lane = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const done = await runTests(node, [file], options);
      const before = { ...group };
      addProcess(group, [file], done);
      tell(group, file, before);
    }
  };
  // One more than there are cores: journeys wait for processes, blocks and clocks a good part of their time.
  await Promise.all(Array.from({ length: lanesOf(options, 1) }, lane));
  group.seconds = (Date.now() - began) / 1000;
  return group;
}
