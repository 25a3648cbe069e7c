/** Where the cells of a row stand on a phone, which has two columns: a subject, and what ends its line. Pure. */
export interface PhoneColumn {
  readonly isNumber?: boolean;
  /** Left out where there is little room. */
  readonly isHiddenOnPhone?: boolean;
  /** In a line of its own, under the others. */
  readonly isBelowOnPhone?: boolean;
}

export type PhonePlace = 'hidden' | 'below' | 'start' | 'end';

/** By the order of the columns. A figure or an act is always at the end of its line. */
export function phonePlaces(columns: readonly PhoneColumn[]): readonly PhonePlace[] {
  let isBegun = false;
  return columns.map(({ isNumber = false, isHiddenOnPhone, isBelowOnPhone }) => {
    if (isHiddenOnPhone) return 'hidden';
    if (isBelowOnPhone) return 'below';
    const place = isBegun || isNumber ? 'end' : 'start';
    isBegun = place === 'start';
    return place;
  });
}
