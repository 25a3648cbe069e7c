/**
 * The picture of the rooms in ARCHITECTURE.md. What a room is for is written there by hand and kept; which rooms there
 * are, their order and what each uses come from the imports. `npm run documents` draws it anew.
 */
import type { HouseFile } from './house.ts';
import { type Crossing, crossings, isInRoom, roomOf, usesOf } from './rooms.ts';

const picture = /(?<=<!-- rooms -->\n```text\n)[\s\S]*?(?=```\n<!-- end of rooms -->)/;
/** What stands for the purpose of a room until somebody writes it down. */
export const noPurpose = '(what is it for?)';

const columnsMax = 110;

/** Commands are many small rooms of one kind: they are drawn as one. */
const drawn = (room: string) => room.replace(/^(cli\/commands)\/.*/, '$1');
const packageOf = (room: string) => room.split('/')[0] as string;

type Uses = ReadonlyMap<string, ReadonlySet<string>>;

/** How high a room stands: one above the highest that it uses. A circle ends where it begins. */
function heightOf(room: string, uses: Uses, heights: Map<string, number>): number {
  const known = heights.get(room);
  if (known !== undefined) return known;
  heights.set(room, 0);
  const below = [...(uses.get(room) ?? [])].map((other) => heightOf(other, uses, heights));
  heights.set(room, 1 + Math.max(0, ...below));
  return heightOf(room, uses, heights);
}

function reaches(from: string, to: string, uses: Uses, seen = new Set<string>()): boolean {
  if (from === to) return true;
  seen.add(from);
  return [...(uses.get(from) ?? [])].some((next) => !seen.has(next) && reaches(next, to, uses, seen));
}

/** What a room uses, without what it reaches through another of these. */
function arrowsOf(room: string, uses: Uses): string[] {
  const used = [...(uses.get(room) ?? [])].sort();
  return used.filter((one) => !used.some((other) => other !== one && reaches(other, one, uses)));
}

const shortName = (room: string) => room.slice(packageOf(room).length + 1) || '.';

/** The purposes that a picture holds, by the full name of the room. */
function purposesIn(text: string): Map<string, string> {
  const purposes = new Map<string, string>();
  let owner = '';
  for (const line of text.split('\n')) {
    const [, name] = /^(\S+)$/.exec(line) ?? [];
    if (name) owner = name;
    const [, room, purpose] = /^ +\d+ (\S+) +(.+?)(?: +→ .*)?$/.exec(line) ?? [];
    if (room && purpose) purposes.set(room === '.' ? owner : `${owner}/${room}`, purpose);
  }
  return purposes;
}

function drawPackage(owner: string, rooms: readonly string[], uses: Uses, purposes: Map<string, string>) {
  const own = rooms.filter((room) => packageOf(room) === owner);
  const heights = new Map<string, number>();
  const height = (room: string) => heightOf(room, uses, heights);
  const width = Math.max(...own.map((room) => shortName(room).length));
  const lines = own
    .sort((a, b) => height(b) - height(a) || (a < b ? -1 : 1))
    .map((room) => {
      const arrows = arrowsOf(room, uses).map(shortName).join(', ');
      const place = `${String(height(room)).padStart(3)} ${shortName(room).padEnd(width)}  `;
      const start = `${place}${purposes.get(room) ?? noPurpose}`;
      if (arrows === '') return start;
      const isShort = start.length + arrows.length < columnsMax - 3;
      return `${start}${isShort ? ' ' : `\n${' '.repeat(place.length)}`}→ ${arrows}`;
    });
  return [owner, ...lines, ''].join('\n');
}

const row = /^(\| `([a-z-]+)` \|.*\|) [^|]* \|$/gm;

/** The last column of the table of packages: what each depends on, as its manifest says, the house's own first. */
function drawDependencies(document: string, files: readonly HouseFile[]): string {
  return document.replace(row, (line, start, name) => {
    const manifest = files.find(({ file }) => file === `packages/${name}/package.json`);
    if (!manifest) return line;
    const names = Object.keys(JSON.parse(manifest.text).dependencies ?? {}).sort();
    const own = names.filter((one) => one.startsWith('@symbolon/')).map((one) => one.split('/')[1]);
    const others = names.filter((one) => !one.startsWith('@symbolon/')).map((one) => `\`${one}\``);
    return `${start} ${[...own, ...others].join(', ')} |`;
  });
}

/** The document with its picture, and what packages depend on, drawn anew. */
export function drawRooms(document: string, files: readonly HouseFile[]): string {
  const inPackage = ({ from, to }: Crossing) => from !== to && packageOf(from) === packageOf(to);
  const found = crossings(files).map((one) => ({ ...one, from: drawn(one.from), to: drawn(one.to) }));
  const uses = usesOf(found.filter(inPackage));
  const rooms = [...new Set(files.filter(isInRoom).map(({ file }) => drawn(roomOf(file) as string)))];
  const owners = [...new Set(rooms.map(packageOf))].sort();
  const purposes = purposesIn(picture.exec(document)?.[0] ?? '');
  return drawDependencies(document, files).replace(picture, () =>
    owners.map((owner) => drawPackage(owner, rooms, uses, purposes)).join('\n'),
  );
}
