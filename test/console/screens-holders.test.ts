/** The screens of holders and verifiers, looked at by axe. */
import { screenGroups } from '../support/console-screens/screens.ts';
import { screensSuite } from '../support/screens-suite.ts';

await screensSuite('holders and verifiers', screenGroups.holders);
