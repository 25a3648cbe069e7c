/**
 * Whom and what the reader knows by name: people of the demo, parties that this service has templates of, its own account,
 * its registries and its templates. Names come from the service, never from what somebody has written into a transaction.
 */
import { addressOfDid } from '@symbolon/core/did/did';
import { usualKeyFormat } from '@symbolon/sdk/keys/usual-keys';
import type { KnownRegistries } from '@symbolon/sdk/sentences/teller';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClients, useConsoleConfig } from '../api/api.tsx';
import type { Clients } from '../api/clients.ts';
import { useWords } from '../words/words.ts';

export interface KnownParty {
  readonly name: string;
  /** From which the colour of its mark follows: a DID, or the address of what has none. */
  readonly id: string;
  readonly kind: 'organisation' | 'person';
}

/** A token in which this service has prices. */
export interface PricedToken {
  /** What it calls itself. */
  readonly symbol: string;
  readonly decimals: number;
}

export interface KnownNames {
  /** Names are on their way: whoever has none yet may have one in a moment. */
  readonly isPending: boolean;
  /** By address. */
  readonly party: (address: string) => KnownParty | undefined;
  /** Every party that is known, by address. */
  readonly parties: ReadonlyMap<string, KnownParty>;
  readonly templateName: (templateId: string) => string | undefined;
  /** Names of templates, by their identifiers. */
  readonly templates: ReadonlyMap<string, string>;
  readonly registries: KnownRegistries | undefined;
  /** Whether an account is that of somebody with templates here. */
  readonly isIssuer: (address: string) => boolean;
  /** By the address of its contract. */
  readonly token: (address: string) => PricedToken | undefined;
  /** Whether an account has a contract; undefined where it is nobody's that is known. */
  readonly hasCode: (address: string) => boolean | undefined;
}

/** More templates than this are told by their identifiers. */
const templatesMax = 200;
const partiesMax = 100;
const freshMs = 60_000;
/** A token that says more of itself is told by its contract. */
const decimalsMax = 30;

async function askNames(service: Clients['service']) {
  const { templates } = await service.listTemplates({ limit: String(templatesMax) });
  const dids = [...new Set(templates.map(({ issuerDid }) => issuerDid))].slice(0, partiesMax);
  const { profiles } =
    dids.length === 0 ? { profiles: [] } : await service.listProfiles({ dids: dids.join(',') });
  return {
    issuers: dids,
    templates: templates.map(({ templateId, templateName }) => [templateId, templateName] as const),
    tokens: templates.flatMap(({ price }) =>
      price && usualKeyFormat.isAddress(price.asset) && price.decimals >= 0 && price.decimals <= decimalsMax
        ? [[price.asset, price] as const]
        : [],
    ),
    // A name that looks like another's would be read as that other's.
    profiles: profiles.filter(({ looksLikeAnothers }) => !looksLikeAnothers),
  };
}

export function useKnownNames(): KnownNames {
  const { words } = useWords();
  const { service, ledger } = useClients();
  const config = useConsoleConfig();
  const registry = config?.network.credentialRegistry;
  const { data, isLoading } = useQuery({
    queryKey: ['service', 'known-names'],
    queryFn: () => askNames(service),
    staleTime: freshMs,
  });
  // A registry has the same one for good.
  const { data: registrar } = useQuery({
    queryKey: ['ledger', 'registrar', registry],
    queryFn: async () => {
      // What reads registries is more than the first page needs.
      const { registrarOf } = await import('@symbolon/sdk/ledger/registries');
      return (await registrarOf(ledger, registry ?? '')) ?? null;
    },
    enabled: registry !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useMemo(() => {
    const registries = config && {
      templates: config.network.templateRegistry,
      credentials: config.network.credentialRegistry,
    };
    const templates = new Map(data?.templates);
    const tokens = new Map<string, PricedToken>(data?.tokens);
    const issuers = new Set(data?.issuers.map((did) => addressOfDid(did, usualKeyFormat)));
    const contracts = new Set([...tokens.keys(), ...(registries ? Object.values(registries) : [])]);
    const parties = new Map<string, KnownParty>();
    for (const { did, name } of data?.profiles ?? []) {
      const address = addressOfDid(did, usualKeyFormat);
      if (address !== undefined) parties.set(address, { id: did, name, kind: 'organisation' });
    }
    for (const { address, did, name, person } of config?.people ?? [])
      parties.set(address, { id: did, name, kind: person.startsWith('holder') ? 'person' : 'organisation' });
    const { templateRegistry, credentialRegistry, ownAccount } = words.sentences.names;
    if (registrar && !parties.has(registrar)) parties.set(registrar, nameless(registrar, ownAccount));
    if (registries) {
      parties.set(registries.templates, nameless(registries.templates, templateRegistry));
      parties.set(registries.credentials, nameless(registries.credentials, credentialRegistry));
    }
    return {
      isPending: isLoading,
      parties,
      party: (address) => parties.get(address),
      templates,
      templateName: (templateId) => templates.get(templateId),
      registries: registries ?? undefined,
      isIssuer: (address) => issuers.has(address),
      token: (address) => tokens.get(address),
      // Whoever has a DID has the account of a key, which no contract can be.
      hasCode: (address) => contracts.has(address) || (parties.has(address) ? false : undefined),
    };
  }, [config, data, isLoading, registrar, words]);
}

/** What has no name of its own is called by what it is. */
const nameless = (id: string, name: string): KnownParty => ({ id, name, kind: 'organisation' });
