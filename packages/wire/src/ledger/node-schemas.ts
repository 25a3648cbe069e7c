/** What a node says about itself, as schemas; `node-replies.ts` makes it. None of these replies has an envelope. */
import * as z from 'zod';
import { int64Field } from './schemas.ts';

export const hello = z.looseObject({
  ledger_version: z.string(),
  network_id: z.string(),
  current_time: z.string(),
  hash_type: z.int().optional(),
  overlay_version: z.string().optional(),
  websocket_address: z.int().optional(),
  zetrix_version: z.string().optional(),
});

export const modulesStatus = z.looseObject({
  'consensus manager': z.looseObject({ type: z.string() }).optional(),
  glue_manager: z
    .looseObject({
      system: z.looseObject({ current_time: z.string(), process_uptime: z.int() }),
      transaction_size: z.int(),
    })
    .optional(),
  ledger_manager: z.looseObject({
    chain_max_ledger_seq: int64Field,
    ledger_sequence: int64Field,
    account_count: int64Field.optional(),
    hash_type: z.string().optional(),
    time: z.string().optional(),
    tx_count: int64Field.optional(),
    validation_address: z.string().optional(),
  }),
  peer_manager: z.looseObject({ connected: z.int() }).optional(),
  websocket_server: z.looseObject({ clients: z.int(), listen_port: z.int() }).optional(),
});

export const consensusInfo = z.looseObject({
  type: z.string(),
  is_leader: z.boolean(),
  validators: z.array(z.string()),
  fault_number: z.int().optional(),
  last_exe_seq: int64Field.optional(),
  leader: z.string().optional(),
  quorum_size: z.int().optional(),
  replica_id: z.int().optional(),
  view_active: z.boolean().optional(),
  view_number: z.int().optional(),
});
