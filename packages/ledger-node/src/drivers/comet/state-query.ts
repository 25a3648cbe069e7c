/**
 * ABCI's Query: a state entry with its proof, for whoever asks CometBFT's RPC instead of the node (`abci_query`). Path
 * `/state`, data the parameters of `getStateProof` as a JSON object; the value is the result of that route.
 */
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { stateKeys } from '@symbolon/core/ledger/terms/state';
import { isJsonObject, parseJsonOrNothing, stringifyJson } from '@symbolon/wire/json/json';
import { stateProofReply } from '@symbolon/wire/ledger/replies';
import { type RequestQuery, ResponseQuery } from 'cosmjs-types/tendermint/abci/types';
import type { Chain } from '../../chain/chain.ts';
import { hashPairs } from '../../chain/hash-pairs.ts';
import { proveState } from '../../chain/state-proof.ts';

const refused = (log: string): ResponseQuery =>
  ResponseQuery.fromPartial({ code: codes.invalidParameter, log, codespace: 'symbolon' });

export async function answerStateQuery(
  { path, data, height }: Pick<RequestQuery, 'path' | 'data' | 'height'>,
  chain: Chain,
): Promise<ResponseQuery> {
  if (path !== '/state') return refused('the only path is /state');
  if (height !== 0n && height !== chain.head.seq)
    return refused('only the last block can be asked: height 0');
  const stateKey = readStateKey(data);
  if (stateKey === undefined)
    return refused('data is {"address":…}, with "key", or "code" and "issuer", if so');
  const { header, value, proof } = await proveState(chain, stateKey, hashPairs);
  const reply = stateProofReply({
    header,
    stateKey,
    value,
    proofBase64: Buffer.from(proof).toString('base64'),
  });
  return ResponseQuery.fromPartial({
    height: header.seq,
    key: encodeUtf8(stateKey),
    value: encodeUtf8(stringifyJson(reply.result ?? null)),
  });
}

function readStateKey(data: Uint8Array): string | undefined {
  const asked = parseJsonOrNothing(Buffer.from(data).toString('utf8'));
  if (!isJsonObject(asked) || Object.values(asked).some((value) => typeof value !== 'string'))
    return undefined;
  const { address, key, code, issuer, ...others } = asked as Record<string, string>;
  if (!address || Object.keys(others).length > 0) return undefined;
  if (key !== undefined)
    return code === undefined && issuer === undefined ? stateKeys.metadata(address, key) : undefined;
  if (code === undefined && issuer === undefined) return stateKeys.account(address);
  return code !== undefined && issuer !== undefined ? stateKeys.asset(address, { code, issuer }) : undefined;
}
