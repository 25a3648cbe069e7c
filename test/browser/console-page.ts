/**
 * What a page of the console can and cannot do, tried out by itself. It runs in the browser, so it is one function without
 * anything of its surroundings.
 */

declare const document: {
  readonly cookie: string;
  readonly body: { append(child: unknown): void };
  createElement(name: string): Record<string, unknown>;
};
declare const EventSource: new (
  url: string,
) => { close(): void; addEventListener(name: string, listener: () => void): void; onerror: () => void };

export async function liveInConsole(): Promise<void> {
  const statusOf = async (path: string, request?: RequestInit) => (await fetch(path, request)).status;
  const blockedOr = async (work: () => Promise<unknown>) => {
    try {
      return await work();
    } catch {
      return 'blocked';
    }
  };
  const applications = '/cred/v1/vc/applications';
  const begun = await fetch('/console/session', { method: 'POST', body: '{"person":"issuer"}' });
  const { session } = (await begun.json()) as { session: string };
  const headers = { 'x-symbolon-session': session };
  const got: Record<string, unknown> = {
    signedIn: begun.status,
    cookies: document.cookie,
    withoutHeader: await statusOf(applications),
    withHeader: await statusOf(applications, { headers }),
  };
  await fetch('/console/session', { method: 'DELETE', headers });
  got.after = await statusOf(applications, { headers });
  got.stream = await new Promise((resolve) => {
    const stream = new EventSource('/ledger/events');
    for (const name of ['block', 'open'])
      stream.addEventListener(name, () => {
        stream.close();
        resolve(name);
      });
    stream.onerror = () => resolve('failed');
  });
  got.elsewhere = await blockedOr(() => fetch('https://elsewhere.test/'));
  const script = document.createElement('script');
  script.textContent = 'globalThis.hasRunInline = true';
  document.body.append(script);
  got.inline = 'hasRunInline' in globalThis ? 'ran' : 'blocked';
  // biome-ignore lint/security/noGlobalEval: that it does not work is what is tried
  got.evaluated = await blockedOr(async () => globalThis.eval('1'));
  await fetch('/told', { method: 'POST', body: JSON.stringify(got) });
}
