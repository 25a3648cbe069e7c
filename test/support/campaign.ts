/**
 * How much of a campaign a test plays. `npm test` plays a share, enough to see every kind of case; `npm run campaigns`
 * plays all of it. Whoever looks for something sets the size of what plays with chance by a variable of the environment.
 */
const isWhole = process.env.SYMBOLON_CAMPAIGN === 'whole';

export interface CampaignSizes {
  readonly usual: number;
  readonly whole: number;
}

export function campaignSize(variable: string, { usual, whole }: CampaignSizes): number {
  const given = process.env[variable];
  if (given !== undefined && given !== '') return Number(given);
  return isWhole ? whole : usual;
}

/** Of cases that are all known: every so many of them, from the first on. */
export const campaignCases = <T>(cases: readonly T[], every: number): readonly T[] =>
  isWhole ? cases : cases.filter((_, index) => index % every === 0);
