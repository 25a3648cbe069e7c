/**
 * How much chance a test plays. `npm test` plays a share of a campaign, enough to see every kind of case; `npm run
 * campaigns` plays all of it. Whoever looks for something sets the size by a variable of the environment.
 */
export interface CampaignSizes {
  readonly usual: number;
  readonly whole: number;
}

export function campaignSize(variable: string, { usual, whole }: CampaignSizes): number {
  const given = process.env[variable];
  if (given !== undefined && given !== '') return Number(given);
  return process.env.SYMBOLON_CAMPAIGN === 'whole' ? whole : usual;
}
