/** The screens of issuers, looked at by axe. */
import { screenGroups } from '../support/console-screens/screens.ts';
import { screensSuite } from '../support/screens-suite.ts';

await screensSuite('issuers', screenGroups.issuers);
