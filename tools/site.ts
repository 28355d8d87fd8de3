// `npm run docs`: builds the documentation as static pages with a search that needs no server, in tools/site/dist/site.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { onDemand } from './on-demand.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SITE = onDemand('tools/site')

/** The pages lie beside the packages that build them, at their own paths. */
function copyPages(): void {
  rmSync(join(SITE, 'dist/pages'), { recursive: true, force: true })
  const files = execFileSync('git', ['ls-files', '*.md', '*.png', '*.svg'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
  for (const file of files) cpSync(join(ROOT, file), join(SITE, 'dist/pages', file))
}

/** What the program says of a fault is enough: nothing is added to it. */
function run(command: string, ...parts: string[]): void {
  if (spawnSync(command, parts, { cwd: SITE, stdio: 'inherit' }).status !== 0) process.exit(1)
}

copyPages()
run('node_modules/.bin/vitepress', 'build', '.')
process.stdout.write(
  'The pages are in tools/site/dist/site. To look at them: npx --prefix tools/site vitepress preview tools/site\n',
)
