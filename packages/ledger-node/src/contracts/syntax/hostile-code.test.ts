import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { contractLimits, operationLimits } from '@symbolon/core/limits/consensus';
import { parse } from 'acorn';
import fc from 'fast-check';
import { checkContractSyntax } from './check-syntax.ts';

/** Ways to nest an expression or a statement in itself: [before, after], around an innermost part. */
const around: Readonly<Record<string, readonly [string, string]>> = {
  parentheses: ['(', ')'],
  arrays: ['[', ']'],
  spread: ['[...', ']'],
  calls: ['log(', ')'],
  'computed members': ['a[', ']'],
  'arrow functions': ['a=>', ''],
  'arrow functions in parentheses': ['(a)=>(', ')'],
  'default parameters': ['(a=', ')=>1'],
  templates: ['`${', '}`'],
  'unary operators': ['!', ''],
  'typeof operators': ['typeof ', ''],
  'operators on the left': ['', '+1'],
  'operators on the right': ['1+(', ')'],
  powers: ['1**', ''],
  'mixed operators': ['1||1&&1===1<1+1*', ''],
  'coalescing operators': ['', '??1'],
  'conditions on the right': ['1?1:', ''],
  'conditions in the middle': ['1?', ':1'],
  assignments: ['a=', ''],
  constructors: ['new ', ''],
  members: ['', '.b'],
  'optional members': ['', '?.b'],
  'call chains': ['', '()'],
  'tagged templates': ['', '``'],
  objects: ['({a:', '})'],
  'computed keys': ['({[', ']:1})'],
  methods: ['({a(){return ', ';}})'],
  getters: ['({get a(){return ', ';}})'],
  'function expressions': ['(function(){return ', ';})'],
  sequences: ['(1,', ')'],
  generators: ['(function*(){yield ', ';})'],
  'many at once': ['(1+[log({a:', '})])'],
};

const statementsAround: Readonly<Record<string, readonly [string, string]>> = {
  blocks: ['{', '}'],
  'else if': ['if(1){log();}else ', ''],
  'if without braces': ['if(1)', ''],
  loops: ['while(1)', ''],
  'do loops': ['do ', 'while(1);'],
  functions: ['function f(){', '}'],
  switches: ['switch(1){case 1:', '}'],
  tries: ['try{', '}catch(e){log(e);}'],
  declarations: ['{let a=1;', '}'],
};

const patternsAround: Readonly<Record<string, readonly [string, string]>> = {
  arrays: ['[', ']'],
  objects: ['{a:', '}'],
  defaults: ['[{}=1,', ']'],
};

const nest = ([before, after]: readonly [string, string], inner: string, levels: number): string =>
  before.repeat(levels) + inner + after.repeat(levels);

const strict = "'use strict';";
const families = [
  ...Object.entries(around).map(([name, pair]) => ({
    name,
    make: (levels: number) => `${strict}log(${nest(pair, 'a', levels)});`,
  })),
  ...Object.entries(statementsAround).map(([name, pair]) => ({
    name,
    make: (levels: number) => `${strict}${nest(pair, 'log();', levels)}`,
  })),
  ...Object.entries(patternsAround).map(([name, pair]) => ({
    name: `patterns of ${name}`,
    make: (levels: number) => `${strict}let ${nest(pair, 'a', levels)}=1;`,
  })),
  { name: 'groups', make: (levels: number) => `${strict}log(/${nest(['(', ')'], 'a', levels)}/);` },
  { name: 'lookbehinds', make: (levels: number) => `${strict}log(/${nest(['(?<=', ')'], '[(]', levels)}/);` },
];

/** As large as a contract may be. */
function largest(make: (levels: number) => string): string {
  const perLevel = make(2).length - make(1).length;
  return make(Math.floor((operationLimits.contractCodeBytesMax - make(1).length) / perLevel));
}

/** Told apart from the checker's own count on purpose: simple, recursive, and good for small trees only. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (value instanceof RegExp) return 0;
  if (Array.isArray(value)) return Math.max(0, ...value.map(depthOf));
  const inner = Math.max(0, ...Object.values(value).map(depthOf));
  return 'type' in value ? inner + 1 : inner;
}

const isTooDeep = (code: string): boolean =>
  checkContractSyntax(code).some((finding) => finding.code === 'too_deep');
const levelsOf = (code: string): number => depthOf(parse(code, { ecmaVersion: 2023, preserveParens: true }));

describe('deeply nested code', () => {
  for (const { name, make } of families) {
    it(`is refused without a deep stack: ${name}`, () => {
      const code = largest(make);
      assert.ok(code.length > operationLimits.contractCodeBytesMax - 200);
      const [finding, ...more] = checkContractSyntax(code);
      assert.ok(['too_deep', 'too_long', 'expected_a_b'].includes(finding.code), finding.code);
      assert.equal(more.length, 0);
      assert.equal(isTooDeep(make(contractLimits.syntaxDepthMax + 1)), true);
    });
  }

  for (const { name, make } of families.filter((family) => !/groups|lookbehinds/.test(family.name))) {
    it(`is measured by its tree alone: ${name}`, () => {
      const perLevel = levelsOf(make(3)) - levelsOf(make(2));
      const first = levelsOf(make(1)) - perLevel;
      const most = Math.floor((contractLimits.syntaxDepthMax - first) / perLevel);
      assert.ok(levelsOf(make(most)) <= contractLimits.syntaxDepthMax);
      assert.equal(isTooDeep(make(most)), false);
      assert.ok(levelsOf(make(most + 1)) > contractLimits.syntaxDepthMax);
      assert.equal(isTooDeep(make(most + 1)), true);
    });
  }

  it('is measured by its tree alone in any mixture', () => {
    const layer = fc.tuple(fc.constantFrom(...Object.values(around)), fc.integer({ min: 1, max: 12 }));
    let refused = 0;
    let runs = 0;
    fc.assert(
      fc.property(fc.array(layer, { minLength: 8, maxLength: 30 }), (layers) => {
        const inner = layers.reduce((text, [pair, levels]) => nest(pair, `(${text})`, levels), 'a');
        const code = `${strict}log(${inner});`;
        let levels: number;
        try {
          levels = levelsOf(code);
        } catch {
          return;
        }
        runs += 1;
        if (levels > contractLimits.syntaxDepthMax) refused += 1;
        assert.equal(isTooDeep(code), levels > contractLimits.syntaxDepthMax, `${levels}`);
      }),
      { numRuns: 300 },
    );
    assert.ok(refused > 5 && refused < runs - 5, `${refused} of ${runs}`);
  });

  it('needs little of a stack', async () => {
    // The engine keeps 192 KiB of it for itself; the main thread of a node has 984 KiB.
    const worker = new Worker(
      `import { parentPort, workerData } from 'node:worker_threads';
       const { checkContractSyntax } = await import(workerData.module);
       parentPort.postMessage(workerData.codes.map((code) => checkContractSyntax(code)[0].code));`,
      {
        eval: true,
        resourceLimits: { stackSizeMb: 0.75 },
        workerData: {
          module: new URL('./check-syntax.ts', import.meta.url).href,
          codes: families.map(({ make }) => largest(make)),
        },
      },
    );
    const [codes] = (await once(worker, 'message')) as [string[]];
    await worker.terminate();
    assert.equal(codes.length, families.length);
    assert.deepEqual(
      [...new Set(codes)].filter((code) => !['too_deep', 'too_long', 'expected_a_b'].includes(code)),
      [],
    );
  });
});

describe('large code', () => {
  const { contractCodeBytesMax } = operationLimits;
  const filled = (unit: string): string =>
    unit.repeat(Math.floor((contractCodeBytesMax - 100) / unit.length));
  const numbered = (part: (name: string) => string): string => {
    let text = '';
    for (let index = 0; text.length < contractCodeBytesMax - 100; index++)
      text += part(`a${index.toString(36)}`);
    return text;
  };

  for (const [what, code] of Object.entries({
    'names in one declaration': `${strict}let b${numbered((name) => `,${name}`)};`,
    'names in declarations': `${strict}${numbered((name) => `let ${name};`)}`,
    'var names in deep blocks': `${strict}${'{'.repeat(150)}var b${numbered((name) => `,${name}`).slice(0, -400)}=1;${'}'.repeat(150)}`,
    parameters: `${strict}function f(b${numbered((name) => `,${name}`)}){return;}`,
    'destructured names': `${strict}let {${numbered((name) => `${name},`)}}=1;`,
    functions: `${strict}${numbered((name) => `function ${name}(){}`)}`,
    calls: strict + filled('log();'),
    'missing semicolons': strict + filled('log()\n'),
    'undeclared names': strict + filled('a=b;'),
    comments: strict + filled('/**/'),
    'regular expressions': `${strict}log(${filled('/a/,')}1);`,
    'unicode classes': `${strict}log(/${'\\p{L}'.repeat(1_600)}/u);`,
    digits: `${strict}log(${filled('1')}n);`,
    operands: `${strict}log(${filled('1,')}1);`,
    'an open string': `${strict}'${filled('a')}`,
    'an open comment': `${strict}/*${filled('a')}`,
    'white space': strict + filled(' \n'),
  })) {
    it(`is decided in bounded time: many ${what}`, () => {
      const before = process.cpuUsage();
      checkContractSyntax(code);
      const { user, system } = process.cpuUsage(before);
      assert.ok(user + system < 5_000_000, `${(user + system) / 1_000} ms`);
    });
  }

  it('may not hold more regular expressions than the host should read', () => {
    const { regexpCharsMax } = contractLimits;
    const code = (chars: number): string => `${strict}log(/${'a'.repeat(chars - 1)}/,/b/);`;
    assert.deepEqual(checkContractSyntax(code(regexpCharsMax)), []);
    assert.equal(checkContractSyntax(code(regexpCharsMax + 1))[0].code, 'too_long');
  });
});
