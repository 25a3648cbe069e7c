/**
 * What a sample leaves open: signatures and what comes with them, what only the answer before can say, and members that a
 * route needs and nobody has given. Each stands in the sample as its name in angle brackets, and under it in a sentence.
 */
import type { ServiceRoute } from '@symbolon/wire/http/service-route';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import type { NodeRouteName, RouteRequest, ServiceRouteName } from './code-request.ts';
import { isOpenName } from './open-names.ts';

/** How what is left open stands in a sample. */
export const openPlace = (name: string): string => `<${name}>`;

/** Members that a schema calls optional, because others would do, and that the usual call has. */
const usualMembers: { readonly [Name in ServiceRouteName]?: readonly string[] } = {
  applyForCredential: ['templateId', 'metadata', 'holderPublicKey', 'signedText'],
  createCredential: ['expiredDate'],
  submitTemplate: ['signBlob', 'publicKey'],
  submitRevocation: ['signBlob', 'publicKey'],
  submitSuspension: ['signBlob', 'publicKey'],
  submitReinstatement: ['signBlob', 'publicKey'],
  downloadCredential: ['signedText'],
  acceptOffer: ['signedText'],
  applyForPaidCredential: ['signedText'],
  createPresentation: ['vc', 'revealAttributes'],
  verifyPresentation: ['vp'],
  createExtendedPresentation: ['vcs'],
  signIn: ['apiKey'],
  verifyPayment: ['paymentPayload', 'paymentRequirements'],
  settlePayment: ['paymentPayload', 'paymentRequirements'],
};
const nodeMembers: { readonly [Name in NodeRouteName]?: readonly string[] } = {
  getAccount: ['address'],
  getAccountBase: ['address'],
  getAccountAssets: ['address'],
  getAccountMetaData: ['address'],
  getAccountTransactions: ['address'],
  getAddress: ['public_key'],
  getStateProof: ['address'],
  getTransactionFromBlob: ['blob'],
  getTransactionEffects: ['hash'],
  searchLedger: ['q'],
  submitTransaction: ['items'],
  testTransaction: ['items'],
  callContract: ['contract_address'],
};

/** Headers that show who signs; a payment is made only once its price was told. */
const signedHeader = /^(publickey|signed(data|text)|x-wallet-.*)$/;

export interface OpenParts {
  /** Members that are needed and not given, with whether text is what they take. */
  readonly missing: ReadonlyMap<string, 'text' | 'other'>;
  readonly headers: readonly string[];
}

export function openPartsOf({ server, route: name, given = {} }: RouteRequest): OpenParts {
  const { shape, usual, headers } = server === 'service' ? serviceNeeds(name) : nodeNeeds(name);
  const needed = [...Object.keys(shape).filter((one) => !takesNothing(shape[one])), ...usual];
  const missing = needed.filter((one) => isNothing(given[one]));
  return {
    missing: new Map(missing.map((one) => [one, isText(one, shape[one]) ? 'text' : 'other'])),
    headers: headers.filter((one) => signedHeader.test(one)),
  };
}

/** A field that nobody has filled, and a list with nothing in it, are nothing yet. */
const isNothing = (value: JsonValue | undefined): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** As much of a schema as is looked at here. */
interface MemberSchema {
  readonly safeParse: (value: unknown) => { readonly success: boolean };
  readonly def: {
    readonly type: string;
    /** Of what may be left out, and of what is read further. */
    readonly innerType?: MemberSchema;
    readonly in?: MemberSchema;
  };
}
type Shape = Readonly<Record<string, MemberSchema>>;

interface Needs {
  readonly shape: Shape;
  readonly usual: readonly string[];
  readonly headers: readonly string[];
}

function serviceNeeds(name: ServiceRouteName): Needs {
  const { params, query, body, headers = [] }: ServiceRoute = allRoutes[name];
  return {
    shape: { ...shapeOf(params), ...shapeOf(query), ...shapeOf(body) },
    usual: usualMembers[name] ?? [],
    headers: headers.map((one) => one.name),
  };
}

function nodeNeeds(name: NodeRouteName): Needs {
  const route = ledgerRoutes[name];
  const body = 'body' in route ? route.body : undefined;
  return { shape: shapeOf(body), usual: nodeMembers[name] ?? [], headers: [] };
}

const shapeOf = (schema: unknown): Shape =>
  typeof schema === 'object' && schema !== null && 'shape' in schema ? (schema.shape as Shape) : {};

const takesNothing = (schema: MemberSchema | undefined): boolean =>
  schema === undefined || schema.safeParse(undefined).success;

const documents: ReadonlySet<string> = new Set(['items', 'paymentPayload', 'paymentRequirements']);

function isText(name: string, schema: MemberSchema | undefined): boolean {
  if (!schema) return !documents.has(name);
  const { type, innerType, in: first } = schema.def;
  const inner = innerType ?? first;
  return inner ? isText(name, inner) : type === 'string';
}

/** Names that stand in a value in place of one: for an attribute, say, that nobody has typed yet. */
export function placesIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return /^<([^<>\s]+)>$/.exec(value)?.slice(1) ?? [];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap((one) => placesIn(one as JsonValue));
}

/** Names that are open by themselves, wherever they stand. */
export function openNamesIn(value: JsonValue | undefined): readonly string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, one]) =>
    isOpenName(name) ? [name] : openNamesIn(one as JsonValue),
  );
}

/** What is given, with a place for what is missing. */
export const withPlaces = (given: JsonObject, { missing }: OpenParts): JsonObject => ({
  ...given,
  ...Object.fromEntries([...missing.keys()].map((name) => [name, ''])),
});
