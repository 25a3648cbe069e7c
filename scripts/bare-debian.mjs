/**
 * `node scripts/bare-debian.mjs`: makes a Debian 12 with nothing but Node 20, puts this checkout into it and lets an
 * ordinary user run `npm start` there, cold and warm, and with `--test` the whole `npm test`; or, with `--guides`, install
 * the packed command and follow the guides of the five persons. Prints the times; fails when something fails or a warm
 * start takes too long. Needs root; writes to .cache/bare-debian only.
 */
import { renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { bareDebian, newVisit, systemIn } from './debian/base.mjs';
import { checkChroot, copyProject, runInside, visitorEnvironment } from './debian/chroot.mjs';
import { runCollecting } from './lib/child.mjs';
import { checkLauncher } from './lib/node.mjs';
import { Complaint, main, say, step } from './lib/say.mjs';

const usage = `Usage: node scripts/bare-debian.mjs [options]
  --test    run npm test as well
  --guides  install the packed command and follow the guides instead
  --keep    leave the system as it is at the end, to look at it`;

const warmSecondsMax = 3;
/** On a machine with more to do than this, for each core, a time says nothing about the project. */
const loadMax = 2;

function readArguments(args) {
  const options = {
    test: { type: 'boolean' },
    guides: { type: 'boolean' },
    keep: { type: 'boolean' },
    help: { type: 'boolean' },
  };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new Complaint(`${error.message}\n\n${usage}`, 2);
  }
}

/** What was seen inside, line by line. */
function collectFacts() {
  const facts = [];
  return { facts, onLine: (line) => facts.push(JSON.parse(line)) };
}

async function sizeOf(folder) {
  const { output } = await runCollecting('du', ['-sm', folder]);
  return `${Number.parseInt(output, 10)} MB`;
}

const inSeconds = (value) => `${value.toFixed(1)} s`;

/** What is wrong with the times of later starts, or why they cannot be judged. */
function judgeWarm(warm) {
  const best = Math.min(...warm);
  if (warm.length === 0 || best < warmSecondsMax) return { isSlow: false, lines: [] };
  const [load] = os.loadavg();
  const cores = os.availableParallelism();
  const isBusy = load > loadMax * cores;
  const line = isBusy
    ? `This machine is busy (load ${load.toFixed(1)}, ${cores} cores): the later starts are not judged.`
    : `A later start takes ${inSeconds(best)}; it must be ready in ${warmSecondsMax} s.`;
  return { isSlow: !isBusy, lines: [line] };
}

/** The lines of the closing table and whether everything is as it should be. */
function report(facts) {
  const starts = (which) => facts.filter((fact) => fact.which === which);
  const warm = starts('later').map(({ readySeconds }) => readySeconds);
  const { isSlow, lines: verdict } = judgeWarm(warm);
  const test = facts.find(({ kind }) => kind === 'test');
  const failure = facts.find(({ kind }) => kind === 'failure');
  const lines = [
    ...starts('first').map(({ readySeconds }) => `first start    ready after ${inSeconds(readySeconds)}`),
    ...(warm.length > 0 ? [`later starts   ready after ${warm.map(inSeconds).join(', ')}`] : []),
    ...(test ? [`npm test       ${test.result ?? 'no result'} in ${inSeconds(test.seconds)}`] : []),
    ...verdict,
    ...(failure ? [`Failed: ${failure.message}.`] : []),
  ];
  return { lines, isGood: !failure && !isSlow && warm.length > 0 };
}

/** The same of a visit that followed the guides. */
function reportGuides(facts) {
  const failures = facts.filter(({ kind }) => kind === 'failure');
  const guides = facts.filter(({ kind }) => kind === 'guide');
  const width = 16;
  const lines = [
    ...facts
      .filter(({ kind }) => kind === 'step')
      .map(({ title, seconds }) => `${title.padEnd(width)} ${inSeconds(seconds)}`),
    ...guides.map(
      ({ person, guide, seconds }) =>
        `${person.padEnd(width)} docs/guides/${guide}.md in ${inSeconds(seconds)}`,
    ),
    ...failures.map(({ message }) => `Failed: ${message}.`),
  ];
  return { lines, isGood: failures.length === 0 && guides.length > 0 };
}

async function copySystem(base, place) {
  const { code, output } = await runCollecting('cp', ['-a', '--reflink=auto', systemIn(base), place]);
  if (code !== 0) throw new Complaint(output.trim());
}

/** Under another name: what is called a visit is cleared away some day. */
function keepVisit(place) {
  const kept = place.replace(/visit-(\w+)$/, 'kept-$1');
  renameSync(place, kept);
  say(`  Kept: ${systemIn(kept)}`);
}

async function visit(base, { test, guides, keep }) {
  const place = newVisit();
  const system = systemIn(place);
  try {
    await step('copy of the system', () => copySystem(base, place));
    await step('copy of the project', () => copyProject(system));
    const env = { ...(await visitorEnvironment(system)), ...(test && { CI: 'true' }) };
    const { facts, onLine } = collectFacts();
    const words = guides
      ? ['node', 'scripts/debian/guides.mjs']
      : ['node', 'scripts/debian/visit.mjs', ...(test ? ['test'] : [])];
    const code = await runInside(system, words, { env, onLine });
    const { lines, isGood } = guides ? reportGuides(facts) : report(facts);
    say();
    for (const line of lines) process.stdout.write(`${line}\n`);
    process.stdout.write(`size           ${await sizeOf(place)} with everything installed\n`);
    if (code !== 0 && isGood) throw new Complaint(`The commands inside ended with code ${code}.`, code);
    return isGood ? 0 : 1;
  } finally {
    if (keep) keepVisit(place);
    else rmSync(place, { recursive: true, force: true });
  }
}

await main(async () => {
  checkLauncher();
  const words = readArguments(process.argv.slice(2));
  if (words.help) return say(usage);
  await checkChroot();
  say();
  const base = await step('bare Debian 12 with Node 20', bareDebian);
  return visit(base, words);
});
