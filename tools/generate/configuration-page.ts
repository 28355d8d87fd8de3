import { describeConfig } from '../../apps/gateway/src/config.ts'

/** docs/configuration.md, from the one schema of settings. */
export function configurationPage(): string {
  const rows = describeConfig().map(
    (setting) =>
      `| \`${setting.name}\` | ${setting.default === '' ? '' : `\`${setting.default}\``} | ${setting.description} |`,
  )
  return [
    '# Configuration',
    '',
    'Settings are environment variables, read once at the start. For each `NAME` there is also `NAME_FILE`, which names a file that holds the value. A value that cannot be used, or a `TOLLGATE_` variable that does not exist, stops the start with one sentence and exit code 2. `npm run config` prints this table.',
    '',
    '| Variable | Default | Meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
