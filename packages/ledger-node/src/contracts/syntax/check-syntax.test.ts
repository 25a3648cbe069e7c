import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { legacyUtilsNames } from '@symbolon/core/ledger/terms/legacy-names';
import { contractLimits, operationLimits } from '@symbolon/core/limits/consensus';
import { parse } from 'acorn';
import fc from 'fast-check';
import { checkContractSyntax } from './check-syntax.ts';
import { allowedGlobals } from './globals.ts';

interface VectorCase {
  readonly name: string;
  readonly code: string;
  readonly accepted: boolean;
  readonly rules: readonly string[];
}

const vectorFile = new URL('../../../../core/vectors/ledger/contract-syntax.json', import.meta.url);
const vectors: { cases: readonly VectorCase[] } = JSON.parse(readFileSync(vectorFile, 'utf8'));

const codesOf = (code: string): string[] => checkContractSyntax(code).map((finding) => finding.code);

/** A contract whose main holds the statements. */
const inMain = (statements: string, before = ''): string =>
  `'use strict';${before}function main(i){${statements}return;}`;

const accepts = (code: string): void => assert.deepEqual(checkContractSyntax(code), [], code.slice(0, 200));
const refuses = (code: string, rule: string): void =>
  assert.ok(codesOf(code).includes(rule), `${code.slice(0, 200)} -> ${codesOf(code)}`);

describe('the syntax check', () => {
  for (const { name, code, accepted, rules } of vectors.cases) {
    it(`decides like the family's checker: ${name}`, () => {
      const codes = codesOf(code);
      assert.equal(codes.length === 0, accepted, codes.join());
      for (const found of codes) assert.ok(rules.includes(found), found);
      // There one mistake can cause several complaints, here it is named once.
      if (!['class', 'async'].includes(name)) assert.deepEqual([...new Set(codes)], rules);
    });
  }

  it('accepts the token code inside the public SDK', () => {
    const { v10 } = createRequire(import.meta.url)('zetrix-sdk-nodejs/lib/common/ctp.js') as { v10: string };
    accepts(v10);
  });

  for (const [what, statements] of [
    ['declarations', 'let a=1;const b=2;var c=3;let d;let {e,f:[g]=[1],...h}=i;log([a,b,c,d,e,g,h]);'],
    ['a var before its block ends', 'if(i){var a=1;}log(a);'],
    [
      'control flow',
      'let k;for(k=0;k<3;k+=1){if(k===1){continue;}break;}while(i){i=false;}do{i=1;}while(i<1);',
    ],
    ['braces left out', 'if(i)log(i);else log(1);let k;for(k=0;k<1;k+=1)log(k);'],
    ['a prepared variable in for of', 'let k;for(k of [1,2]){log(k);}'],
    ['switch and ternary', "switch(i){case 'a':{let b=1;log(b);break;}default:log(i?1:2);}"],
    [
      'functions',
      'let f=(x,y=1,...z)=>x+y+z.length;let g=function h(n){return n>0?h(n-1):f(n);};g(arguments[0]);',
    ],
    ['a recursive constant', 'const f=function(n){return n>0?f(n-1):0;};f(1);'],
    ['a function in a function after a loop', 'while(i){i=0;}function f(){return 1;}f();'],
    ['methods, getters and this', 'let o={a:1,b(){return this.a;},get c(){return 1;},["d"]:2};o.b();'],
    ['generators', 'let g=function*(){yield 1;};g();'],
    [
      'what may have an effect',
      'i&&log(i);i?log(1):log(2);new Map();delete i.a;(log)(1);log(1),log(2);i.a=1;',
    ],
    ['modern operators', `let a=i?.b??2**3;i.c??=1;log(\`\${a}\`);`],
    ['all allowed globals', [...allowedGlobals].map((name) => `log(${name});`).join('')],
    ['names as properties', 'log(i.eval,i.Date,i.isNaN,i.internal_check_time,{eval:1,Math:2});'],
    ['labels', 'a:while(i){break a;}'],
    ['shadowing', 'let log=function(x){return x;};{let i=1;log(i);}'],
    [
      'a declared name that is refused as a global',
      'const Math={a:1};const isNaN=function(x){return x;};isNaN(Math.a);',
    ],
    ['empty objects, statements and switches', 'let a={};;switch(i){}log(a);'],
    ['other comments', '/* todo TODOS */log(1);// done\n'],
    ['closures over names declared before', 'let a=1;const f=()=>{return a;};f();'],
    ['a default that means an outer name', 'let b=1;const f=function(a=b){var b=2;return a+b;};f();'],
  ] as const) {
    it(`accepts ${what}`, () => accepts(inMain(statements)));
  }

  it('accepts code without an entry, with any white space, quotes and leading comments', () => {
    accepts('"use strict";');
    accepts("\ufeff// A note.\r\n/* Another. */\r\n'use strict';\r\nlet a = 1;\u2028");
    accepts("'use strict';function f(){'use strict';return 1;}");
  });

  for (const [rule, samples] of Object.entries({
    unexpected_a: [
      'let a=1|2;',
      'let a=~1;',
      'let a=1;a<<=1;',
      'let a=1;a>>>=1;',
      'let a=1^1;',
      'for(var k=0;k<1;k+=1){log(k);}',
      'for(const k of i){log(k);}',
      'log(void 0);',
      'log(eval);',
      'const f=async()=>1;f();',
      "import('x');",
      'let internal_check_time=1;',
      'log(internal_check_time);',
      'log(1);<!-- hidden\n',
      'log(1);\n--> hidden\n',
    ],
    expected_a_b: [
      'if(i!=1){log(i);}',
      'log(1)\nlog(2);',
      'do{i=1;}while(i<1)\nlog(1);',
      'let f=()=>{return 1};f();',
      'for(i in i){log(i);}',
    ],
    infix_in: ["if('a' in i){log(i);}"],
    empty_block: [
      'while(i){}',
      'let f=()=>{};f();',
      'let o={a(){}};log(o);',
      '{/* only a comment */}',
      'if(i){log(i);}else{}',
    ],
    unexpected_expression_a: [
      'i--;',
      '--i;',
      'i.a;',
      "'x';",
      '1+1;',
      '()=>log(i);',
      'i===1;',
      `\`\${i}\`;`,
      '[i];',
      'i,i;',
      '(i);',
    ],
    function_in_loop: [
      'while(i){i=()=>1;}',
      'let k;for(k of i){log({a(){return 1;}});}',
      'do{function f(){return 1;}}while(i);',
      'let k;for(k=0;k<[1].map((x)=>x).length;k+=1){log(k);}',
    ],
    undeclared_a: [
      'log(Date);',
      'log(Math);',
      'log(Array);',
      'log(globalThis);',
      'log(Function);',
      'log(BigInt);',
      'log(isFinite);',
      'log(Proxy);',
      'log(WeakRef);',
      'log(encodeURIComponent);',
      'foo=1;',
      '[foo]=i;',
      '({a:foo}=i);',
      'log(typeof foo);',
      'log({foo});',
      'log(i[foo]);',
      '{let a=1;log(a);}log(a);',
      'let f=function g(){return 1;};f();g();',
      'log(()=>arguments2);',
      'try{log(1);}finally{log(2);}',
      'log(class{});',
    ],
    out_of_scope_a: [
      'a=1;let a;',
      'log(f());function f(){return 1;}',
      'const f=()=>a;let a=1;f();',
      'let f=function(){return i;let i=1;};f();',
      'log(a);if(i){var a=1;}',
    ],
    redefinition_a_b: [
      'let a=1;let a=2;',
      'let i=1;',
      'const a=1;var a=2;',
      '{let a=1;{var a=2;}}',
      '{function f(){return 1;}function f(){return 2;}}',
      'switch(i){case 1:let a=1;break;case 2:let a=2;}',
    ],
    number_isNaN: ['log(isNaN);'],
    todo_comment: [`// ${'TO'}${'DO'}: later\nlog(1);`, `/* x\n${'TO'}${'DO'} */log(1);`],
  })) {
    it(`names ${rule}`, () => {
      for (const statements of samples) refuses(inMain(statements), rule);
    });
  }

  it('knows arguments only inside functions', () => {
    refuses("'use strict';log(arguments);", 'undeclared_a');
    refuses("'use strict';log(()=>arguments);", 'undeclared_a');
    accepts(inMain('log(()=>arguments);'));
  });

  it('wants use strict first, and as a directive', () => {
    for (const code of [
      '',
      'let a=1;',
      "('use strict');",
      "'use\\x20strict';",
      "let a=1;'use strict';",
      "'other';'use strict';",
      "function main(i){'use strict';return i;}",
    ]) {
      refuses(code, 'use_strict');
    }
    refuses("'use strict';'other';", 'unexpected_expression_a');
    refuses("'use strict'\nlet a=1;", 'expected_a_b');
  });

  it('refuses what is no program, and what only another edition or kind of program may hold', () => {
    for (const code of [
      '}',
      'let',
      'let a=;',
      '(',
      "'",
      '`${',
      '/*',
      '/(/;',
      '/a/zz;',
      '#!x\n',
      'with(i){log(1);}',
      'let a=010;',
      'delete i;',
      'return;',
      'await 1;',
      "import a from 'b';",
      'export const a=1;',
      'log(import.meta);',
      'eval=1;',
      'let let=1;',
      'function f(a,a){return a;}',
      'break;',
      '\u0000',
    ]) {
      assert.deepEqual(codesOf(`'use strict';${code}`), ['expected_a_b'], code);
    }
  });

  it('says where, from zero, in the order of the code', () => {
    const code = "'use strict';\r\nfunction main(i) {\n  i++;\r  return foo == 1;\n}\n";
    assert.deepEqual(
      checkContractSyntax(code).map(({ line, column, code: rule, a }) => [line, column, rule, a]),
      [
        [2, 2, 'unexpected_expression_a', '++'],
        [3, 9, 'expected_a_b', '==='],
        [3, 9, 'undeclared_a', 'foo'],
      ],
    );
  });

  it('knows the globals that the library brings', () => {
    for (const name of legacyUtilsNames) assert.ok(allowedGlobals.has(name), name);
  });

  it('agrees with the parser about what may be declared twice', () => {
    const name = fc.constantFrom('a', 'b');
    const { statement } = fc.letrec<{ statement: string; body: string }>((tie) => ({
      body: fc.array(tie('statement'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
      statement: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.tuple(fc.constantFrom('let', 'const', 'var'), name).map(([kind, id]) => `${kind} ${id}=1;`),
        name.map((id) => `var [${id},{c:${id}}]=1;`),
        name.map((id) => `function ${id}(){return;}`),
        tie('body').map((body) => `{${body}}`),
        tie('body').map((body) => `if(1){${body}}else{${body}}`),
        tie('body').map((body) => `switch(1){case 1:${body}default:${body}}`),
        fc.tuple(name, name, tie('body')).map(([id, param, body]) => `function ${id}(${param}){${body}}`),
        fc.tuple(name, tie('body')).map(([id, body]) => `(function ${id}(){${body}}());`),
        fc.tuple(name, tie('body')).map(([param, body]) => `((${param}=1)=>{${body}})();`),
      ),
    }));
    const { tested, twice } = { tested: [] as string[], twice: [] as string[] };
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 4 }), (statements) => {
        const code = `'use strict';${statements.join('')}`;
        let isTwice = false;
        try {
          parse(code, { ecmaVersion: 2023 });
        } catch (error) {
          assert.match((error as Error).message, /already been declared/);
          isTwice = true;
        }
        tested.push(code);
        if (isTwice) twice.push(code);
        assert.equal(codesOf(code).includes('redefinition_a_b'), isTwice, code);
      }),
      { numRuns: 1_000 },
    );
    assert.ok(twice.length > 50 && twice.length < tested.length - 50, `${twice.length} of ${tested.length}`);
  });

  it('never throws, whatever tokens come, and says only what lies in the code', () => {
    const tokens =
      "'use strict'; ( ) [ ] { } ; , . ... => = == === + ++ - * ** / % & | ^ ~ ! ? ?. ?? : ` $ { } < <!-- --> > >> " +
      'a b i eval isNaN log Math async await yield let const var function class extends new this super if else for ' +
      'in of while do switch case default break continue return throw try catch finally typeof void delete import ' +
      'export with debugger get set static 0 1 1n 0x 08 1e 1_0 \\u0061 \\u "s" \'t\' /re/ /[/]/u // /* */ \n \r \u2028 # @ é 😀 \ud800';
    const token = fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...tokens.split(' ')) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), fc.boolean(), (parts, isStrict) => {
        const code = `${isStrict ? "'use strict';" : ''}${parts.join(' ')}`;
        const findings = checkContractSyntax(code);
        const lines = code.split(/\r\n?|\n/);
        for (const { line, column, message } of findings) {
          assert.ok(column >= 0 && column <= lines[line].length, code);
          assert.ok(message.length > 0 && message.length <= 160);
        }
        // What is accepted, another parser of the same edition accepts.
        if (findings.length === 0) parse(code, { ecmaVersion: 2023 });
        assert.deepEqual(checkContractSyntax(code), findings);
      }),
      { numRuns: 3_000 },
    );
  });

  it('answers with a page of findings at most, each of a bounded size', () => {
    const many = checkContractSyntax(inMain('foo();'.repeat(10_000)));
    assert.equal(many.length, contractLimits.syntaxFindingsMax);
    const [long] = checkContractSyntax(inMain(`log(${'x'.repeat(200_000)});`));
    assert.ok(long.message.length <= 160 && (long.a as string).length <= 160);
  });

  it('refuses more code than a contract may have', () => {
    const bytesMax = operationLimits.contractCodeBytesMax;
    const head = "'use strict';//";
    accepts(head.padEnd(bytesMax, 'x'));
    assert.deepEqual(codesOf(head.padEnd(bytesMax + 1, 'x')), ['too_long']);
    assert.deepEqual(codesOf(head.padEnd(bytesMax / 2 + 15, 'é')), ['too_long']);
    assert.deepEqual(codesOf(head.padEnd(10_000_000, 'x')), ['too_long']);
  });
});
