/**
 * What the ledger records of a credential in a format of the field (`docs/standards.md`, "The ledger"): one entry for a
 * dataset, however many credentials are made of it. Neither holder nor key, index or format enters, so its issuer can
 * sign before a wallet is known. Its commitment is a fixed text that is no point of the curve: nothing that is proved of
 * our own credentials can ever be proved of such an entry.
 */
import { concatBytes, encodeHex, encodeUtf8, equalBytes, parseHex, type Sha256 } from '../basics/bytes.ts';
import { canonicalJsonBytes } from '../basics/jcs.ts';
import { jwsSigningInput } from '../credential/jws.ts';
import type { AttributeValues } from '../credential/template-rules.ts';
import { type IssuerProofOptions, proofTypes, suites } from '../documents/model.ts';
import { pointBytes } from '../proofs/sizes.ts';

export const standardsSuite = 'symbolon-standards-2026';

/** Of the salt that keeps anybody from trying out values against the ledger. */
export const datasetSaltBytes = 32;

/** What a dataset is about, and how long it holds. */
export interface DatasetTerms {
  /** The identifier of its entry, which is a hash of nothing. */
  readonly id: string;
  readonly issuer: string;
  readonly template: string;
  readonly templateVersion: string;
  readonly validFrom: string;
  readonly validUntil: string;
}

export interface Dataset extends DatasetTerms {
  readonly values: AttributeValues;
  /** 32 bytes in hex. */
  readonly salt: string;
}

/** What is hashed: told to whoever signs, who can make it of the values too. */
export interface DatasetStatement extends Omit<DatasetTerms, 'id'> {
  readonly suite: typeof standardsSuite;
  readonly salt: string;
  readonly valuesHash: string;
}

export function datasetStatement(dataset: Dataset, sha256: Sha256): DatasetStatement {
  const { issuer, template, templateVersion, validFrom, validUntil, salt, values } = dataset;
  const valuesHash = encodeHex(sha256(canonicalJsonBytes(values)));
  return {
    ...{ suite: standardsSuite, issuer, template, templateVersion, validFrom, validUntil, salt },
    valuesHash,
  } as const;
}

export const datasetDigest = (statement: DatasetStatement, sha256: Sha256): Uint8Array =>
  sha256(canonicalJsonBytes(statement));

/** Text and zeros. The first bit of a compressed point is set, and that of a letter is not. */
const marker = concatBytes(
  encodeUtf8(standardsSuite),
  new Uint8Array(pointBytes - encodeUtf8(standardsSuite).length),
);

/** In hex, as the registry keeps it. */
export const datasetCommitment: string = encodeHex(marker);

/** Whether an entry says of itself that it is of a dataset, and not of one of our own credentials. */
export const isDatasetCommitment = (commitment: Uint8Array): boolean => equalBytes(commitment, marker);

/** What the issuer's proof says beside its signature: the terms of the registry's entry. */
export const datasetProofOptions = (terms: DatasetTerms, created: string): IssuerProofOptions => ({
  type: proofTypes.ed25519,
  cryptosuite: suites.ed25519,
  created,
  proofPurpose: 'assertionMethod',
  verificationMethod: `${terms.issuer}#controllerKey`,
  registryEntry: {
    credential: terms.id,
    template: terms.template,
    templateVersion: terms.templateVersion,
    validFrom: terms.validFrom,
    validUntil: terms.validUntil,
  },
});

/** What the issuer signs with Ed25519: a header, two digests and the marker, no personal data. */
export const datasetSigningInput = (
  { statement, options }: { readonly statement: DatasetStatement; readonly options: IssuerProofOptions },
  sha256: Sha256,
): Uint8Array =>
  jwsSigningInput(
    'issuer',
    concatBytes(
      sha256(canonicalJsonBytes(options)),
      datasetDigest(statement, sha256),
      parseHex(datasetCommitment) as Uint8Array,
    ),
  );
