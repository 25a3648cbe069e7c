/**
 * Contracts that mean harm, and how each must end: `deploy` is the code of its creation (152 is told at submit, the
 * others in history), `call` that of a call of its main in a block. Nothing is claimed about anything else.
 */

export interface Hostile {
  readonly name: string;
  readonly code: string;
  readonly deploy?: number;
  readonly call?: number;
  /** The exception of a failed call, as far as it matters. */
  readonly exception?: RegExp;
  readonly input?: string;
}

export interface Parts {
  readonly top?: string;
  readonly init?: string;
}

export const whole = (main: string, { top = '', init = 'return true;' }: Parts = {}): string =>
  `"use strict";\n${top}\nfunction init(input) {\n${init}\n}\nfunction main(input) {\n${main}\n}\nfunction query(input) {\nreturn input;\n}\n`;

/** A main, and the code its call ends with. */
export const runs = (
  name: string,
  call: number,
  main: string,
  more: Partial<Hostile> & Parts = {},
): Hostile => ({
  name,
  call,
  code: whole(main, more),
  ...more,
});

/** What the syntax check does not let pass. */
export const refused = (name: string, main: string, more: Parts = {}): Hostile => ({
  name,
  deploy: 152,
  code: whole(main, more),
});

export const expired = 155;
export const failed = 151;
export const step = { exception: /Step exceeding/ };
export const memory = { exception: /Memory exceeding/ };
export const stack = { exception: /Stack exceeding/ };
export const type = { exception: /^TypeError/ };
