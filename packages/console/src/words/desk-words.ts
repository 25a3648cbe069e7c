/** Words of a desk, which come with the desk: one function for each language. */
import type { Language } from '../text/language.ts';
import type { SameShape } from '../text/same-shape.ts';
import type { FrameWords } from './catalogue.ts';
import type { devEn } from './en/dev.ts';
import type { explorerEn } from './en/explorer.ts';
import type { issueInboxEn } from './en/issue-inbox.ts';
import type { bulkEn, issuerKeysEn, offersEn, templatesEn } from './en/issue-templates.ts';
import type { labEn } from './en/lab.ts';
import type { verifyEn } from './en/verify.ts';
import type { walletEn } from './en/wallet.ts';

export interface DeskSections {
  readonly issueInbox: SameShape<typeof issueInboxEn>;
  readonly templates: SameShape<typeof templatesEn>;
  readonly offers: SameShape<typeof offersEn>;
  readonly bulk: SameShape<typeof bulkEn>;
  readonly issuerKeys: SameShape<typeof issuerKeysEn>;
  readonly wallet: SameShape<typeof walletEn>;
  readonly verify: SameShape<typeof verifyEn>;
  readonly explorer: SameShape<typeof explorerEn>;
  readonly lab: SameShape<typeof labEn>;
  readonly dev: SameShape<typeof devEn>;
}

type Loaders<Name extends keyof DeskSections> = Readonly<
  Record<Language, () => Promise<Pick<DeskSections, Name>>>
>;

const issue: Loaders<'issueInbox' | 'templates' | 'offers' | 'bulk' | 'issuerKeys'> = {
  en: async () => {
    const [inbox, made] = await Promise.all([
      import('./en/issue-inbox.ts'),
      import('./en/issue-templates.ts'),
    ]);
    return {
      issueInbox: inbox.issueInboxEn,
      templates: made.templatesEn,
      offers: made.offersEn,
      bulk: made.bulkEn,
      issuerKeys: made.issuerKeysEn,
    };
  },
  de: async () => {
    const [inbox, made] = await Promise.all([
      import('./de/issue-inbox.ts'),
      import('./de/issue-templates.ts'),
    ]);
    return {
      issueInbox: inbox.issueInboxDe,
      templates: made.templatesDe,
      offers: made.offersDe,
      bulk: made.bulkDe,
      issuerKeys: made.issuerKeysDe,
    };
  },
};

const wallet: Loaders<'wallet'> = {
  en: async () => ({ wallet: (await import('./en/wallet.ts')).walletEn }),
  de: async () => ({ wallet: (await import('./de/wallet.ts')).walletDe }),
};

const verify: Loaders<'verify'> = {
  en: async () => ({ verify: (await import('./en/verify.ts')).verifyEn }),
  de: async () => ({ verify: (await import('./de/verify.ts')).verifyDe }),
};

const ledger: Loaders<'explorer'> = {
  en: async () => ({ explorer: (await import('./en/explorer.ts')).explorerEn }),
  de: async () => ({ explorer: (await import('./de/explorer.ts')).explorerDe }),
};

const lab: Loaders<'lab'> = {
  en: async () => ({ lab: (await import('./en/lab.ts')).labEn }),
  de: async () => ({ lab: (await import('./de/lab.ts')).labDe }),
};

const dev: Loaders<'dev'> = {
  en: async () => ({ dev: (await import('./en/dev.ts')).devEn }),
  de: async () => ({ dev: (await import('./de/dev.ts')).devDe }),
};

export const sectionsOfDesks = { issue, wallet, verify, ledger, lab, dev } as const;
export type WordyDesk = keyof typeof sectionsOfDesks;

/** What pages of one desk read: the words of the frame and those of that desk. Those of other desks may not be there. */
export type DeskWords<Desk extends WordyDesk> = FrameWords &
  Awaited<ReturnType<(typeof sectionsOfDesks)[Desk][Language]>>;
