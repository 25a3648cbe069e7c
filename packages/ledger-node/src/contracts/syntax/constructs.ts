/**
 * What a contract must not contain, wherever it stands (docs/ledger.md, "Contracts"): the refused constructs of the
 * family's checker, and no more than those. Names and their order are another file's business.
 */
import type { AnyNode, Program } from 'acorn';
import type { ParsedCode } from './parse-code.ts';
import type { Report, SourceFinding } from './report.ts';
import { forEachChild } from './tree.ts';

export function checkConstructs(parsed: ParsedCode, report: Report): void {
  const { code, program, missingSemicolons } = parsed;
  checkStrict(program, report);
  checkComments(parsed, report);
  for (const at of missingSemicolons) report.add(missingSemicolon(at));

  const visit = (node: AnyNode, isInLoop: boolean): void => {
    if (report.isFull) return;
    const rule = rules[node.type] as Rule<AnyNode> | undefined;
    for (const finding of rule?.(node, code) ?? []) report.add({ at: node.start, ...finding });
    const isFunction = functionTypes.has(node.type);
    if (isFunction && isInLoop) {
      report.add({
        at: node.start,
        code: 'function_in_loop',
        message: 'Functions must not be made inside a loop.',
      });
    }
    const isChildInLoop = !isFunction && (isInLoop || loopTypes.has(node.type));
    // A class is refused as a whole.
    if (!classTypes.has(node.type)) forEachChild(node, (child) => visit(child, isChildInLoop));
  };
  visit(program, false);
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const loopTypes = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);
const classTypes = new Set(['ClassDeclaration', 'ClassExpression']);

function checkStrict({ body: [first], start }: Program, report: Report): void {
  if (first?.type === 'ExpressionStatement' && first.directive === 'use strict') return;
  report.add({
    at: first?.start ?? start,
    code: 'use_strict',
    message: "The code must begin with 'use strict';.",
  });
}

const unfinishedWord = ['TO', 'DO'].join('');
const unfinished = new RegExp(`\\b${unfinishedWord}\\b`);

function checkComments({ comments, code }: ParsedCode, report: Report): void {
  for (const { start, text } of comments) {
    // `<!--` and `-->` begin comments for some readers of the language and are operators for others.
    if (code[start] !== '/') report.add(unexpected(code.slice(start, start + 3), start));
    if (unfinished.test(text)) {
      report.add({ at: start, code: 'todo_comment', message: `A comment says ${unfinishedWord}.` });
    }
  }
}

type LocalFinding = Omit<SourceFinding, 'at'> & { readonly at?: number };
type Rule<Node> = (node: Node, code: string) => readonly LocalFinding[];
const fine: readonly LocalFinding[] = [];

const unexpected = (a: string, at: number): SourceFinding => ({
  at,
  code: 'unexpected_a',
  message: `Unexpected '${a}'.`,
  a,
});
const missingSemicolon = (at: number): SourceFinding => ({
  at,
  code: 'expected_a_b',
  message: "Expected ';' here.",
  a: ';',
});
const undeclaredWord = (a: string): LocalFinding => ({
  code: 'undeclared_a',
  message: `'${a}' is not part of the contract language.`,
  a,
});

const strictOperators: Readonly<Record<string, string | undefined>> = { '==': '===', '!=': '!==' };
const bitwiseOperators = new Set(['&', '|', '^', '~', '<<', '>>', '>>>']);

/** Both `&` and `&=`. */
const operatorRule: Rule<{ readonly operator: string; readonly start: number }> = ({ operator, start }) =>
  bitwiseOperators.has(operator) || bitwiseOperators.has(operator.slice(0, -1))
    ? [unexpected(operator, start)]
    : fine;

const functionRule: Rule<{ readonly async?: boolean; readonly start: number }> = ({ async, start }) =>
  async ? [unexpected('async', start)] : fine;

const rules: { readonly [Type in AnyNode['type']]?: Rule<Extract<AnyNode, { type: Type }>> } = {
  ArrowFunctionExpression: functionRule,
  AssignmentExpression: operatorRule,
  BinaryExpression: (node, code) => {
    const strict = strictOperators[node.operator];
    if (strict) {
      const message = `Expected '${strict}' and instead saw '${node.operator}'.`;
      return [{ code: 'expected_a_b', message, a: strict }];
    }
    if (node.operator === 'in') {
      return [{ code: 'infix_in', message: "Compare with undefined instead of using 'in'.", a: 'in' }];
    }
    return operatorRule(node, code);
  },
  BlockStatement: ({ body }) => (body.length > 0 ? fine : [{ code: 'empty_block', message: 'Empty block.' }]),
  ClassDeclaration: () => [undeclaredWord('class')],
  ClassExpression: () => [undeclaredWord('class')],
  DoWhileStatement: ({ end }, code) => (code[end - 1] === ';' ? fine : [missingSemicolon(end)]),
  ExpressionStatement: (node) =>
    node.directive === 'use strict' || (node.directive === undefined && hasEffect(node.expression))
      ? fine
      : [{ code: 'unexpected_expression_a', message: 'This expression has no effect.' }],
  ForInStatement: ({ left }) => [
    { code: 'expected_a_b', message: "Expected 'Object.keys' and instead saw 'for in'.", a: 'Object.keys' },
    ...declarationInHead(left),
  ],
  ForOfStatement: ({ left }) => declarationInHead(left),
  ForStatement: ({ init }) => declarationInHead(init),
  FunctionDeclaration: functionRule,
  FunctionExpression: functionRule,
  ImportExpression: ({ start }) => [unexpected('import', start)],
  TryStatement: () => [undeclaredWord('try')],
  UnaryExpression: (node, code) =>
    node.operator === 'void' ? [unexpected('void', node.start)] : operatorRule(node, code),
  UpdateExpression: ({ operator }) => [
    {
      code: 'unexpected_expression_a',
      message: `Unexpected expression '${operator}': use '${operator[0]}= 1'.`,
      a: operator,
    },
  ],
};

function declarationInHead(head: AnyNode | null | undefined): readonly LocalFinding[] {
  return head?.type === 'VariableDeclaration' ? [unexpected(head.kind, head.start)] : fine;
}

/** Constructs that may do something, and refused ones: they have a finding of their own. */
const effects = new Set<AnyNode['type']>([
  'AssignmentExpression',
  'AwaitExpression',
  'CallExpression',
  'ClassExpression',
  'ImportExpression',
  'NewExpression',
  'TaggedTemplateExpression',
  'UpdateExpression',
  'YieldExpression',
]);

/** Whether anything in an expression can happen when it is evaluated. A function that is only made does nothing. */
function hasEffect(node: AnyNode): boolean {
  if (effects.has(node.type)) return true;
  if (node.type === 'UnaryExpression' && (node.operator === 'delete' || node.operator === 'void'))
    return true;
  if (functionTypes.has(node.type)) return false;
  let found = false;
  forEachChild(node, (child) => {
    found ||= hasEffect(child);
  });
  return found;
}
