/**
 * For whom a sign-in is signed: the service that served this page, and nobody else. A service names itself by its
 * `publicUrl`; a page that came from somewhere else signs nothing for it, so that no page in between can use what is
 * signed here. On one machine it may be reached by another port.
 */
export type AudienceProblem = 'unset' | 'elsewhere';

const everywhere = new Set(['0.0.0.0', '[::]']);
const ownMachine = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/** `unset`: the service does not know by which name it is reached. Undefined where it can be signed for. */
export function audienceProblem(audience: string, origin: string): AudienceProblem | undefined {
  const service = URL.canParse(audience) ? new URL(audience) : undefined;
  if (!service) return 'elsewhere';
  const page = new URL(origin);
  if (service.origin === page.origin) return undefined;
  if (everywhere.has(service.hostname)) return 'unset';
  return ownMachine(service.hostname) && ownMachine(page.hostname) ? undefined : 'elsewhere';
}
