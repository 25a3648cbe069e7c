/**
 * Spoiled messages over the WebSocket, and frames that break the WebSocket protocol itself: the node drops who does
 * not speak its language and goes on serving everybody else.
 *
 * SYMBOLON_FUZZ_SEED repeats a seed, SYMBOLON_FUZZ_COUNT changes how many messages there are.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { auditFolder } from '../crash/audit.ts';
import { type NodeAddresses, NodeProcess } from '../crash/node-process.ts';
import { chooseSeed, createRandom, type Random } from '../crash/seeded-random.ts';
import { readFields, writeFields } from '../crash/wire-fields.ts';
import { Witness } from '../crash/witness.ts';
import { campaignSize } from '../support/campaign.ts';
import { post } from '../support/http.ts';
import { type Person, person, richest } from '../support/people.ts';
import { hashOf, makeChain, operations, signTransaction } from '../support/running-node.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { blobCorpus } from './blob-corpus.ts';
import { mutate } from './blob-mutations.ts';
import { shout } from './keep-alive.ts';

const count = campaignSize('SYMBOLON_FUZZ_COUNT', { usual: 10_000, whole: 40_000 });
const rawCount = Math.ceil(count / 20);
const lanes = 4;
/** How many messages go out before their sender waits for the node to have read them. */
const burst = 50;

const types = { ping: 1n, hello: 10n, submit: 15n, olderSubscribe: 17n, subscribe: 19n };

const frame = (type: bigint, data: Uint8Array): Uint8Array =>
  writeFields([
    [1, type],
    [2, 1n],
    [3, 7n],
    [4, data],
  ]);

const ping = frame(types.ping, writeFields([[1, 42n]]));

/** Good messages of every type the node knows, and of some it does not. */
function frameCorpus(): Uint8Array[] {
  const text = (value: string) => new TextEncoder().encode(value);
  const addresses = [person('a'), person('b')].map(({ address }) => [1, text(address)] as const);
  const envelopes = blobCorpus(2).map((blob) => {
    const signature = writeFields([
      [1, text(richest.publicKey)],
      [2, richest.sign(blob)],
    ]);
    return frame(
      types.submit,
      writeFields([
        [1, blob],
        [2, signature],
      ]),
    );
  });
  return [
    ping,
    frame(
      types.hello,
      writeFields([
        [1, 1n],
        [2, 5n],
      ]),
    ),
    frame(types.subscribe, writeFields(addresses)),
    frame(types.olderSubscribe, writeFields([])),
    frame(99n, new Uint8Array(10)),
    ...envelopes,
  ];
}

/** A connection whose pings are answered; the rest of what arrives is not looked at. */
class Client {
  readonly #socket: WebSocket;
  #answers = 0;
  #asked = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const fields = readFields(new Uint8Array(data as ArrayBuffer));
      if (fields?.get(1) === types.ping && !fields.get(2)) this.#answers += 1;
    });
  }

  static async open(url: string): Promise<Client> {
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    await once(socket, 'open');
    socket.addEventListener('error', () => {});
    return new Client(socket);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  send(data: Uint8Array | string): void {
    if (this.isOpen) this.#socket.send(data as Uint8Array<ArrayBuffer>);
  }

  /** Waits until the node has read everything sent so far; false when it has hung up. */
  async isHeard(): Promise<boolean> {
    this.#asked += 1;
    this.send(ping);
    // Spoiled pings are answered as well, so there may be more answers than questions.
    await until('a ping is answered', () => !this.isOpen || this.#answers >= this.#asked);
    return this.isOpen;
  }

  close(): void {
    this.#socket.close();
  }
}

const handshake =
  'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** Bytes after a good handshake that are not what the protocol has there: any header, any length, any mask. */
function rawFrames(random: Random, corpus: readonly Uint8Array[]): Uint8Array {
  const parts: Uint8Array[] = [
    Buffer.from(random.chance(0.9) ? handshake : handshake.slice(0, random.below(150))),
  ];
  for (let frames = 1 + random.below(4); frames > 0; frames--) {
    const payload = mutate(corpus, random).subarray(0, 100);
    const header = [random.chance(0.5) ? 0x82 : random.below(256), random.below(256)];
    const length = random.chance(0.3) ? Array.from({ length: 8 }, () => random.below(256)) : [];
    parts.push(Uint8Array.from([...header, ...length, 0, 0, 0, 0]), payload);
  }
  return Buffer.concat(parts);
}

/** Somebody for whom no message of the corpus speaks, and who can pay at the end as at the beginning. */
const banker = person('banker');

/** Executes one transaction and answers where it was delivered. */
async function execute(
  { httpUrl, socketUrl }: NodeAddresses,
  source: Person,
  operation: JsonObject,
): Promise<Witness> {
  const witness = new Witness();
  await witness.listen(socketUrl);
  const terms = { source_address: source.address, nonce: 1, fee_limit: 10_000_000, gas_price: 1 };
  const item = signTransaction({ ...terms, operations: [operation] }, [source]);
  const reply = await post(httpUrl, 'submitTransaction', { items: [item] });
  assert.equal(reply.error_code, 0, JSON.stringify(reply));
  await until('the transaction is delivered', () => witness.heard.has(hashOf(item)));
  return witness;
}

test(`${count} spoiled messages over the WebSocket`, async (context) => {
  const seed = chooseSeed('SYMBOLON_FUZZ_SEED');
  context.diagnostic(`SYMBOLON_FUZZ_SEED=${seed}`);
  const folder = tempFolder(context);
  await makeChain(folder);
  const node = new NodeProcess(context);
  const addresses = await node.mustStart({ folder });
  const { socketUrl } = addresses;
  await execute(addresses, richest, operations.createAccount(banker.address, 1_000_000_000));
  const corpus = frameCorpus();
  const calm = await Client.open(socketUrl);
  let dropped = 0;

  const sendForever = async (lane: number): Promise<void> => {
    const random = createRandom(seed + lane);
    let client = await Client.open(socketUrl);
    for (let sent = 0; sent < count / lanes; sent++) {
      client.send(random.chance(0.01) ? 'some text' : mutate(corpus, random));
      if (sent % burst !== 0 && client.isOpen) continue;
      if (await client.isHeard()) continue;
      dropped += 1;
      client = await Client.open(socketUrl);
    }
    client.close();
  };

  const shoutForever = async (): Promise<void> => {
    const random = createRandom(seed - 1);
    const port = Number(new URL(socketUrl).port);
    for (let done = 0; done < rawCount; done++) await shout(port, rawFrames(random, corpus));
  };

  try {
    await Promise.all([...Array.from({ length: lanes }, (_, lane) => sendForever(lane)), shoutForever()]);
    context.diagnostic(`${dropped} connections were dropped`);
    assert.equal(node.failure, undefined);
    assert.ok(await calm.isHeard(), 'the calm connection is still served');
  } catch (error) {
    throw new Error(`with SYMBOLON_FUZZ_SEED=${seed}: ${node.errors}`, { cause: error });
  }

  const { heard } = await execute(addresses, banker, operations.payCoin(person('a').address, 1));
  calm.close();
  await node.kill();
  await auditFolder(folder, heard);
});
