import { describeConfig } from '../apps/gateway/src/config.ts'

// `npm run config`: every setting with its default and meaning.
for (const setting of describeConfig()) {
  process.stdout.write(
    `${setting.name}${setting.default === '' ? '' : `=${setting.default}`}\n    ${setting.description}\n`,
  )
}
