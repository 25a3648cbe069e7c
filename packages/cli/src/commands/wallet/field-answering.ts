/**
 * `symbolon wallet present` of a request by OpenID4VP: who asks, as far as it is verified, what would be shown, read off the
 * very documents, and yes or no. What was agreed to is what is sent.
 */
import type { OpenidWallet } from '@symbolon/sdk/openid/openid-wallet';
import type { OpenedPresentationRequest } from '@symbolon/sdk/openid/presentation-requests';
import type { CredentialOption, MatchedRequest, PresentationOutcome } from '@symbolon/sdk/openid/presenting';
import { type Acting, cutLines } from '../../credentials/party-commands.ts';
import type { AskLine } from '../../terminal/ask-line.ts';
import { isYes } from '../../terminal/ask-yes.ts';
import { CommandFailure, exitCodes, unsuccessful, usageFailure } from '../../terminal/failure.ts';
import { printable, printJson, type Terminal, toned } from '../../terminal/terminal.ts';
import {
  matchShowable,
  type PlannedShowing,
  type ShowableCredential,
  showableCredentials,
  showPlanned,
} from '../../wallet/field-showing.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import { askedOfFieldLines, showingPhrases, shownOfFieldLines } from './field-answering-words.ts';
import { shortId, type WalletWords, withWallet } from './owner-wallet.ts';

export interface PresentWords extends WalletWords {
  readonly credential?: string;
  readonly yes?: boolean;
  /** PEM. */
  readonly ca?: string;
  readonly again?: boolean;
  readonly decline?: boolean;
}

export async function answerField(acting: Acting<PresentWords>, link: string, ask: AskLine): Promise<void> {
  const { words, terminal } = acting;
  await withWallet(acting, async (wallet) => {
    const openid = await wallet.openid({ authorities: words.ca });
    const request = await openid.openPresentationRequest(link);
    terminal.remark(askedOfFieldLines(request));
    if (words.decline) return decline(acting, openid, request);
    const planned = await planAnswer(wallet, openid, { request, acting, ask });
    terminal.remark(shownOfFieldLines(planned));
    const values = [
      ...planned.flatMap(({ option }) => Object.values(option.shows)),
      ...request.agreements.flatMap(({ content }) => Object.values(content)),
    ];
    terminal.remark(cutLines(values));
    assertAgain(planned, words, ask);
    if (!words.yes && !(ask && isYes(await ask('Show this? [y/N]')))) throw notShown();
    const outcome = await showPlanned(wallet, openid, { request, planned });
    tellOutcome(acting, { request, planned, outcome });
  });
}

const notShown = (): CommandFailure =>
  new CommandFailure(
    'Nothing was shown.\nYou did not say yes.\nThe request stays open; --decline tells them no.',
    exitCodes.failed,
    { code: 'declined' },
  );

async function decline(
  { words, terminal }: Acting<PresentWords>,
  openid: OpenidWallet,
  request: OpenedPresentationRequest,
): Promise<void> {
  await openid.declineRequest(request);
  if (words.json) return printJson(terminal, { verifier: { ...request.verifier }, declined: true });
  terminal.print('Declined. They were told that you show nothing.');
}

/** Who agrees beforehand does not know which copy it will be. */
function assertAgain(planned: readonly PlannedShowing[], { yes, again }: PresentWords, ask: AskLine): void {
  if (again || (ask && !yes) || !planned.some(({ showable }) => showable.isAgain)) return;
  throw usageFailure(
    'Nothing was shown.\nEvery copy was shown before: who has seen one knows it again.\nAgree with --again, or accept new copies from the issuer.',
    { code: 'copiesUsed' },
  );
}

interface Planning {
  readonly request: OpenedPresentationRequest;
  readonly acting: Acting<PresentWords>;
  readonly ask: AskLine;
}

async function planAnswer(
  wallet: Wallet,
  openid: OpenidWallet,
  { request, acting, ask }: Planning,
): Promise<readonly PlannedShowing[]> {
  const { words, terminal } = acting;
  const all = showableCredentials(wallet);
  const { matched, showable } = await matchShowable(openid, request, all.filter(isNamed(words, request)));
  if (!matched.suggested) throw cannotAnswer(matched);
  const planned: PlannedShowing[] = [];
  for (const id of matched.suggested) {
    const options = matched.parts.find(({ wanted }) => wanted.id === id)?.options ?? [];
    const option =
      options.length === 1 ? options[0] : await chooseOption(options, showable, { terminal, ask });
    const meant = option && showable[option.credential];
    if (option && meant) planned.push({ option, showable: meant });
  }
  return planned;
}

const hexOf = (id: string): string => id.slice(id.lastIndexOf(':') + 1);

/** With one credential named it is the only one; of several parts the others are not meant by that. */
function isNamed(
  { credential }: PresentWords,
  { query }: OpenedPresentationRequest,
): (one: ShowableCredential) => boolean {
  if (credential === undefined || query.credentials.length > 1) return () => true;
  const wanted = hexOf(credential.trim().toLowerCase());
  if (!/^[0-9a-f]{4,}$/.test(wanted))
    throw usageFailure(
      'This is no id of a credential.\nIt takes at least 4 hex digits from its beginning.\nSee which there are: symbolon wallet list',
    );
  return ({ id }) => hexOf(id).startsWith(wanted);
}

function cannotAnswer({ parts }: MatchedRequest): CommandFailure {
  const problems = parts.flatMap(({ wanted, problem }) =>
    problem === undefined ? [] : [`For "${printable(wanted.id)}": ${printable(problem)}.`],
  );
  return new CommandFailure(
    [
      'The request was not answered, and nothing was shown.',
      ...(problems.length === 0 ? ['What you have is not all that is asked for.'] : problems),
      'See what you have: symbolon wallet list',
    ].join('\n'),
    exitCodes.notVerified,
  );
}

/** Asked with what each would show. */
async function chooseOption(
  options: readonly CredentialOption[],
  showable: readonly ShowableCredential[],
  { terminal, ask }: { readonly terminal: Terminal; readonly ask: AskLine },
): Promise<CredentialOption | undefined> {
  const named = options.map((option, place) => {
    const { id = '', title = '' } = showable[option.credential] ?? {};
    return {
      name: `  ${place + 1}  ${shortId(id)}  ${printable(title)}`,
      shows: showingPhrases(option).map((phrase) => `       ${phrase}`),
    };
  });
  if (ask) {
    terminal.remark([
      'Several of your credentials would do:',
      ...named.flatMap(({ name, shows }) => [name, ...shows]),
    ]);
    const said = await ask(`Which one? [1-${options.length}]`);
    const meant = /^[1-9][0-9]{0,3}$/.test(said.trim()) ? options[Number(said) - 1] : undefined;
    if (meant) return meant;
  }
  const lines = named.map(({ name }) => name);
  throw usageFailure(
    ['Nothing was shown.', 'Several would do:', ...lines, 'Say which: --credential ID'].join('\n'),
  );
}

interface Told {
  readonly request: OpenedPresentationRequest;
  readonly planned: readonly PlannedShowing[];
  readonly outcome: PresentationOutcome;
}

/** An address that the verifier wants opened is told, and opened by nobody here: it knows this request. */
function tellOutcome({ words, terminal }: Acting<PresentWords>, { request, planned, outcome }: Told): void {
  if (!outcome.accepted) process.exitCode = exitCodes.notVerified;
  const { verifier } = request;
  if (words.json)
    return printJson(terminal, {
      verifier: { ...verifier },
      ...outcome,
      shown: planned.map(({ option, showable }) => ({
        ...{ query: option.queryId, credential: showable.id, format: showable.credential.format },
        inWords: [...showingPhrases(option)],
      })),
      ...(!outcome.accepted && unsuccessful('NOT ACCEPTED', exitCodes.notVerified)),
    });
  if (!outcome.accepted)
    return terminal.print(`${toned(terminal, 'bad', 'NOT ACCEPTED')}   ${printable(outcome.reason)}`);
  terminal.print(`${toned(terminal, 'good', 'SHOWN')}   ${printable(verifier.host)} has taken it.`);
  if (outcome.redirectUri !== undefined)
    terminal.print(['They want you to go on in a browser:', `  ${printable(outcome.redirectUri)}`]);
}
