/**
 * The checks that need no running code: types (several times, each with another world), lint and format,
 * the lock file and the licences in it. `npm run check` and the first group of `npm test` are both this list.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCollecting } from './child.mjs';
import { licenceProblems } from './licences.mjs';
import { lockProblems, parseLock, readLockText } from './lock-file.mjs';
import { root } from './node.mjs';

const tsc = path.join('node_modules', 'typescript', 'bin', 'tsc');
const biome = path.join('node_modules', '@biomejs', 'biome', 'bin', 'biome');

const versionOf = (name) =>
  JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')).version;

export const checksEngine = () => `tsc ${versionOf('typescript')}, biome ${versionOf('@biomejs/biome')}`;

function tool(node, args) {
  return async () => {
    const { code, output } = await runCollecting(node.file, args, { cwd: root });
    return code === 0 ? undefined : output.trim() || `exit code ${code}`;
  };
}

const browserProject = path.join(root, 'tsconfig.browser.json');

/**
 * Has the compiler write what it makes of these files, as a browser would see them if no other project is named as
 * `base`. They are named one by one: for what it finds behind a package's name the compiler writes nothing. The project's
 * own file is put into `folder`.
 */
export async function compileInto(folder, { node, base = browserProject, files, compilerOptions }) {
  const project = path.join(folder, 'tsconfig.json');
  const options = { noEmit: false, declaration: true, ...compilerOptions };
  writeFileSync(project, JSON.stringify({ extends: base, compilerOptions: options, files, include: [] }));
  return tool(node, [tsc, '--pretty', 'false', '-p', project])();
}

async function checkLock(problemsOf) {
  const problems = problemsOf(parseLock(readLockText()));
  return problems.length === 0 ? undefined : problems.join('\n');
}

/** Every check: what it is called and what runs it. `run` gives what is wrong, or nothing. */
export function listChecks(node) {
  const types = (project) => tool(node, [tsc, '--pretty', 'false', '-p', project]);
  const lint = ['check', '--error-on-warnings', '--colors=off', '--max-diagnostics=200'];
  return [
    { name: 'types', run: types('tsconfig.json') },
    { name: 'types of the pure core', run: types('tsconfig.core.json') },
    { name: 'types in a browser', run: types('tsconfig.browser.json') },
    { name: 'types of the console', run: types('packages/console/tsconfig.json') },
    { name: "types of the console's tests", run: types('packages/console/tsconfig.tests.json') },
    { name: 'types of the sample contracts', run: types('contracts/jsconfig.json') },
    { name: 'types of the registries', run: types('packages/credential-service/contracts/jsconfig.json') },
    { name: 'lint and format', run: tool(node, [biome, ...lint]) },
    { name: 'lock file', run: () => checkLock(lockProblems) },
    { name: 'licences', run: () => checkLock(licenceProblems) },
  ];
}

export const formatArguments = (files) => [biome, 'check', '--write', ...(files.length > 0 ? files : ['.'])];
