import type { Command } from 'commander'
import type { Permission } from '../modules/operators/index.ts'
import { CommandFailure } from './failure.ts'
import type { OperatorCall, OperatorOptions } from './operator-call.ts'
import { KEY_FLAGS } from './operator-key.ts'
import type { Report, Shell } from './shell.ts'
import type * as Writing from './text.ts'

// A command of operators is a row: what is typed, the request it becomes, and what is shown of the answer. `--json` prints the
// answer of the API as it is.

/** The names in `show <code> [date] <more...>`, as what was typed for each. */
type Typed<Text extends string> = {
  readonly [Name in Required<Text>]: Name extends `${string}...` ? readonly string[] : string
} & { readonly [Name in Optional<Text>]?: Name extends `${string}...` ? readonly string[] : string }

type Required<Text> = Text extends `${string}<${infer Name}>${infer Rest}` ? Name | Required<Rest> : never
type Optional<Text> = Text extends `${string}[${infer Name}]${infer Rest}` ? Name | Optional<Rest> : never

/** `--limit <count>`, what it is for, how it is read, and what it is when it is not typed. */
export interface OptionRow {
  readonly flags: string
  readonly says: string
  readonly read?: (text: string) => unknown
  readonly default?: unknown
  readonly isRequired?: true
  /** It may be given several times: its values are a list. */
  readonly isRepeated?: true
}

/** How an answer is written for people. */
export type Pen = typeof Writing

/** What people see of an answer. `json` is what `--json` prints of one whose bytes went into a file. */
export type Shown = string | (Omit<Report, 'json'> & { readonly json?: unknown })

interface CommandRow<Text extends string, Answer, Options extends OperatorOptions> {
  /** `show <code>`. */
  readonly command: Text
  readonly says: string
  readonly options?: readonly OptionRow[]
  /** What the route asks for: by it an operator of the sandbox is chosen who may. */
  readonly permission: Permission
  /** Whoever does this is somebody: no operator of the sandbox steps in. */
  readonly isByName?: boolean | ((options: Options) => boolean)
  /** Another way to the same answer, where the options ask for it. */
  readonly instead?: (typed: Typed<Text>, options: Options, shell: Shell) => Promise<unknown> | undefined
  /** The request. May read files; throws a sentence for what was typed wrong. */
  readonly asks: (typed: Typed<Text>, options: Options, shell: Shell) => OperatorCall | Promise<OperatorCall>
  readonly shows: (answer: Answer, pen: Pen, typed: Typed<Text>, options: Options) => Shown | Promise<Shown>
}

/** A command that can be added to a group of them. */
interface ClientCommand {
  addTo(group: Command, shell: Shell): void
}

/** Makes a command of a row. */
export function clientCommand<const Text extends string, Answer, Options extends OperatorOptions>(
  row: CommandRow<Text, Answer, Options>,
): ClientCommand {
  return {
    addTo(group, shell) {
      const command = group.command(row.command).description(row.says)
      for (const option of row.options ?? []) addOption(command, option)
      command
        .option('--url <url>', 'operator API of another gateway; default: the one that runs here')
        .option(...KEY_FLAGS)
        .action(
          shell.act((...values: unknown[]) =>
            run(shell, row, readTyped(row.command, command, values), command.opts()),
          ),
        )
    },
  }
}

/** Adds an option of a row to a command. */
export function addOption(command: Command, row: OptionRow): void {
  const { flags, says, read, default: value, isRequired, isRepeated } = row
  const option = command.createOption(flags, says)
  if (isRepeated === true)
    option.argParser((text, before: readonly unknown[] | undefined) => [
      ...(before ?? []),
      read === undefined ? text : read(text),
    ])
  else if (read !== undefined) option.argParser((text) => read(text))
  if (value !== undefined) option.default(value)
  if (isRequired === true) option.makeOptionMandatory()
  command.addOption(option)
}

/** What was typed for each name. */
function readTyped<Text extends string>(
  text: Text,
  { registeredArguments }: Command,
  values: readonly unknown[],
): Typed<Text> {
  const typed = Object.fromEntries(
    registeredArguments.map((argument, index) => [
      argument.variadic ? `${argument.name()}...` : argument.name(),
      values[index],
    ]),
  )
  if (isTypedFor(text, typed)) return typed
  throw new Error(`nothing was typed for ${text}`)
}

/** The parser has seen to it. */
const isTypedFor = <Text extends string>(_text: Text, typed: unknown): typed is Typed<Text> =>
  typeof typed === 'object'

async function run<Text extends string, Answer, Options extends OperatorOptions>(
  shell: Shell,
  row: CommandRow<Text, Answer, Options>,
  typed: Typed<Text>,
  options: Options,
): Promise<Report> {
  const [answer, pen] = await Promise.all([
    row.instead?.(typed, options, shell) ?? askOperators(shell, row, typed, options),
    import('./text.ts'),
  ])
  if (!isAnswerTo(row, answer)) throw new CommandFailure('SERVER', 'The API answered nothing.')
  const shown = await row.shows(answer, pen, typed, options)
  const { notes = [], ...report } = typeof shown === 'string' ? { text: shown } : shown
  return { json: answer, ...report, notes: [...notes, ...moreNotes(row.options ?? [], answer)] }
}

/** A list that was cut says so, also with `--json`: that often goes into a file whose `nextCursor` nobody reads. */
function moreNotes(options: readonly OptionRow[], answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null || !('nextCursor' in answer)) return []
  const takes = (name: string): boolean => options.some(({ flags }) => flags.startsWith(`${name} `))
  if (!takes('--limit')) return ['There are more; the operator API lists them page by page.']
  return [
    `There are more; raise --limit or ${takes('--after') ? 'go on with --after' : 'narrow the search'}.`,
  ]
}

async function askOperators<Text extends string, Answer, Options extends OperatorOptions>(
  shell: Shell,
  row: CommandRow<Text, Answer, Options>,
  typed: Typed<Text>,
  options: Options,
): Promise<unknown> {
  const { permission, isByName = false } = row
  // What was typed is judged before anybody is asked.
  const call = await row.asks(typed, options, shell)
  // Only now: building the tree of commands loads nothing of this.
  const { openOperatorApi } = await import('./operator-api.ts')
  const wish = { permission, isByName: typeof isByName === 'function' ? isByName(options) : isByName }
  const ask = await openOperatorApi(shell, options, wish)
  return ask(call)
}

/** A route answers by its schema: the gateway's own types see to it. */
const isAnswerTo = <Text extends string, Answer, Options extends OperatorOptions>(
  _row: CommandRow<Text, Answer, Options>,
  answer: unknown,
): answer is Answer => answer !== undefined
