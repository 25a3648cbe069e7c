/**
 * `symbolon wallet present` and `symbolon wallet answer`, its older name: somebody asks, the owner sees what that is and what would be shown, and says yes or no. Yes is
 * said at a terminal, or beforehand with `--yes`; where neither is, nothing is shown to anybody.
 */
import { subjectValue } from '@symbolon/core/credential/credential-messages';
import type { UnsignedCredential } from '@symbolon/core/documents/model';
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import { isFieldRequestLink } from '@symbolon/sdk/openid/presentation-requests';
import type { PlannedDisclosure } from '@symbolon/sdk/orders/disclosure-plan';
import { type Acting, cutLines, shownValue } from '../../credentials/party-commands.ts';
import { type AskLine, askLineAtTerminal } from '../../terminal/ask-line.ts';
import { isYes } from '../../terminal/ask-yes.ts';
import { CommandFailure, exitCodes, unsuccessful, usageFailure } from '../../terminal/failure.ts';
import { shortened } from '../../terminal/layout.ts';
import { printable, printJson, type Terminal, toned } from '../../terminal/terminal.ts';
import { type HandedIn, handIn } from '../../wallet/handing-in.ts';
import { ownNamesOf } from '../../wallet/ledger-word.ts';
import type { PlannedRequest } from '../../wallet/open-requests.ts';
import { chooseForOwner, readForOwner } from '../../wallet/owner-answer.ts';
import { claimsInWords, dateTextAt, disclosureInWords } from '../../wallet/people-words.ts';
import { rememberRanges } from '../../wallet/proved-ranges.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import { answerField, type PresentWords } from './field-answering.ts';
import { findKept, readLink, shortId, stepsFor, titleOf, withWallet } from './owner-wallet.ts';

type AnswerWords = PresentWords;

export async function answer(
  acting: Acting<AnswerWords>,
  said: string,
  ask: AskLine = askLineAtTerminal(),
): Promise<void> {
  const { words, terminal } = acting;
  if (!ask && !words.yes && !words.decline) throw nobodyConsents();
  const link = await readLink(said, ask);
  if (isFieldRequestLink(link)) return answerField(acting, link, ask);
  assertOwnWords(words);
  await withWallet(acting, async (wallet) => {
    const named =
      words.credential === undefined ? undefined : findKept(wallet, words.credential).parsed.credential.id;
    const planned = await readForOwner(wallet, link);
    terminal.remark(askedLines(wallet, planned));
    const choose = (offered: readonly PlannedDisclosure[]) => chooseOne(offered, planned, { terminal, ask });
    const answered = await chooseForOwner(wallet, planned, { named, choose });
    const { chosen } = answered;
    terminal.remark(await shownLines(wallet, planned, chosen));
    if (!words.yes && !(ask && isYes(await ask('Show this? [y/N]')))) throw declined();
    // Before anything leaves the wallet: what is proved now counts for whoever asks later.
    const ranges = chosen.flatMap((one) => one.ranges);
    rememberRanges(wallet.database, ranges, Date.now());
    const handed = await handIn(wallet, planned, { ...answered, tell: stepsFor(terminal, words.json) });
    tellVerdict(acting, { handed, planned, chosen });
  });
}

/** Of our own requests a credential may be shown as often as one likes, and nobody is told of a no. */
function assertOwnWords(words: AnswerWords): void {
  const foreign = (['ca', 'again', 'decline'] as const).find((name) => words[name] !== undefined);
  if (foreign === undefined) return;
  throw usageFailure(
    `Nothing was shown.\n--${foreign} is for requests by OpenID4VP, and this is one of our own.\nLeave it out.`,
  );
}

const nobodyConsents = (): CommandFailure =>
  usageFailure(
    'Nothing was shown.\nNobody is at a terminal to be asked.\nRun it at a terminal, or agree beforehand with --yes.',
  );

const declined = (): CommandFailure =>
  new CommandFailure(
    'Nothing was shown.\nYou did not say yes.\nThe request stays open until its time is over.',
    exitCodes.failed,
    { code: 'declined' },
  );

/** Names and bounds of others; what is more than a word stands in quotes, so that it is not read as ours. */
const otherText = (text: string): string => (/^[\w.:-]{1,64}$/.test(text) ? text : `"${printable(text)}"`);
const wording = () => ({ today: dateTextAt(Date.now()), print: otherText });

/**
 * Who asks, and on whose word. Where that is not known it is said: whoever sent the link is the one to think of. Words of
 * others stand in quotes.
 */
function whoLines({ serviceOrigin }: Wallet, { asker, purpose }: PlannedRequest['asked']): string[] {
  const { name, did } = asker;
  const through = `asks you to show something, through ${printable(serviceOrigin)}.`;
  const account = did === undefined ? '' : ` (${shortened(did)})`;
  return [
    ...(name === undefined
      ? [
          `Somebody${account} ${through}`,
          'Who it is, the request does not say: think of whoever gave you the link.',
        ]
      : [
          `"${printable(name)}"${account} ${through}`,
          'So the operator of this service calls them; nobody else has confirmed it.',
        ]),
    ...(purpose === undefined ? [] : [`Why, in their own words: "${printable(purpose)}"`]),
  ];
}

function askedLines(wallet: Wallet, { asked }: PlannedRequest): string[] {
  const { query, expiresAt } = asked;
  return [
    ...whoLines(wallet, asked),
    `Asked for, until ${printable(expiresAt)}:`,
    ...query.credentials.flatMap(({ claims, issuers = query.issuers }) => [
      ...(claims.length === 0 ? ['a credential, and nothing of it'] : claimsInWords(claims, wording())).map(
        (line) => `  ${line}`,
      ),
      ...(issuers ? [`  by an issuer that they trust (${issuers.length} named)`] : []),
    ]),
    ...choiceLines(query),
  ];
}

const choiceLines = ({ sets }: DcqlQuery): readonly string[] =>
  sets ? ['  (not all of it: there are alternatives)'] : [];

const valueText =
  ({ credentialSubject }: UnsignedCredential) =>
  (key: string): string =>
    shownValue(subjectValue(credentialSubject, key)).replace(/^"(.*)"$/s, '$1');

/** What leaves the wallet if the owner says yes, all of it. */
async function shownLines(
  wallet: Wallet,
  { credentials }: PlannedRequest,
  chosen: readonly PlannedDisclosure[],
): Promise<readonly string[]> {
  const names = await ownNamesOf(
    wallet,
    chosen.map(({ credential }) => credentials[credential].issuer),
  );
  return [
    'You would show:',
    ...chosen.flatMap((one) => {
      const credential = credentials[one.credential];
      const { issuer } = credential;
      const name = names.get(issuer);
      const by = name === undefined ? shortened(issuer) : `"${printable(name)}", ${shortened(issuer)}`;
      const phrases = disclosureInWords(one, { ...wording(), shownValueOf: valueText(credential) });
      return [
        ...(phrases.length === 0 ? ['nothing but the credential itself'] : phrases).map(
          (line) => `  ${line}`,
        ),
        `    of "${titleOf(credential)}" ${shortId(credential.id)} by ${by}`,
      ];
    }),
    "They also see your DID, and the credential's title, id, issuer and validity.",
    ...cutLines(
      chosen.flatMap(({ credential, reveal }) =>
        reveal.map((key) => subjectValue(credentials[credential].credentialSubject, key)),
      ),
    ),
  ];
}

/** Asked with what each would show: by titles alone nobody tells two degrees apart. */
async function chooseOne(
  offered: readonly PlannedDisclosure[],
  { credentials }: PlannedRequest,
  { terminal, ask }: { readonly terminal: Terminal; readonly ask: AskLine },
): Promise<PlannedDisclosure> {
  const named = offered.map((one, place) => {
    const credential = credentials[one.credential];
    const until = credential.validUntil.slice(0, 'YYYY-MM-DD'.length);
    const phrases = disclosureInWords(one, { ...wording(), shownValueOf: valueText(credential) });
    return {
      name: `  ${place + 1}  ${shortId(credential.id)}  ${titleOf(credential)}, until ${until}`,
      shows: phrases.map((line) => `       ${line}`),
    };
  });
  if (ask) {
    const lines = named.flatMap(({ name, shows }) => [name, ...shows]);
    terminal.remark(['Several of your credentials would do:', ...lines]);
    const said = await ask(`Which one? [1-${offered.length}]`);
    const meant = /^[1-9][0-9]{0,3}$/.test(said.trim()) ? offered[Number(said) - 1] : undefined;
    if (meant) return meant;
  }
  const lines = named.map(({ name }) => name);
  throw usageFailure(
    ['Nothing was shown.', 'Several would do:', ...lines, 'Say which: --credential ID'].join('\n'),
  );
}

interface Verdict {
  readonly handed: HandedIn;
  readonly planned: PlannedRequest;
  readonly chosen: readonly PlannedDisclosure[];
}

function tellVerdict({ words, terminal }: Acting<AnswerWords>, { handed, planned, chosen }: Verdict): void {
  const { verified: isVerified, status, errors = [] } = handed.reply;
  if (!isVerified) process.exitCode = exitCodes.notVerified;
  const { asked, credentials } = planned;
  if (words.json)
    return printJson(terminal, {
      request: asked.id,
      verified: isVerified,
      status,
      errors: [...errors],
      shown: chosen.map((one) => ({
        credential: credentials[one.credential].id,
        inWords: [...disclosureInWords(one, wording())],
      })),
      ...(!isVerified && unsuccessful('NOT VERIFIED', exitCodes.notVerified)),
    });
  if (isVerified)
    return terminal.print(`${toned(terminal, 'good', 'VERIFIED')}   They have seen it, and it is good.`);
  terminal.print(`${toned(terminal, 'bad', 'NOT VERIFIED')}   ${errors.map(printable).join('; ')}`);
}
