/**
 * The rooms of the house: a room is a folder of a package's `src`, named `package/folder`. Finds which room uses which,
 * and where they use each other in a circle. Tests do not count: they may reach wherever they have to.
 */
import path from 'node:path';
import type { HouseFile } from './house.ts';

/** One import from a room into another. */
export interface Crossing {
  readonly file: string;
  readonly line: number;
  readonly from: string;
  readonly to: string;
}

/** The room of a file, or undefined for what is not in a package's `src`. */
export function roomOf(file: string): string | undefined {
  const [, owner, inner] = /^packages\/([^/]+)\/src\/(.+)$/.exec(file) ?? [];
  return inner === undefined ? undefined : path.posix.join(owner as string, path.posix.dirname(inner));
}

/** The file that an import names, from the root; undefined for what is not of this house. */
function importedFile(importer: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(importer), specifier);
  const [, owner, inner = 'index'] = /^@symbolon\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  return owner && `packages/${owner}/src/${inner}.ts`;
}

export const isInRoom = (file: HouseFile): boolean =>
  file.code !== undefined && !file.isTest && roomOf(file.file) !== undefined;

/** Every import that leads from one room into another. */
export const crossings = (files: readonly HouseFile[]): Crossing[] =>
  files.filter(isInRoom).flatMap(({ file, code }) => {
    const from = roomOf(file) as string;
    return (code?.imports ?? []).flatMap(({ value, line }) => {
      const to = roomOf(importedFile(file, value) ?? '');
      return to === undefined || to === from ? [] : [{ file, line, from, to }];
    });
  });

/** The rooms that each room uses. */
export function usesOf(found: readonly Crossing[]): Map<string, Set<string>> {
  const uses = new Map<string, Set<string>>();
  for (const { from, to } of found) uses.set(from, (uses.get(from) ?? new Set()).add(to));
  return uses;
}

/** The shortest way from one room to another, both included. */
function shortestWay(uses: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string) {
  const ways = [[from]];
  const seen = new Set([from]);
  for (const way of ways) {
    const last = way.at(-1) as string;
    if (last === to) return way;
    for (const next of uses.get(last) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

/**
 * The imports that close a circle between rooms, each with its circle. Of a circle only the step with the fewest imports
 * is named: that is the one to cut.
 */
export function closingImports(found: readonly Crossing[]): (Crossing & { circle: readonly string[] })[] {
  const uses = usesOf(found);
  const circles = new Map<string, readonly string[]>();
  for (const [from, targets] of uses)
    for (const to of targets) {
      const circle = shortestWay(uses, to, from);
      if (circle) circles.set([...circle].sort().join(' '), circle);
    }
  return [...circles.values()].flatMap((circle) => {
    const steps = circle.map((from, at) => {
      const to = circle[(at + 1) % circle.length];
      return found.filter((one) => one.from === from && one.to === to);
    });
    const [fewest = []] = steps.sort((a, b) => a.length - b.length);
    return fewest.map((one) => ({ ...one, circle }));
  });
}
