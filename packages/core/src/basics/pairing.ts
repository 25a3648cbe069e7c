/**
 * Gives each of some places a thing of its own that fits it (augmenting paths). Whoever comes first has the first that
 * fits and moves on to another only where a later one would go without: so whether all can have one does not depend on
 * their order.
 */

/** As many pairs as possible, in the order of the places: which thing each has. */
export function pairUp(
  placeCount: number,
  thingCount: number,
  fits: (place: number, thing: number) => boolean,
): Map<number, number> {
  const placeOf = new Map<number, number>();
  const settle = (place: number, seen: Set<number>): boolean => {
    for (let thing = 0; thing < thingCount; thing++) {
      if (placeOf.has(thing) || !fits(place, thing)) continue;
      placeOf.set(thing, place);
      return true;
    }
    for (let thing = 0; thing < thingCount; thing++) {
      const other = placeOf.get(thing);
      if (other === undefined || seen.has(thing) || !fits(place, thing)) continue;
      seen.add(thing);
      if (!settle(other, seen)) continue;
      placeOf.set(thing, place);
      return true;
    }
    return false;
  };
  for (let place = 0; place < placeCount; place++) settle(place, new Set());
  return new Map(
    [...placeOf].map(([thing, place]): [number, number] => [place, thing]).sort(([a], [b]) => a - b),
  );
}
