/**
 * What a hostile web page tries: every route of node and service, in every way a browser offers. It runs in the browser,
 * so it is one function without anything of its surroundings, and tells its own server what it got.
 */

export interface Attempt {
  readonly name: string;
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface PageOrder {
  /** Whose page this is, in the report. */
  readonly as: string;
  /** Where to tell. */
  readonly report: string;
  /** Asked first, so that this page's name becomes somebody else's. */
  readonly rebind?: string;
  readonly attempts: readonly Attempt[];
  /** Sent without being able to read the answer: as a script and as a form. */
  readonly blind: readonly Attempt[];
  readonly sockets: readonly string[];
  readonly streams: readonly string[];
  readonly frames: readonly string[];
}

/** By name: the status that the page could read, or `blocked`. */
export type PageReport = Readonly<Record<string, string>>;

declare const document: {
  createElement(name: string): Record<string, unknown> & { append(child: unknown): void; submit(): void };
  readonly body: { append(child: unknown): void };
};
declare const EventSource: new (url: string) => Record<string, unknown> & { close(): void };

export async function tryEverything(order: PageOrder): Promise<void> {
  const got: Record<string, string> = {};
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  for (const url of order.frames) {
    const frame = document.createElement('iframe');
    frame.src = url;
    document.body.append(frame);
  }
  if (order.rebind !== undefined) {
    await fetch(order.rebind);
    await pause(200);
  }
  for (const { name, url, method, headers, body } of order.attempts) {
    try {
      const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
      // Some envelopes say everything with 200.
      const isMisdirected = /does not go by this name/.test(await answer.text());
      got[name] = isMisdirected ? '421' : String(answer.status);
    } catch {
      got[name] = 'blocked';
    }
  }
  for (const { url, body } of order.blind) {
    await fetch(url, { method: 'POST', mode: 'no-cors', body }).catch(() => undefined);
    const target = document.createElement('iframe');
    target.name = `target ${url}`;
    document.body.append(target);
    const form = document.createElement('form');
    Object.assign(form, { action: url, method: 'post', enctype: 'text/plain', target: target.name });
    const input = document.createElement('input');
    // The form adds "=" between name and value: the text ends inside of a member nobody reads.
    Object.assign(input, { name: `${body?.slice(0, -1)},"x":"`, value: '"}' });
    form.append(input);
    document.body.append(form);
    form.submit();
  }
  for (const url of order.sockets)
    got[`socket ${url}`] = await new Promise((resolve) => {
      const socket = new WebSocket(url);
      socket.onopen = () => resolve('open');
      socket.onerror = () => resolve('blocked');
    });
  for (const url of order.streams)
    got[`stream ${url}`] = await new Promise((resolve) => {
      const stream = new EventSource(url);
      stream.onopen = () => resolve('open');
      stream.onerror = () => {
        stream.close();
        resolve('blocked');
      };
    });
  await pause(300);
  await fetch(order.report, { method: 'POST', mode: 'no-cors', body: JSON.stringify({ as: order.as, got }) });
}
