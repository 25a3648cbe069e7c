/** What somebody reads first of each document: how to get in, sign, repeat and understand a refusal. */
import { faults } from '@symbolon/core/faults/faults';
import { apiScopes } from '../http/service-route.ts';

const joined = (...parts: readonly string[]): string => parts.join('\n\n');

/** Both documents are about the demo, whose keys everybody may use. */
const examplesText =
  'Every operation has an example. It was sent to the demo (`npm start`) by its people and answered like this: identifiers of people and templates are the same in every demo; ids of credentials, blobs and sessions, times and signatures are new each time. The keys of the demo are in `.symbolon/dev/demo.json` and public.';

/** For tools of operators, which are no clients: no key, no JSON, no example. */
const probesText =
  'Whoever runs it has plain texts outside of this document: `/livez` (the process answers), `/readyz` (200, or 503 and what is wrong; `?verbose` says all that was looked at) and `/metrics` (for Prometheus).';

export const serviceIntroduction = (): string =>
  joined(
    'Issue, hold, show and verify credentials that are recorded on a ledger. Operations are grouped by who needs them: issuer, holder, verifier, operator.',
    '## Get an API key',
    `Reading what everybody may know, and what a signature of yours decides, needs no key. For the rest an operator makes one: \`symbolon service key create --scope issue revoke --did DID --label NAME\`. Scopes are ${apiScopes.map((scope) => `\`${scope}\``).join(', ')}. Send it as \`Authorization: Bearer sym_…\` or \`x-api-key: sym_…\`; \`GET /v1/verification/test\` says whether it works. The demo writes a key for each of its people into \`demo.json\`.`,
    '## Sign',
    'Private keys stay where they are. Writing takes two steps: ask for a **blob**, sign it, submit `blobId`, signature and public key. What is signed are the bytes of the blob: decode the hex first, then sign with Ed25519, and send the signature in hex. A blob is good once and lapses.',
    'Where a text is signed (applications, downloads, wallets), sign a text of presence. It names purpose, service and time, so that a copy is of no use elsewhere or later:',
    '```text\nsymbolon-presence-v1\npurpose: download\naudience: http://127.0.0.1:8080\nsubject: did:zid:…\ncreated: 2026-01-31T12:00:00Z\n```',
    '## Repeat safely',
    'A POST that documents `Idempotency-Key` may be sent again with the same key and body: it is answered again, not done again. Without the header, ask what became of it before you repeat. `Retry-After` says how many seconds to wait.',
    '## Read errors',
    `A refusal is \`application/problem+json\` (RFC 9457). Branch on \`code\`, which never changes its meaning; \`errors\` names each wrong place, \`hint\` says what to do, \`help\` leads to the explanation at [/docs/errors](/docs/errors). The ${Object.keys(faults).length} codes are listed there. Sessions, extended presentations, payments and custody answer in the envelopes that wallets of the family read; \`code\` is in these, too.`,
    '## Sealed requests',
    "TLS ends somewhere; a sealed request is opened by the service alone. Operations that carry something confidential name a second path. There, body and answer are `text/plain`: base64url of IV (12 bytes), AES-256-GCM ciphertext and tag, with the path as additional data. The request key is HKDF-SHA256 of X25519 between a fresh key of yours and the service's (`GET /cred/v1/keys`); it travels in the header `secretKey`, encrypted with the service's RSA key, beside `x25519PubKey` and `kid`. The SDK does it with `sealed: true`.",
    '## Run it',
    probesText,
    '## Examples',
    examplesText,
  );

export const ledgerIntroduction = (): string =>
  joined(
    'A ledger node: accounts, assets, metadata, contracts, and the transactions that change them.',
    '## Ask',
    'No key is needed. A query is a GET with parameters in the address, or a POST with the same names in a JSON body. Whole numbers have 64 bits: read them as big integers.',
    '## Sign and submit',
    '1. `getAccountBase` says the nonce of your account; use 1 more.\n2. `testTransaction` says what the transaction would cost, and whether it would fail.\n3. `getTransactionBlob` serializes it; compare with `getTransactionFromBlob` what it says.\n4. Sign the bytes of the blob with Ed25519: decode the hex first. Private keys stay with you.\n5. `submitTransaction` takes blob, signature and public key, and answers the hash.\n6. `getTransactionHistory` has it once it is executed; it succeeded if **its** `error_code` is 0.',
    'Fees are in UGas; 1 Gas is 1,000,000 UGas.',
    '## Repeat safely',
    'Submitting the same blob again does nothing twice: the hash is known (`error_code` 3), and a nonce is used once. A transaction that was not executed is in `getTransactionCache`; `ceil_ledger_seq` sets its last block.',
    '## Read errors',
    'Every answer of a query has status 200 and `error_code`: 0 is success, the rest is explained at [/docs/errors](/docs/errors). `error_desc` says what exactly. A submission is accepted before it is executed: look at the outcome in the history.',
    '## Run it',
    probesText,
    '## Examples',
    examplesText,
  );
