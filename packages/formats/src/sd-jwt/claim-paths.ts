/** Paths to claims as DCQL writes them: names, positions, and null for every element of an array. */
import { Fault } from '@symbolon/core/faults/faults';
import { sdJwtLimits } from '../limits/format-limits.ts';
import type { ClaimPath } from './unpacking.ts';

export type WantedPath = readonly (string | number | null)[];

export function requirePath(path: WantedPath): WantedPath {
  const isGood =
    Array.isArray(path) &&
    path.length >= 1 &&
    path.length <= sdJwtLimits.pathStepsMax &&
    path.every(
      (step) =>
        step === null || typeof step === 'string' || (Number.isSafeInteger(step) && Number(step) >= 0),
    );
  if (isGood) return path;
  throw new Fault('requestMalformed', {
    detail: 'A path to a claim is an array of names, positions and null',
  });
}

const isStep = (wanted: string | number | null, step: string | number): boolean =>
  wanted === null ? typeof step === 'number' : wanted === step;

/** Whether a claim is what a path leads to, lies on the way to it, or is part of it. */
export const touches = (wanted: WantedPath, path: ClaimPath): boolean =>
  path.every((step, place) => place >= wanted.length || isStep(wanted[place], step));

/** Whether there is a claim where a path leads. */
export function hasClaim(claims: unknown, [step, ...rest]: WantedPath): boolean {
  if (step === undefined) return true;
  if (step === null) return Array.isArray(claims) && claims.some((one) => hasClaim(one, rest));
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims) !== (typeof step === 'number'))
    return false;
  return Object.hasOwn(claims, step) && hasClaim((claims as Record<string, unknown>)[step], rest);
}
