import { OperatorAccountListSchema, OperatorCreatedSchema, type ReadItem } from '@tollgate/contract'
import { OPERATOR_ROLES } from '@tollgate/contract/words'
import { attributes, type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { filterBar } from '../filters.ts'
import { dayText, plural } from '../format.ts'
import { type Page, roleName } from '../frame.ts'
import { icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { chip, empty, pager, table, views, withQuery } from '../parts.ts'
import { backTo, needsTwo, roleBoxes, rolesText, secretContent } from '../people.ts'
import { refusedNote } from '../refused.ts'
import type { Screen, Visit } from '../visit.ts'

type Account = ReadItem<typeof OperatorAccountListSchema>

const PATH = '/operators'
const ROWS_MAX = 50

/** Who operates the gateway, and making one. */
export const operatorsScreen: Screen = {
  path: PATH,
  permission: 'operators.read',
  async show(visit) {
    const { query, may } = visit
    const { data } = await visit.api.get('/operator/operators', OperatorAccountListSchema)
    const active = data.filter(({ status }) => status === 'ACTIVE').length
    return {
      title: 'Operators',
      nav: 'Operators',
      content: html`<div class="head"><h1>Operators</h1><p>${active} active of ${data.length}</p></div>
${refusedNote(visit)}${may('operators.change') && createForm(visit)}
${views(STATES.map(([status, name]) => ({ name, href: withQuery(PATH, new URLSearchParams(), { status }), isCurrent: (query.get('status') ?? '') === status })))}
${filterBar(PATH, query, FILTERS)}
${listOf(query, data)}`,
    }
  },
  acts: {
    create: {
      permission: 'operators.change',
      async perform(visit, form) {
        const name = (form.get('name') ?? '').trim()
        const made = await visit.api.post('/operator/operators', OperatorCreatedSchema, {
          body: {
            operatorCode: (form.get('operatorCode') ?? '').trim(),
            ...(name !== '' && { name }),
            roles: form.getAll('roles'),
          },
        })
        return createdPage(visit, made)
      },
    },
  },
}

const STATES = [
  ['', 'All'],
  ['ACTIVE', 'Active'],
  ['DISABLED', 'Disabled'],
] as const

const FILTERS = [
  { name: 'Name', fields: [{ name: 'q', label: 'Code or name' }] },
  {
    name: 'Role',
    fields: [
      {
        name: 'role',
        label: 'Role',
        choices: OPERATOR_ROLES.map((role) => ({ value: role, words: roleName(role) })),
      },
    ],
  },
]

/** The API gives all of them, by their codes; a page begins behind the code of its cursor. */
function listOf(query: URLSearchParams, all: readonly Account[]): HtmlValue {
  const wanted = (query.get('q') ?? '').trim().toLowerCase()
  const [status, role, cursor] = [
    query.get('status') ?? '',
    query.get('role') ?? '',
    query.get('cursor') ?? '',
  ]
  const found = all.filter(
    (each) =>
      (status === '' || each.status === status) &&
      (role === '' || each.roles.includes(role)) &&
      `${each.operatorCode} ${each.name}`.toLowerCase().includes(wanted),
  )
  const rest = found.filter(({ operatorCode }) => operatorCode > cursor)
  const page = rest.slice(0, ROWS_MAX)
  if (page.length === 0) return empty('user', 'No operators', { says: 'None fits these filters.' })
  const nextCursor = rest.length > page.length ? page.at(-1)?.operatorCode : undefined
  return html`${operatorTable(page)}${pager({ path: PATH, query, nextCursor, says: `${plural(page.length, 'operator')}, by code` })}`
}

const operatorTable = (page: readonly Account[]): Html =>
  table(
    'Operators, by code',
    [
      { name: 'Operator' },
      { name: 'State' },
      { name: 'Roles' },
      { name: 'Keys', style: 'n hide-sm' },
      { name: 'Since', style: 'n hide-sm' },
    ],
    page.map(({ operatorCode, name, status, roles, keys, createdAt }) => [
      html`<a href="${pathOf`/operators/${operatorCode}`}">${name}</a><span class="sub code">${operatorCode}</span>`,
      accountChip(status),
      rolesText(roles),
      keys,
      html`<span class="quiet">${dayText(createdAt)} ${createdAt.slice(0, 4)}</span>`,
    ]),
  )

export const accountChip = (status: string): Html =>
  status === 'ACTIVE' ? chip('good', 'check', 'Active') : chip('mute', 'pause', 'Disabled')

function createForm({ formToken, search, refused, query }: Visit): Html {
  const typed = refused?.form
  const isOpen = typed !== undefined || query.has('new')
  return html`<details class="panel make"${attributes({ open: isOpen })}><summary>${icon('plus')}New operator</summary><form class="panel-body" method="post" action="${PATH}/create${search}">${formToken}
<div class="make-row"><label class="field"><span>Code</span><input class="input" name="operatorCode" value="${typed?.get('operatorCode') ?? ''}" required maxlength="64" pattern="[a-z0-9._\\-]{2,64}" autocomplete="off" spellcheck="false"><small>Permanent: lower-case letters, digits, . _ -</small></label><label class="field"><span>Name</span><input class="input" name="name" value="${typed?.get('name') ?? ''}" maxlength="140" autocomplete="off"><small>As colleagues know them</small></label></div>
${roleBoxes(typed?.getAll('roles') ?? [])}
<p class="acts section-s"><button class="btn btn-main">Create the operator</button><span class="hint">They get a key, and can then be invited to a passkey.</span></p></form></details>`
}

interface Created {
  readonly operatorCode: string
  readonly name: string
  readonly roles: readonly string[]
  readonly keyId: string
  readonly key: string
}

function createdPage({ formToken }: Visit, { operatorCode, name, roles, keyId, key }: Created): Page {
  const path = pathOf`/operators/${operatorCode}`
  return {
    title: `${name} was created`,
    nav: 'Operators',
    content: secretContent({
      title: `A key for ${name}`,
      secret: key,
      what: 'the key',
      notes: [
        html`It is <span class="code">${keyId}</span> of <span class="code">${operatorCode}</span>. ${needsTwo(roles) && 'It carries Auditor, Support and Catalogue only, until a second administrator adds a second half.'}`,
        'For work in the console, invite them to register a passkey. Remove the key when it is not needed.',
      ],
      way: html`<form method="post" action="${path}/invite">${formToken}<button class="btn btn-main">${icon('link')}Invite ${name}</button></form>${backTo(path, 'Open the operator')}`,
    }),
  }
}
