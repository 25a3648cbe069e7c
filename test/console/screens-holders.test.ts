/** The screens of holders and verifiers, looked at by axe. */
import { campaignCases } from '../support/campaign.ts';
import { screenGroups } from '../support/console-screens/screens.ts';
import { looks, screensSuite } from '../support/screens-suite.ts';

await screensSuite('holders and verifiers', screenGroups.holders, campaignCases(looks, 3));
