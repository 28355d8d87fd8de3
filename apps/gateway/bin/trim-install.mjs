// After `npm ci`: of the package that brings Node, only what runs stays. Whoever has Node 24 needs none of it.
import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR_MIN = 24
const MODULES = fileURLToPath(new URL('../../../node_modules/', import.meta.url))
const PACKAGE = `${MODULES}node-${process.platform}-${process.arch}`
const SUPERFLUOUS = ['include', 'share', 'CHANGELOG.md', 'README.md']

if (existsSync(PACKAGE)) {
  if (isNewNodeThere()) for (const path of [PACKAGE, `${MODULES}.bin/node`]) rmSync(path, { recursive: true })
  else {
    for (const name of SUPERFLUOUS) rmSync(`${PACKAGE}/${name}`, { recursive: true, force: true })
    // Without the names of its functions it is 18 MB smaller: they are for debuggers. A machine without `strip` keeps them.
    const [node, stripped] = [`${PACKAGE}/bin/node`, `${PACKAGE}/bin/stripped`]
    if (spawnSync('strip', ['-o', stripped, node], { stdio: 'ignore' }).status === 0)
      renameSync(stripped, node)
  }
}

/** Whether npm runs on a Node that can run Tollgate, and that no package of npm brought. */
function isNewNodeThere() {
  const { npm_node_execpath: node, npm_config_user_agent: agent } = process.env
  const major = Number(/\bnode\/v(\d+)/.exec(agent ?? '')?.[1])
  return major >= NODE_MAJOR_MIN && node !== undefined && !node.includes('/node_modules/')
}
