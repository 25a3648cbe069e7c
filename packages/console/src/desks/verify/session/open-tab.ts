/** Opens a page of the console in a tab of its own, in which somebody else sits. */
import { keepTabSessionIn } from '../../../api/tab-session.ts';

/**
 * The tab is opened at once, as browsers allow only at a click, and led to its page when the session is there. False
 * where the browser opened none, or nobody could sign in.
 */
export async function openTabAs(path: string, signIn: () => Promise<string>): Promise<boolean> {
  const tab = window.open('about:blank', '_blank');
  if (!tab) return false;
  try {
    keepTabSessionIn(tab.sessionStorage, await signIn());
  } catch {
    tab.close();
    return false;
  }
  tab.opener = null;
  tab.location.replace(path);
  return true;
}
