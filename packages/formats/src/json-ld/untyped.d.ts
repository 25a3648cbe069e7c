/** What of the JSON-LD packages is used here: they bring no types along. */
declare module 'jsonld' {
  interface Loaded {
    readonly document: unknown;
    readonly documentUrl: string;
    readonly contextUrl: null;
    /** A document that never changes: what was made of it may be kept. */
    readonly tag?: 'static';
  }
  interface Options {
    readonly documentLoader: (url: string) => Promise<Loaded>;
    readonly base?: null;
    readonly safe?: boolean;
    readonly rdfDirection?: 'i18n-datatype';
    readonly produceGeneralizedRdf?: boolean;
  }
  const jsonld: {
    expand(document: object, options: Options): Promise<object[]>;
    toRDF(document: object, options: Options): Promise<object[]>;
  };
  export default jsonld;
}

declare module 'rdf-canonize' {
  export function canonize(
    dataset: readonly object[],
    options: {
      readonly algorithm: 'RDFC-1.0';
      readonly format: 'application/n-quads';
      readonly maxWorkFactor: number;
      readonly signal: AbortSignal;
    },
  ): Promise<string>;
}

declare module '@digitalbazaar/di-sd-primitives' {
  interface PrimitiveOptions {
    readonly documentLoader: (
      url: string,
    ) => Promise<{ document: unknown; documentUrl: string; contextUrl: null }>;
    readonly maxWorkFactor: number;
    readonly signal: AbortSignal;
  }
  type LabelMapFactory = (given: {
    readonly canonicalIdMap: ReadonlyMap<string, string>;
  }) => Promise<Map<string, string>>;
  interface Group {
    readonly matching: ReadonlyMap<number, string>;
    readonly nonMatching: ReadonlyMap<number, string>;
    readonly deskolemizedNQuads: readonly string[];
  }
  export function canonicalizeAndGroup<Name extends string>(given: {
    readonly document: object;
    readonly labelMapFactoryFunction: LabelMapFactory;
    readonly groups: Readonly<Record<Name, readonly string[]>>;
    readonly options: PrimitiveOptions;
  }): Promise<{
    readonly groups: Readonly<Record<Name, Group>>;
    readonly labelMap: ReadonlyMap<string, string>;
    readonly nquads: readonly string[];
  }>;
  export function canonicalize(
    nquads: string,
    options: PrimitiveOptions & {
      readonly inputFormat: 'application/n-quads';
      readonly canonicalIdMap: Map<string, string>;
    },
  ): Promise<string>;
  export function createHmac(given: { readonly key: Uint8Array }): Promise<{
    sign(bytes: Uint8Array): Promise<Uint8Array>;
  }>;
  export function createHmacIdLabelMapFunction(given: {
    readonly hmac: { sign(bytes: Uint8Array): Promise<Uint8Array> };
  }): LabelMapFactory;
  export function labelReplacementCanonicalizeJsonLd(given: {
    readonly document: object;
    readonly labelMapFactoryFunction: LabelMapFactory;
    readonly options: PrimitiveOptions;
  }): Promise<string[]>;
  export function selectJsonLd(given: {
    readonly document: object;
    readonly pointers: readonly string[];
  }): Record<string, unknown> | null;
  export function stripBlankNodePrefixes(map: ReadonlyMap<string, string>): Map<string, string>;
}
