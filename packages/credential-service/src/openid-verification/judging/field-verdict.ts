/** What holds for every credential of the field that verifies: the ledger's record, the issuer, and what was asked for. */
import { parseLedgerDid } from '@symbolon/core/did/did';
import type { WantedCredential } from '@symbolon/formats/oid4vp/presentation-query';
import { claimComplaints } from '@symbolon/formats/oid4vp/query-matching';
import type { ClaimPath } from '@symbolon/formats/sd-jwt/unpacking';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { FieldChecks, FieldCredential } from '@symbolon/wire/sessions/field-replies';
import { issuerOfOwnName, ownPathOf } from '../parts/own-names.ts';
import type { OpenidVerifyingParts } from '../parts/verification-parts.ts';
import { judgeIssuer } from './issuer-trust.ts';
import { commonCheck, errorsOf, failed, type JudgedPresentation, type Occasion } from './judged.ts';
import { compareRecord, type RecordClaims } from './ledger-record.ts';

export interface VerifiedField {
  readonly wanted: WantedCredential;
  readonly checks: FieldChecks['checks'];
  readonly issuer: string;
  readonly types: readonly string[];
  readonly holder?: string | undefined;
  readonly hasStatus: boolean;
  /** What it says that the ledger knows too, were it issued here. */
  readonly recorded: Omit<RecordClaims, 'issuer'>;
  /** As paths of queries lead through it. */
  readonly whole: unknown;
  readonly selected: readonly ClaimPath[];
  /** What relying services are told. */
  readonly claims: JsonObject;
  /** The same by key. */
  readonly byKey: JsonObject;
}

export async function concludeField(
  parts: OpenidVerifyingParts,
  verified: VerifiedField,
  { named }: Occasion,
): Promise<JudgedPresentation> {
  const { wanted, issuer, recorded } = verified;
  const own = ledgerIssuerOf(parts, verified);
  const compared = own === undefined ? undefined : await compareRecord(parts, { ...recorded, issuer: own });
  const record = compared && 'record' in compared ? compared.record : undefined;
  const lost = compared && 'complaints' in compared ? compared.complaints : [];
  const judged = judgeIssuer({ issuer, record }, named);
  const untrusted = 'complaint' in judged && lost.length === 0 ? [judged.complaint] : [];
  const other = claimComplaints(wanted, { claims: verified.whole, selected: verified.selected });
  const checks = [
    ...verified.checks,
    ...(own === undefined
      ? []
      : [commonCheck('record', lost, 'The ledger has it as it is shown, and as active.')]),
    commonCheck('issuer', untrusted, 'Its issuer is one that counts.'),
    commonCheck('disclosure', other, 'It shows what was asked for, and nothing else.'),
  ];
  if (errorsOf(checks).length > 0 || 'complaint' in judged) return failed(true, checks);
  const { types, holder, hasStatus, claims, byKey } = verified;
  const field: FieldCredential = {
    ...{ queryId: wanted.id, format: wanted.format, types, issuer },
    issuerTrust: judged.issuerTrust,
    ...(holder !== undefined && { holder }),
    ...timesOf(recorded),
    status: record || hasStatus ? 'active' : 'not stated',
    ...(record && { record }),
    claims,
  };
  return { isBound: true, errors: [], checks, claims: byKey, field };
}

/** By a name that this service has given it; or by its DID, with a status in a list of this service. */
function ledgerIssuerOf(
  parts: OpenidVerifyingParts,
  { issuer, recorded }: Pick<VerifiedField, 'issuer' | 'recorded'>,
): string | undefined {
  const isListedHere = recorded.slots.some(({ uri }) => ownPathOf(parts, uri) !== undefined);
  const isOfLedger = parseLedgerDid(issuer, parts.profile) !== undefined;
  return issuerOfOwnName(parts, issuer) ?? (isListedHere && isOfLedger ? issuer : undefined);
}

const timesOf = ({ fromMs, untilMs }: VerifiedField['recorded']) => ({
  ...(fromMs !== undefined && { validFrom: new Date(fromMs).toISOString() }),
  ...(untilMs !== undefined && { validUntil: new Date(untilMs).toISOString() }),
});
