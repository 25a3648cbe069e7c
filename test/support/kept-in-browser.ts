/** What a page's browser has on disk, read and spoilt by scripts that run in the page. */

/** Everything that the browser keeps for the page, as one text. */
export const everythingKept = `(async () => {
  const db = await new Promise((resolve, reject) => {
    const asked = indexedDB.open('symbolon-vaults');
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  const all = (name) => new Promise((resolve) => {
    const asked = db.transaction(name).objectStore(name).getAll();
    asked.onsuccess = () => resolve(asked.result);
  });
  const plain = (value) => value instanceof Uint8Array ? new TextDecoder('latin1').decode(value)
    : value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)])) : value;
  const kept = [...(await all('vaults')), ...(await all('records'))].map(plain);
  return JSON.stringify([kept, { ...localStorage }, { ...sessionStorage }]);
})()`;

/** Puts something among the records of the only vault that nobody has sealed. */
export const addBrokenRecord = `(async () => {
  const done = (asked) => new Promise((resolve) => { asked.onsuccess = () => resolve(asked.result); });
  const db = await done(indexedDB.open('symbolon-vaults'));
  const [vault] = await done(db.transaction('vaults').objectStore('vaults').getAllKeys());
  const bytes = new Uint8Array(32);
  const records = db.transaction('records', 'readwrite').objectStore('records');
  await done(records.put({ vault, mark: 'ab'.repeat(32), iv: bytes.slice(0, 12), ciphertext: bytes }));
})()`;
