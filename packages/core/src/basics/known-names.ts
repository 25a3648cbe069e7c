/**
 * What is said about a name that is not known where it stands: the known one that was probably meant, by a table of what
 * other dialects call the same thing, else by spelling; and all known ones where none is near. A name that is dropped
 * instead is a condition that nobody holds.
 */

/** Of a name only its letters and digits count: `range_proof` and `rangeProof` are one. */
const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();

/**
 * Names of other dialects, in plain letters, and ours. Of several the first that is known in a place is meant, so the
 * narrow ones come first: a range may be a condition of a request, and then the request is what to write.
 */
const dialects: Readonly<Record<string, readonly string[]>> = {
  ...meaning(['challenge'], 'nonce expectedchallenge options'),
  ...meaning(['domain', 'challenge'], 'audience aud origin expecteddomain'),
  ...meaning(
    ['trustedissuers', 'issuers', 'issuer'],
    'issueraddress issuers issuer issuerdid allowedissuers acceptedissuers trustedauthorities trustanchors',
  ),
  ...meaning(
    ['rangeproof', 'constraints', 'request'],
    'range ranges rangeproof rangeproofs predicate predicates',
  ),
  ...meaning(['revealattributes', 'enum', 'request'], 'fields'),
  ...meaning(
    ['revealattributes', 'claims', 'request'],
    'attributes reveal revealattribute revealattributes limitdisclosure requestedattributes',
  ),
  ...meaning(['claims'], 'claimsets constraints'),
  ...meaning(
    ['request', 'requirements', 'query'],
    'requests requested asked expected query dcql dcqlquery requirements presentationdefinition credentials',
  ),
  ...meaning(['credentials'], 'inputdescriptors'),
  ...meaning(['credentialsets'], 'submissionrequirements'),
  ...meaning(['age', 'min', 'constraints', 'request', 'query'], 'minage minimumage ageover'),
  ...meaning(['age', 'max', 'constraints', 'request', 'query'], 'maxage maximumage'),
  ...meaning(['age', 'request'], 'age ages'),
  ...meaning(
    ['min', 'minage', 'minimum', 'constraints'],
    'min minimum minvalue gte gt over exclusiveminimum formatminimum',
  ),
  ...meaning(
    ['max', 'maxage', 'maximum', 'constraints'],
    'max maximum maxvalue lte lt under exclusivemaximum formatmaximum',
  ),
  ...meaning(['minvalues'], 'mins minimums'),
  ...meaning(['maxvalues'], 'maxs maximums'),
  ...meaning(['key', 'attribute', 'path'], 'name field claimname namespace'),
  ...meaning(['enum', 'values', 'constraints'], 'values oneof not enum'),
  ...meaning(['const', 'values', 'constraints'], 'equals eq const'),
  ...meaning(['pattern', 'constraints'], 'regex minlength maxlength pattern'),
  ...meaning(['type'], 'format'),
  ...meaning(['required'], 'optional'),
  ...meaning(
    ['credentialtype', 'typevalues'],
    'type types schema credentialtype doctypevalue templatevalues',
  ),
  ...meaning(['vctvalues', 'meta'], 'vct vctvalues'),
  ...meaning(['meta'], 'typevalues'),
  ...meaning(['id'], 'template templateid'),
  ...meaning(['vp', 'presentation'], 'vp vpobject verifiablepresentation presentation vptoken'),
  ...meaning(['expirationminutes'], 'expiresin expiry ttl'),
  ...meaning(['stateid'], 'state'),
  ...meaning(['feelimitmax'], 'maxfee feemax maxfeelimit'),
  ...meaning(['callbackurl'], 'callback webhook'),
  ...meaning(['transfer'], 'transaction tx'),
};

function meaning(ours: readonly string[], theirs: string): Record<string, readonly string[]> {
  return Object.fromEntries(theirs.split(' ').map((name) => [name, ours]));
}

/** The number of single-letter changes between two words; a swap of neighbours counts as one. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const above = rows[i - 1];
      let best = Math.min(row[j - 1] + 1, above[j] + 1, above[j - 1] + change);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) best = Math.min(best, rows[i - 2][j - 2] + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}

const nameCharsMax = 100;

/** The name that is spelled most like it, if one is near enough. */
export function nearestSpelling(name: string, known: readonly string[]): string | undefined {
  if (name.length > nameCharsMax) return undefined;
  const word = plain(name);
  const scored = known.map((one) => ({ one, score: distance(word, plain(one)) }));
  const best = scored.toSorted((a, b) => a.score - b.score)[0];
  return best && best.score <= Math.max(1, Math.floor(word.length / 3)) ? best.one : undefined;
}

/** The known name that was probably meant: the same in other letters, another dialect's, or the nearest spelling. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const word = plain(name.slice(0, nameCharsMax));
  const called = (wanted: string): string | undefined => known.find((one) => plain(one) === wanted);
  const meant = Object.hasOwn(dialects, word) ? dialects[word] : [];
  for (const wanted of [word, ...meant]) {
    const found = called(wanted);
    if (found !== undefined) return found;
  }
  return nearestSpelling(name, known);
}

const shownCharsMax = 60;
const quoted = (name: string): string =>
  JSON.stringify(name.length > shownCharsMax ? `${name.slice(0, shownCharsMax)}…` : name);

/** What is wrong with a member that is not known here, in one line. */
export function unknownName(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  if (meant !== undefined) return `${quoted(name)} is not known here; did you mean ${quoted(meant)}?`;
  const others = known.length === 0 ? 'nothing may stand here' : `known are ${known.map(quoted).join(', ')}`;
  return `${quoted(name)} is not known here; ${others}`;
}
