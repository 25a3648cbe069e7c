/**
 * The console without a network: its page, and those of its files that were loaded once. Files of `/assets/` carry the hash
 * of their contents in their names, so one that is kept is the right one. Nothing else passes through here: no answer of
 * the service or the ledger is ever kept.
 */
const pages = 'symbolon-page-1';
const files = 'symbolon-files-1';
/** Larger than this is the library of proofs, which nobody can use without a ledger to ask. */
const fileBytesMax = 2_000_000;
const filesMax = 200;
const pagePaths = /^\/($|(issue|wallet|verify|ledger|lab|dev)(\/|$)|parts$)/;

const asPage = () => new Request('/', { headers: { accept: 'text/html' } });

/** The page, and everything that it names. */
async function keepPage() {
  const answer = await fetch(asPage());
  if (!answer.ok) return;
  const text = await answer.clone().text();
  await (await caches.open(pages)).put('/', answer);
  const named = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  await Promise.all(named.map((path) => fetchFile(new Request(path)).catch(() => undefined)));
}

async function fetchFile(request) {
  const kept = await caches.open(files);
  const known = await kept.match(request, { ignoreVary: true });
  if (known) return known;
  const answer = await fetch(request);
  const length = Number(answer.headers.get('content-length') ?? 0);
  if (answer.ok && length <= fileBytesMax) {
    await kept.put(request, answer.clone());
    const names = await kept.keys();
    // The oldest go first; those in use are fetched again when there is a network.
    await Promise.all(names.slice(0, Math.max(0, names.length - filesMax)).map((name) => kept.delete(name)));
  }
  return answer;
}

async function fetchPage(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await (await caches.open(pages)).put('/', answer.clone());
    return answer;
  } catch (error) {
    const known = await (await caches.open(pages)).match('/', { ignoreVary: true });
    if (known) return known;
    throw error;
  }
}

addEventListener('install', (event) => event.waitUntil(keepPage().then(() => skipWaiting())));

addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((name) => name !== pages && name !== files).map((name) => caches.delete(name)),
        ),
      )
      .then(() => clients.claim()),
  ),
);

/** A page that was open before says which files it has loaded, so that they are there the next time. */
addEventListener('message', (event) => {
  if (!Array.isArray(event.data)) return;
  const own = event.data.filter((path) => typeof path === 'string' && path.startsWith('/assets/'));
  event.waitUntil(Promise.all(own.map((path) => fetchFile(new Request(path)).catch(() => undefined))));
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (pathname.startsWith('/assets/')) event.respondWith(fetchFile(request));
  else if (request.mode === 'navigate' && pagePaths.test(pathname)) event.respondWith(fetchPage(request));
});
