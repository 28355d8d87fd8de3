import { STATEMENT_FILE_BYTES_MAX } from '@tollgate/contract/words'

// Files that operators upload: a plain form as browsers send it (multipart/form-data), so that no script is needed.

/** What somebody chose in a form. */
export interface Upload {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A form with its fields and, if one was chosen, its file. */
export interface SentForm {
  readonly fields: URLSearchParams
  readonly file: Upload | undefined
}

const FILE_BYTES_MAX = STATEMENT_FILE_BYTES_MAX
/** What stands around the file: the fields, and a few lines for each. */
const AROUND_BYTES_MAX = 65_536
export const UPLOAD_BYTES_MAX = FILE_BYTES_MAX + AROUND_BYTES_MAX
const PARTS_MAX = 12
const FIELD_CHARACTERS_MAX = 8_192
const FILE_NAME_CHARACTERS_MAX = 255

/** Reads such a form; undefined for what no form of ours sends: too many parts, two files, two values of a name, broken bytes. */
export async function readUpload(body: Buffer, contentType: string): Promise<SentForm | undefined> {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined || !hasFewParts(body, boundary)) return undefined
  const data = await parsed(body, `multipart/form-data; boundary=${boundary}`)
  if (data === undefined) return undefined
  const fields: [string, string][] = []
  const files: File[] = []
  for (const [name, value] of data)
    if (typeof value === 'string') fields.push([name, value])
    else files.push(value)
  if (files.length > 1 || !areFields(fields)) return undefined
  return { fields: new URLSearchParams(fields), file: files[0] && (await chosen(files[0])) }
}

const areFields = (fields: readonly (readonly [name: string, value: string])[]): boolean =>
  new Set(fields.map(([name]) => name)).size === fields.length &&
  fields.every(([, value]) => value.length <= FIELD_CHARACTERS_MAX)

/** As browsers write it: 27 to 70 characters that mean nothing in a header. */
const BOUNDARY = /^multipart\/form-data\s*;\s*boundary=(?:"([\w'-]{27,70})"|([\w'-]{27,70}))$/i

function boundaryOf(contentType: string): string | undefined {
  const [, quoted, bare] = BOUNDARY.exec(contentType.trim()) ?? []
  return quoted ?? bare
}

/** Counted before anything is made of them: a body of nothing but tiny parts would take seconds. */
function hasFewParts(body: Buffer, boundary: string): boolean {
  const mark = Buffer.from(`--${boundary}`)
  let count = 0
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    count += 1
    // The last mark ends the body.
    if (count > PARTS_MAX + 1) return false
  }
  return count > 0
}

/** By Node’s own reader of such bodies, which throws for what is broken. */
async function parsed(body: Buffer, contentType: string): Promise<FormData | undefined> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  } catch {
    return undefined
  }
}

/** A browser sends an empty file without a name where none was chosen. */
async function chosen(file: File): Promise<Upload | undefined> {
  if (file.name === '' && file.size === 0) return undefined
  return { name: plainName(file.name), bytes: new Uint8Array(await file.arrayBuffer()) }
}

/** The name alone, without the folders that some browsers tell, and without what cannot be printed. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const printable = last.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '_').trim()
  return printable.slice(-FILE_NAME_CHARACTERS_MAX).toWellFormed() || 'file'
}
