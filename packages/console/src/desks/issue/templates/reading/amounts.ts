/** Amounts as people type them, and back: whole numbers of smallest units, never a floating-point number. Pure. */

const digitsMax = 30;

/** `2.5` with six decimals is 2500000; undefined for what is no amount, or has more places than there are. */
export function unitsOf(typed: string, decimals: number): bigint | undefined {
  const text = typed.trim().replace(',', '.');
  const match = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text);
  const [, whole = '', fraction = ''] = match ?? [];
  if (!match || fraction.length > decimals || whole.length + decimals > digitsMax) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** 2500000 with six decimals is `2.5`. */
export function typedUnits(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals);
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
