/**
 * What a new user does, run inside the bare Debian by its Node 20: `npm start` until the service is ready, a signal to
 * stop, the same again, and `npm test` if the word `test` is given. Says what it saw as one line of JSON for each step
 * on standard output; everything the commands print goes to the other output. Is told nothing about the outside.
 */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const readyMsMax = 5 * 60_000;
const stopMsMax = 20_000;
const pollMs = 50;
/** A busy machine makes any one start slow: the first quick one of a few counts. */
const laterStartsMax = 5;
const quickSeconds = 3;

const tell = (fact) => process.stdout.write(`${JSON.stringify(fact)}\n`);

class Disappointment extends Error {}

/** A command of npm, with what it has printed and how it ended. */
function npm(args) {
  const child = spawn('npm', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const state = { printed: '', ended: undefined };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      state.printed += chunk;
      process.stderr.write(chunk);
    });
  }
  const closed = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: error.code }));
    child.once('close', (code, signal) => resolve({ code: code ?? signal }));
  }).then((ended) => {
    state.ended = ended;
    return ended;
  });
  return { child, state, closed };
}

const isReady = (url) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status === 200;
    },
    () => false,
  );

/** Starts, waits until the service is ready, stops again. */
async function start(which) {
  const began = performance.now();
  const { child, state, closed } = npm(['start', '--', '--no-open']);
  let url;
  while (url === undefined || !(await isReady(url))) {
    if (state.ended) throw new Disappointment(`npm start ended (${state.ended.code}) before it was ready`);
    if (performance.now() - began > readyMsMax)
      throw new Disappointment('npm start did not get ready in time');
    url = /^\s*Credentials\s+(http\S+)/m.exec(state.printed)?.[1];
    await sleep(pollMs);
  }
  const readySeconds = (performance.now() - began) / 1000;
  const stopping = performance.now();
  child.kill('SIGTERM');
  await Promise.race([closed, sleep(stopMsMax, undefined, { ref: false })]);
  if (!state.ended) throw new Disappointment('npm start did not stop when told to');
  while (await isReady(url)) {
    if (performance.now() - stopping > stopMsMax) throw new Disappointment('the service outlives npm start');
    await sleep(pollMs);
  }
  tell({ kind: 'start', which, readySeconds, stopSeconds: (performance.now() - stopping) / 1000 });
  return readySeconds;
}

async function test() {
  const began = performance.now();
  const { state, closed } = npm(['test']);
  const { code } = await closed;
  const result = /^(\d+ passed, \d+ failed)\s*$/m.exec(state.printed)?.[1];
  tell({ kind: 'test', seconds: (performance.now() - began) / 1000, result, code });
  if (code !== 0) throw new Disappointment(`npm test failed (${code})`);
}

// Whoever sent us is gone: with us, as the first of them all, everything in here ends.
process.stdin.resume().once('end', () => process.exit(1));
process.stdin.unref();

try {
  await start('first');
  for (let count = 0, took = Infinity; took >= quickSeconds && count < laterStartsMax; count += 1)
    took = await start('later');
  if (process.argv.includes('test')) await test();
} catch (error) {
  if (!(error instanceof Disappointment)) throw error;
  tell({ kind: 'failure', message: error.message });
  process.exitCode = 1;
}
