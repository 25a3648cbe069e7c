/**
 * What an identity looks like: one of ten colours, which follows from its identifier alone, and the line along which its
 * things break. Nothing is looked up and nothing is random: the same DID has the same colour everywhere.
 */

/** White text on each has a contrast of at least 7. */
export const identityColours = [
  '#8a3b12',
  '#5b4a12',
  '#6a2c8f',
  '#4a3aa8',
  '#0f5e6b',
  '#7a1f3d',
  '#2f5d1e',
  '#1f4e8c',
  '#0f5f4a',
  '#3d4654',
] as const;

/** What the ground of a card runs into. */
export const cardInks = ['#7a3a08', '#1c0a10', '#14307a', '#0a5243', '#3a1466'] as const;

/**
 * The bytes of an identifier: those that its last part spells in hexadecimal, else its characters, so that an address,
 * too, has a colour and a line.
 */
export function bytesOfId(id: string): readonly number[] {
  const last = id.slice(id.lastIndexOf(':') + 1);
  const pairs = /^([0-9a-f]{2})+$/i.test(last) ? (last.match(/../g) ?? []) : undefined;
  return pairs
    ? pairs.map((pair) => Number.parseInt(pair, 16))
    : [...last].map((sign) => sign.charCodeAt(0) % 256);
}

const byteAt = (bytes: readonly number[], at: number): number =>
  bytes.length === 0 ? 0 : (bytes[at % bytes.length] as number);

/** First two bytes, modulo ten. */
export function identityColour(id: string): string {
  const bytes = bytesOfId(id);
  const number = byteAt(bytes, 0) * 256 + byteAt(bytes, 1);
  return identityColours[number % identityColours.length] as string;
}

/** First byte of the template, modulo five. */
export const cardInk = (templateId: string): string =>
  cardInks[byteAt(bytesOfId(templateId), 0) % cardInks.length] as string;

/** Offsets from -0.5 to 0.5, one for each corner of a line. */
export function lineOffsets(id: string, corners: number): readonly number[] {
  const bytes = bytesOfId(id);
  return Array.from({ length: corners }, (_, at) => byteAt(bytes, at) / 255 - 0.5);
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A line from top to bottom: `centre` is where it stands, `swing` how far corners may go off. */
export function lineThrough(
  offsets: readonly number[],
  { centre, swing, height }: { readonly centre: number; readonly swing: number; readonly height: number },
): readonly Point[] {
  const step = height / (offsets.length - 1);
  return offsets.map((offset, at) => ({ x: centre + offset * swing, y: at * step }));
}

export const linePath = (points: readonly Point[]): string =>
  `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;

/** Of a role: holders and who has a wallet are people, all others are organisations. */
export const kindOf = (role: string): 'person' | 'organisation' =>
  role.startsWith('holder') || role === 'wallet' ? 'person' : 'organisation';
