/** The screens of the ledger, the lab, developers and the frame, looked at by axe. */
import { campaignCases } from '../support/campaign.ts';
import { screenGroups } from '../support/console-screens/screens.ts';
import { looks, screensSuite } from '../support/screens-suite.ts';

await screensSuite(
  'the ledger, the lab, developers and the frame',
  screenGroups.ledger,
  campaignCases(looks, 3),
);
