/**
 * The whole life of a credential with the SDK, as a program of its own: `symbolon demo --as ts` prints this file. With
 * the demo running (npm start), save it in the checkout as story.ts and run it with the Node 24 that is there:
 *
 *     node_modules/.bin/node story.ts [demo.json]
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type AttributeFormat,
  applyForCredential,
  askVerdict,
  createCredentialClient,
  createLedgerClient,
  downloadCredential,
  httpTransport,
  issueCredential,
  presentCredential,
  readApplication,
  registerTemplate,
  revokeCredential,
  signerFromPrivateKey,
} from '@symbolon/sdk/index';

const demo = JSON.parse(readFileSync(process.argv[2] ?? '.symbolon/dev/demo.json', 'utf8'));
const [issuer, holder] = [
  await signerFromPrivateKey(demo.issuer.privateKey),
  await signerFromPrivateKey(demo.holder.privateKey),
];
const issuerDesk = createCredentialClient(demo.service, { apiKey: demo.issuer.apiKey });
const wallet = createCredentialClient(demo.service, { apiKey: demo.holder.apiKey });
const verifierDesk = createCredentialClient(demo.service, { apiKey: demo.verifier.apiKey });
const ledger = createLedgerClient(httpTransport(demo.ledger));

// 1. The issuer registers a template on the ledger.
const attribute = (key: string, format: AttributeFormat) => ({
  key,
  attribute: key,
  format,
  mandatory: true,
});
const { templateId, txHash } = await registerTemplate(issuerDesk, {
  signer: issuer,
  templateName: `University degree ${randomUUID().slice(0, 8)}`,
  version: '1.0.0',
  credentialFormat: [
    attribute('name', 'string'),
    attribute('birthDate', 'date'),
    attribute('degree', 'string'),
    attribute('grade', 'decimal'),
  ],
});
console.log(`1  template registered, tx ${txHash}`);

// 2. The holder applies; the service needs the holder's signature over what it applies with.
const { vcId, status } = await applyForCredential(wallet, {
  signer: holder,
  templateId,
  attributes: { name: 'Mira Example', birthDate: '1999-04-12', degree: 'BSc Mathematics', grade: '1.70' },
});
console.log(`2  ${demo.holder.name} applies, ${status}`);

// 3. The issuer reads what the holder signed, and signs exactly that: BBS+ by the service, which keeps the key, Ed25519
// here. Then the ledger has it.
const application = await readApplication(issuerDesk, { vcId });
const bbsKey = { publicKeyMultibase: demo.issuer.bbsPublicKeyMultibase };
const expiredDate = '2099-12-31T23:59:59Z';
await issueCredential(issuerDesk, { ...application, signer: issuer, bbsKey, expiredDate });
console.log(`3  issued: ${vcId}`);

// 4. The holder downloads the credential, which the ledger confirms, shows the degree, proves to be of age, and hides the
// rest.
const vc = await downloadCredential(wallet, { signer: holder, vcId, ledger });
const challenge = randomUUID();
const request = { revealAttributes: ['degree'], age: { attribute: 'birthDate', minAge: 18 } };
const presentation = await presentCredential(wallet, { ...request, signer: holder, vc, challenge });
console.log(`4  presented: ${JSON.stringify(presentation).length} characters`);

// 5. The verifier asks for the verdict on what it asked for.
const verify = async (): Promise<string> => {
  const verdict = await askVerdict(verifierDesk, { presentation, challenge, request });
  return verdict.verified
    ? `VERIFIED: ${JSON.stringify(verdict.vcDetails)}`
    : `NOT VERIFIED: ${verdict.failures.map(({ check, detail }) => `${check}: ${detail}`).join('; ')}`;
};
console.log(`5  ${await verify()}`);

// 6. The issuer revokes, and the same presentation is refused from the next block on.
await revokeCredential(issuerDesk, { signer: issuer, vcId, remark: 'the story ends here' });
console.log('6  revoked');
console.log(`7  ${await verify()}`);
