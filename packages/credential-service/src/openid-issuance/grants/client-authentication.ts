/**
 * Who asks for a token. A client that the operator has registered with keys must show it by an assertion, or anybody could
 * take its name; others are whoever they say they are, which binds nothing but the `iss` of their own key proofs, and
 * codes to the addresses that the operator has registered.
 */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { Fault } from '@symbolon/core/faults/faults';
import { checkClientAssertion, claimedClient } from '@symbolon/formats/oid4vci/client-assertions';
import type { GivenClient } from '@symbolon/wire/openid/issuance-requests';
import type { OpenidIssuer, OpenidParts } from '../parts/openid-parts.ts';
import { verifyToken } from '../parts/token-signatures.ts';
import { isFirstSeen } from './seen-proofs.ts';

const unproved = (detail: string): Fault => new Fault('clientInvalid', { detail });

/** The name of the client, where there is one. Throws `clientInvalid`; an assertion is used up by it. */
export async function requireClient(
  { openidClients, database, clock }: Pick<OpenidParts, 'openidClients' | 'database' | 'clock'>,
  { identifier, did }: OpenidIssuer,
  { clientId: named, assertion }: GivenClient,
): Promise<string | undefined> {
  if (assertion === undefined) {
    if (named !== undefined && (openidClients.get(named)?.keys.length ?? 0) > 0)
      throw unproved('client_assertion is missing: this client is registered with keys');
    return named;
  }
  const clientId = named ?? claimedClient(assertion);
  if (typeof clientId !== 'string') throw unproved(`The assertion ${clientId.complaint}`);
  const { keys = [] } = openidClients.get(clientId) ?? {};
  if (keys.length === 0) throw unproved('No client of this name is registered here with keys');
  const now = clock.nowMs();
  const rule = { clientId, keys, audience: identifier, nowSeconds: Math.floor(now / 1_000) };
  const checked = await checkClientAssertion(assertion, { ...rule, verify: verifyToken });
  if (isComplaint(checked)) throw unproved(`The assertion ${checked.complaint}`);
  const seen = { owner: `client ${clientId} ${did}`, jti: checked.jti, now };
  if (!(await isFirstSeen(database.kysely, seen))) throw unproved('The assertion was used before');
  return clientId;
}
