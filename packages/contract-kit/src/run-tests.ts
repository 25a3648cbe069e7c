/**
 * Running the tests of contracts with Node's own test runner, one process a file: finding the files, and telling what
 * became of each test. The tests themselves use `test-chain.ts`.
 */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

export interface TestOutcome {
  readonly file: string;
  /** The names of its suites, then its own. */
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly error?: string;
}

const testEnding = /\.test\.[cm]?[jt]s$/;
const foldersMax = 10_000;
const complaintCharsMax = 8_192;
/** What the runner says of a file that did not load. */
const loadingFailed = 'test failed';

/** A place where tests were expected and are not. */
export class NoTests extends Error {
  override name = 'NoTests';
}

/** The test files that files and folders name, each once. */
export async function findTestFiles(places: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const place of places) {
    const facts = await stat(place).catch(() => undefined);
    if (!facts) throw new NoTests(`${place} does not exist.`);
    const files = facts.isDirectory() ? await testFilesUnder(place) : [place];
    if (files.length === 0) throw new NoTests(`${place} holds no file named *.test.ts or *.test.js.`);
    for (const file of files) found.add(path.resolve(file));
  }
  return [...found];
}

async function testFilesUnder(folder: string): Promise<string[]> {
  const files: string[] = [];
  const waiting = [folder];
  for (let visited = 0; waiting.length > 0; visited++) {
    if (visited > foldersMax) throw new NoTests(`${folder} holds more than ${foldersMax} folders.`);
    const current = waiting.pop() as string;
    for (const entry of await readdir(current, { withFileTypes: true })) {
      const inside = path.join(current, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.')) {
        waiting.push(inside);
      } else if (entry.isFile() && testEnding.test(entry.name)) files.push(inside);
    }
  }
  return files.sort();
}

/** Runs test files; `print` gets what a person wants to read meanwhile, `onOutput` what the tests of a file print. */
export async function runTestFiles(
  files: readonly string[],
  {
    print,
    onOutput,
  }: { print?: (text: string) => void; onOutput?: (file: string, text: string) => void } = {},
): Promise<TestOutcome[]> {
  // Node takes a process that a test started for a part of that test, and would run nothing.
  delete process.env.NODE_TEST_CONTEXT;
  const resolveKit = new URL('./resolve-kit.ts', import.meta.url).href;
  const events = run({ files: [...files], isolation: 'process', execArgv: ['--import', resolveKit] });
  const outcomes: TestOutcome[] = [];
  const names: string[] = [];
  const complaints = new Map<string, string>();
  events.on('test:stderr', ({ file, message }) => {
    complaints.set(file, `${complaints.get(file) ?? ''}${message}`.slice(0, complaintCharsMax));
  });
  events.on('test:stdout', ({ file, message }) => onOutput?.(file, message));
  events.on('test:start', ({ name, nesting }) => {
    names[nesting] = name;
  });
  events.on('test:pass', (event) => {
    if (event.details.type === 'suite') return;
    const isSkipped = event.skip !== undefined || event.todo !== undefined;
    outcomes.push({ ...placeOf(event, names), outcome: isSkipped ? 'skipped' : 'passed' });
  });
  events.on('test:fail', (event) => {
    const { error } = event.details;
    const isOwnFailure = (error as { failureType?: string }).failureType !== 'subtestsFailed';
    if (!isOwnFailure) return;
    const said = describe(error) ?? complaints.get(event.file ?? '') ?? error.message;
    outcomes.push({ ...placeOf(event, names), outcome: 'failed', error: said });
  });
  if (print) for await (const text of events.compose(new spec())) print(String(text));
  else for await (const _ of events);
  return outcomes;
}

const placeOf = (
  { file, name, nesting }: { file?: string; name: string; nesting: number },
  names: readonly string[],
) => ({ file: file ?? '', name: [...names.slice(0, nesting), name].join(' › ') });

/** What the test threw: the runner keeps it as the cause of its own error. A file that does not load has thrown nothing. */
function describe({ cause }: Error): string | undefined {
  if (cause instanceof Error) return cause.stack ?? cause.message;
  return cause === undefined || cause === loadingFailed ? undefined : String(cause);
}
