/**
 * Which declaration a name means at a place in the code: the scopes that are open there, innermost first. Each name
 * has a stack of its declarations, so that looking one up costs the same in any depth.
 */

interface Declaration {
  readonly scope: number;
  /** Let, const, class, and functions of a block: such a name can be declared once in its scope. */
  readonly isLexical: boolean;
  /** The offset of its first declaration. */
  start: number;
}

export class Scopes {
  readonly #open: { readonly id: number; readonly isFunction: boolean; readonly names: string[] }[] = [];
  readonly #declarations = new Map<string, Declaration[]>();
  #lastId = 0;

  /** The code as a whole counts as a function. */
  enter(kind: 'function' | 'block'): void {
    this.#lastId += 1;
    this.#open.push({ id: this.#lastId, isFunction: kind === 'function', names: [] });
  }

  leave(): void {
    for (const name of this.#open.pop()?.names ?? []) this.#declarations.get(name)?.pop();
  }

  /** False when the innermost scope has that name already and must not have it twice. */
  declare(name: string, { start, isLexical }: { start: number; isLexical: boolean }): boolean {
    const scope = this.#open[this.#open.length - 1];
    const known = this.find(name);
    if (known?.scope === scope.id) {
      known.start = Math.min(known.start, start);
      return !(known.isLexical || isLexical);
    }
    const stack = this.#declarations.get(name);
    const declaration = { scope: scope.id, isLexical, start };
    if (stack) stack.push(declaration);
    else this.#declarations.set(name, [declaration]);
    scope.names.push(name);
    return true;
  }

  find(name: string): Declaration | undefined {
    return this.#declarations.get(name)?.at(-1);
  }

  /** Whether a `var` here would reach the function it belongs to without meeting another declaration of its name. */
  isFreeForVar(name: string): boolean {
    const known = this.find(name);
    return known === undefined || known.scope === this.#open.findLast(({ isFunction }) => isFunction)?.id;
  }
}
