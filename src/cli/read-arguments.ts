import { parseArgs } from 'node:util';
import { type Command, type Invocation, UsageError } from './command.ts';

/** What the arguments behind the name of a command say; refused where they do not fit it. */
export function readArguments(command: Command, args: string[]): Omit<Invocation, 'config'> {
  const { values, positionals, tokens } = parse(command, args);
  refuseRepeated(tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])));
  const entries = Object.entries(values as Record<string, string | boolean | undefined>);
  return {
    given: readGiven(command, positionals),
    options: Object.fromEntries(entries.filter(([, value]) => typeof value === 'string')) as Record<string, string>,
    flags: new Set(entries.filter(([, value]) => value === true).map(([name]) => name)),
  };
}

function parse({ name, options }: Command, args: string[]) {
  try {
    return parseArgs({
      args,
      options: { ...options, json: { type: 'boolean' } },
      allowPositionals: true,
      tokens: true,
    });
  } catch (error) {
    throw new UsageError(`${describe(error as NodeJS.ErrnoException)}: carepost ${name} --help lists the options`);
  }
}

/** Of two values the last would count, and the command work on another customer than the first one says. */
function refuseRepeated(names: string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given twice`);
}

/** In one line, where Node takes several. */
function describe({ code, message }: NodeJS.ErrnoException): string {
  const option = /'(-[\w-]+)/.exec(message)?.[1] ?? 'an option';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `no such option: ${option}`;
  return message.includes('does not take') ? `${option} takes no value` : `${option} takes a value`;
}

function readGiven({ name, takes = '' }: Command, words: string[]): string {
  const [given = ''] = words;
  const isOptional = takes.startsWith('[');
  if (takes === '' && words.length > 0) throw new UsageError(`${name} takes options only: carepost help lists them`);
  if (words.length > 1 || (takes !== '' && !isOptional && given === ''))
    throw new UsageError(`${name} takes ${isOptional ? 'at most one' : 'one'} ${takes.replace(/[[\]]/g, '')}`);
  return given;
}
