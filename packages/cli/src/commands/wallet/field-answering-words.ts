/** What the owner of a wallet reads before saying yes to a request by OpenID4VP. Words of others stand in quotes. */
import type { OpenedPresentationRequest } from '@symbolon/sdk/openid/presentation-requests';
import type { CredentialOption } from '@symbolon/sdk/openid/presenting';
import { shownValue } from '../../credentials/party-commands.ts';
import { shortened } from '../../terminal/layout.ts';
import { printable } from '../../terminal/terminal.ts';
import type { PlannedShowing } from '../../wallet/field-showing.ts';
import { dateTextAt, disclosureInWords } from '../../wallet/people-words.ts';
import { shortId } from './owner-wallet.ts';

/** Names of others; what is more than a word stands in quotes, so that it is not read as ours. */
const otherName = (text: string): string => (/^[\w.:-]{1,64}$/.test(text) ? text : `"${printable(text)}"`);
const wording = () => ({ today: dateTextAt(Date.now()), print: otherName });

/** Who asks, and on whose word. */
function whoLines({ verifier, purpose }: OpenedPresentationRequest): readonly string[] {
  const { host, knownBy, did = '' } = verifier;
  const who = `"${printable(host)}"`;
  const lines = {
    certificate: [`${who} asks you to show something.`, 'A certificate for that host has signed it.'],
    webDid: [`${who} asks you to show something.`, `The DID at that host has signed it.`],
    key: [
      `Somebody asks you to show something; it goes to ${who}.`,
      `The key has no name: ${printable(shortened(did))}`,
      'Think of whoever gave you the link.',
    ],
    nobody: [
      `Somebody asks you to show something; it goes to ${who}.`,
      'Nobody has signed the request: think of whoever gave you the link.',
    ],
  }[knownBy];
  return [
    ...lines,
    ...(purpose === undefined ? [] : ['Why, in their own words:', `  "${printable(purpose)}"`]),
  ];
}

export function askedOfFieldLines(request: OpenedPresentationRequest): readonly string[] {
  const { query, agreements, expiresAt } = request;
  const until = expiresAt === undefined ? '' : `, until ${new Date(expiresAt).toISOString()}`;
  return [
    ...whoLines(request),
    `Asked for${until}:`,
    ...query.credentials.flatMap(({ kinds, claims, claimSets }) => [
      `  ${printable(kinds[0]?.at(-1) ?? '')}`,
      ...(claims.length === 0
        ? ['    the credential, and nothing of it']
        : claims.map(({ path }) => `    ${path.map((step) => otherName(String(step ?? 'each'))).join(' ')}`)),
      ...(claimSets ? ['    (not all of it: there are alternatives)'] : []),
    ]),
    ...(query.sets ? ['  (not all of it: there are alternatives)'] : []),
    ...agreements.flatMap(({ content }) => [
      'With it you agree to this, and they can prove it:',
      ...Object.entries(content)
        .filter(([name]) => name !== 'credential_ids' && name !== 'transaction_data_hashes_alg')
        .map(([name, value]) => `  ${otherName(name)}: ${shownValue(plain(value))}`),
    ]),
  ];
}

const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** What one credential shows, a phrase for each attribute. */
export const showingPhrases = ({ shows, proves, telling }: CredentialOption): readonly string[] => [
  ...Object.entries(shows).map(([name, value]) => `${otherName(name)}: ${shownValue(plain(value))}`),
  ...disclosureInWords({ reveal: [], ranges: proves, telling }, wording()),
];

/** What leaves the wallet if the owner says yes, all of it. */
export const shownOfFieldLines = (planned: readonly PlannedShowing[]): readonly string[] => [
  'You would show:',
  ...planned.flatMap(({ option, showable: { id, title, isAgain, credential } }) => {
    const phrases = showingPhrases(option);
    return [
      ...(phrases.length === 0 ? ['nothing but the credential itself'] : phrases).map(
        (phrase) => `  ${phrase}`,
      ),
      `    of "${printable(title)}" ${shortId(id)}`,
      ...(option.isWhole ? ['    all that it says: it cannot be shown in parts'] : []),
      ...(isAgain ? ['    a copy that was shown before: who has seen it knows it again'] : []),
      credential.format === 'symbolon-bbs-2026'
        ? '    and with it your DID, its id, issuer and validity'
        : '    and with it its issuer, validity, status and the key of this copy',
    ];
  }),
];
