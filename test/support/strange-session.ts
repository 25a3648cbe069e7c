/** A verified session over values that look like something else, of a template that has a newer version since. */
import assert from 'node:assert/strict';
import { answerSession } from './answered-sessions.ts';
import type { RunningService } from './running-service.ts';
import { attribute } from './service-steps.ts';
import { worldOf } from './service-world.ts';

const values = {
  name: 'Mira\u202e elpmaxE',
  story: `first\nsecond ${'x'.repeat(7_000)} end`,
  account: 'B\u0430nk 12 \u05d0 34 \u05d1',
};
const keys = Object.keys(values);

/** Gives the id of the session. */
export async function strangeSession(service: RunningService): Promise<string> {
  const { steps, issuer, holder } = worldOf(service);
  const templateName = 'Strange values';
  const attributes = keys.map((key) => attribute(key, 'string', 1));
  const made = await steps.registerTemplate(issuer, { templateName, attributes });
  const templateId = made.templateId as string;
  const { vcId } = await steps.issue({ issuer, holder }, templateId, values);
  const claims = keys.map((key) => ({ path: ['credentialSubject', key] }));
  const { presentationId } = await service.verifier.client.requestVerification({
    requirements: { credentials: [{ id: templateId, format: 'ldp_vc', claims }] },
  });
  assert.equal(await answerSession(service, presentationId, { vcId, reveal: keys }), true);
  const added = attribute('credits', 'integer', 3, false);
  await steps.registerTemplate(issuer, {
    templateName,
    version: '1.1.0',
    attributes: [...attributes, added],
  });
  return presentationId;
}
