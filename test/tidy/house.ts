/**
 * Reads a checkout for the house rules (rules.ts): every file of it, and every TypeScript file as
 * TypeScript's own parser sees it, so that a rule about imports or functions looks at code and not at text
 * that happens to look like code. Reads only.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isCallExpression,
  isClassDeclaration,
  isConstructorDeclaration,
  isEnumDeclaration,
  isExportDeclaration,
  isExportKeyword,
  isFunctionDeclaration,
  isFunctionExpression,
  isFunctionLikeDeclaration,
  isIdentifier,
  isImportDeclaration,
  isImportExpression,
  isImportTypeNode,
  isInterfaceDeclaration,
  isLiteralTypeNode,
  isMethodDeclaration,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTypeAliasDeclaration,
  isVariableDeclaration,
  isVariableStatement,
} from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';

export interface Found<Value> {
  readonly value: Value;
  readonly line: number;
}

export interface CodeFacts {
  /** What it imports, statically, dynamically or by re-export. */
  readonly imports: readonly Found<string>[];
  /** What it declares and exports. A re-export declares nothing. */
  readonly exports: readonly Found<string>[];
  /** Every name used, and every `object.member` as one. */
  readonly names: readonly Found<string>[];
  /** Every function with how many lines are its own. */
  readonly functions: readonly Found<{ name: string; lines: number }>[];
}

export interface HouseFile {
  /** From the root, with slashes. */
  readonly file: string;
  readonly text: string;
  /** The package it belongs to, if any. */
  readonly package: string | undefined;
  readonly isTest: boolean;
  readonly isGenerated: boolean;
  /** Present for TypeScript. */
  readonly code: CodeFacts | undefined;
}

const ignoredFolders = new Set(['node_modules', '.git', '.cache', '.symbolon', 'dist']);

/** Whether a fresh clone has this path: what an install or a run leaves behind does not count. */
export const isInClone = (root: string, target: string): boolean =>
  existsSync(path.join(root, target)) && !target.split('/').some((part) => ignoredFolders.has(part));

const textEndings =
  /\.(tsx?|mjs|js|json|jsonc|md|proto|ya?ml|sh|txt|html|css)$|(^|\/)(\.ci\/run|\.[a-z]+rc|\.gitignore|LICENSE)$/;
/** Tests, suites that several implementations share, and what exists only for tests. */
const testEndings = /\.(test|conformance)\.ts$|-fixture\.ts$|\/testing\//;
const generatedFolder = 'packages/core/src/proto/';

function walkFiles(root: string, folder = ''): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return ignoredFolders.has(entry.name) ? [] : walkFiles(root, file);
      return entry.isFile() && textEndings.test(file) ? [file] : [];
    });
}

/** Calls whose callback is a list of tests and not a function in the sense of the house. */
const listingCalls = new Set(['describe', 'suite']);
/** Calls whose callback is a function of its own, with a title for a name. */
const testCalls = new Set(['test', 'it']);

const isCallbackOf = (calls: ReadonlySet<string>, node: Node) =>
  isCallExpression(node.parent) &&
  isIdentifier(node.parent.expression) &&
  calls.has(node.parent.expression.text);

/** A function with a name of its own stands for itself; a bare callback belongs to whoever holds it. */
function nameOf(node: Node): string | undefined {
  const holder = node.parent;
  if (isConstructorDeclaration(node)) return 'constructor';
  if (isFunctionDeclaration(node) || isMethodDeclaration(node)) return node.name?.getText() ?? 'default';
  if (isFunctionExpression(node) && node.name) return node.name.text;
  if (isCallbackOf(testCalls, node)) return 'a test';
  const isExpression = isArrowFunction(node) || isFunctionExpression(node);
  const isNamedHolder = isVariableDeclaration(holder) || isPropertyAssignment(holder);
  return isExpression && isNamedHolder ? holder.name.getText() : undefined;
}

/** The lines from the first to the last character of a node, comments before it not counted. */
function linesOf(source: SourceFile, node: Node): number {
  const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
  return source.getLineAndCharacterOfPosition(node.getEnd()).line - first + 1;
}

function specifierOf(node: Node): Node | undefined {
  if (isImportDeclaration(node) || isExportDeclaration(node)) return node.moduleSpecifier;
  if (isImportTypeNode(node)) return isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  return isCallExpression(node) && isImportExpression(node.expression) ? node.arguments[0] : undefined;
}

/** The names that a statement declares and exports. */
function exportedBy(statement: Node): string[] {
  const isDeclaration =
    isFunctionDeclaration(statement) ||
    isClassDeclaration(statement) ||
    isInterfaceDeclaration(statement) ||
    isTypeAliasDeclaration(statement) ||
    isEnumDeclaration(statement);
  if (!isDeclaration && !isVariableStatement(statement)) return [];
  if (!statement.modifiers?.some(isExportKeyword)) return [];
  const declared = isDeclaration ? [statement] : statement.declarationList.declarations;
  return declared.flatMap(({ name }) => (name && isIdentifier(name) ? [name.text] : []));
}

function factsOf(source: SourceFile): CodeFacts {
  const imports: Found<string>[] = [];
  const names: Found<string>[] = [];
  const functions: Found<{ name: string; lines: number }>[] = [];
  const lineOf = (node: Node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;

  /** Visits a node and gives how many of its lines belong to named functions inside it. */
  const visit = (node: Node): number => {
    const specifier = specifierOf(node);
    if (specifier && isStringLiteral(specifier)) imports.push({ value: specifier.text, line: lineOf(node) });
    if (isIdentifier(node)) names.push({ value: node.text, line: lineOf(node) });
    if (isPropertyAccessExpression(node)) names.push({ value: node.getText(source), line: lineOf(node) });
    let elsewhere = 0;
    node.forEachChild((child) => {
      elsewhere += visit(child);
    });
    if (!isFunctionLikeDeclaration(node)) return elsewhere;
    const whole = linesOf(source, node);
    if (isCallbackOf(listingCalls, node)) return whole;
    const name = nameOf(node);
    functions.push({ value: { name: name ?? 'a callback', lines: whole - elsewhere }, line: lineOf(node) });
    return name === undefined ? elsewhere : whole;
  };
  visit(source);
  const exports = source.statements.flatMap((statement) =>
    exportedBy(statement).map((value) => ({ value, line: lineOf(statement) })),
  );
  return { imports, exports, names, functions };
}

/** The projects that TypeScript files belong to, one or another. */
const projects = ['tsconfig.json', 'packages/console/tsconfig.json', 'packages/console/tsconfig.tests.json'];

/** Reads the checkout at `root`. */
export function readHouse(root: string): HouseFile[] {
  const api = new API({ cwd: root });
  try {
    const configs = projects.map((name) => path.join(root, name)).filter((config) => existsSync(config));
    const snapshot = api.updateSnapshot({ openProjects: configs });
    const programs = configs.map((config) => snapshot.getProject(config)?.program);
    const sourceOf = (file: string): SourceFile | undefined => {
      for (const program of programs) {
        const source = program?.getSourceFile(path.join(root, file));
        if (source) return source;
      }
      return undefined;
    };
    return walkFiles(root).map((file) => {
      const source = /\.tsx?$/.test(file) ? sourceOf(file) : undefined;
      return {
        file,
        text: readFileSync(path.join(root, file), 'utf8'),
        package: /^packages\/([^/]+)\//.exec(file)?.[1],
        isTest: testEndings.test(file),
        isGenerated: file.startsWith(generatedFolder),
        code: source && factsOf(source),
      };
    });
  } finally {
    api.close();
  }
}
