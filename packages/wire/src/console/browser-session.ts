/**
 * How the session of a browser is shown: the header names it, and a cookie that no page can read proves it. The id lives
 * with one tab, so that each tab can be somebody else, and no form and no foreign page can send the header.
 */
export const browserSessionHeader = 'x-symbolon-session';

const idPattern = /^[A-Za-z0-9_-]{22}$/;
export const isBrowserSessionId = (text: string): boolean => idPattern.test(text);
