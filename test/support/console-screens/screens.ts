/** Every screen of the console. Pictures are taken of each, and axe looks at each: whoever builds one adds it here. */
import { devScreens } from './dev.ts';
import { explorerScreens } from './explorer.ts';
import { frameScreens } from './frame.ts';
import { inboxScreens } from './issue-inbox.ts';
import { issueTemplateScreens } from './issue-templates.ts';
import { labScreens } from './lab.ts';
import type { Screens } from './screen.ts';
import { verifyScreens } from './verify.ts';
import { walletScreens } from './wallet.ts';

/** Looked at side by side, a test file for each. */
export const screenGroups = {
  issuers: { ...inboxScreens, ...issueTemplateScreens },
  holders: { ...walletScreens, ...verifyScreens },
  ledger: { ...frameScreens, ...explorerScreens, ...labScreens, ...devScreens },
} satisfies Readonly<Record<string, Screens>>;

export const screens: Screens = Object.assign({}, ...Object.values(screenGroups));
