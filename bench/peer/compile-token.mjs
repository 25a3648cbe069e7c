/** token.sol compiled by the compiler from npm: what the deploying transaction carries, and the selectors of its functions. */
import { readFileSync } from 'node:fs';
import solc from 'solc';

export function compileToken() {
  const input = {
    language: 'Solidity',
    sources: { 'token.sol': { content: readFileSync(new URL('token.sol', import.meta.url), 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { Token: ['evm.bytecode.object', 'evm.methodIdentifiers'] } },
    },
  };
  const { errors, contracts } = JSON.parse(solc.compile(JSON.stringify(input)));
  if (errors) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const { bytecode, methodIdentifiers } = contracts['token.sol'].Token.evm;
  return { bytecode: bytecode.object, selectors: methodIdentifiers };
}
