import type { Html } from '@tollgate/runtime/html'
import { ApiRefusal } from '../operator-api.ts'
import { views } from '../parts.ts'
import type { Upload } from '../uploads.ts'
import type { Visit } from '../visit.ts'

// What the screens of bank documents share.

const VIEWS = [
  { name: 'Payout files', href: '/bank-files', permission: 'payout-files.read' },
  { name: 'Status reports', href: '/bank-files/reports', permission: 'payout-files.read' },
  { name: 'Statements', href: '/statements', permission: 'statements.read' },
  { name: 'Not taken', href: '/statements/failed', permission: 'statements.read' },
  { name: 'Channels', href: '/bank-files/channels', permission: 'statements.read' },
  { name: 'Chains', href: '/bank-files/chains', permission: 'statements.read' },
] as const

/** Bank documents of every kind, each list an address. */
export const bankViews = ({ may }: Visit, current: (typeof VIEWS)[number]['name']): Html =>
  views(
    VIEWS.filter(({ permission }) => may(permission)).map(({ name, href }) => ({
      name,
      href,
      isCurrent: name === current,
    })),
  )

/** The file of a form; what is missing is said as the API would. */
export function requireFile(file: Upload | undefined): Upload {
  if (file !== undefined && file.bytes.length > 0) return file
  const message = file === undefined ? 'No file was chosen.' : `${file.name} is empty.`
  throw new ApiRefusal(400, { code: 'FILE_MISSING', message })
}
