import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { contractSupport } from '@symbolon/ledger-node/chain/ledger-rules';
import { operationLimits } from '../../limits/consensus.ts';
import { codes } from '../terms/codes.ts';
import { contractCode, createContractLedger } from '../testing/contract-ledger.ts';
import { operation } from '../testing/test-ledger.ts';
import { checkContractCode, renderFinding } from './contract-code.ts';

const ledger = createContractLedger({ sha256, contracts: contractSupport });
const { rules } = ledger;
const { contractCodeBytesMax } = operationLimits;
const check = (code: string) => checkContractCode(code, rules);

describe('contract code', () => {
  it('that passes the check may stand on the chain', () => {
    assert.equal(check(contractCode({})), undefined);
    assert.equal(
      check('"use strict"; function other(input) { return input; }'),
      undefined,
      'no entry is required',
    );
  });

  it('is bounded in bytes, before anybody reads it', () => {
    const filled = (bytes: number, character = 'x') => {
      const code = '"use strict"; function init(input) { return input; } /* */';
      const room = Math.floor((bytes - code.length) / Buffer.byteLength(character));
      return code.replace(
        '* *',
        `* ${character.repeat(room)}${'y'.repeat((bytes - code.length) % Buffer.byteLength(character))}*`,
      );
    };
    assert.equal(Buffer.byteLength(filled(contractCodeBytesMax)), contractCodeBytesMax);
    assert.equal(check(filled(contractCodeBytesMax)), undefined);
    assert.equal(check(filled(contractCodeBytesMax, '€')), undefined);
    assert.equal(check(filled(contractCodeBytesMax + 1))?.code, codes.invalidParameter);
    assert.equal(check(filled(contractCodeBytesMax + 1, '€'))?.code, codes.invalidParameter);
    assert.equal(check('('.repeat(contractCodeBytesMax + 1))?.code, codes.invalidParameter);
  });

  it('that does not pass is refused with 152 and the findings as JSON', () => {
    const refusal = check('"use strict";\nfunction init(input) {\n  return input == 1;\n}');
    assert.equal(refusal?.code, codes.contractSyntax);
    assert.equal(refusal?.isDocument, true);
    const [finding, ...others] = JSON.parse(refusal?.description as string);
    assert.deepEqual(others, []);
    assert.deepEqual([finding.name, finding.line, typeof finding.column], ['JSLintError', 2, 'number']);
    assert.equal(typeof finding.code, 'string');
    assert.match(finding.message, /===/);
  });

  const refused: Record<string, string> = {
    'no strict mode': 'function init(input) { return input; }',
    'not JavaScript': '"use strict"; function init(input { return input; }',
    'no text at all': '\ud800',
    'an unknown name': '"use strict"; function init(input) { return Date.now(); }',
    'random numbers': '"use strict"; function init(input) { return Math.random(); }',
    'code from text': '"use strict"; function init(input) { return eval(input); }',
    'a constructor of code': '"use strict"; function init(input) { return new Function(input); }',
    'the global object': '"use strict"; function init(input) { return globalThis; }',
    'a module': '"use strict"; import fs from "fs";',
    'a dynamic module': '"use strict"; function init(input) { return import(input); }',
    catching: '"use strict"; function init(input) { try { return input; } catch (e) { return e; } }',
    'a class': '"use strict"; class A { constructor() { return 1; } }',
    'asynchronous code': '"use strict"; async function init(input) { return input; }',
    bits: '"use strict"; function init(input) { return 1 | 2; }',
  };
  for (const [name, code] of Object.entries(refused)) {
    it(`${name}: 152`, () => assert.equal(check(code)?.code, codes.contractSyntax));
  }

  it('is refused in the transaction that brings it, which leaves no trace', () => {
    for (const code of Object.values(refused).filter((text) => text.isWellFormed())) {
      const { block, description } = ledger.create(code);
      assert.equal(block.records.length, 0);
      assert.equal(block.dropped[0]?.refusal.code, codes.contractSyntax);
      assert.doesNotThrow(() => JSON.parse(description));
    }
  });

  it('is checked whichever operation brings it', () => {
    const dest = ledger.deploy({});
    const upgrade = operation('upgradeContract', { destAddress: dest, sPayload: true, payload: 'nonsense' });
    assert.equal(ledger.check(upgrade), codes.contractSyntax);
  });
});

describe('a finding', () => {
  it('is shown as the family’s checker shows it', () => {
    const finding = { line: 3, column: 7, code: 'unexpected_a', message: 'Unexpected "in".', a: 'in' };
    assert.deepEqual(renderFinding(finding), { name: 'JSLintError', ...finding });
    assert.deepEqual(Object.keys(renderFinding({ line: 0, column: 0, code: 'c', message: 'm' })), [
      'name',
      'column',
      'line',
      'code',
      'message',
    ]);
  });
});
