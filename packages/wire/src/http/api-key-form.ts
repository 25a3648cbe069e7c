/**
 * What an API key looks like: `sym_`, 8 characters of base32 that name it, `_`, 43 characters of base64url that prove it.
 * Its id is no secret: lists and webhooks tell it.
 */
export interface ApiKeyToken {
  readonly id: string;
  readonly secret: string;
}

const form = /^sym_([a-z2-7]{8})_([A-Za-z0-9_-]{43})$/;

export const formatApiKey = ({ id, secret }: ApiKeyToken): string => `sym_${id}_${secret}`;

export function parseApiKey(token: string): ApiKeyToken | undefined {
  const [, id, secret] = form.exec(token) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}
