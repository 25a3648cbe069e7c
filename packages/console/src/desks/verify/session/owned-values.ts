/** The whole credential behind an answer. Only in the demo, where the holder's key is known to everybody. */
import { downloadUnverified } from '@symbolon/sdk/flows/holder-flows';
import type { JsonObject } from '@symbolon/wire/json/json';
import { useQuery } from '@tanstack/react-query';
import { useConsoleConfig } from '../../../api/api.tsx';
import type { KnownPerson } from '../../../api/console-config.ts';
import { audienceClient, signerOfPerson, walletService } from '../demo-people.ts';

export interface OwnedCredential {
  readonly person: KnownPerson;
  readonly document: JsonObject;
}

export function useOwnedCredential(
  holder: string | undefined,
  vcId: string | undefined,
): OwnedCredential | undefined {
  const config = useConsoleConfig();
  const person = config?.isDemo ? config.people?.find(({ did }) => did === holder) : undefined;
  const { data } = useQuery({
    queryKey: ['verify', 'owned', vcId, person?.did],
    queryFn: async () =>
      config && person && vcId !== undefined
        ? await downloadUnverified(audienceClient(walletService(), config), {
            signer: await signerOfPerson(person),
            vcId,
          })
        : null,
    enabled: person !== undefined && vcId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return person && data ? { person, document: data } : undefined;
}
