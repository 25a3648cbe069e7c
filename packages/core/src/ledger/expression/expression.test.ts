import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { exhaustedWords } from '../../basics/host-fault.ts';
import { transactionLimits } from '../../limits/consensus.ts';
import { codes } from '../terms/codes.ts';
import { checkExpression, evaluateExpression } from './expression.ts';
import type { ExpressionFacts } from './values.ts';

const address = 'ZTX3JnhkweMuD51VbeZxBcD3roDin1jQDFfTM';
const accountJson = JSON.stringify({
  address,
  label: 'text "quoted", [not] {structure}',
  frozen: true,
  contract: null,
  priv: { master_weight: 1, signers: [{ address: 'ZTX3YY', weight: 5 }] },
}).replace('"frozen"', '"balance":9007199254740993,"rate":1.5,"beyond":9223372036854775808,"frozen"');

const facts: ExpressionFacts = {
  ledgerSeq: 10n,
  ledgerTime: 2000n,
  account: (asked) => (asked === address ? accountJson : undefined),
};

/** The code of an expression's refusal, 0 when it holds. */
const atSubmit = (text: string): number => checkExpression(text)?.code ?? 0;
const atExecution = (text: string): number => evaluateExpression(text, facts)?.code ?? 0;
const { expressionFalse, expressionError, invalidParameter } = codes;

function holds(...texts: string[]): void {
  for (const text of texts) assert.equal(atExecution(text), 0, text);
}
function isFalse(...texts: string[]): void {
  for (const text of texts) assert.equal(atExecution(text), expressionFalse, text);
}
function isError(...texts: string[]): void {
  for (const text of texts) assert.equal(atExecution(text), expressionError, text);
}
/** What needs no chain value is judged alike at submit. */
function isErrorEverywhere(...texts: string[]): void {
  isError(...texts);
  for (const text of texts) assert.equal(atSubmit(text), expressionError, text);
}

describe('literals', () => {
  it('reads integers over the whole int64 range, exactly', () => {
    holds('9223372036854775807 - 9223372036854775806 == 1', '-9223372036854775808 < -9223372036854775807');
    holds('9007199254740993 != 9007199254740992', '007 == 7');
  });

  it('reads decimals with point or exponent', () => {
    holds('0.5 + 0.25 == 0.75', '1e3 == 1000', '.5 < 1', '1. == 1', '2.5E-1 == 0.25', '1e+2 == 100');
  });

  it('reads strings in double quotes, without escapes', () => {
    holds('"a" == "a"', '"\\n" != "n"', '"" == ""', '"é" == "é"', '"(1 >" != ","');
  });

  it('refuses what no literal is', () => {
    isErrorEverywhere('9223372036854775808 > 0', '-9223372036854775809 < 0', '1e400 > 0', '9'.repeat(4_000));
    isErrorEverywhere('"open', "'a' == 'a'", '1.2.3 > 0', '0x10 > 1', '12abc > 0', '"a"b" == 1', '. > 0');
  });
});

describe('names', () => {
  it('knows the block and two constants', () => {
    holds(
      'LEDGER_SEQ == 10',
      'LEDGER_TIME == 2000',
      'pi > 3.14159 && pi < 3.1416',
      'e > 2.71828 && e < 2.7183',
    );
  });

  it('holds any other name at 0 until it is assigned', () => {
    holds('anything == 0', 'Abc_9 == 0', 'ledger_seq == 0', 'constructor == 0', '(x = 5) == 5 && x == 5');
    isFalse('proto = 1, toString');
  });

  it('refuses names that start otherwise and assignments to fixed names', () => {
    isErrorEverywhere('_a == 0', '9a == 0', 'é == 0', 'a.b == 0', 'LEDGER_SEQ = 5', 'pi += 1', 'e = 1');
  });
});

describe('operators', () => {
  it('multiplies before it adds, adds before it compares, compares before it joins verdicts', () => {
    holds('1 + 2 * 3 == 7', '(1 + 2) * 3 == 9', '10 - 4 - 3 == 3', '8 / 4 / 2 == 1', '2 + 2 > 3 && 1 < 2');
    holds('-2 * 3 == -6', '!0 + 1 == 2', '- - 5 == 5', '!!7 == 1', '-(2 + 3) == -5', '1 - -1 == 2', '1<2==1');
  });

  it('gives && and || one rank, from left to right', () => {
    isFalse('1 || 1 && 0', '0 && 1 || 0');
    holds('0 && 0 || 1', '1 || (1 && 0)');
  });

  it('takes a chain of more than two, which an older node could not', () => {
    holds('1 && 1 && 1', 'LEDGER_SEQ > 5 && 1 && LEDGER_TIME > 5 && 2 > 1', '0 || 0 || 0 || 1');
    isFalse('1 && 1 && 0');
  });

  it('evaluates both sides always', () => {
    holds('(0 && (x = 1)) || x == 1', '1 || (y = 2), y == 2');
    isErrorEverywhere('1 || 1 / 0', '0 && nothing()');
  });

  it('compares in all six ways', () => {
    holds('1 < 2', '2 <= 2', '3 > 2', '2 >= 2', '2 == 2', '2 != 3', '"a" < "b"', '"b" >= "ab"');
    isFalse('2 < 2', '3 <= 2', '2 > 2', '1 >= 2', '2 == 3', '2 != 2', '"a" == "A"');
  });

  it('assigns with and without calculation, as far to the right as a list element reaches', () => {
    holds('(a = 3, a += 4, a -= 1, a *= 5, a /= 4) == 7.5', 'a = 1 > 0, a == 1', 'a = b = 4, a + b == 8');
    holds('1 + (a = 2) + a == 5', '2 * a = 3 > 2, a == 1', 'a += 5, a == 5', 's = "x", s += "y", s == "xy"');
    isErrorEverywhere('1 = 1', '(a) = 1', '"a" = 1', 'a =', 'a = = 1', 'min(1,2) = 3', 'a =+ 1', 'a += "x"');
  });

  it('answers the last of a list', () => {
    holds('0, 0, 1', '(0, 1)', '1, (0, 1)');
    isFalse('1, 1, 0', '(1, 0)');
    isErrorEverywhere(',', '1,', ',1', '(1,)', '1,,1', '1/0, 1');
  });
});

describe('functions', () => {
  it('reads an account as JSON text', () => {
    holds(`jsonpath(account("${address}"), ".priv.master_weight") >= 1`, `account("${address}") != ""`);
    isError('account("nobody") != ""', 'account("") != ""');
    isErrorEverywhere('account(5) != ""', 'account() != ""', 'account("a", "b") != ""');
  });

  it('follows names and places in JSON', () => {
    const read = (path: string): string => `jsonpath(account("${address}"), "${path}")`;
    holds(`${read('.priv.signers[0].weight')} == 5`, `${read('.priv.signers.[0].address')} == "ZTX3YY"`);
    holds(`${read('address')} == "${address}"`, `${read('.frozen')}`, `${read('.rate')} == 1.5`);
    holds('jsonpath("[[1,2],[3]]", "[1][0]") == 3', 'jsonpath("7", ".") == 7', 'jsonpath(" 7 ", "") == 7');
  });

  it('keeps every digit of an int64 and refuses what is beyond', () => {
    holds(`jsonpath(account("${address}"), ".balance") == 9007199254740993`);
    holds('jsonpath("[-9223372036854775808]", "[0]") == -9223372036854775808');
    isError(`jsonpath(account("${address}"), ".beyond") > 0`, 'jsonpath("[1e999]", "[0]") > 0');
    isError(`jsonpath("${'9'.repeat(3_000)}", ".") > 0`);
  });

  it('answers 0 for what is missing, and never finds what JavaScript adds', () => {
    const inherited = ['__proto__', 'constructor', 'constructor.name', 'toString', 'priv.signers.length'];
    for (const path of [
      ...inherited,
      'none',
      'none.deeper',
      'priv.signers[1]',
      'address.length',
      'contract',
    ]) {
      holds(`jsonpath(account("${address}"), ".${path}") == 0`);
    }
    holds('jsonpath("[1]", ".0") == 0', 'jsonpath("[1]", ".length") == 0');
  });

  it('refuses paths and documents that are none', () => {
    isErrorEverywhere(
      'jsonpath("1", "..a")',
      'jsonpath("1", "[x]")',
      'jsonpath("1", "a]")',
      'jsonpath("1", "[1")',
    );
    isErrorEverywhere('jsonpath("1", "[-1]")', 'jsonpath(1, ".a")', 'jsonpath("1", 1)', 'jsonpath("1")');
    isErrorEverywhere(`jsonpath("1", "${'.a'.repeat(transactionLimits.expressionDepthMax + 1)}")`);
    isError('jsonpath("", ".a")', 'jsonpath("{", ".a")', 'jsonpath("[1", "[0]")', 'jsonpath("[01]", "[0]")');
    isError('jsonpath("[1]", ".")', `jsonpath(account("${address}"), ".priv")`);
  });

  it('takes what the engine says of itself for text like any other', () => {
    for (const words of exhaustedWords) isError(`jsonpath("${words}", ".a")`, `jsonpath("[${words}", "[0]")`);
  });

  it('chooses with min, max and if', () => {
    holds(
      'min(2, 1.5) == 1.5',
      'max(2, 1.5) == 2',
      'min("b", "a") == "a"',
      'if(1 > 0, 5, 6) == 5',
      'if("", 0, 1)',
    );
    holds('if(0, "a", 7) == 7', 'min(1, 1) == 1', 'max((0, 3), 2) == 3', 'if(LEDGER_SEQ > 5, 1, 0)');
    isErrorEverywhere('min(1)', 'max(1, 2, 3)', 'if(1, 2)', 'min(1, "a")', 'min 1, 2', 'min(1, 2', 'min(,)');
  });

  it('refuses functions it does not know', () => {
    isErrorEverywhere(
      'sin(1) > 0',
      'toString() > 0',
      'constructor("x")',
      'LEDGER_SEQ(1)',
      'Min(1, 2) > 0',
      '5(1)',
    );
  });
});

describe('types', () => {
  it('mixes integers and decimals, divides into decimals, joins strings', () => {
    holds('1 + 0.5 == 1.5', '7 / 2 == 3.5', '4 / 2 == 2', '"a" + "b" == "ab"', '2 * 0.5 == 1', '1 == 1.0');
    holds('9007199254740993 > 9007199254740992.0', '(1 < 2) + (2 < 3) == 2');
  });

  it('refuses to mix text with numbers, or to calculate with text', () => {
    isErrorEverywhere('"1" == 1', '1 < "2"', '"a" + 1', '"a" - "b"', '"a" * 2', '-"a"', '"a" / "b"');
  });

  it('refuses division by zero and results out of range', () => {
    isErrorEverywhere('1 / 0', '1 / 0.0', '1.5 / (2 - 2)', '0 / 0 == 0', '1 / (1 > 2)', 'LEDGER_SEQ / 0 > 1');
    isErrorEverywhere(
      '9223372036854775807 + 1 > 0',
      '-9223372036854775808 - 1 < 0',
      '4294967296 * 4294967296',
    );
    isErrorEverywhere('-(-9223372036854775808) > 0', '1e308 * 10 > 0', 'a = 1e308, a += a, 1');
  });

  it('refuses trailing, missing and unreadable text', () => {
    isErrorEverywhere(
      'LEDGER_SEQ >',
      '1 2',
      '1 > 0 x',
      '(1',
      '1)',
      '()',
      ' ',
      '&& 1',
      '1 &&',
      '1 & 1',
      '1 | 1',
    );
    isErrorEverywhere(
      '1 === 1',
      '1 <> 2',
      '#',
      '1 > 0;',
      '{}',
      '[1]',
      '\0',
      '\ud800',
      '!',
      '-',
      '1 % 2',
      '1 ? 2 : 3',
    );
  });

  it('takes for true: verdicts, and numbers above 0; never text', () => {
    holds('1', '0.1', '2 > 1', '!0', '!"text"', '!-1');
    isFalse('0', '-1', '-0.1', '0.0', '"true"', '""', '!1', 'nothing');
  });
});

describe('at submit', () => {
  it('accepts what a block may decide', () => {
    const open = [
      'LEDGER_SEQ > 5',
      'LEDGER_TIME < 1',
      'account("x") == "y"',
      'jsonpath(account("x"), ".a") > 1',
    ];
    const mixed = [
      'jsonpath("[0]", "[0]")',
      'LEDGER_SEQ',
      '!LEDGER_SEQ',
      '-LEDGER_SEQ > -5',
      'if(LEDGER_SEQ, 0, 1)',
    ];
    const combined = [
      '1 && LEDGER_SEQ',
      '0 || LEDGER_SEQ > 1',
      'a = LEDGER_SEQ, a += 1, a > 7',
      'min(LEDGER_SEQ, 5)',
    ];
    for (const text of [
      ...open,
      ...mixed,
      ...combined,
      '1 + LEDGER_SEQ * 0 == 1',
      'jsonpath(jsonpath("", ""), "")',
    ]) {
      assert.equal(atSubmit(text), 0, text);
    }
  });

  it('refuses what no block can make true', () => {
    const texts = [
      '1 > 2',
      'LEDGER_SEQ > 5 && 1 > 2',
      '1 > 2 && LEDGER_SEQ',
      '0',
      'account("x")',
      '!(LEDGER_SEQ || 1)',
    ];
    for (const text of texts) assert.equal(atSubmit(text), expressionFalse, text);
  });

  it('accepts what every block makes true', () => {
    for (const text of ['LEDGER_SEQ > 5 || 1', '1 || LEDGER_SEQ', '!account("x")', '2 > 1']) {
      assert.equal(atSubmit(text), 0, text);
    }
  });

  it('refuses what is an error in every block', () => {
    const texts = [
      'LEDGER_SEQ > "a"',
      'account("x") > 1',
      'LEDGER_SEQ + "a"',
      'account("x") * 2',
      '1 || 1 / 0',
    ];
    for (const text of [...texts, 'LEDGER_SEQ >', 'max(LEDGER_SEQ, "a")', 'jsonpath(LEDGER_SEQ, ".a")']) {
      assert.equal(atSubmit(text), expressionError, text);
    }
  });
});

describe('the worked examples at block 10, time 2000', () => {
  it('answers as the reference does', () => {
    holds('LEDGER_SEQ > 5', `jsonpath(account("${address}"), ".priv.master_weight") >= 1`, '');
    isFalse('LEDGER_SEQ > 5 && LEDGER_TIME < 1000');
    assert.equal(atSubmit('1 > 2'), expressionFalse);
    assert.equal(atSubmit('LEDGER_SEQ >'), expressionError);
    assert.equal(atSubmit(''), 0);
  });
});

describe('bounds', () => {
  const { expressionBytesMax, expressionDepthMax, expressionTextCharsMax } = transactionLimits;

  it('counts the length in bytes', () => {
    const text = (bytes: number): string => `1 || "${'é'.repeat((bytes - 8) / 2)}" `;
    assert.equal(atSubmit(text(expressionBytesMax)), 0);
    assert.equal(atSubmit(text(expressionBytesMax + 2)), invalidParameter);
    assert.equal(atExecution('1'.repeat(1_000_000)), invalidParameter);
  });

  it('bounds nesting of every kind, and never the length of a chain', () => {
    const wrap = (open: string, close: string, times: number): string =>
      `${open.repeat(times)}1${close.repeat(times)}`;
    for (const [open, close] of [
      ['(', ')'],
      ['if(1,', ',0)'],
      ['-', ''],
      ['!', ''],
      ['a=', ''],
    ] as const) {
      assert.notEqual(atExecution(wrap(open, close, expressionDepthMax)), expressionError, open);
      assert.equal(atExecution(wrap(open, close, expressionDepthMax + 2)), expressionError, open);
    }
    isErrorEverywhere('('.repeat(expressionBytesMax), '!'.repeat(expressionBytesMax), 'a='.repeat(2_000));
    holds(
      Array(2_000).fill('1').join('+'),
      Array(1_000).fill('1').join('&&'),
      Array(2_000).fill('1').join(','),
    );
  });

  it('bounds text that doubles', () => {
    holds(`a = "ab"${', a += a'.repeat(12)}, 1`);
    isErrorEverywhere(`a = "ab"${', a += a'.repeat(60)}, 1`);
    isError(`a = account("${address}")${', a += a'.repeat(60)}, 1`);
  });

  it('bounds work on long accounts, and asks for one account and one document once', () => {
    let asked = 0;
    const payload = 'x'.repeat(expressionTextCharsMax / 4);
    const long: ExpressionFacts = {
      ...facts,
      account: (name) => {
        asked += 1;
        return JSON.stringify({ name, payload });
      },
    };
    const reads = Array(20).fill('jsonpath(account("a"), ".name") == "a"').join(' && ');
    assert.equal(evaluateExpression(reads, long), undefined);
    assert.equal(asked, 1);
    const many = ['a', 'b', 'c', 'd'].map((name) => `account("${name}") != ""`).join(' && ');
    assert.equal(evaluateExpression(many, long)?.code, expressionError);
  });

  it('bounds the nesting and the members of JSON', () => {
    const deep = (depth: number): string =>
      `jsonpath("${'['.repeat(depth)}1${']'.repeat(depth)}", ".x") == 0`;
    holds(deep(expressionDepthMax));
    isError(deep(expressionDepthMax + 1), deep(2_000), `a = "["${', a += a'.repeat(18)}, jsonpath(a, ".x")`);
    isError(`a = "1,"${', a += a'.repeat(16)}, jsonpath("[" + a + "1]", "[0]")`);
    holds(`a = "1,"${', a += a'.repeat(8)}, jsonpath("[" + a + "1]", "[256]") == 1`);
  });

  it('lets a fault of the facts through: it is no verdict', () => {
    const broken: ExpressionFacts = {
      ...facts,
      account: () => {
        throw new RangeError('store closed');
      },
    };
    assert.throws(() => evaluateExpression('account("a") == ""', broken), RangeError);
  });
});

describe('any text', () => {
  const pieces = [
    '(',
    ')',
    ',',
    '"',
    '"a"',
    '&&',
    '||',
    '<',
    '==',
    '=',
    '+=',
    '+',
    '-',
    '*',
    '/',
    '!',
    '1',
    '0',
  ];
  const words = [
    '1.5',
    '1e9',
    'LEDGER_SEQ',
    'LEDGER_TIME',
    'x',
    'e',
    'min(',
    'if(',
    'jsonpath(',
    '".a[0]"',
    ' ',
  ];
  const grammatical = fc
    .array(fc.constantFrom(...pieces, ...words, `account("${address}")`), { maxLength: 60, size: 'max' })
    .map((parts) => parts.join(''));
  const anything = fc.oneof(
    grammatical,
    fc.string({ maxLength: 300, size: 'max' }),
    fc.string({ unit: 'binary', maxLength: 99 }),
  );
  const allowed = new Set<number>([0, expressionFalse, expressionError]);

  it('gets a verdict and never throws', () => {
    fc.assert(
      fc.property(anything, (text) => {
        assert.ok(allowed.has(atSubmit(text)));
        assert.ok(allowed.has(atExecution(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is never refused at submit when the block would let it pass', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const early = atSubmit(text);
        if (early !== 0) assert.notEqual(atExecution(text), 0);
        if (early === expressionError) assert.equal(atExecution(text), expressionError);
      }),
      { numRuns: 2_000 },
    );
  });

  it('calculates integers as bigint does', () => {
    const small = fc.bigInt({ min: -(2n ** 30n), max: 2n ** 30n });
    fc.assert(
      fc.property(small, small, small, (a, b, c) => {
        holds(`${a} + ${b} * ${c} == ${a + b * c}`, `(${a} - ${b}) * ${c} == ${(a - b) * c}`);
      }),
    );
  });
});
