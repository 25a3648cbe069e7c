/**
 * Licences of the packages that the product runs with, as package-lock.json names them: which they are, and whether
 * each leaves its users free. What only development or the build of the console needs is not shipped, and is not looked
 * at.
 */
import { fetchedEntries, nameOf, resolveFrom } from './lock-file.mjs';

/** Licences that ask for a notice at most. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  // Of fonts: they may be served along with anything, and are not sold by themselves.
  'OFL-1.1',
  'Unlicense',
  'Zlib',
]);

/**
 * What builds the console when the product first starts, and is no part of what it makes: tools of these names, with
 * whatever only they need. Their licences bind nobody who uses them as they are.
 */
const buildTools = ['vite'];

/** Packages whose manifest names no licence, with the one that lies in their folder. */
const lyingBeside = { 'png-js': 'MIT' };

const licenceOf = (place, { license }) => license ?? lyingBeside[nameOf(place)];

/** The places that these bring along, without going through any of `without`. */
function broughtBy(packages, places, without = []) {
  const brought = new Set();
  const visit = (place) => {
    if (place === undefined || brought.has(place) || without.includes(nameOf(place))) return;
    brought.add(place);
    const { link, resolved, dependencies, optionalDependencies, peerDependencies } = packages[place] ?? {};
    if (link) return visit(resolved);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      visit(resolveFrom(packages, place, name));
  };
  for (const place of places) visit(place);
  return brought;
}

function productionEntries(packages) {
  const own = Object.keys(packages).filter((place) => !place.includes('node_modules/'));
  const tools = Object.keys(packages).filter((place) => buildTools.includes(nameOf(place)));
  const shipped = broughtBy(packages, own, buildTools);
  const ofTools = broughtBy(packages, tools);
  return fetchedEntries(packages).filter(
    ([place, entry]) => !entry.dev && (shipped.has(place) || !ofTools.has(place)),
  );
}

export const packageName = (place, entry) => entry.name ?? nameOf(place);

/** Whether one may use a package under a choice of permissive licences; undefined for what is no SPDX expression. */
function isPermissive(expression) {
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const one = () => {
    const word = words[at++];
    if (word !== '(')
      return word === undefined || /^([)]|AND|OR|WITH)$/.test(word) ? undefined : permissive.has(word);
    const inner = either();
    return words[at++] === ')' ? inner : undefined;
  };
  const joined = (part, operator, join) => () => {
    let value = part();
    while (words[at] === operator) {
      at += 1;
      const next = part();
      value = value === undefined || next === undefined ? undefined : join(value, next);
    }
    return value;
  };
  const both = joined(one, 'AND', (a, b) => a && b);
  const either = joined(both, 'OR', (a, b) => a || b);
  const value = either();
  return at === words.length ? value : undefined;
}

/** Packages of the product whose licence is unknown or binds what is built with them, as lines of text. */
export function licenceProblems(packages) {
  return productionEntries(packages)
    .filter(([place, entry]) => isPermissive(licenceOf(place, entry) ?? '') !== true)
    .map(([place, entry]) => {
      const licence = entry.license
        ? `the licence ${entry.license} is not among the permissive ones`
        : 'no licence';
      return `${packageName(place, entry)} ${entry.version}: ${licence}`;
    });
}

/** docs/licences.md. */
export function licencesMarkdown(packages) {
  const byLicence = new Map();
  for (const [place, entry] of productionEntries(packages)) {
    const licence = licenceOf(place, entry);
    const named = byLicence.get(licence) ?? new Set();
    byLicence.set(licence, named.add(`${packageName(place, entry)} ${entry.version}`));
  }
  const rows = [...byLicence]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, names]) => `| ${licence} | ${names.size} | ${[...names].sort().join(', ')} |`);
  return [
    '# Licences',
    '',
    'The packages that the product runs with, by the licence that each names. Made by `npm run documents` from',
    '`package-lock.json`; `npm run check` fails for a licence that is unknown or binds what is built with a package.',
    'Packages for one platform alone are listed for all. The bundled Node carries the licences of its own parts in its',
    'package. What only development or the build of the console needs is not here; `npm run sbom` lists everything.',
    '',
    '| Licence | Packages | |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
