/**
 * The answer that the owner of a wallet is asked about: everything that is asked may be shown, because the owner sees it
 * first and says yes or no. Where several credentials would do, the owner chooses. What is agreed to is what is handed
 * in: nothing is planned a second time.
 */
import type { UnsignedCredential } from '@symbolon/core/documents/model';
import {
  areTelling,
  chooseAnswers,
  fittingOptions,
  misfitsOf,
  type Need,
  type NeedProblem,
  needsUsing,
  type PlannedDisclosure,
} from '@symbolon/sdk/orders/disclosure-plan';
import type { KnownIssuerKey } from '@symbolon/sdk/verification/collected-facts';
import { CommandFailure, exitCodes, usageFailure } from '../terminal/failure.ts';
import { type ChosenAnswer, without } from './handing-in.ts';
import { judgeCredential } from './keeping.ts';
import { type PlannedRequest, planRequest } from './open-requests.ts';
import { rangesOfToday } from './proved-ranges.ts';
import { quoted } from './tool-results.ts';
import type { Wallet } from './wallet.ts';

const everything = { has: () => true };

export const readForOwner = (wallet: Wallet, request: string): Promise<PlannedRequest> =>
  planRequest(wallet, request, everything);

/** Which of several is shown; the answer is one of them. */
export type ChooseDisclosure = (offered: readonly PlannedDisclosure[]) => Promise<PlannedDisclosure>;

/** Of the credentials that are genuine and active; with this one, where somebody has named one. */
export async function chooseForOwner(
  wallet: Wallet,
  planned: PlannedRequest,
  { named, choose }: { readonly named?: string | undefined; readonly choose: ChooseDisclosure },
): Promise<ChosenAnswer> {
  const { asked, credentials } = planned;
  const problems = planned.needs.flatMap(({ problem }) => (problem ? [problemWords(problem)] : []));
  if (problems.length > 0 && !asked.query.sets) throw cannotAnswer(problems.join('\n'));
  const used = credentials.findIndex(({ id }) => id === named);
  const using =
    named === undefined ? undefined : needsUsing(asked.query, planned.needs, { credentials, used });
  const { needs: active, keysOf } = await activeNeeds(wallet, { ...planned, needs: using ?? planned.needs });
  let needs = active;
  for (;;) {
    const chosen = chooseAnswers(asked.query, needs, credentials);
    if (!chosen) throw cannotAnswer(misfitWords(planned));
    if (named !== undefined && !chosen.some(({ credential }) => credential === used))
      throw usageFailure(
        'Nothing was shown.\nThe credential that --credential names does not answer this request.\nName another one, or leave it out: symbolon wallet list',
      );
    const several = severalFor(chosen, needs, planned);
    if (!several) {
      const issuerKeys = chosen.flatMap(({ credential }) => keysOf.get(credential) ?? []);
      return { chosen: chosen.map((one) => withTold(wallet, one, credentials)), issuerKeys };
    }
    const meant = await choose(several.options);
    needs = needs.map((need) => (need.query.id === several.query.id ? { ...need, options: [meant] } : need));
  }
}

/** The owner alone is told so: an agent, or whoever asks, would learn of a value that was not shown. */
function misfitWords({ asked, needs, credentials }: PlannedRequest): string {
  const keys = needs.flatMap((need) => misfitsOf(asked.query, need, credentials));
  if (keys.length === 0) return 'No credential in the wallet that is active has what is asked for.';
  const names = [...new Set(keys)].map((key) => quoted(key, 64));
  return `What you have of ${names.join(', ')} is not what is asked for.`;
}

async function activeNeeds(wallet: Wallet, { asked, held, credentials, needs }: PlannedRequest) {
  const keysOf = new Map<number, readonly KnownIssuerKey[]>();
  let left = needs;
  const fitting = needs.flatMap((need) => fittingOptions(asked.query, need, credentials));
  for (const credential of new Set(fitting.map((one) => one.credential))) {
    const { isGenuine, status, issuerKeys } = await judgeCredential(wallet, held[credential].document);
    if (isGenuine && status === 'active') keysOf.set(credential, issuerKeys);
    else left = without(left, credential);
  }
  return { needs: left, keysOf };
}

/** A part of the request for which there is a choice that nothing else has made. */
function severalFor(
  chosen: readonly PlannedDisclosure[],
  needs: readonly Need[],
  { asked, credentials }: PlannedRequest,
): Need | undefined {
  for (const { queryId } of chosen) {
    const need = needs.find(({ query }) => query.id === queryId);
    const taken = new Set(chosen.filter((one) => one.queryId !== queryId).map((one) => one.credential));
    const options = need
      ? fittingOptions(asked.query, need, credentials).filter(({ credential }) => !taken.has(credential))
      : [];
    if (need && options.length > 1) return { ...need, options };
  }
  return undefined;
}

/** Also what tells a value only together with what was proved earlier on this day. */
function withTold(
  { database }: Wallet,
  disclosure: PlannedDisclosure,
  credentials: readonly UnsignedCredential[],
): PlannedDisclosure {
  const { attributes } = credentials[disclosure.credential].credentialSchema;
  const told = disclosure.ranges
    .filter((range) =>
      areTelling(attributes, range.attribute, [
        ...rangesOfToday(database, range.attribute, Date.now()),
        range,
      ]),
    )
    .map(({ attribute }) => attribute);
  return { ...disclosure, telling: [...new Set([...disclosure.telling, ...told])] };
}

function problemWords(problem: NeedProblem): string {
  if (problem.kind === 'noCredential') return 'You have no valid credential of this kind and issuer.';
  const names = problem.attributes.map((name) => quoted(name, 64)).join(', ');
  return `Your credential has no value of ${names}.`;
}

const cannotAnswer = (why: string): CommandFailure =>
  new CommandFailure(
    `The request was not answered, and nothing was shown.\n${why}\nSee what you have: symbolon wallet list. Fetch what waits for you: symbolon wallet add`,
    exitCodes.notVerified,
  );
