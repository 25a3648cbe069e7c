/**
 * A session that is answered by OpenID4VP, as its verifier reads it: what was asked, from the query that wallets of the
 * field fetch, and what came of each credential.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import type { SessionOutcome, SessionReply } from './session-facts.ts';

export interface AskedFieldClaim {
  /** Where it stands in the credential, for people. */
  readonly name: string;
  /** `proved`: a range will do. */
  readonly fate: 'shared' | 'proved';
  /** What it has to be, as the query says it. */
  readonly bounds?: string;
}

export interface AskedField {
  readonly id: string;
  readonly format: string;
  /** Names of types, any of which will do. */
  readonly kinds: readonly string[];
  readonly claims: readonly AskedFieldClaim[];
  /** Whether not all of the claims are wanted. */
  readonly isChoice: boolean;
}

const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** A query that the service has taken; what is none of one is passed over. */
export const readAskedFields = ({ credentials }: JsonObject): readonly AskedField[] =>
  objectsOf(credentials).map(({ id, format, meta, claims, claim_sets: sets }) => ({
    id: String(id),
    format: String(format),
    kinds: kindsIn(meta),
    claims: objectsOf(claims).map(askedFieldClaim),
    isChoice: sets !== undefined,
  }));

/** Lists of types in JSON-LD have one list inside for each that will do. */
const kindsIn = (meta: JsonValue | undefined): readonly string[] =>
  Object.values(isJsonObject(meta) ? meta : {}).flatMap((names) =>
    Array.isArray(names) ? names.map((name) => (Array.isArray(name) ? name.join(' + ') : String(name))) : [],
  );

function askedFieldClaim({ path, values, range }: JsonObject): AskedFieldClaim {
  const steps = Array.isArray(path) ? path.filter((step) => step !== 'credentialSubject') : [];
  const bounds = isJsonObject(range) ? range : undefined;
  const wanted = Array.isArray(values) ? values.map(String).join(', ') : undefined;
  const text = bounds ? `${bounds.min ?? ''} … ${bounds.max ?? ''}`.trim() : wanted;
  return {
    name: steps.map((step) => (step === null ? '*' : String(step))).join(' / '),
    fate: bounds ? 'proved' : 'shared',
    ...(text !== undefined && { bounds: text }),
  };
}

type SeenField = NonNullable<SessionOutcome['fieldCredentials']>[number];

/** What was seen of a credential, name by name. */
export const seenClaims = ({
  claims,
}: Pick<SeenField, 'claims'>): readonly (readonly [string, unknown])[] => {
  const { credentialSubject: subject } = claims as JsonObject;
  const own = Object.entries(isJsonObject(subject) ? subject : claims);
  return own
    .filter(([name]) => name !== 'id' && name !== 'type')
    .map(([name, value]) => [name, plain(value)]);
};

const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** What opens such a session, as far as its reply says it. */
export const openidRequestOf = ({
  requirements,
  purpose,
}: Pick<SessionReply, 'requirements' | 'purpose'>) => ({
  dcqlQuery: requirements,
  ...(purpose !== undefined && { purpose }),
});
