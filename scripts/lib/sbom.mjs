/**
 * The list of all parts (CycloneDX 1.6) of package-lock.json: every package with its hash, licence and what it needs.
 * The same lock file gives the same text, and no address of a registry is in it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageName } from './licences.mjs';
import { parseLock, readLockText, resolveFrom } from './lock-file.mjs';
import { root } from './node.mjs';

const refOf = (place, entry) => `${packageName(place, entry)}@${entry.version}`;

/** Name and scope as a package address spells them. */
const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const licencesOf = (licence) =>
  licence === undefined
    ? {}
    : { licenses: [/ /.test(licence) ? { expression: licence } : { license: { id: licence } }] };

function hashesOf(integrity) {
  if (integrity === undefined) return {};
  const [first] = integrity.split(' ');
  const content = Buffer.from(first.slice('sha512-'.length), 'base64').toString('hex');
  return { hashes: [{ alg: 'SHA-512', content }] };
}

/** What the product cannot run without, what it can, and what it never has. */
const scopes = ['required', 'optional', 'excluded'];
const scopeOf = ({ dev, optional, devOptional }) =>
  dev ? 'excluded' : optional || devOptional ? 'optional' : 'required';

function componentOf(place, entry) {
  const name = packageName(place, entry);
  const isOwn = !place.includes('node_modules/');
  return {
    type: 'library',
    'bom-ref': refOf(place, entry),
    name,
    version: entry.version,
    scope: scopeOf(entry),
    ...hashesOf(entry.integrity),
    ...licencesOf(entry.license),
    ...(!isOwn && { purl: purlOf(name, entry.version) }),
  };
}

/** Where the packages are that one needs; those that are not in the lock file were never meant for this project. */
function neededBy(packages, place, entry) {
  const names = [
    'dependencies',
    'optionalDependencies',
    'peerDependencies',
    ...(place === '' ? ['devDependencies'] : []),
  ];
  const asked = names.flatMap((kind) => Object.keys(entry[kind] ?? {}));
  const own = place === '' ? Object.keys(packages).filter((one) => /^packages\/[^/]+$/.test(one)) : [];
  const found = asked.map((name) => resolveFrom(packages, place, name)).filter((one) => one !== undefined);
  return [...own, ...found].map((one) => (packages[one].link ? packages[one].resolved : one));
}

const byKey = (key) => (a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0);

export function sbomOf(packages, project) {
  const components = new Map();
  const needs = new Map();
  for (const [place, entry] of Object.entries(packages)) {
    if (entry.link) continue;
    const ref = place === '' ? `${project.name}@${project.version}` : refOf(place, entry);
    const refs = neededBy(packages, place, entry).map((one) => refOf(one, packages[one]));
    needs.set(ref, new Set([...(needs.get(ref) ?? []), ...refs]));
    if (place === '') continue;
    const component = componentOf(place, entry);
    const known = components.get(ref);
    // One package in two places is needed as much as the one that is needed more.
    const isNeededMore = known && scopes.indexOf(known.scope) <= scopes.indexOf(component.scope);
    if (!isNeededMore) components.set(ref, component);
  }
  const content = {
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `${project.name}@${project.version}`,
        name: project.name,
        version: project.version,
        ...licencesOf(project.license),
      },
    },
    components: [...components.values()].sort(byKey('bom-ref')),
    dependencies: [...needs]
      .map(([ref, names]) => ({ ref, dependsOn: [...names].sort() }))
      .sort(byKey('ref')),
  };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialOf(content),
    version: 1,
    ...content,
  };
}

/** A UUID (version 8) that the content decides. */
function serialOf(content) {
  const bytes = createHash('sha256').update(JSON.stringify(content)).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x80;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return `urn:uuid:${bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}

export function sbomText() {
  const project = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return `${JSON.stringify(sbomOf(parseLock(readLockText()), project), undefined, 2)}\n`;
}
