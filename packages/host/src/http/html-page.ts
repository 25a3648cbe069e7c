/**
 * Pages for people: plain HTML that asks nobody for anything, in one look, under a policy that lets nothing in but what
 * the page itself names.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** A page and the policy under which a browser shows it. */
export interface HtmlPage {
  readonly page: string;
  readonly policy: string;
}

/** Nothing from anywhere but what is named. */
export const contentPolicy = (...allowed: readonly string[]): string =>
  ["default-src 'none'", ...allowed, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join(
    '; ',
  );

export const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const style = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h3 { margin-bottom: 0; } p { margin: 0.25rem 0; } small { color: #595959; }
dt { font-weight: 600; margin-top: 0.75rem; } dd { margin: 0; }
:target { background: #fff3bf; } code { font-family: ui-monospace, monospace; }
@media (prefers-color-scheme: dark) {
  body { background: #16181d; color: #e6e6e6; } small { color: #a8a8a8; } a { color: #8ab4f8; }
  :target { background: #4a3f12; }
}
`;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (letter) => escapes[letter] as string);
/** What stands between backticks is code. */
export const prose = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** A page without a script and without anything from elsewhere. */
export const plainPage = (title: string, body: string): HtmlPage => ({
  page: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${body}
</body>
</html>
`,
  policy: contentPolicy(`style-src ${hashSource(style)}`),
});

export const sendPage = (reply: FastifyReply, { page, policy }: HtmlPage): FastifyReply =>
  reply
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .header('x-frame-options', 'DENY')
    .type('text/html; charset=utf-8')
    .send(page);
