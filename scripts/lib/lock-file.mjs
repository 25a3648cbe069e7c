/**
 * Reads package-lock.json: which packages this machine needs from it, whether they are there, and whether
 * the file itself is fit to be shared (every platform present, every package with its hash, no download addresses).
 * No network.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { root } from './node.mjs';
import { Complaint } from './say.mjs';

const requiredPlatforms = [
  { os: 'linux', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64' },
];

const listOf = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

export function readLockText() {
  try {
    return readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  } catch {
    throw new Complaint('package-lock.json cannot be read: this copy of the project is incomplete.');
  }
}

export function parseLock(text) {
  try {
    const { packages } = JSON.parse(text);
    if (packages && typeof packages === 'object') return packages;
  } catch {
    // The complaint below covers both: not JSON, and JSON of another shape.
  }
  throw new Complaint('package-lock.json is damaged. Restore it from version control.');
}

/** The places (keys of the lock file) that an install on any machine must fill. */
export function requiredPlaces(packages, { development }) {
  return Object.entries(packages)
    .filter(([place]) => place.startsWith('node_modules/') || place.includes('/node_modules/'))
    .filter(([, entry]) => !entry.optional && !entry.devOptional && (development || !entry.dev))
    .map(([place]) => place);
}

export const isFilled = (place) => existsSync(path.join(root, place, 'package.json'));

/** Whether npm's own record of what it put into node_modules agrees with the lock file. */
export function installedAgrees(packages, places) {
  let installed;
  try {
    installed = JSON.parse(
      readFileSync(path.join(root, 'node_modules', '.package-lock.json'), 'utf8'),
    ).packages;
  } catch {
    return false;
  }
  return places.every((place) => {
    const there = installed?.[place];
    const wanted = packages[place];
    return (
      there?.version === wanted.version &&
      there?.link === wanted.link &&
      there?.integrity === wanted.integrity
    );
  });
}

const isMadeFor = (entry, { os, cpu }) =>
  listOf(entry.os).includes(os) && (entry.cpu === undefined || listOf(entry.cpu).includes(cpu));

const fits = (entry, platform) =>
  isMadeFor(entry, platform) && (entry.libc === undefined || listOf(entry.libc).includes('glibc'));

/** Where npm finds `name` when the package at `place` asks for it: the nearest one on the way up. */
export function resolveFrom(packages, place, name) {
  let folder = place;
  for (;;) {
    const found = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[found]) return found;
    if (folder === '') return undefined;
    const cut = folder.lastIndexOf('node_modules/');
    folder = cut <= 0 ? '' : folder.slice(0, cut - 1);
  }
}

/** The entries of packages that are fetched: not this project's own, and not what comes inside of another. */
export const fetchedEntries = (packages) =>
  Object.entries(packages).filter(
    ([place, { link, inBundle }]) => place.includes('node_modules/') && !link && !inBundle,
  );

/** One or more hashes, each of them SHA-512: 64 bytes in base64. */
const strongIntegrity = /^sha512-[A-Za-z0-9+/]{86}==( sha512-[A-Za-z0-9+/]{86}==)*$/;

export const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 13);

/** The names of packages that are needed here and not there. */
export function missingPackages(packages, { development }) {
  const places = requiredPlaces(packages, { development });
  const missing = places.filter((place) => !isFilled(place)).map(nameOf);
  return [...missing, ...missingVariants(packages, { development })];
}

/** Of packages with variants for platforms: those for this machine, where none of them is there. */
function missingVariants(packages, { development }) {
  const here = { os: process.platform, cpu: process.arch };
  return Object.entries(packages)
    .filter(([place, entry]) => place === '' || ((development || !entry.dev) && isFilled(place)))
    .flatMap(([place, entry]) => {
      const variants = Object.keys(entry.optionalDependencies ?? {})
        .map((name) => resolveFrom(packages, place, name))
        .filter((found) => found !== undefined && isMadeFor(packages[found], here));
      return variants.some(isFilled) ? [] : variants.map(nameOf);
    });
}

function platformProblems(packages, place, entry) {
  const names = Object.keys(entry.optionalDependencies ?? {});
  const found = names.map((name) => [name, packages[resolveFrom(packages, place, name)]]);
  const variants = found.filter(([, variant]) => variant?.os !== undefined).map(([, variant]) => variant);
  const title = place === '' ? 'this project' : nameOf(place);
  const problems = found
    .filter(([, variant]) => variant === undefined)
    .map(([name]) => `${title}: its optional package ${name} is not in the lock file`);
  if (variants.length < 2) return problems;
  for (const platform of requiredPlatforms) {
    if (!variants.some((variant) => fits(variant, platform))) {
      problems.push(`${title}: nothing for ${platform.os}-${platform.cpu}`);
    }
  }
  return problems;
}

/** Everything wrong with a lock file as lines of text; none when it is fit to be shared. */
export function lockProblems(packages) {
  const shape = Object.entries(packages).flatMap(([place, entry]) => {
    const problems = platformProblems(packages, place, entry);
    const hasAddress = /^[a-z+]+:/i.test(entry.resolved ?? '');
    return hasAddress ? [...problems, `${place}: carries a download address`] : problems;
  });
  const unhashed = fetchedEntries(packages)
    .filter(([, { integrity }]) => !strongIntegrity.test(integrity ?? ''))
    .map(([place]) => `${place}: has no strong hash (sha512) of what is fetched`);
  return [...shape, ...unhashed];
}

/** The platform this process runs on, as the stamp of an install names it. */
export const thisPlatform = `${process.platform}-${process.arch}`;
