/** `symbolon contract new|check|test|deploy|upgrade|call`: a contract from the first look at its code to its life on a chain. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findTestFiles, NoTests, runTestFiles } from '@symbolon/contract-kit/run-tests';
import { isAboutConsole } from '@symbolon/contract-kit/test-console';
import type { SyntaxFinding } from '@symbolon/core/ledger/terms/syntax';
import { operationLimits } from '@symbolon/core/limits/consensus';
import { checkContractSyntax } from '@symbolon/ledger-node/contracts/syntax/check-syntax';
import { type Command, Option } from 'commander';
import {
  accountAddress,
  addFeeOptions,
  addLedgerOptions,
  coinAmount,
  jsonOption,
  keyOption,
  urlOption,
} from '../../profile/options.ts';
import { CommandFailure, exitCodes, unsuccessful, usageFailure } from '../../terminal/failure.ts';
import { passOn, processTerminal } from '../../terminal/terminal.ts';
import { deployContract, sendCall, sendUpgrade } from '../../transactions/contracts.ts';
import { makeContract } from './new.ts';

const { print } = processTerminal;

/** Nobody by default: who deploys or calls pays for it. */
const signer = () => new Option('--as <person>', 'who of the profile pays and signs');

export function addContractCommands(program: Command): void {
  const contract = program
    .command('contract')
    .description('begin, check, test, deploy, upgrade and call contracts');

  contract
    .command('new')
    .description('make a folder with a contract, its tests and what to type next')
    .argument('<name>', 'its name, or a folder that ends in it; nothing may be there yet')
    .addOption(jsonOption())
    .action((place: string, words) => makeContract(place, words, processTerminal));

  contract
    .command('check')
    .description('say what the chain would refuse about the code')
    .argument('<files...>', 'files with contract code')
    .addOption(jsonOption())
    .action(checkFiles);

  contract
    .command('test')
    .description('run tests of contracts: *.test.ts and *.test.js')
    .argument('<places...>', 'test files, or folders that hold some')
    .addOption(jsonOption())
    .action(testPlaces);

  const deploying = addFeeOptions(contract.command('deploy'))
    .addOption(signer())
    .addOption(keyOption())
    .option('--input <text>', 'what its init gets', '')
    .option('--balance <amount>', 'coins it begins with, such as 1.5gas; none, if left out', coinAmount)
    .option('--owner <address>', 'who may upgrade it; nobody, if left out', accountAddress, '');
  addLedgerOptions(deploying)
    .addOption(urlOption())
    .description('put a contract on a chain; prints its address')
    .argument('<file>', 'the file with its code')
    .action(async (file: string, words) => {
      await deployContract(await readFitCode(file), { ...words, print });
    });

  const upgrading = addFeeOptions(contract.command('upgrade'))
    .addOption(signer())
    .addOption(keyOption())
    .option('--owner <address>', 'hand it over to this account as well', accountAddress);
  addLedgerOptions(upgrading)
    .addOption(urlOption())
    .description('give a contract new code, as its owner; what it has stored stays')
    .argument('<address>', 'the address of the contract', accountAddress)
    .argument('<file>', 'the file with the new code')
    .action(async (address: string, file: string, words) => {
      await sendUpgrade(address, await readFitCode(file), { ...words, print });
    });

  const calling = addFeeOptions(contract.command('call'))
    .option('--input <text>', 'what the contract gets', '')
    .option('--query', 'only ask: no key, no fee, no change')
    .addOption(signer())
    .addOption(keyOption())
    .option('--coin <amount>', 'coins to send along, such as 1.5gas', coinAmount);
  addLedgerOptions(calling)
    .addOption(urlOption())
    .description('ask a contract with --query, or call its main with a signed transaction')
    .argument('<address>', 'the address of the contract', accountAddress)
    .action((address: string, words) => sendCall(address, { ...words, print }));
}

interface CheckedFile {
  readonly file: string;
  readonly findings: readonly SyntaxFinding[];
}

async function checkFiles(files: readonly string[], words: { json?: boolean }): Promise<void> {
  const checked: CheckedFile[] = [];
  for (const file of files) checked.push({ file, findings: checkContractSyntax(await readCode(file)) });
  const isFine = checked.every(({ findings }) => findings.length === 0);
  const problem = !isFine && unsuccessful('Some code cannot be deployed.', exitCodes.failed);
  if (words.json) print(JSON.stringify({ files: checked.map(countedFromOne), ...problem }));
  else if (isFine) for (const { file } of checked) print(`${file}: nothing to complain about`);
  else print(describeFindings(checked));
  if (!isFine) process.exitCode = exitCodes.failed;
}

const countedFromOne = ({ file, findings }: CheckedFile) => ({
  file,
  findings: findings.map(({ line, column, code, message }) => ({
    line: line + 1,
    column: column + 1,
    code,
    message,
  })),
});

/** One line a finding, in the form that editors and terminals turn into links. */
function describeFindings(checked: readonly CheckedFile[]): readonly string[] {
  const lines = checked
    .map(countedFromOne)
    .flatMap(({ file, findings }) =>
      findings.map((it) => `${file}:${it.line}:${it.column}: ${it.message} (${it.code})`),
    );
  const count = lines.length === 1 ? '1 finding' : `${lines.length} findings`;
  const isDebugged = checked.some(({ findings }) => findings.some(isAboutConsole));
  return [
    ...lines,
    `${count}. A chain refuses this code with 152; docs/contracts.md says why.`,
    ...(isDebugged ? ['console.log is there in tests alone: take it out, or say Utils.log.'] : []),
  ];
}

/** Code that a chain takes. */
async function readFitCode(file: string): Promise<string> {
  const code = await readCode(file);
  const findings = checkContractSyntax(code);
  if (findings.length > 0) throw new CommandFailure(describeFindings([{ file, findings }]).join('\n'));
  return code;
}

async function readCode(file: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    throw usageFailure(`${file} cannot be read (${reason}).\nGive a file with contract code.`);
  }
  const { contractCodeBytesMax } = operationLimits;
  if (bytes.length > contractCodeBytesMax) {
    throw new CommandFailure(
      `${file} has ${bytes.length} bytes; a contract has ${contractCodeBytesMax} at most.`,
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailure(`${file} is not UTF-8 text.\nSave it as UTF-8.`);
  }
}

/** Of what the tests of one file print, contracts' `console.log` included. */
const outputCharsMax = 65_536;

async function testPlaces(places: readonly string[], words: { json?: boolean }): Promise<void> {
  const files = await findTestFiles(places).catch((error) => {
    if (!(error instanceof NoTests)) throw error;
    throw usageFailure(`${error.message}\nGive test files, or a folder that holds some.`);
  });
  const output = new Map<string, string>();
  const onOutput = (file: string, text: string): void => {
    output.set(file, `${output.get(file) ?? ''}${text}`.slice(0, outputCharsMax));
  };
  const outcomes = await runTestFiles(files, words.json ? { onOutput } : { print: passOn });
  const count = (outcome: string): number => outcomes.filter((it) => it.outcome === outcome).length;
  const failed = count('failed');
  if (words.json) {
    const tests = outcomes.map((it) => ({ ...it, file: path.relative(process.cwd(), it.file) }));
    const said = [...output].map(([file, text]) => ({ file: path.relative(process.cwd(), file), text }));
    const counts = { passed: count('passed'), failed, skipped: count('skipped') };
    const problem = failed > 0 && unsuccessful('Some tests fail.', exitCodes.failed);
    print(JSON.stringify({ ...counts, tests, output: said, ...problem }));
  }
  if (failed > 0) process.exitCode = exitCodes.failed;
  else if (outcomes.length === 0)
    throw new CommandFailure('The files hold no test.\nA test is what test() of node:test is given.');
}
