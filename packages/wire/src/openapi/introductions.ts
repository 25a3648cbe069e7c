export const ledgerIntroduction = (): string => '';
export const serviceIntroduction = (): string => '';
