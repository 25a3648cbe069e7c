/** What one can do somewhere, by the verb that one has in mind: the palette leads to where it is done. */
import type { PlaceName, SeenDesk } from '../navigation/places.ts';
import type { FrameWords } from '../words/catalogue.ts';

type DeedName = keyof FrameWords['shell']['deeds'];

/** Where each is done, and a page of that place where it begins there. */
const places: Readonly<Record<DeedName, readonly [place: PlaceName, page?: string]>> = {
  issue: ['applications'],
  revoke: ['issued'],
  suspend: ['issued'],
  reinstate: ['issued'],
  offer: ['offers', 'new'],
  template: ['templates', 'new'],
  apply: ['apply'],
  answer: ['requests'],
  verify: ['check'],
  pay: ['lab'],
  apiKey: ['apiKeys'],
};

export interface Deed {
  readonly name: DeedName;
  readonly path: string;
}

/** Those that whoever sees these desks can do. */
export function deedsOf(desks: readonly SeenDesk[]): readonly Deed[] {
  const seen = desks.flatMap((desk) => desk.places);
  return (Object.keys(places) as DeedName[]).flatMap((name) => {
    const [place, page] = places[name];
    const path = seen.find((one) => one.name === place)?.path;
    return path === undefined ? [] : [{ name, path: page === undefined ? path : `${path}/${page}` }];
  });
}
