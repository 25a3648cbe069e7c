/** A verifier's request in the words of `symbolon request`, which asks of one credential. */
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';

/** Undefined where the command cannot ask for this. */
export function requestWords(given: JsonObject): readonly string[] | undefined {
  const { requirements, purpose, expirationMinutes, trustedIssuers = [], trustList } = given;
  const listed = isJsonObject(requirements) ? requirements.credentials : undefined;
  const [credential, ...others] = Array.isArray(listed) ? listed : [];
  if (!isJsonObject(credential) || others.length > 0 || !Array.isArray(trustedIssuers)) return undefined;
  const claims = Array.isArray(credential.claims) ? credential.claims.map(claimWords) : [];
  if (!claims.every((one) => one !== undefined)) return undefined;
  const trusted = [
    ...trustedIssuers.map((one) => (isJsonObject(one) ? String(one.did) : String(one))),
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
  if (!isJsonObject(claim) || !Array.isArray(claim.path)) return undefined;
  const [subject, name, ...deeper] = claim.path;
  const isOption = typeof name === 'string' && /^[^,:]+$/.test(name);
  if (subject !== 'credentialSubject' || !isOption || deeper.length > 0) return undefined;
  const { constraints, values } = claim;
  if (values !== undefined) return undefined;
  if (!isJsonObject(constraints)) return ['--ask', name];
  const { minimum = '', maximum = '' } = constraints;
  return ['--range', `${name}:${minimum}..${maximum}`];
}
