/** The example of a template that the service itself documents, read from its OpenAPI document when somebody asks. */
import { SdkError } from '@symbolon/sdk/errors/errors';
import { isJsonObject, type JsonValue } from '@symbolon/wire/json/json';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';

const within = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isJsonObject(value) ? value[name] : undefined;

/** Without the issuer, who is whoever signs. */
export async function fetchTemplateExample(): Promise<string> {
  const answer = await fetch('/openapi.json');
  const document = (answer.ok ? await answer.json() : undefined) as JsonValue | undefined;
  const path = [
    'paths',
    allRoutes.createTemplateBlob.path,
    'post',
    'requestBody',
    'content',
    'application/json',
  ];
  const example = within(path.reduce(within, document), 'example');
  if (!isJsonObject(example)) {
    const hint = 'Write it by hand, or begin with the form.';
    throw new SdkError('unexpectedReply', 'the document of the service has no example of a template', {
      hint,
    });
  }
  const { issuerDid: _, ...rest } = example;
  return JSON.stringify(rest, null, 2);
}
