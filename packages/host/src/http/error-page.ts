/**
 * `/docs/errors`: the catalogue of errors as one plain page, without a script and without anything from elsewhere. The
 * link `help` of every refusal leads to an anchor of it.
 */
import { createHash } from 'node:crypto';
import {
  type ErrorEntry,
  faultEntries,
  ledgerEntries,
  paymentReasons,
} from '@symbolon/wire/documents/error-catalogue';

const style = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h3 { margin-bottom: 0; } p { margin: 0.25rem 0; } small { color: #595959; }
:target { background: #fff3bf; } code { font-family: ui-monospace, monospace; }
@media (prefers-color-scheme: dark) {
  body { background: #16181d; color: #e6e6e6; } small { color: #a8a8a8; } a { color: #8ab4f8; }
  :target { background: #4a3f12; }
}
`;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => escapes[letter] as string);
const prose = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const section = ({ anchor, name, marks, what, why, remedy }: ErrorEntry): string =>
  `<section id="${escaped(anchor)}">
<h3>${escaped(name)}</h3>
<p><small>${marks.map(escaped).join(' · ')}</small></p>
<p><strong>${prose(what)}</strong> ${prose(why)}</p>
<p>What to do: ${prose(remedy)}</p>
</section>`;

const paymentRow = ([word, number]: readonly [string, string]): string =>
  `<tr><td><code>${escaped(word)}</code></td><td>${escaped(number)}</td></tr>`;

/** The page and the policy under which a browser shows it. */
export function errorPage(): { readonly page: string; readonly policy: string } {
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Errors</title>
<style>${style}</style>
</head>
<body>
<h1>Errors</h1>
<p>What happened, why, and what to do. <a href="../">The interface</a></p>
<h2>The credential service</h2>
${faultEntries().map(section).join('\n')}
<h2>Reasons of payments</h2>
<table>
<tr><th>Word</th><th>Family number</th></tr>
${paymentReasons().map(paymentRow).join('\n')}
</table>
<h2>The ledger</h2>
${ledgerEntries().map(section).join('\n')}
</body>
</html>
`;
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { page, policy: policy.join('; ') };
}
