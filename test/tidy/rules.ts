/**
 * The house rules of ARCHITECTURE.md that a machine can check. Each is a function from the files of a checkout to a
 * list of complaints, "file:line what is wrong"; none means the house is tidy. Types, format and import cycles are
 * checked elsewhere (`npm run check`).
 */
import path from 'node:path';
import { type Found, type HouseFile, isInClone } from './house.ts';
import { noPurpose } from './room-picture.ts';
import { closingImports, crossings, isInRoom } from './rooms.ts';

export type Rule = (files: readonly HouseFile[], root: string) => string[];

const fileLinesMax = 500;
const functionLinesMax = 70;
const folderFilesMax = 25;
/** A file of fewer lines shows by itself what it is. */
const openingLinesMin = 15;

/** Who may import whom: arrows run one way. The ledger and the credential service never meet. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  formats: ['core'],
  wire: ['core'],
  sdk: ['core', 'formats', 'wire'],
  host: ['core', 'wire'],
  'ledger-node': ['core', 'wire', 'sdk', 'host'],
  'native-proofs': ['core', 'sdk'],
  'credential-service': ['core', 'formats', 'wire', 'sdk', 'host', 'native-proofs'],
  'contract-kit': ['core', 'wire', 'sdk', 'host', 'ledger-node'],
  demo: ['core', 'wire', 'sdk', 'host', 'credential-service'],
  cli: [
    'core',
    'wire',
    'sdk',
    'host',
    'native-proofs',
    'ledger-node',
    'credential-service',
    'contract-kit',
    'demo',
  ],
  console: ['core', 'wire', 'sdk'],
};

/** A client is tested against the real thing, rules with the real engine; their packages never bring these along. */
const testsMayImport: Readonly<Record<string, readonly string[]>> = {
  core: ['ledger-node'],
  formats: ['sdk'],
  sdk: ['host', 'ledger-node'],
  'credential-service': ['ledger-node', 'contract-kit'],
};

const coreMayUse = ['@bufbuild/protobuf', '@noble/curves', '@noble/hashes', '@scure/base'];

const isCode = ({ file }: HouseFile) => /\.(tsx?|mjs)$/.test(file);
const linesIn = ({ text }: HouseFile) => text.trimEnd().split('\n').length;
const complain = (file: HouseFile, line: number, what: string) => `${file.file}:${line} ${what}`;

/** The package of an import: `@scope/name` or `name`, without what follows. */
const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Every match of a pattern with its line. */
function matches(text: string, pattern: RegExp): Found<RegExpExecArray>[] {
  return [...text.matchAll(pattern)].map((value) => ({
    value,
    line: text.slice(0, value.index).split('\n').length,
  }));
}

function importComplaint(file: HouseFile, specifier: string): string | undefined {
  const owner = file.package as string;
  if (specifier.startsWith('.')) {
    const target = path.posix.join(path.posix.dirname(file.file), specifier);
    return target.startsWith(`packages/${owner}/`) ? undefined : `reaches out of its package: ${specifier}`;
  }
  const name = packageOf(specifier);
  const inner = name.startsWith('@symbolon/') ? name.slice('@symbolon/'.length) : undefined;
  if (inner === owner) return undefined;
  if (inner !== undefined) {
    const allowed = [...(mayImport[owner] ?? []), ...(file.isTest ? (testsMayImport[owner] ?? []) : [])];
    return allowed.includes(inner) ? undefined : `${owner} must not import ${inner}`;
  }
  const isFree = owner !== 'core' || file.isTest || coreMayUse.includes(name);
  return isFree ? undefined : `the core must not import ${specifier}`;
}

const importDirection: Rule = (files) =>
  files
    .filter((file) => file.package !== undefined)
    .flatMap((file) =>
      (file.code?.imports ?? []).flatMap(({ value, line }) => {
        if (!((file.package as string) in mayImport))
          return [complain(file, line, `is in an unknown package`)];
        const complaint = importComplaint(file, value);
        return complaint ? [complain(file, line, complaint)] : [];
      }),
    );

const declaredDependencies: Rule = (files) => {
  const manifests = new Map(
    files
      .filter(({ file }) => /^(packages\/[^/]+\/)?package\.json$/.test(file))
      .map(({ file, text }) => [path.posix.dirname(file), JSON.parse(text) as Record<string, object>]),
  );
  const has = (folder: string, kind: string, name: string) => name in (manifests.get(folder)?.[kind] ?? {});
  return files.flatMap((file) => {
    const folder = file.package && `packages/${file.package}`;
    if (!folder) return [];
    return (file.code?.imports ?? []).flatMap(({ value, line }) => {
      const name = packageOf(value);
      const isOwn =
        value.startsWith('.') || value.startsWith('node:') || name === `@symbolon/${file.package}`;
      const isDeclared =
        has(folder, 'dependencies', name) ||
        (file.isTest && (has('.', 'devDependencies', name) || has(folder, 'devDependencies', name)));
      return isOwn || isDeclared
        ? []
        : [complain(file, line, `imports ${name}, which its package does not declare`)];
    });
  });
};

/** Declarations made for others stay out: their names would be in scope everywhere. */
const parsed: Rule = (files) =>
  files
    .filter(({ file, code }) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && code === undefined)
    .map((file) => complain(file, 1, 'is not part of tsconfig.json or of the console'));

const fileLength: Rule = (files) =>
  files
    .filter((file) => isCode(file) && !file.isGenerated)
    .map((file) => ({ file, lines: linesIn(file) }))
    .filter(({ lines }) => lines > fileLinesMax)
    .map(({ file, lines }) =>
      complain(file, fileLinesMax, `is ${lines} lines long, ${fileLinesMax} at most`),
    );

/** Source files a folder holds itself, without tests and without what is in folders below it. */
const folderSize: Rule = (files) => {
  const counts = new Map<string, number>();
  for (const file of files) {
    if (!isCode(file) || file.isTest || file.isGenerated || file.file.startsWith('test/')) continue;
    const folder = path.posix.dirname(file.file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > folderFilesMax)
    .map(([folder, count]) => `${folder} holds ${count} source files, ${folderFilesMax} at most`);
};

const roomCircles: Rule = (files) =>
  closingImports(crossings(files)).map(
    ({ file, line, circle }) => `${file}:${line} closes the circle ${[...circle, circle[0]].join(' → ')}`,
  );

/** Names that two files may export, each with its reason. */
const mayBeDoubled: Readonly<Record<string, string>> = {
  create: 'a verb of several commands, of which one at a time is loaded',
  list: 'likewise',
  show: 'likewise',
  createHandlers: 'one for the node, one for the service, which never meet',
  settingsPath: 'likewise',
};

/** The exported names that several files declare, with the place of each. */
function declaredTwice(files: readonly HouseFile[]): [name: string, places: string[]][] {
  const places = new Map<string, Map<string, string>>();
  for (const file of files.filter((one) => isInRoom(one) && !one.isGenerated))
    for (const { value, line } of file.code?.exports ?? [])
      places.set(value, (places.get(value) ?? new Map()).set(file.file, `${file.file}:${line}`));
  return [...places]
    .filter(([name, found]) => found.size > 1 && !(name in mayBeDoubled))
    .map(([name, found]) => [name, [...found.values()]]);
}

const doubledNames: Rule = (files) =>
  declaredTwice(files).map(([name, places]) => `${places.join(' and ')} export ${name} for two things`);

const functionLength: Rule = (files) =>
  files
    .filter((file) => !file.isGenerated)
    .flatMap((file) =>
      (file.code?.functions ?? [])
        .filter(({ value }) => value.lines > functionLinesMax)
        .map(({ value, line }) =>
          complain(file, line, `${value.name} is ${value.lines} lines long, ${functionLinesMax} at most`),
        ),
    );

const unfinished = new RegExp(
  String.raw`\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\b`,
  'g',
);
const heldBack = /\.(only|skip|todo)\(/g;

const bannedWords: Rule = (files) =>
  files.filter(isCode).flatMap((file) => {
    const found = [...matches(file.text, unfinished), ...(file.isTest ? matches(file.text, heldBack) : [])];
    return found.map(({ value, line }) => complain(file, line, `says ${value[0]}`));
  });

const openingComment: Rule = (files) =>
  files
    .filter((file) => isCode(file) && !file.isTest && linesIn(file) >= openingLinesMin)
    .filter(({ text }) => !/^(#!.*\n)?\s*(\/\*\*?[\s\S]{20,}?\*\/|\/\/.{20,})/.test(text))
    .map((file) => complain(file, 1, 'does not open with what it is'));

const fileNames: Rule = (files) =>
  files
    .filter((file) => isCode(file) && !file.isGenerated)
    .flatMap((file) => {
      const name = path.posix.basename(file.file).replace(/(\.test|\.d)?\.(tsx?|mjs)$/, '');
      const isKebab = /^[a-z0-9]+([-.][a-z0-9]+)*$/.test(name);
      const isVague = /(^|-)(manager|helpers?|utils?|misc|common)$/.test(name);
      return [
        ...(isKebab ? [] : [complain(file, 1, 'is not in kebab-case')]),
        ...(isVague ? [complain(file, 1, 'has a name that says nothing')] : []),
      ];
    });

const machinePath = /(?<![\w.~-])\/(work|root|home|Users|mnt|tmp)\/[\w.-]+/g;
const registryHost = /https?:\/\/[^\s/'"]*registry[^\s/'"]*|registry\.(npmjs|yarnpkg)\.[a-z]+/g;

/** Nothing of the machine a file was written on, and no address packages were fetched from. */
const noMachine: Rule = (files) => {
  const own = URL.parse(process.env.npm_config_registry ?? '')?.hostname;
  return files.flatMap((file) => [
    ...matches(file.text, machinePath).map(({ value, line }) => complain(file, line, `names ${value[0]}`)),
    ...matches(file.text, registryHost).map(({ line }) => complain(file, line, 'names a package registry')),
    ...(own && file.text.includes(own) ? [complain(file, 1, 'names the package registry')] : []),
  ]);
};

const isOutside = (target: string) => /^([a-z][a-z0-9+.-]*:|#|$)/i.test(target);

/** Every relative link and every path of this project that a document names. */
const documentedPaths: Rule = (files, root) =>
  files
    .filter(({ file }) => file.endsWith('.md'))
    .flatMap((file) => {
      const here = path.posix.dirname(file.file);
      const links = matches(file.text, /\]\(<?([^)\s>]+)>?[^)]*\)/g).map(({ value, line }) => ({
        line,
        target: value[1] as string,
        from: here,
      }));
      const named = matches(
        file.text,
        /(?<![\w./@-])((?:packages|scripts|docs|bench|\.ci)\/[\w./@-]*\w)(?![\w/]*[*{<])/g,
      );
      const paths = named.map(({ value, line }) => ({ line, target: value[1] as string, from: '.' }));
      return [...links, ...paths]
        .filter(({ target }) => !isOutside(target))
        .filter(
          ({ target, from }) =>
            !isInClone(root, path.posix.join(from, decodeURI(target.split('#')[0] as string))),
        )
        .map(({ target, line }) => complain(file, line, `points to ${target}, which does not exist`));
    });

/**
 * The files that ARCHITECTURE.md names: from the root, from `packages`, or by their bare name beside the one that was
 * named before in the same line. And what each room is for.
 */
const drawnHouse: Rule = (files, root) => {
  const file = files.find((one) => one.file === 'ARCHITECTURE.md');
  return (file?.text.split('\n') ?? []).flatMap((text, at) => {
    const complaints = text.includes(noPurpose) ? ['does not say what a room is for'] : [];
    let folder = '.';
    for (const [, named = ''] of text.matchAll(/`([\w.@/-]+)`/g)) {
      if (!/\.(ts|mjs|js|proto)$|\/src\//.test(named)) continue;
      const place = [`packages/${named}`, named, `${folder}/${named}`].find((one) => isInClone(root, one));
      if (place === undefined) complaints.push(`names ${named}, which does not exist`);
      else folder = path.posix.dirname(place);
    }
    return complaints.map((what) => complain(file as HouseFile, at + 1, what));
  });
};

/** Every document that a comment sends its reader to. */
const namedDocuments: Rule = (files, root) =>
  files
    .filter((file) => /\.(tsx?|mjs|proto|jsonc?)$/.test(file.file) && file.file !== 'package-lock.json')
    .flatMap((file) =>
      matches(file.text, /(?<![\w./-])(docs\/[\w-]+\.md|ARCHITECTURE\.md|SECURITY\.md|README\.md)/g)
        .filter(({ value }) => !isInClone(root, value[0]))
        .map(({ value, line }) => complain(file, line, `points to ${value[0]}, which does not exist`)),
    );

/** Every source file that a comment names in backticks: by its bare name, or with one or more folders before it. */
const namedFiles: Rule = (files) => {
  const endings = new Set(
    files.flatMap(({ file }) => {
      const parts = file.split('/');
      return parts.map((_, at) => parts.slice(at).join('/'));
    }),
  );
  return files
    .filter(isCode)
    .flatMap((file) =>
      matches(file.text, /^[ \t]*(?:\/?\*|\/\/).*/gm).flatMap(({ value: [comment], line }) =>
        [...comment.matchAll(/`(\w[\w./-]*\.(?:tsx?|mjs|js|md)|spec\/[\w./-]*)(?=`|$)/g)]
          .filter(([, named = '']) => !endings.has(named))
          .map(([, named]) => complain(file, line, `names ${named}, which does not exist`)),
      ),
    );
};

const documentedCommands: Rule = (files) => {
  const manifest = files.find(({ file }) => file === 'package.json');
  const { scripts = {} } = JSON.parse(manifest?.text ?? '{}') as { scripts?: Record<string, string> };
  return files
    .filter(({ file }) => file.endsWith('.md'))
    .flatMap((file) =>
      matches(file.text, /\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)
        .filter(({ value }) => !(((value[1] ?? value[2]) as string) in scripts))
        .map(({ value, line }) =>
          complain(file, line, `shows ${value[0]}, which package.json does not have`),
        ),
    );
};

/** Names that make the same input give different answers elsewhere or later. */
const unsteady = /^(Date|Math\.random|Intl|localeCompare|toLocale\w+|crypto|performance|console|process)$/;

const steadyCore: Rule = (files) =>
  files
    .filter((file) => file.package === 'core' && !file.isTest && !file.isGenerated)
    .flatMap((file) =>
      (file.code?.names ?? [])
        .filter(({ value }) => unsteady.test(value))
        .map(({ value, line }) =>
          complain(file, line, `uses ${value}; the core gives the same answer everywhere`),
        ),
    );

/** What only clients of the family say: members, headers, words and numbers of the further endpoints. */
const familySpelling = new RegExp(
  [
    /WALLET_AUTH_|X402_|VERIFICATION_REQUEST_|'(?:x-payment|x-callback|x-wallet|payment-(?:required|signature))/,
    /\b(?:presentation_id|signed_result|holder_binding|vct_values|trusted_issuers|credential_sets|abort_uri)\b/,
    /\b(?:zetrixAddress|gasModel|paymasterAddress|maxAmountRequired|signBytesHex|errorMsg)\b/,
    /\b(?:46[01]_?\d{3}|650_?[25]\d\d|4006|4012|1_?000_?02\d)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);
const familyFree = ['core', 'host', 'credential-service'];

const familyAtTheEdge: Rule = (files) =>
  files
    .filter(
      ({ package: of, isTest, isGenerated }) => of && familyFree.includes(of) && !isTest && !isGenerated,
    )
    .filter((file) => isCode(file) && /^packages\/[^/]+\/src\//.test(file.file))
    .flatMap((file) =>
      matches(file.text, familySpelling).map(({ value, line }) =>
        complain(file, line, `says ${value[0]}; the family's spelling stays in wire`),
      ),
    );

/** The one file that writes to a terminal, and a program that is printed and not run here. */
const mayWrite = [
  'packages/cli/src/terminal/terminal.ts',
  'packages/cli/src/commands/demo/story-on-sdk.ts',
  // Runs on a Node that cannot load the terminal.
  'packages/cli/launcher/symbolon.mjs',
];
const directWrite = /\b(process|stdio)\.(stdout|stderr)\.write\b|\bconsole\.\w+\(|\bstd(out|err)\.write\(/g;

const oneTerminal: Rule = (files) =>
  files
    .filter((file) => file.package === 'cli' && isCode(file) && !file.isTest && !mayWrite.includes(file.file))
    .flatMap((file) =>
      matches(file.text, directWrite).map(({ value, line }) =>
        complain(file, line, `says ${value[0]}; what is printed goes through terminal.ts, which cleans it`),
      ),
    );

const hasSql = /-rows\.ts$|^packages\/credential-service\/src\/database\//;
const statement = /\b(selectFrom|insertInto|updateTable|deleteFrom)\(|(?<!`)\bsql(<[^`]*>)?`/g;

const sqlInRows: Rule = (files) =>
  files
    .filter((file) => file.package === 'credential-service' && !file.isTest && !hasSql.test(file.file))
    .flatMap((file) =>
      matches(file.text, statement).map(({ value, line }) =>
        complain(file, line, `says ${value[0]}; SQL is in the files of rows, which end in -rows.ts`),
      ),
    );

const wordsOfDesk = /\b(?:useDeskWords\(|DeskWords<|DeskReading<)'(\w+)'/g;

/** Those of other desks are there only if somebody happened to open them. */
const ownWords: Rule = (files) =>
  files.flatMap((file) => {
    const desk = /^packages\/console\/src\/desks\/(\w+)\//.exec(file.file)?.[1];
    if (desk === undefined) return [];
    return matches(file.text, wordsOfDesk)
      .filter(({ value }) => value[1] !== desk)
      .map(({ value, line }) => complain(file, line, `reads the words of ${value[1]}; its desk is ${desk}`));
  });

export const rules: Readonly<Record<string, Rule>> = {
  'imports run one way': importDirection,
  'what is imported is declared': declaredDependencies,
  'every TypeScript file is type-checked': parsed,
  'no file is too long': fileLength,
  'no function is too long': functionLength,
  'no folder is too full': folderSize,
  'no rooms use each other in a circle': roomCircles,
  'one name is one thing': doubledNames,
  'nothing is left unfinished or held back': bannedWords,
  'every file opens with what it is': openingComment,
  'file names say something': fileNames,
  'no trace of a machine': noMachine,
  'every documented path is real': documentedPaths,
  'every file and room of ARCHITECTURE.md is real': drawnHouse,
  'every document a comment names is real': namedDocuments,
  'every file a comment names is real': namedFiles,
  'every documented command is real': documentedCommands,
  'the core is steady': steadyCore,
  'the spelling of the family stays in wire': familyAtTheEdge,
  'commands print through the terminal': oneTerminal,
  'SQL is in the files of rows': sqlInRows,
  'a desk reads its own words': ownWords,
};

/** A path of the route table as a test may spell it: anything may stand for a parameter. */
const spelled = (path: string) =>
  `${path.replaceAll(/[.*+?^$()|[\]{}\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/\\s]+')}(?![\\w/-])`;

/** The operations that no test calls, by name (`.name(`, `'name'`) or by path; `paths` has the path of each. */
export function untested(paths: Readonly<Record<string, string>>, files: readonly HouseFile[]): string[] {
  const tests = files.filter((file) => file.isTest || file.file.startsWith('test/')).map(({ text }) => text);
  return Object.entries(paths)
    .filter(([name, at]) => {
      const call = new RegExp(`\\.${name}\\(|'${name}'|${spelled(at)}`);
      return !tests.some((text) => call.test(text));
    })
    .map(([name]) => name);
}

/** The names of a table that no code outside of it uses, as `'name'` or `table.name`. */
export function unused(
  names: readonly string[],
  files: readonly HouseFile[],
  table: { file: string; as: string },
): string[] {
  const texts = files
    .filter((file) => isCode(file) && !file.isTest && file.file !== table.file)
    .map(({ text }) => text);
  return names.filter((name) => {
    const use = new RegExp(`'${name}'|\\b${table.as}\\.${name}\\b`);
    return !texts.some((text) => use.test(text));
  });
}
