import { CatalogueAppliedSchema, CatalogueYamlSchema, type Read } from '@tollgate/contract'
import { attributes, type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { plural } from '../../format.ts'
import type { Page } from '../../frame.ts'
import { icon } from '../../icons.ts'
import { command, note, table } from '../../parts.ts'
import type { Screen, Visit } from '../../visit.ts'
import { actionChip, fieldsDiff, sectionWords } from './changes.ts'
import { typedIn } from './form.ts'
import { cataloguePage } from './page.ts'

type Applied = Read<typeof CatalogueAppliedSchema>

const PATH = '/catalogue/document'
/** As the operator API takes at most. A form writes a byte as three at worst. */
const DOCUMENT_BYTES_MAX = 512 * 1024
const FORM_BYTES_MAX = 3 * DOCUMENT_BYTES_MAX + 16_384

/** The catalogue as a document: exported, changed elsewhere, shown as a difference, applied. */
export const documentScreen: Screen = {
  path: PATH,
  permission: 'catalogue.read',
  show: async (visit) => page(visit, { text: typedIn(visit, 'document', await present(visit)) }),
  acts: {
    difference: {
      permission: 'catalogue.apply',
      formBytesMax: FORM_BYTES_MAX,
      async perform(visit, form) {
        const shown = await put(visit, form, { dryRun: 'true' })
        return page(visit, { text: form.get('document') ?? '', shown })
      },
    },
    apply: {
      permission: 'catalogue.apply',
      formBytesMax: FORM_BYTES_MAX,
      async perform(visit, form) {
        const { changes } = await put(visit, form, { digest: form.get('digest') ?? '' })
        return `applied-${changes.length}`
      },
    },
  },
}

/** The catalogue of now, where the address asks to begin with it. */
async function present({ query, api }: Visit): Promise<string> {
  if (query.get('from') !== 'current') return ''
  return (await api.get('/operator/catalogue/yaml', CatalogueYamlSchema)).yaml
}

function put(
  { api }: Visit,
  form: URLSearchParams,
  query: Readonly<Record<string, string>>,
): Promise<Applied> {
  // Browsers end the lines of forms with two characters.
  const text = (form.get('document') ?? '').replaceAll('\r\n', '\n')
  return api.put('/operator/catalogue', CatalogueAppliedSchema, {
    file: new Uint8Array(Buffer.from(text)),
    query,
  })
}

interface Shown {
  readonly text: string
  /** What a dry run said of the text. */
  readonly shown?: Applied
}

function page(visit: Visit, { text, shown }: Shown): Page {
  return cataloguePage(visit, {
    tab: 'Document',
    says: 'Export, change, look at the difference, apply',
    acts: html`<a class="btn" href="/catalogue/export" download>${icon('in')}Export YAML</a>`,
    refusal: faults(visit, text),
    content: html`${doneNote(visit)}${visit.may('catalogue.apply') ? documentForm(visit, { text, ...(shown && { shown }) }) : note('info', 'Applying a document needs the role Catalogue.')}`,
  })
}

function doneNote({ query }: Visit): Html | undefined {
  const [, count] = /^applied-(\d{1,6})$/.exec(query.get('done') ?? '') ?? []
  if (count === undefined) return undefined
  return note(
    'good',
    html`${plural(Number(count), 'item')} changed. <a href="/catalogue/changes">Before and after</a>`,
  )
}

/** Every fault with the line that it is in. */
function faults({ refused }: Visit, text: string): Html | undefined {
  const list = refused?.error.faults ?? []
  if (list.length === 0) return undefined
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return html`${note('bad', html`<b>Not done.</b> The document has ${plural(list.length, 'fault')}; nothing was changed.`)}<section class="section-s" aria-labelledby="h-f"><h2 id="h-f">Faults</h2><ul class="faults">${list.map(
    (fault) => {
      const [, number = ''] = /^line (\d+):/.exec(fault) ?? []
      const line = lines[Number(number) - 1]?.trim() ?? ''
      return html`<li>${fault}${line !== '' && html`<code>${line.slice(0, 300)}</code>`}</li>`
    },
  )}</ul></section>`
}

function documentForm({ formToken }: Visit, { text, shown }: Shown): Html {
  const canApply = shown !== undefined && shown.changes.length > 0
  // The browser leaves out a line end that a text begins with.
  return html`${shown && difference(shown)}<form class="section-s" method="post" action="${PATH}/difference">${formToken}${canApply && html`<input type="hidden" name="digest" value="${shown.digest}"><p class="acts"><button class="btn btn-main btn-mid" formaction="${PATH}/apply">${icon('check')}Apply ${plural(shown.changes.length, 'change')}</button><span class="hint">Exactly these: if the catalogue has changed meanwhile, nothing is applied.</span></p>`}
<label class="field section-s"><span>Document, YAML or JSON</span><textarea class="input doc" id="document" name="document" spellcheck="false" required>
${text}</textarea><small>What it does not name stays as it is. A list inside a method replaces what the method had.</small></label>
<p class="acts form-acts"><button class="btn${!canApply && ' btn-main'}">Show the difference</button><a class="btn" href="${PATH}?from=current">Begin with the present catalogue</a><label class="btn" hidden>Open a file<input class="vh" type="file" accept=".yaml,.yml,.json,.txt" data-into="document"></label></p></form>
<div class="section-s">${command('npx tollgate catalogue apply catalogue.yaml --dry-run')}</div>`
}

function difference({ changes }: Applied): Html {
  if (changes.length === 0)
    return note('info', 'Nothing to change: the catalogue is already as the document says.')
  const count = (action: string): number => changes.filter((each) => each.action === action).length
  const words = [
    [count('ADD'), 'added'],
    [count('CHANGE'), 'changed'],
    [count('REMOVE'), 'removed'],
  ] as const
  const says = words.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`)
  return html`<section aria-labelledby="h-d"><div class="bar"><h2 id="h-d"${attributes({ tabindex: '-1' })}>The difference</h2><p>${says.join(', ')}. Nothing was changed yet.</p></div>${table(
    'The difference',
    [{ name: 'Item' }, { name: 'Before and after' }],
    changes.map(({ action, section, item, fields }): readonly HtmlValue[] => [
      html`${actionChip(action)} <span class="code">${item}</span><span class="sub">${sectionWords(section)}</span>`,
      fieldsDiff(fields, action === 'REMOVE'),
    ]),
  )}</section>`
}
