/** What the console asks beside everybody's routes: where it is, coins of a demo, blocks as they come. */
import { Fault } from '@symbolon/core/faults/faults';
import { addressCaller, createRateLimiter } from '@symbolon/host/http/rate-limit';
import { remembered } from '@symbolon/host/work/remembered';
import { consoleDesks, type SignInWay } from '@symbolon/wire/console/replies';
import { readLastBlock } from '@symbolon/wire/console/requests';
import type { ConsoleHandlers } from '@symbolon/wire/console/routes';
import { lastEventIdHeader } from '@symbolon/wire/events/requests';
import { malformedAt } from '@symbolon/wire/http/service-route';
import { readChainTerms } from '../ledger/chain-terms.ts';
import { withFaults } from '../ledger/ledger-faults.ts';
import { readKnownChain } from '../ledger/own-chain-rows.ts';
import { faucetLimits } from '../limits/service-limits.ts';
import { blockStream } from './block-stream.ts';
import type { ConsoleParts } from './console-parts.ts';
import { isOfOwnMachine } from './own-machine.ts';
import { createSignInHandlers } from './sign-in-handlers.ts';

export function createConsoleHandlers(parts: ConsoleParts): ConsoleHandlers {
  const { demo, keys, clock, blockFeed, custody, settings, profile, version, rateSharing: sharing } = parts;
  const pours = createRateLimiter(faucetLimits, {
    nowMs: () => clock.nowMs(),
    shared: sharing && { sharing, kind: 'pours' },
  });
  const facts = remembered(() => chainFacts(parts));

  return {
    ...createSignInHandlers(parts),

    async getConsoleConfig(_request, call) {
      const people = isOfOwnMachine(call, parts) ? demo?.people() : undefined;
      const ways: SignInWay[] = [
        'signature',
        'apiKey',
        ...(custody ? (['custody'] as const) : []),
        ...(people ? (['person'] as const) : []),
      ];
      const { chain, ledger } = await facts();
      return {
        name: demo ? 'Symbolon demo' : 'Symbolon',
        version,
        isDemo: demo !== undefined,
        publicUrl: settings.publicUrl,
        network: {
          didMethod: profile.didMethod,
          coin: profile.nativeAsset.code,
          decimals: profile.nativeAsset.decimals,
          ...chain,
        },
        ledger: { url: '/ledger', events: '/ledger/events', ...ledger },
        desks: [...consoleDesks],
        signIn: ways,
        ...(people && { people: people.map((figure) => ({ ...figure, scopes: [...figure.scopes] })) }),
        ...(people && demo?.folder !== undefined && { demoFolder: demo.folder }),
      };
    },

    async askFaucet({ address }, { caller }) {
      if (!demo) throw new Fault('routeUnknown');
      if (!keys.isAddress(address)) throw malformedAt('/address', 'must be an address of this ledger');
      const { isAllowed, resetSeconds } = pours.take(addressCaller(caller.address));
      if (!isAllowed) throw new Fault('tooManyRequests', { retryAfterSeconds: resetSeconds });
      const { hash, amount } = await withFaults(() => demo.pay(address));
      return { address, amount: String(amount), hash };
    },

    async watchBlocks({ after }, { caller, signal, header }) {
      const place = readLastBlock(header(lastEventIdHeader)) ?? after;
      const leave = blockFeed.enter(addressCaller(caller.address), signal);
      return {
        contentType: 'text/event-stream; charset=utf-8',
        chunks: blockStream(blockFeed, { after: place, signal, leave }),
        headers: { 'x-accel-buffering': 'no' },
      };
    },
  };
}

/** What stays as it is while the service runs. */
async function chainFacts({ client, database, ledger: { registries } }: ConsoleParts) {
  const [known, { chainId }, hello] = await Promise.all([
    readKnownChain(database.kysely),
    withFaults(() => readChainTerms(client)),
    withFaults(() => client.hello()),
  ]);
  return {
    chain: {
      chainId: String(chainId),
      genesisHash: known?.genesis ?? '',
      templateRegistry: registries.templates,
      credentialRegistry: registries.credentials,
    },
    ledger: { version: hello.ledger_version },
  };
}
