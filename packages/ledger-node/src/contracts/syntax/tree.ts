/**
 * Going through a syntax tree without knowing its kinds of nodes, and the one rule that needs nothing else: how
 * deep it is. That rule comes before all others, which may then recurse.
 */
import { contractLimits } from '@symbolon/core/limits/consensus';
import type { AnyNode, Program } from 'acorn';

/** In the order of the code, nearly: the order of findings is restored later. */
export function forEachChild(node: AnyNode, visit: (child: AnyNode) => void): void {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) visit(item);
    } else if (isNode(value)) visit(value);
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The first node that stands deeper than allowed. Groups of a regular expression are levels too. */
export function findTooDeep(program: Program): AnyNode | undefined {
  const waiting: { readonly node: AnyNode; readonly depth: number }[] = [{ node: program, depth: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next;
    const groups = node.type === 'Literal' && node.regex ? groupDepth(node.regex.pattern) : 0;
    if (depth + groups > contractLimits.syntaxDepthMax) return node;
    forEachChild(node, (child) => {
      waiting.push({ node: child, depth: depth + 1 });
    });
  }
  return undefined;
}

function groupDepth(pattern: string): number {
  let depth = 0;
  let deepest = 0;
  let isInClass = false;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === '\\') index++;
    else if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (isInClass) continue;
    else if (character === '(') deepest = Math.max(deepest, ++depth);
    else if (character === ')') depth--;
  }
  return deepest;
}
