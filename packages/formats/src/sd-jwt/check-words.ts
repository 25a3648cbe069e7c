/** The checks of an SD-JWT VC: what each is called and what it says where it holds. */

/** In the order of their cost: what needs no key first, what needs a stranger's server last. */
export const sdJwtChecks = [
  'form',
  'disclosures',
  'openClaims',
  'credentialType',
  'validity',
  'holderKey',
  'challenge',
  'audience',
  'freshness',
  'shownClaims',
  'transactionData',
  'holderSignature',
  'issuerKey',
  'issuerSignature',
  'status',
] as const;
export type SdJwtCheck = (typeof sdJwtChecks)[number];

interface CheckWords {
  readonly title: string;
  readonly passed: string;
  /** Where there was nothing to compare with. */
  readonly idle?: string;
}

const unbound = 'No proof of the holder was asked for.';

export const sdJwtCheckWords: Readonly<Record<SdJwtCheck, CheckWords>> = {
  form: { title: 'well formed', passed: 'It is an SD-JWT VC in the one form that is read.' },
  disclosures: { title: 'disclosures', passed: 'Every disclosure is the issuer’s, and used once.' },
  openClaims: { title: 'open claims', passed: 'Nothing is hidden that every verifier must see.' },
  credentialType: {
    title: 'type of credential',
    passed: 'It is of the type that was asked for.',
    idle: 'No type was asked for.',
  },
  validity: { title: 'validity', passed: 'It is valid now.' },
  holderKey: { title: 'key of the holder', passed: 'It is bound to a key of its holder.', idle: unbound },
  challenge: { title: 'challenge matches', passed: 'It was made for this occasion.', idle: unbound },
  audience: { title: 'audience', passed: 'It was made for this verifier.', idle: unbound },
  freshness: { title: 'time of presentation', passed: 'It was made just now.', idle: unbound },
  shownClaims: { title: 'shown claims', passed: 'The holder signed what is shown.', idle: unbound },
  transactionData: {
    title: 'agreement',
    passed: 'The holder agreed to what was asked.',
    idle: 'Nothing was to be agreed to.',
  },
  holderSignature: { title: 'holder signature', passed: 'The holder signed it.', idle: unbound },
  issuerKey: { title: 'key of the issuer', passed: 'The key is the issuer’s.' },
  issuerSignature: { title: 'issuer signature', passed: 'The issuer signed the credential.' },
  status: {
    title: 'status',
    passed: 'The issuer’s list has it as valid.',
    idle: 'It says of no list where its status stands.',
  },
};

export interface ToldSdJwtCheck {
  readonly name: SdJwtCheck;
  readonly title: string;
  /** Null where there was nothing to compare with, or an earlier check left nothing to look at. */
  readonly passed: boolean | null;
  readonly words: string;
}

/** What was found of each check: complaints, or that it was looked at, or that there was nothing to look at. */
export type SdJwtFindings = ReadonlyMap<SdJwtCheck, readonly string[] | 'idle'>;

export const tellSdJwtChecks = (found: SdJwtFindings): readonly ToldSdJwtCheck[] =>
  sdJwtChecks.map((name) => {
    const { title, passed, idle } = sdJwtCheckWords[name];
    const finding = found.get(name);
    if (finding === undefined)
      return { name, title, passed: null, words: 'Not checked: something before it failed.' };
    if (finding === 'idle') return { name, title, passed: null, words: idle ?? 'Nothing to compare with.' };
    if (finding.length === 0) return { name, title, passed: true, words: passed };
    const text = finding.join('; ');
    return { name, title, passed: false, words: `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.` };
  });
