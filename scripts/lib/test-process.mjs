/**
 * Runs test files in one process of their own and counts what happened. Nothing a test leaves behind can
 * hold up the run: a process that stays open after its last test, one that takes too long, and processes
 * that tests have started are all ended, and named.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodeOf } from './child.mjs';
import { root } from './node.mjs';

const reporter = path.join(root, 'scripts', 'lib', 'reporter.mjs');
const loader = path.join(root, 'scripts', 'lib', 'load-tests.mjs');

/** All tests have ended, yet the process goes on: this long it may take to close what it has open. */
const closingMsMax = 30_000;
const drainMs = 300;
const outputCharactersMax = 64 * 1024;

const running = new Set();

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}

/** Ends every test process and what it has started with files in `folder`, for when the whole run is stopped. */
export function endAllTests(folder) {
  for (const pid of running) endGroup(pid);
  // Nodes of networks are in groups of their own: they outlive the command that starts them.
  for (const { pid, command } of livingProcesses())
    if (pid !== process.pid && command.includes(folder)) process.kill(pid, 'SIGKILL');
}

/** Process, group and command line of all that live. Linux only; elsewhere none are seen. */
function livingProcesses() {
  let pids;
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z') return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid: Number(pid), group: Number(group), command }];
    } catch {
      return [];
    }
  });
}

const livingMembers = (leader) =>
  livingProcesses()
    .filter(({ group }) => group === leader)
    .map(({ pid, command }) => `${pid} ${command.slice(0, 120)}`);

/** Keeps the last part of what a process prints. */
function tailOf(streams) {
  let text = '';
  for (const stream of streams) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk) => {
      text = (text + chunk).slice(-outputCharactersMax);
    });
  }
  return () => text.trim();
}

/** Calls for every line. A line ends where the reporter ends it, and at no other character that somebody breaks lines at. */
function onLines(stream, take) {
  let begun = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk) => {
    const lines = `${begun}${chunk}`.split('\n');
    begun = lines.pop();
    for (const line of lines) take(line);
  });
}

/** A file that cannot be loaded fails in its own place. */
const placed = (result) =>
  result.file === path.relative(root, loader)
    ? { ...result, file: result.name[0], line: 1, column: 1 }
    : result;

/** Collects the reporter's lines; `idleMs` tells how long every opened test has been closed. */
function collectEvents(stream, onResult) {
  const results = [];
  const notes = [];
  const state = { open: 0, opened: 0, ended: false, lastMs: Date.now() };
  const underWay = [];
  onLines(stream, (line) => {
    const event = JSON.parse(line);
    state.lastMs = Date.now();
    if (event.kind === 'open') {
      state.open += 1;
      state.opened += 1;
    } else if (event.kind === 'begin') underWay.push(event);
    else if (event.kind === 'close') {
      state.open -= 1;
      const at = underWay.findLastIndex(
        ({ nesting, name }) => nesting === event.nesting && name === event.name,
      );
      if (at !== -1) underWay.splice(at, 1);
    } else if (event.kind === 'result') {
      const result = placed(event);
      results.push(result);
      onResult(result);
    } else if (event.kind === 'note') notes.push(event.text);
    else if (event.kind === 'end') state.ended = true;
  });
  const idleMs = () => (state.opened > 0 && state.open === 0 ? Date.now() - state.lastMs : 0);
  const current = () => underWay.map(({ name }) => name).join(' › ');
  return { results, notes, idleMs, current, hasEnded: () => state.ended };
}

/** Waits for the process; gives why it had to be ended, if it had to. */
async function waitFor(child, events, limitMs) {
  const began = Date.now();
  let reason;
  const watch = setInterval(() => {
    if (reason) return;
    if (Date.now() - began > limitMs) {
      const during = events.current() ? `, during: ${events.current()}` : '';
      reason = `took longer than ${limitMs / 1000} s and was ended${during}`;
    } else if (events.idleMs() > closingMsMax) {
      reason = 'stayed open after its last test (a server, socket or timer is not closed) and was ended';
    } else return;
    endGroup(child.pid);
  }, 250);
  const exit = await new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code: exitCodeOf(code, signal), signal }));
    child.once('error', (error) => resolve({ code: 1, signal: error.code }));
  });
  clearInterval(watch);
  return { ...exit, reason };
}

/** What is wrong with the process itself, beyond what its tests reported. */
function processProblem(exit, events) {
  if (exit.reason) return exit.reason;
  if (!events.hasEnded()) {
    const how = exit.signal ? `signal ${exit.signal}` : `exit code ${exit.code}`;
    return `ended before its tests did (${how}): a test calls process.exit, or Node itself failed`;
  }
  const sawFailure = events.results.some(({ outcome }) => outcome === 'failed');
  return exit.code !== 0 && !sawFailure
    ? `ended with exit code ${exit.code} although no test failed`
    : undefined;
}

async function endLeftovers(pid) {
  let left = livingMembers(pid);
  if (left.length > 0) {
    await sleep(drainMs);
    left = livingMembers(pid);
  }
  endGroup(pid);
  return left.map((member) => `left a process running, now ended: ${member}`);
}

/**
 * Runs `files` in one process. Gives { results, problem, notes, output, seconds }; `problem` is a failure of
 * the process as a whole. `onResult` hears of every result as it happens.
 */
export async function runTestProcess(node, files, { limitMs, namePattern, env, onResult }) {
  const began = Date.now();
  const { NODE_TEST_CONTEXT: _, ...inherited } = env;
  const filter = namePattern ? [`--test-name-pattern=${namePattern}`] : [];
  const args = ['--test', '--test-isolation=none', `--test-reporter=${reporter}`, ...filter, loader];
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'];
  const own = { ...inherited, SYMBOLON_TEST_FILES: JSON.stringify(files) };
  const child = spawn(node.file, args, { cwd: root, env: own, stdio, detached: true });
  running.add(child.pid);
  const output = tailOf([child.stdout, child.stderr]);
  const events = collectEvents(child.stdio[3], onResult);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const exit = await waitFor(child, events, limitMs);
  await Promise.race([closed, sleep(drainMs)]);
  const leftovers = await endLeftovers(child.pid);
  for (const stream of child.stdio) stream?.destroy();
  running.delete(child.pid);
  return {
    results: events.results,
    problem: processProblem(exit, events),
    notes: [...events.notes, ...leftovers],
    output: output(),
    seconds: (Date.now() - began) / 1000,
  };
}
