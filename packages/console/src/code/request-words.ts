/** A verifier's request in the words of `symbolon request`, which asks of one credential. */
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';

/** An object that says nothing else: a condition that is left out would ask for less. */
const hasOnly = (value: JsonValue | undefined, ...names: readonly string[]): value is JsonObject =>
  isJsonObject(value) && Object.keys(value).every((name) => names.includes(name));

/** Undefined where the command cannot ask for this. */
export function requestWords(given: JsonObject): readonly string[] | undefined {
  const { requirements, purpose, expirationMinutes, trustedIssuers = [], trustList } = given;
  if (!hasOnly(requirements, 'credentials', 'trusted_issuers', 'issuers')) return undefined;
  const { credentials: listed, trusted_issuers: trustedInside = [], issuers = trustedInside } = requirements;
  const [credential, ...others] = Array.isArray(listed) ? listed : [];
  if (!hasOnly(credential, 'id', 'format', 'claims') || others.length > 0) return undefined;
  const claims = Array.isArray(credential.claims) ? credential.claims.map(claimWords) : [];
  if (!claims.every((one) => one !== undefined)) return undefined;
  const trusted = [
    ...[trustedIssuers, issuers].flat().map((one) => (isJsonObject(one) ? String(one.did) : String(one))),
    ...(typeof trustList === 'string' ? [`@${trustList}`] : []),
  ];
  return [
    ...(typeof credential.id === 'string' ? ['--template', credential.id] : []),
    ...claims.flat(),
    ...trusted.flatMap((one) => ['--trust', one]),
    ...(typeof purpose === 'string' ? ['--purpose', purpose] : []),
    ...(expirationMinutes === undefined ? [] : ['--minutes', String(expirationMinutes)]),
  ];
}

function claimWords(claim: JsonValue): readonly string[] | undefined {
  if (!hasOnly(claim, 'path', 'constraints') || !Array.isArray(claim.path)) return undefined;
  const [subject, name, ...deeper] = claim.path;
  const isOption = typeof name === 'string' && /^[^,:]+$/.test(name);
  if (subject !== 'credentialSubject' || !isOption || deeper.length > 0) return undefined;
  const { constraints } = claim;
  if (constraints === undefined) return ['--ask', name];
  if (!hasOnly(constraints, 'minimum', 'maximum')) return undefined;
  const { minimum = '', maximum = '' } = constraints;
  return ['--range', `${name}:${minimum}..${maximum}`];
}
