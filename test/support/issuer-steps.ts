/** Steps of an issuer's desk: people apply, so that there is something to review, and credentials are issued. */

import { applyForCredential } from '@symbolon/sdk/flows/holder-flows';
import { issueCredential } from '@symbolon/sdk/flows/issuer-flows';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import { readApplication } from '@symbolon/sdk/verification/applications';
import type { ConsoleWorld } from './console-world.ts';

const degrees = ['BSc Physics', 'MA History', 'MSc Chemistry', 'BA Music'] as const;

/** The id of the demo's template of this name. */
export function templateIdOf({ service }: ConsoleWorld, name: string): string {
  const found = service.demo.templates.find((template) => template.name === name);
  if (!found) throw new Error(`the demo has no template ${name}`);
  return found.templateId;
}

/** Somebody of this name applies for a degree, with a key of their own that follows from the name. */
export async function applyForDegree(
  world: ConsoleWorld,
  name: string,
  changed: Readonly<Record<string, string>> = {},
): Promise<string> {
  const seed = new Uint8Array(32);
  seed.set(new TextEncoder().encode(name).subarray(0, 32));
  const order = {
    signer: await signerFromSeed(seed),
    templateId: templateIdOf(world, 'University degree'),
    attributes: {
      name,
      birthDate: '2000-03-03',
      studentNumber: `EX-${21_600 + name.length}`,
      degree: degrees[name.length % degrees.length] as string,
      faculty: 'Science',
      grade: '1.3',
      graduatedOn: '2026-07-14',
      ...changed,
    },
  };
  return (await applyForCredential(world.service.stranger, order)).vcId;
}

/** The same, issued. */
export async function issueDegree(
  world: ConsoleWorld,
  name: string,
  changed?: Readonly<Record<string, string>>,
  expiredDate = '2099-12-31',
  validFrom?: string,
): Promise<string> {
  const vcId = await applyForDegree(world, name, changed);
  const { client, signer, bbsPublicKey } = world.service.issuer;
  const application = await readApplication(client, { vcId });
  const bbsKey = { publicKeyMultibase: bbsPublicKey };
  const begins = validFrom === undefined ? {} : { validFrom };
  await issueCredential(client, { ...application, signer, bbsKey, expiredDate, ...begins });
  return vcId;
}
