/**
 * The same texts in another language: every key, with the same parameters, so that a missing or a surplus one does not
 * compile. A sentence with something in it is a function.
 */
export type SameShape<Section> = {
  readonly [Key in keyof Section]: Section[Key] extends (...given: infer Given) => string
    ? (...given: Given) => string
    : Section[Key] extends string
      ? string
      : SameShape<Section[Key]>;
};
