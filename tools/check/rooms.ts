import type { Finding, Tree } from './tree.ts'

const MODULES = 'apps/gateway/src/modules/'
const REQUIRED = ['README.md', 'index.ts']
const AGREED = [
  ...REQUIRED,
  'model.ts',
  'errors.ts',
  'service.ts',
  'store.ts',
  'routes.ts',
  'operator-routes.ts',
  'jobs.ts',
  'payment-history.ts',
  'waiting.ts',
  'test/',
]

/** The first level of a room: file names, and folder names with their slash. */
function entriesOf(tree: Tree, room: string): string[] {
  const inside = tree.files.filter((path) => path.startsWith(room)).map((path) => path.slice(room.length))
  return [...new Set(inside.map((path) => path.replace(/\/.*$/s, '/')))]
}

function findInRoom(tree: Tree, room: string): Finding[] {
  const entries = entriesOf(tree, room)
  const missing = REQUIRED.filter((name) => !entries.includes(name))
  const readme = entries.includes('README.md') ? tree.read(`${room}README.md`) : ''
  const strange = entries.filter((name) => !AGREED.includes(name) && !readme.includes(`\`${name}\``))
  return [
    ...missing.map((name) => ({ path: room, message: `The room has no ${name}. Every room has one.` })),
    ...strange.map((name) => ({
      path: `${room}${name}`,
      message: `Not a file that every room has (${AGREED.join(' ')}). Rename it, or name \`${name}\` in the room's README.md.`,
    })),
  ]
}

/** Every room has the same doors and the same furniture, so that a path can be guessed. */
export function findUntidyRooms(tree: Tree): Finding[] {
  const below = tree.files
    .filter((path) => path.startsWith(MODULES))
    .map((path) => path.slice(MODULES.length))
  const stray = below
    .filter((path) => !path.includes('/'))
    .map((name) => ({
      path: `${MODULES}${name}`,
      message: 'A file between the rooms. Put it into the room it belongs to.',
    }))
  const rooms = [
    ...new Set(below.filter((path) => path.includes('/')).map((path) => path.replace(/\/.*$/s, '/'))),
  ]
  return [...stray, ...rooms.flatMap((room) => findInRoom(tree, `${MODULES}${room}`))]
}
