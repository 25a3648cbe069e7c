/** The checks of a credential in JSON-LD (`ldp_vc`) as it is presented: what each is called, and its words where it holds. */

/** In the order of their cost: what needs no key first, what needs a stranger's server last. */
export const ldpChecks = [
  'form',
  'challenge',
  'audience',
  'holderKey',
  'validity',
  'credentialType',
  'holderSignature',
  'issuerSignature',
  'status',
] as const;
export type LdpCheck = (typeof ldpChecks)[number];

const unbound = 'No proof of the holder was asked for.';

const checkWords: Readonly<
  Record<LdpCheck, { readonly title: string; readonly passed: string; readonly idle?: string }>
> = {
  form: { title: 'well formed', passed: 'It is one credential of the data model.' },
  challenge: {
    title: 'challenge matches',
    passed: 'It was made for this occasion.',
    idle: 'Nothing in it is for an occasion.',
  },
  audience: { title: 'audience', passed: 'It was made for this verifier.', idle: unbound },
  holderKey: { title: 'holder', passed: 'The credential is of whoever shows it.', idle: unbound },
  validity: { title: 'validity', passed: 'It is valid now.' },
  credentialType: { title: 'type of credential', passed: 'It is of the type that was asked for.' },
  holderSignature: { title: 'holder signature', passed: 'The holder signed it.', idle: unbound },
  issuerSignature: { title: 'issuer signature', passed: 'The issuer signed what is shown.' },
  status: {
    title: 'status',
    passed: 'The issuer’s list has it as valid.',
    idle: 'It says of no list where its status stands.',
  },
};

export interface ToldLdpCheck {
  readonly name: LdpCheck;
  readonly title: string;
  /** Null where there was nothing to compare with, or an earlier check left nothing to look at. */
  readonly passed: boolean | null;
  readonly words: string;
}

/** What was found of each check: complaints, or that there was nothing to look at. */
export type LdpFindings = Map<LdpCheck, readonly string[] | 'idle'>;

export const tellLdpChecks = (found: LdpFindings): readonly ToldLdpCheck[] =>
  ldpChecks.map((name) => {
    const { title, passed, idle = 'Nothing to compare with.' } = checkWords[name];
    const finding = found.get(name);
    if (finding === undefined)
      return { name, title, passed: null, words: 'Not checked: something before it failed.' };
    if (finding === 'idle') return { name, title, passed: null, words: idle };
    if (finding.length === 0) return { name, title, passed: true, words: passed };
    const text = finding.join('; ');
    return { name, title, passed: false, words: `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.` };
  });
