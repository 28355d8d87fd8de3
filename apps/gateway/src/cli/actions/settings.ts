import { type Config, describeConfig } from '../../config.ts'
import type { Report, Shell } from '../shell.ts'

/** `tollgate config`: what is in force, not only what is possible. A password in an address is not shown. */
export async function showSettings(shell: Shell): Promise<Report> {
  const config = await shell.config()
  const settings = describeConfig().map((setting) => {
    const value = valueInForce(config, setting.name)
    return { ...setting, value, isDefault: (value ?? '') === setting.default }
  })
  const text = settings
    .map(({ name, value, isDefault, description }) => {
      const shownValue = value === undefined ? '(not set)' : `${value}${isDefault ? ' (default)' : ''}`
      return `${name} = ${shownValue}\n    ${description}`
    })
    .join('\n')
  return { json: settings.map(({ value, ...setting }) => ({ ...setting, value: value ?? null })), text }
}

function valueInForce(config: Config, name: string): string | undefined {
  const values: Readonly<Record<string, unknown>> = { ...config }
  const value = values[name]
  if (value === undefined) return undefined
  return withoutPassword(typeof value === 'string' ? value : JSON.stringify(value))
}

function withoutPassword(text: string): string {
  return text.replace(/^([a-z]+:\/\/[^:@/]*:).*@/i, '$1***@').replace(/([?&]password=)[^&]*/gi, '$1***')
}
