/**
 * The script by which a shell completes `symbolon`: made from the commands themselves, so that it knows all of them and
 * starts nothing when a person presses Tab.
 */
import type { Command, Option } from 'commander';

export const shells = ['bash', 'zsh'] as const;
export type Shell = (typeof shells)[number];

/** One command with what may follow it. */
interface Place {
  /** The words that lead to it, each after a space; nothing for the program itself. */
  readonly path: string;
  /** Names of commands, or what its argument must be one of. */
  readonly names: readonly string[];
  readonly options: readonly string[];
  /** By option: the words that it takes one of. */
  readonly choices: readonly (readonly [option: string, words: readonly string[]])[];
}

const isShown = ({ hidden }: Option): boolean => !hidden;

function placesOf(command: Command, path: string): readonly Place[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  const options = help.visibleOptions(command).filter(isShown);
  const named = options.flatMap((option) => (option.long ? [[option.long, option] as const] : []));
  const own: Place = {
    path,
    names: [
      ...children.map((child) => child.name()),
      ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    ],
    options: named.map(([long]) => long),
    choices: named.flatMap(([long, { argChoices }]) => (argChoices ? [[long, argChoices] as const] : [])),
  };
  return [own, ...children.flatMap((child) => placesOf(child, `${path} ${child.name()}`))];
}

/** Names of commands, options and choices are plain words; whatever else came up would be run by the shell. */
const plainWord = /^[\w.-]+$/;

const wordList = (words: readonly string[]): string => words.filter((word) => plainWord.test(word)).join(' ');

const bashScript = (places: readonly Place[]): readonly string[] => [
  '_symbolon() {',
  `  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" i`,
  '  for ((i = 1; i < COMP_CWORD; i++)); do',
  `    case "$path \${COMP_WORDS[i]}" in`,
  `      ${places
    .slice(1)
    .map(({ path }) => `"${path}"`)
    .join('|')}) path="$path \${COMP_WORDS[i]}" ;;`,
  '    esac',
  '  done',
  '  case "$path $before" in',
  ...places.flatMap(({ path, choices }) =>
    choices.map(([option, words]) => `    "${path} ${option}") words="${wordList(words)}" ;;`),
  ),
  '  esac',
  '  if [[ -z $words ]]; then',
  '    case "$path" in',
  ...places.map(({ path, names, options }) => {
    const [plain, dashed] = [wordList(names), wordList(options)];
    return `      "${path}") if [[ $word == -* ]]; then words="${dashed}"; else words="${plain}"; fi ;;`;
  }),
  '    esac',
  '  fi',
  '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
  '}',
  // Where nothing of ours fits, the names of files do.
  'complete -o default -F _symbolon symbolon',
];

export function completionScript(program: Command, shell: Shell): readonly string[] {
  const lines = bashScript(placesOf(program, ''));
  return shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit', ...lines] : lines;
}
