/**
 * Names of a contract (docs/ledger.md, "Contracts"): each is declared, or one of the allowed globals, and its
 * declaration stands before its first use in the code, functions included. Declarations are checked here too,
 * because the parser's own check is switched off.
 */
import type { AnyNode, Function as FunctionNode, Identifier, Pattern, Program, Statement } from 'acorn';
import { allowedGlobals, stepFunctionName } from './globals.ts';
import type { Report } from './report.ts';
import { Scopes } from './scopes.ts';
import { forEachChild } from './tree.ts';

export function checkNames(program: Program, report: Report): void {
  new NameCheck(report).checkProgram(program);
}

type Visitors = { readonly [Type in AnyNode['type']]?: (node: Extract<AnyNode, { type: Type }>) => void };

/** One walk through one program. Its depth was checked before, so it recurses. */
class NameCheck {
  readonly #report: Report;
  readonly #scopes = new Scopes();

  constructor(report: Report) {
    this.#report = report;
  }

  checkProgram({ body }: Program): void {
    this.#scopes.enter('function');
    this.#hoistFunctionBody(body as Statement[]);
    this.#visitAll(body);
    this.#scopes.leave();
  }

  #visit(node: AnyNode): void {
    if (this.#report.isFull) return;
    const visitor = this.#visitors[node.type] as ((node: AnyNode) => void) | undefined;
    if (visitor) visitor(node);
    else forEachChild(node, (child) => this.#visit(child));
  }

  #visitAll(nodes: readonly (AnyNode | null | undefined)[]): void {
    for (const node of nodes) if (node) this.#visit(node);
  }

  readonly #visitors: Visitors = {
    Identifier: (node) => this.#checkUse(node),
    MemberExpression: ({ object, property, computed }) =>
      this.#visitAll(computed ? [object, property] : [object]),
    Property: ({ key, value, computed }) => this.#visitAll(computed ? [key, value] : [value]),
    LabeledStatement: ({ body }) => this.#visit(body),
    BreakStatement: () => {},
    ContinueStatement: () => {},
    MetaProperty: () => {},
    // Refused as a whole by another rule.
    ClassDeclaration: () => {},
    ClassExpression: () => {},
    FunctionDeclaration: (node) => this.#visitFunction(node),
    ArrowFunctionExpression: (node) => this.#visitFunction(node),
    FunctionExpression: (node) => {
      this.#scopes.enter('block');
      // Its own name is seen only inside, and gives way to anything declared there.
      if (node.id) this.#declare(node.id, false);
      this.#visitFunction(node);
      this.#scopes.leave();
    },
    VariableDeclaration: (node) => {
      for (const { id, init } of node.declarations) {
        if (node.kind === 'var') this.#checkVar(id);
        this.#visitDefaults(id);
        if (init) this.#visit(init);
      }
    },
    BlockStatement: ({ body }) => this.#visitScope(body, body),
    ForStatement: ({ init, test, update, body }) =>
      this.#visitScope(init ? [init] : [], [init, test, update, body]),
    ForInStatement: ({ left, right, body }) => this.#visitScope([left], [left, right, body]),
    ForOfStatement: ({ left, right, body }) => this.#visitScope([left], [left, right, body]),
    SwitchStatement: ({ discriminant, cases }) => {
      this.#visit(discriminant);
      this.#visitScope(
        cases.flatMap(({ consequent }) => consequent),
        cases,
      );
    },
    CatchClause: ({ param, body }) => {
      this.#scopes.enter('block');
      if (param) for (const name of boundNames(param)) this.#declare(name, true);
      if (param) this.#visitDefaults(param);
      this.#visit(body);
      this.#scopes.leave();
    },
  };

  /** A scope with the lexical declarations among some nodes. */
  #visitScope(declaring: readonly AnyNode[], nodes: readonly (AnyNode | null | undefined)[]): void {
    this.#scopes.enter('block');
    this.#hoistLexical(declaring);
    this.#visitAll(nodes);
    this.#scopes.leave();
  }

  #visitFunction({ type, params, body }: FunctionNode & { readonly type: AnyNode['type'] }): void {
    this.#scopes.enter('function');
    if (type !== 'ArrowFunctionExpression') this.#scopes.declare('arguments', { start: 0, isLexical: false });
    for (const param of params) for (const name of boundNames(param)) this.#declare(name, false);
    for (const param of params) this.#visitDefaults(param);
    if (body.type === 'BlockStatement') {
      this.#hoistFunctionBody(body.body);
      this.#visitAll(body.body);
    } else this.#visit(body);
    this.#scopes.leave();
  }

  #hoistFunctionBody(statements: readonly Statement[]): void {
    for (const statement of statements) {
      if (statement.type === 'FunctionDeclaration') this.#declare(statement.id, false);
      for (const name of varNames(statement)) this.#declare(name, false);
    }
    this.#hoistLexical(statements.filter(({ type }) => type !== 'FunctionDeclaration'));
  }

  #hoistLexical(nodes: readonly AnyNode[]): void {
    for (const node of nodes) {
      if (node.type === 'VariableDeclaration' && node.kind !== 'var') {
        for (const { id } of node.declarations) for (const name of boundNames(id)) this.#declare(name, true);
      } else if ((node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id) {
        this.#declare(node.id, true);
      }
    }
  }

  /** What a binding pattern evaluates: computed keys and default values. */
  #visitDefaults(pattern: Pattern): void {
    if (pattern.type === 'AssignmentPattern') {
      this.#visitDefaults(pattern.left);
      this.#visit(pattern.right);
    } else if (pattern.type === 'ObjectPattern') {
      for (const property of pattern.properties) {
        if (property.type === 'Property' && property.computed) this.#visit(property.key);
        this.#visitDefaults(property.type === 'Property' ? property.value : property.argument);
      }
    } else if (pattern.type === 'ArrayPattern') {
      for (const element of pattern.elements) if (element) this.#visitDefaults(element);
    } else if (pattern.type === 'RestElement') this.#visitDefaults(pattern.argument);
  }

  #declare({ name, start }: Identifier, isLexical: boolean): void {
    if (name === stepFunctionName) this.#reportUnexpected(name, start);
    if (!this.#scopes.declare(name, { start, isLexical })) this.#reportRedefinition(name, start);
  }

  /** The name belongs to the function, but a block in between may have one like it. */
  #checkVar(pattern: Pattern): void {
    for (const { name, start } of boundNames(pattern)) {
      if (!this.#scopes.isFreeForVar(name)) this.#reportRedefinition(name, start);
    }
  }

  #checkUse({ name, start }: Identifier): void {
    if (name === 'eval' || name === stepFunctionName) return this.#reportUnexpected(name, start);
    const declaration = this.#scopes.find(name);
    if (declaration) {
      if (declaration.start <= start) return;
      return this.#report.add({
        at: start,
        code: 'out_of_scope_a',
        message: `'${name}' is used before it is defined.`,
        a: name,
      });
    }
    if (name === 'isNaN') {
      return this.#report.add({ at: start, code: 'number_isNaN', message: "Use 'Number.isNaN'.", a: name });
    }
    if (!allowedGlobals.has(name)) {
      this.#report.add({ at: start, code: 'undeclared_a', message: `Undeclared '${name}'.`, a: name });
    }
  }

  #reportUnexpected(name: string, at: number): void {
    this.#report.add({ at, code: 'unexpected_a', message: `Unexpected '${name}'.`, a: name });
  }

  #reportRedefinition(name: string, at: number): void {
    this.#report.add({ at, code: 'redefinition_a_b', message: `'${name}' is already defined.`, a: name });
  }
}

/** The names a pattern binds. */
function boundNames(pattern: Pattern): Identifier[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'RestElement':
      return boundNames(pattern.argument);
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? boundNames(element) : []));
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        boundNames(property.type === 'Property' ? property.value : property.argument),
      );
    default:
      return [];
  }
}

/** The `var` names of a statement and the statements inside it, not of functions inside it. */
function varNames(root: Statement): Identifier[] {
  const names: Identifier[] = [];
  const collect = (node: AnyNode): void => {
    if (node.type === 'VariableDeclaration') {
      if (node.kind !== 'var') return;
      for (const { id } of node.declarations) for (const name of boundNames(id)) names.push(name);
    } else if (holdsStatements.has(node.type)) forEachChild(node, collect);
  };
  collect(root);
  return names;
}

const holdsStatements = new Set<AnyNode['type']>([
  'BlockStatement',
  'CatchClause',
  'DoWhileStatement',
  'ForInStatement',
  'ForOfStatement',
  'ForStatement',
  'IfStatement',
  'LabeledStatement',
  'SwitchCase',
  'SwitchStatement',
  'TryStatement',
  'WhileStatement',
]);
