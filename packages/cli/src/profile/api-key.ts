/**
 * Where secrets go: home, and nowhere else. The home of what stands in a profile is the service that the profile names,
 * or the usual one on this machine; the home of an API key in the environment is the same, unless the environment says
 * whose key it is. An address that was only typed, or read in a text by a stranger, gets none of them.
 */
import { usageFailure } from '../terminal/failure.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { defaultServiceUrl } from './options.ts';

/** API keys come from the profile or the environment: an argument would stand in every process list. */
const apiKeyVariable = 'SYMBOLON_API_KEY';
const homeVariable = 'SYMBOLON_API_KEY_FOR';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Destination {
  readonly serviceUrl: string;
  /** What the profile names, if it names one. */
  readonly profileService: string | undefined;
  /** Whether the folder chose the profile: where it sends keys of the environment was then nobody's word but its own. */
  readonly isChosenByFolder?: boolean;
}

const originOf = (url: string): string | undefined => URL.parse(url)?.origin;

/** Whether a service is the one that the secrets of the profile are for. */
export const isHome = ({ serviceUrl, profileService = defaultServiceUrl }: Destination): boolean =>
  originOf(serviceUrl) !== undefined && originOf(serviceUrl) === originOf(profileService);

/** Refuses what only the service of the profile may be given. */
export function assertHome(destination: Destination, what: string): void {
  if (isHome(destination)) return;
  throw usageFailure(
    `${what} ${new URL(destination.serviceUrl).host}.\nThe profile names another service, and its keys are for that one alone.\nWrite a profile that names this service (symbolon profile add), and use it with --profile.`,
  );
}

export interface KeySources {
  readonly personKey: string | undefined;
  readonly env: Environment;
  readonly remark: Terminal['remark'];
}

/** The API key that may be sent to a service. If there is a key that may not be sent there, the user is told. */
export function apiKeyFor(
  destination: Destination,
  { personKey, env, remark }: KeySources,
): string | undefined {
  const given = env[apiKeyVariable] || undefined;
  const named = given === undefined ? undefined : readHome(env[homeVariable]);
  const { isChosenByFolder, profileService = defaultServiceUrl } = destination;
  const isUnasked = isChosenByFolder && originOf(profileService) !== originOf(defaultServiceUrl);
  if (given !== undefined && named === undefined && isUnasked) {
    remark([
      `${apiKeyVariable} is not sent: this folder says to which service, and not you.`,
      `Name the service as ${homeVariable}, or the profile with --profile.`,
    ]);
    return isHome(destination) ? personKey : undefined;
  }
  const keys = [
    { key: given, home: named ?? destination.profileService },
    { key: personKey, home: destination.profileService },
  ].filter(({ key }) => key !== undefined);
  const fitting = keys.find(({ home }) => isHome({ ...destination, profileService: home }));
  const [kept] = keys;
  if (!fitting && kept)
    remark([
      `The API key is for ${originOf(kept.home ?? defaultServiceUrl)} and is not sent elsewhere.`,
      `Put the key for another service into the environment as ${apiKeyVariable},`,
      `and its address as ${homeVariable}.`,
    ]);
  return fitting?.key;
}

function readHome(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isOrigin) return url.origin;
  throw usageFailure(
    `No API key was sent.\n${homeVariable} is not the address of a service.\nGive it as https://service.example, without a path.`,
  );
}
