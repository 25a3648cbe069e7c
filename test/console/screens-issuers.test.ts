/** The screens of issuers, looked at by axe. */
import { campaignCases } from '../support/campaign.ts';
import { screenGroups } from '../support/console-screens/screens.ts';
import { looks, screensSuite } from '../support/screens-suite.ts';

await screensSuite('issuers', screenGroups.issuers, campaignCases(looks, 3));
