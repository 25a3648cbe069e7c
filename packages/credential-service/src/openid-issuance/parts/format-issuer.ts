/**
 * The seam to a format: what a configuration of it says, and how credentials are made of a dataset. One implementation
 * for each format; everything else about issuing is the same for all.
 */
import type { Template } from '@symbolon/core/documents/model';
import type { Dataset } from '@symbolon/core/openid/standards-dataset';
import type { ProvenKey } from '@symbolon/formats/oid4vci/key-proofs';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import type { OrderedFormat } from '@symbolon/wire/openid/issuance-schemas';
import type { TakenSlot } from '../../status-lists/slot-rows.ts';
import type { FormatSuffix } from './configurations.ts';
import type { OpenidIssuer } from './openid-parts.ts';

export interface FormatOrder {
  readonly issuer: OpenidIssuer;
  readonly template: Template;
  readonly dataset: Dataset;
  /** A credential for each, in this order. */
  readonly holders: readonly ProvenKey[];
  /** Places in status lists, one for each. */
  readonly slots: readonly TakenSlot[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** One that a wallet may be offered. */
export interface OfferedFormat {
  readonly suffix: FormatSuffix;
  /** As an issuer names it in an order. */
  readonly name: OrderedFormat;
  /** What the metadata says of a version of a template in this format; undefined where it has none. */
  configurationOf(template: Template, issuer: OpenidIssuer): JsonObject | undefined;
}

/** One that is made of a dataset when a wallet asks; our own is made when it is offered. */
export interface FormatIssuer extends OfferedFormat {
  issue(order: FormatOrder): Promise<readonly JsonValue[]>;
}

export const isMadeOfDatasets = (format: OfferedFormat): format is FormatIssuer => 'issue' in format;
