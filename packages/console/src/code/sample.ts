/**
 * A request, or an act that is signed, as code: curl, TypeScript on the SDK, and a command. Requests come from the route
 * tables, so a sample cannot drift from what is served. Nothing secret is ever put in: an API key is `$SYMBOLON_API_KEY`.
 * What a sample cannot have, such as a signature, stands in it as a name in brackets (`fill-ins.ts`), and it says so.
 */
import { type ActRequest, actRows } from './acts.ts';
import type { CodeRequest } from './code-request.ts';
import { commandOf } from './commands.ts';
import { curlText } from './curl.ts';
import { openNamesIn, openPlace, placesIn } from './fill-ins.ts';
import { type SampleCall, sampleCallOf } from './sample-call.ts';
import { isSecretName } from './secret-names.ts';
import { programOfCall, typescriptText } from './typescript.ts';

export interface Sample {
  readonly text: string;
  /** Names of what must be filled in; where there are none it runs as it is. */
  readonly open: readonly string[];
}

export interface CodeSample {
  readonly curl: Sample;
  readonly typescript: Sample;
  /** Undefined where the command line has none for it. */
  readonly cli: Sample | undefined;
}

/** `origin`: where the service is; the ledger is asked through it. `setting`: what stands before commands (`command-setting.ts`). */
export function sampleOf(request: CodeRequest, origin: string, setting = ''): CodeSample {
  const cli = commandOf(request, setting);
  if (!('act' in request)) {
    const call = sampleCallOf(request);
    return {
      curl: { text: curlText(call, origin), open: openIn([{ call }]) },
      typescript: { text: typescriptText(programOfCall(call), origin), open: openIn([{ call }]) },
      cli,
    };
  }
  const { act, given = {} } = request;
  const { requests, program, needs = [] } = actRows[act];
  const steps = requests(given).map(({ request: one, payment }) => ({ call: sampleCallOf(one), payment }));
  const missing = needs.filter((name) => given[name] === undefined || given[name] === '');
  const curl = steps.map(({ call, payment }) => curlText(call, origin, payment)).join('\n\n');
  const isInCurl = (name: string): boolean => curl.includes(openPlace(name));
  return {
    curl: { text: curl, open: unique([...openIn(steps), ...placesIn(given), ...missing.filter(isInCurl)]) },
    typescript: {
      text: typescriptText(program(given), origin),
      open: unique([...missing, ...placesIn(given)]),
    },
    cli,
  };
}

interface Step {
  readonly call: SampleCall;
  readonly payment?: ActRequest['payment'] | undefined;
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];

const openIn = (steps: readonly Step[]): readonly string[] =>
  unique(
    steps.flatMap(({ call: { open, given }, payment }) => [
      // A secret is a variable, which is named already.
      ...[...open.missing.keys()].filter((name) => !isSecretName(name)),
      ...openNamesIn(given),
      ...placesIn(given),
      ...open.headers,
      ...(payment === undefined ? [] : [payment]),
    ]),
  );
