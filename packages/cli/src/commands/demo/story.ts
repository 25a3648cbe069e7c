/**
 * The whole life of a credential, told step by step while it happens: template, application, issuance, presentation,
 * verification, revocation, and the same presentation again. Every number comes from a reply of service or ledger. How
 * it is printed is `story-lines.ts`; the same story as programs to take along is in `story.sh` and `story-on-sdk.ts`.
 */
import { randomUUID } from 'node:crypto';
import { type PresentationCheck, presentationChecks } from '@symbolon/core/documents/model';
import { demoCredentials, demoEnd, demoTemplates } from '@symbolon/demo/content';
import {
  applyForCredential,
  askVerdict,
  type CredentialClient,
  type CredentialOrder,
  didOfSigner,
  downloadCredential,
  type FailedCheck,
  issueCredential,
  type LedgerClient,
  presentCredential,
  registerTemplate,
  revokeCredential,
  type ServiceVerdict,
  type Signer,
  waitForReceipt,
} from '@symbolon/sdk/index';
import { stringifyJson } from '@symbolon/wire/json/json';

export interface Player {
  readonly name: string;
  readonly signer: Signer;
  /** With the player's API key. */
  readonly client: CredentialClient;
}

export interface Cast {
  readonly issuer: Player & { readonly bbsPublicKey: string };
  readonly holder: Player;
  readonly verifier: Player;
  readonly ledger: LedgerClient;
}

/** Where something stands on the ledger. */
export interface LedgerBlock {
  readonly txHash: string;
  readonly block: bigint;
}

export type StoryStep =
  | ({
      readonly step: 'template';
      readonly name: string;
      readonly version: string;
      readonly templateId: string;
    } & LedgerBlock)
  | { readonly step: 'apply'; readonly by: string; readonly vcId: string; readonly status: string }
  | { readonly step: 'create'; readonly attributes: number; readonly signatureBytes: number }
  | ({ readonly step: 'issue'; readonly status: string } & LedgerBlock)
  | {
      readonly step: 'present';
      readonly by: string;
      readonly revealed: readonly string[];
      readonly proved: string;
      readonly hidden: number;
      readonly bytes: number;
    }
  | ({
      readonly step: 'verify';
      readonly by: string;
      readonly saw: Readonly<Record<string, string>>;
    } & Checked)
  | ({ readonly step: 'revoke'; readonly status: string } & LedgerBlock)
  | ({ readonly step: 'verifyAgain'; readonly by: string; readonly revocation: LedgerBlock } & Checked);

export interface Checked {
  readonly verified: boolean;
  readonly passed: readonly PresentationCheck[];
  readonly failures: readonly FailedCheck[];
}

const [{ values }] = demoCredentials;
const revealed = ['degree'];
const age = { attribute: 'birthDate', minAge: 18 };
/** What the verifier asks for, and so what the holder shows. */
const request = { revealAttributes: revealed, age };

export async function* playStory(cast: Cast): AsyncGenerator<StoryStep> {
  const { issuer, holder, verifier, ledger } = cast;
  const blockOf = async (txHash: string): Promise<LedgerBlock> => ({
    txHash,
    block: (await waitForReceipt(ledger, txHash)).ledgerSeq,
  });

  const { version, attributes } = demoTemplates.degree;
  // A name is an issuer's once and for all, and the story can be told again and again.
  const name = `${demoTemplates.degree.name} ${randomUUID().slice(0, 8)}`;
  const { signer } = issuer;
  const { templateId, txHash } = await registerTemplate(issuer.client, {
    signer,
    templateName: name,
    version,
    credentialFormat: attributes,
  });
  yield { step: 'template', name, version, templateId, ...(await blockOf(txHash)) };

  const application = { signer: holder.signer, templateId, attributes: values };
  const { vcId, status } = await applyForCredential(holder.client, application);
  yield { step: 'apply', by: holder.name, vcId, status };

  const signatureBytes = await issue(issuer, {
    vcId,
    holder: didOfSigner(holder.signer),
    templateId,
    templateVersion: version,
    template: { templateName: name, version, credentialFormat: attributes },
    attributes: values,
  });
  yield { step: 'create', attributes: attributes.length, signatureBytes };
  yield { step: 'issue', ...(await statusOf(cast, vcId, blockOf)) };

  const vc = await downloadCredential(holder.client, { signer: holder.signer, vcId, ledger });
  const challenge = randomUUID();
  const presentation = await presentCredential(holder.client, {
    ...request,
    signer: holder.signer,
    vc,
    challenge,
  });
  yield {
    step: 'present',
    by: holder.name,
    revealed,
    proved: `age of ${age.minAge} or more`,
    hidden: attributes.length - revealed.length - 1,
    bytes: Buffer.byteLength(stringifyJson(presentation)),
  };

  const question = { presentation, challenge, request };
  const first = await askVerdict(verifier.client, question);
  yield { step: 'verify', by: verifier.name, saw: sawOf(first), ...checkedOf(first) };

  await revokeCredential(issuer.client, { signer, vcId, remark: 'the story ends here' });
  const revocation = await statusOf(cast, vcId, blockOf);
  yield { step: 'revoke', ...revocation };

  const second = await askVerdict(verifier.client, question);
  const { txHash: revokedIn, block } = revocation;
  yield {
    step: 'verifyAgain',
    by: verifier.name,
    revocation: { txHash: revokedIn, block },
    ...checkedOf(second),
  };
}

/** Has the credential made, signs and submits it; answers how long the BBS+ signature is. */
async function issue(
  { signer, client, bbsPublicKey }: Cast['issuer'],
  ordered: Omit<CredentialOrder, 'expiredDate' | 'ledger'>,
): Promise<number> {
  let signatureBytes = 0;
  const watched: CredentialClient = {
    ...client,
    createCredential: async (body, options) => {
      const draft = await client.createCredential(body, options);
      signatureBytes = Buffer.from(draft.bbsBlsBase64, 'base64').length;
      return draft;
    },
  };
  const bbsKey = { publicKeyMultibase: bbsPublicKey };
  await issueCredential(watched, { ...ordered, signer, bbsKey, expiredDate: demoEnd });
  return signatureBytes;
}

/** What the ledger says of the credential, and since which transaction. */
async function statusOf(
  { verifier, issuer }: Cast,
  vcId: string,
  blockOf: (txHash: string) => Promise<LedgerBlock>,
): Promise<LedgerBlock & { readonly status: string }> {
  const { status, txHash } = await verifier.client.getCredentialStatus({
    vcId,
    issuer: didOfSigner(issuer.signer),
  });
  return { status, ...(await blockOf(txHash ?? '')) };
}

function checkedOf(verdict: ServiceVerdict): Checked {
  const failures = verdict.verified ? [] : verdict.failures;
  const passed = presentationChecks.filter((name) => !failures.some(({ check }) => check === name));
  return { verified: verdict.verified, passed, failures };
}

/** The values and notes that the verifier was given. */
const sawOf = (verdict: ServiceVerdict): Record<string, string> =>
  verdict.verified
    ? Object.fromEntries(
        verdict.credentials.flatMap(({ revealed, ranges }) => [
          ...Object.entries(revealed).map(([key, value]) => [key, String(value)]),
          ...ranges.map(({ attribute, text }) => [attribute, text]),
        ]),
      )
    : {};
