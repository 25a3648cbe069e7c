/**
 * What somebody does with their own key: the requests in their order, and the flow of the SDK, which makes the signatures,
 * compares what it signs with what was ordered, and sends the same requests. The commands are rows of `commands.ts`.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import type { RouteRequest, ServiceRouteName } from './code-request.ts';
import { openPlace } from './fill-ins.ts';
import { literalOf, memberName, type SampleProgram } from './typescript.ts';

export type ActName =
  | 'apply'
  | 'buy'
  | 'listOwn'
  | 'download'
  | 'accept'
  | 'answer'
  | 'issue'
  | 'issueMany'
  | 'suspend'
  | 'reinstate'
  | 'revoke'
  | 'register'
  | 'publishKey'
  | 'send';

export interface ActRequest {
  readonly request: RouteRequest;
  /** The header in which a payment goes along. */
  readonly payment?: 'X-PAYMENT';
}

interface ActRow {
  /** Members without which nobody knows what is meant. */
  readonly needs?: readonly string[];
  readonly requests: (given: JsonObject) => readonly ActRequest[];
  readonly program: (given: JsonObject) => SampleProgram;
}

const asked = (route: ServiceRouteName, given: JsonObject = {}): ActRequest => ({
  request: { server: 'service', route, given },
});

/** Some members, where they are given. */
const some = (given: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.filter((name) => isSaid(given[name])).map((name) => [name, given[name]]));

const isSaid = (value: JsonValue | undefined): value is JsonValue => value !== undefined && value !== '';

/** A flow of the SDK, with the members of its order. */
const flow = (name: string, whom: 'client' | 'ledger', members: readonly string[]): string =>
  `await ${name}(${whom}, {\n${members.map((member) => `  ${member},\n`).join('')}})`;

/** A member of an order; what it needs and nobody said is left open. */
const member = (given: JsonObject, name: string): string =>
  `${name}: ${literalOf(isSaid(given[name]) ? given[name] : openPlace(name), '  ')}`;

const members = (given: JsonObject, names: readonly string[]): readonly string[] =>
  Object.keys(some(given, names)).map((name) => member(given, name));

const attributesOf = ({ attributes }: JsonObject): JsonObject => (isJsonObject(attributes) ? attributes : {});

/** What is applied for, as members of an order. */
const wished = (given: JsonObject): readonly string[] => [
  member(given, 'templateId'),
  member({ attributes: attributesOf(given) }, 'attributes'),
];

/** What an application that may cost something is signed over: text. */
const paidData = (given: JsonObject): JsonObject => ({
  data: JSON.stringify([
    { templateId: given.templateId ?? openPlace('templateId'), metadata: attributesOf(given) },
  ]),
});

/** What a program does last: it says what came of it. */
const told = (name: string, text: string): string => `const ${name} = ${text};\nconsole.log(${bare(name)});`;
const bare = (name: string): string => name.replace(/^\{ (.*) \}$/, '$1');

const statusRoutes = {
  revoke: ['createRevocationBlob', 'submitRevocation', 'revokeCredential'],
  suspend: ['createSuspensionBlob', 'submitSuspension', 'suspendCredential'],
  reinstate: ['createReinstatementBlob', 'submitReinstatement', 'reinstateCredential'],
} as const;

function statusRow(change: keyof typeof statusRoutes): ActRow {
  const [prepare, submit, name] = statusRoutes[change];
  return {
    needs: ['vcId'],
    requests: (given) => [asked(prepare, some(given, ['vcId', 'issuerAddress', 'remark'])), asked(submit)],
    program: (given) => ({
      asks: ['service', 'ledger'],
      signs: true,
      uses: [name],
      lines: told(
        '{ status, txHash }',
        flow(name, 'client', ['signer', 'ledger', member(given, 'vcId'), ...members(given, ['remark'])]),
      ),
    }),
  };
}

const issueRow: ActRow = {
  needs: ['vcId', 'expiredDate'],
  requests: (given) => [
    asked('getApplication', some(given, ['vcId'])),
    asked(
      'createCredential',
      some(given, ['vcId', 'templateId', 'issuanceData', 'expiredDate', 'validFrom']),
    ),
    asked('submitCredential', some(given, ['vcId'])),
  ],
  program: (given) => ({
    asks: ['service'],
    needsKey: true,
    signs: true,
    uses: ['issueCredential', 'readApplication'],
    lines: issueLines(given),
  }),
};

const templateMembers = ['templateName', 'version', 'credentialFormat', 'remark', 'acceptUnbound'];

const holderRows: Readonly<Pick<Record<ActName, ActRow>, 'apply' | 'buy' | 'listOwn' | 'download'>> = {
  apply: {
    needs: ['templateId'],
    requests: (given) => [
      asked('applyForCredential', {
        ...some(given, ['templateId']),
        metadata: Object.entries(attributesOf(given)).map(([key, value = null]) => ({ key, value })),
      }),
    ],
    program: (given) => ({
      asks: ['service'],
      signs: true,
      uses: ['applyForCredential'],
      lines: told('{ vcId }', flow('applyForCredential', 'client', ['signer', ...wished(given)])),
    }),
  },
  buy: {
    needs: ['templateId', 'asset'],
    // The first is answered 402 with the price; the second has the payment with it.
    requests: (given) => [
      asked('applyForPaidCredential', paidData(given)),
      { ...asked('applyForPaidCredential', { ...paidData(given), paymentId: '' }), payment: 'X-PAYMENT' },
    ],
    program: (given) => ({
      asks: ['service', 'ledger'],
      signs: true,
      uses: ['buyCredential'],
      lines: `// The most that may be paid of each asset, in its smallest unit.
const amountsMax = { ${memberName(String(given.asset ?? openPlace('asset')))}: ${unitsOf(given)}n };
${told('{ vcId, txHash }', flow('buyCredential', 'client', ['signer', ...wished(given), 'payer: { client: ledger, amountsMax }']))}`,
    }),
  },
  listOwn: {
    requests: () => [asked('listOwnApplications')],
    program: () => ({
      asks: ['service'],
      signs: true,
      uses: ['holderHeaders'],
      lines: `const purpose = 'own-applications';
const headers = await holderHeaders(signer, client, { purpose });
${told('{ applications }', 'await client.listOwnApplications({}, { headers })')}`,
    }),
  },
  download: {
    needs: ['vcId'],
    requests: (given) => [asked('downloadCredential', some(given, ['vcId', 'isIssuer']))],
    program: (given) => ({
      asks: ['service', 'ledger'],
      signs: true,
      uses: ['downloadCredential'],
      lines: told(
        'credential',
        flow('downloadCredential', 'client', [
          'signer',
          'ledger',
          member(given, 'vcId'),
          ...members(given, ['isIssuer']),
        ]),
      ),
    }),
  },
};

export const actRows: Readonly<Record<ActName, ActRow>> = {
  ...holderRows,
  accept: {
    requests: () => [
      asked('previewOffer', { 'pre-authorized_code': '' }),
      asked('acceptOffer', { 'pre-authorized_code': '' }),
    ],
    program: () => ({
      asks: ['service'],
      signs: true,
      uses: ['acceptOffer', 'previewOffer'],
      lines: `// Whoever has the link can accept: it stands in no program.
const offer = process.env.SYMBOLON_OFFER_LINK ?? '';
const preview = await previewOffer(client, { offer });
${told('{ applyId, status }', 'await acceptOffer(client, { offer, signer, preview })')}`,
    }),
  },
  answer: {
    needs: ['id'],
    requests: (given) => [
      asked('fetchDefinition', some(given, ['id'])),
      asked('submitToSession', submissionOf(given.id ?? openPlace('id'))),
    ],
    program: (given) => ({
      asks: ['service', 'ledger'],
      signs: true,
      uses: ['derivePresentation', 'verifyCredential', 'walletHeaders'],
      lines: answerLines(given),
    }),
  },
  issue: issueRow,
  // Of a table: the same for every row.
  issueMany: issueRow,
  suspend: statusRow('suspend'),
  reinstate: statusRow('reinstate'),
  revoke: statusRow('revoke'),
  register: {
    needs: ['templateName', 'version', 'credentialFormat'],
    requests: (given) => [
      asked('createTemplateBlob', some(given, [...templateMembers, 'issuerDid'])),
      asked('submitTemplate'),
    ],
    program: (given) => ({
      asks: ['service', 'ledger'],
      needsKey: true,
      signs: true,
      uses: ['registerTemplate'],
      lines: told(
        '{ templateId, txHash }',
        flow('registerTemplate', 'client', [
          'signer',
          'ledger',
          member(given, 'templateName'),
          member(given, 'version'),
          isSaid(given.credentialFormat)
            ? member(given, 'credentialFormat')
            : `credentialFormat: ${literalOf(openPlace('credentialFormat'))} as never`,
          ...members(given, ['remark', 'acceptUnbound']),
        ]),
      ),
    }),
  },
  publishKey: {
    requests: () => [asked('createBbsKey', { seed: '' }), handedIn(openPlace('blob'))],
    program: () => ({
      asks: ['service', 'ledger'],
      needsKey: true,
      signs: true,
      uses: ['publishKey'],
      lines: `const seed = process.env.SYMBOLON_SEED ?? '';
const { publicKeyMultibase } = await client.createBbsKey({ seed });
const type = 'Bls12381G2Key2020';
${told('{ number }', 'await publishKey(ledger, { signer, type, publicKeyMultibase })')}`,
    }),
  },
  send: {
    needs: ['blob'],
    requests: ({ blob = openPlace('blob') }) => [tried(blob), handedIn(blob)],
    program: (given) => ({
      asks: ['ledger'],
      signs: true,
      lines: `const blob = ${literalOf(given.blob ?? openPlace('blob'))};
const signature = await signer.sign(Buffer.from(blob, 'hex'));
const signed = {
  transaction_blob: blob,
  signatures: [
    {
      public_key: signer.publicKey,
      sign_data: Buffer.from(signature).toString('hex'),
    },
  ],
};
${told('{ result }', 'await ledger.submitTransaction({ items: [signed] })')}`,
    }),
  },
};

const unitsOf = ({ amount }: JsonObject): string => (/^\d+$/.test(String(amount)) ? String(amount) : '0');

const onLedger = (route: 'testTransaction' | 'submitTransaction', item: JsonObject): ActRequest => ({
  request: { server: 'ledger', route, given: { items: [item] } },
});
const tried = (blob: JsonValue): ActRequest => onLedger('testTransaction', { transaction_blob: blob });
const handedIn = (blob: JsonValue): ActRequest =>
  onLedger('submitTransaction', {
    transaction_blob: blob,
    signatures: [{ public_key: '', sign_data: '' }],
  });

const submissionOf = (id: JsonValue): JsonObject => ({
  presentation_id: id,
  presentation_submission: { id: 'submission', definition_id: id, descriptor_map: [] },
});

const issueLines = (given: JsonObject): string => `const { bbsKeys } = await client.listIssuerKeys();
const bbsKey = bbsKeys.find(({ isPublished }) => isPublished);
if (!bbsKey) throw new Error('no BBS+ key is published');
const { publicKeyMultibase } = bbsKey;
const vcId = ${literalOf(given.vcId ?? openPlace('vcId'))};
// Look at it: this is what the holder has signed.
const application = await readApplication(client, { vcId });
${told(
  '{ vcObject }',
  flow('issueCredential', 'client', [
    '...application',
    'signer',
    'bbsKey: { publicKeyMultibase }',
    ...(isJsonObject(given.issuanceData) ? [member({ attributes: given.issuanceData }, 'attributes')] : []),
    ...members(given, ['validFrom']),
    member(given, 'expiredDate'),
  ]),
)}`;

/** Of each credential a file, and what is shown and proved of it. */
function answerLines(given: JsonObject): string {
  const parts = Array.isArray(given.parts) && given.parts.length > 0 ? given.parts : [{}];
  const files = parts.map((_, at) => (parts.length === 1 ? 'credential.json' : `credential-${at + 1}.json`));
  const shown = parts.map((part, at) => {
    const { revealAttributes = [], rangeProof = [] } = isJsonObject(part) ? part : {};
    const disclosed = Object.entries({ revealAttributes, rangeProof }).map(
      ([name, value]) => `      ${name}: ${literalOf(value, '      ')},\n`,
    );
    return `    {\n      vc: credentials[${at}],\n${disclosed.join('')}    },\n`;
  });
  return `const id = ${literalOf(given.id ?? openPlace('id'))};
const request = await client.fetchDefinition({ id });
const credentials = ${literalOf(files)}.map((file) =>
  JSON.parse(readFileSync(file, 'utf8')),
);
const verdicts = await Promise.all(
  credentials.map((one) => verifyCredential(one, { ledger })),
);
if (verdicts.some(({ isGenuine, status }) => !isGenuine || status !== 'active'))
  throw new Error('the ledger says that it is not good');
const presentation = await derivePresentation({
  signer,
  issuerKeys: verdicts.flatMap(({ issuerKeys }) => issuerKeys),
  now: Date.now(),
  vcs: [\n${shown.join('')}  ],
  challenge: request.nonce,
  domain: new URL(request.response_uri).origin,
});
const { verified } = await client.submitToSession(
  {
    presentation_id: id,
    vp_token: JSON.parse(JSON.stringify(presentation)),
    presentation_submission: {
      id: 'submission',
      definition_id: id,
      descriptor_map: [],
    },
  },
  { headers: await walletHeaders(signer, client, id) },
);
console.log(verified);`;
}
