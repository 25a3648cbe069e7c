/**
 * The six checks in people's words: what each is called, and what it found, also where it found nothing wrong. A check
 * that had nothing to compare with, or was not reached, is told as that and never as passed.
 */
import { type PresentationCheck, presentationChecks } from '../documents/model.ts';
import type { CheckFailure } from './presentation-facts.ts';
import type { ClaimedCredential, PresentedCredential, Verdict } from './presentation-verdict.ts';

/** What each is called in a list. */
export const checkTitles: Readonly<Record<PresentationCheck, string>> = {
  holderSignature: 'holder signature',
  bbsProof: 'BBS+ proof',
  revealedAttributes: 'shown values as signed',
  disclosure: 'as asked for',
  status: 'status on ledger',
  challenge: 'challenge matches',
};

/** A check as it is told. */
export interface ToldCheck {
  readonly name: PresentationCheck;
  readonly title: string;
  /** Null where there was nothing to compare with, or an earlier check left nothing to look at. */
  readonly passed: boolean | null;
  readonly words: string;
  /** What the words rest on; never the value of an attribute. Of several credentials each name is `<position>.<name>`. */
  readonly facts: Readonly<Record<string, string>>;
}

export interface CheckBasis {
  /** What the verifier said: what is to be shown, only from whom, or nothing. */
  readonly asked: 'contents' | 'origin' | 'nothing';
  /** Whether the presentation had to be made for one occasion, and was compared with it. */
  readonly hasChallenge: boolean;
  /** What was found beside the verdict. */
  readonly failures?: readonly Pick<CheckFailure, 'check' | 'detail'>[];
}

export function tellChecks(verdict: Verdict, basis: CheckBasis): readonly ToldCheck[] {
  const shown = verdict.credentials ?? verdict.claimed ?? [];
  return presentationChecks.map((name): ToldCheck => {
    const { state, failures } = verdict.checks[name];
    const found = [
      ...new Set([
        ...failures,
        ...(basis.failures ?? []).filter(({ check }) => check === name).map(({ detail }) => detail),
      ]),
    ];
    const head = { name, title: checkTitles[name], facts: factsOf(name, verdict, shown) };
    if (found.length > 0) return { ...head, passed: false, words: sentence(found.join('; ')) };
    if (state !== 'ok') return { ...head, passed: null, words: 'Not checked: something before it failed.' };
    const idle = idleWords(name, basis);
    if (idle !== undefined) return { ...head, passed: null, words: idle };
    return { ...head, passed: true, words: passedWords[name](shown, basis) };
  });
}

type ShownCredential = PresentedCredential | ClaimedCredential;

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
const isOne = (shown: readonly ShownCredential[]): boolean => shown.length === 1;

function idleWords(name: PresentationCheck, { asked, hasChallenge }: CheckBasis): string | undefined {
  if (name === 'disclosure' && asked === 'nothing') return 'Nothing was asked for, so nothing was compared.';
  if (name === 'challenge' && !hasChallenge)
    return 'No challenge was given, so it may have been shown to others before.';
  return undefined;
}

type PassedWords = (shown: readonly ShownCredential[], basis: CheckBasis) => string;

const passedWords: Readonly<Record<PresentationCheck, PassedWords>> = {
  holderSignature: () => 'The holder of the credentials signed this presentation.',
  bbsProof: (shown) =>
    isOne(shown)
      ? 'The issuer signed the credential that this comes from.'
      : 'The issuers signed the credentials that this comes from.',
  revealedAttributes: (shown) =>
    shown.every((one) => 'revealed' in one && Object.keys(one.revealed).length === 0)
      ? 'No value is shown.'
      : 'Every value shown is as the issuer signed it.',
  disclosure: (_shown, { asked }) =>
    asked === 'contents'
      ? 'It shows what was asked for, and nothing else.'
      : 'It comes from whom it was asked of; what to show was not said.',
  status: (shown) =>
    isOne(shown)
      ? 'The ledger has the credential as active, and it is valid now.'
      : 'The ledger has the credentials as active, and they are valid now.',
  challenge: () => 'It was made for this occasion.',
};

/** Of a refused presentation only what the ledger says: nothing else of it is confirmed. */
function factsOf(
  name: PresentationCheck,
  { credentials, verified }: Verdict,
  shown: readonly ShownCredential[],
): Readonly<Record<string, string>> {
  if (name === 'status') return each(shown, ({ status }) => ({ ...status }));
  if (!verified || !credentials) return {};
  if (name === 'holderSignature') return each(credentials, ({ holder }) => ({ holder }));
  if (name === 'bbsProof')
    return each(credentials, ({ issuer, template }) => ({
      issuer: issuer.id,
      templateId: template.id,
      templateVersion: template.version,
    }));
  if (name === 'revealedAttributes')
    return each(credentials, ({ revealed }) => ({ shown: Object.keys(revealed).join(', ') }));
  if (name === 'disclosure')
    return each(credentials, ({ issuerTrust, ranges }) => ({
      issuerTrust,
      proved: ranges.map(({ attribute }) => attribute).join(', '),
    }));
  return {};
}

function each<Credential>(
  credentials: readonly Credential[],
  facts: (credential: Credential) => Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const entries = credentials.flatMap((credential, position) =>
    Object.entries(facts(credential))
      .filter(([, text]) => text !== '')
      .map(([key, text]): [string, string] => [credentials.length === 1 ? key : `${position}.${key}`, text]),
  );
  return Object.fromEntries(entries);
}
