import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SeenFile } from '../../inbox/index.ts'
import { FileProblem } from '../errors.ts'
import { type CsvMapping, readCsvMapping } from '../formats/csv-mapping.ts'
import { FILE_BYTES_MAX } from '../formats/parsed.ts'

/** Beside the files: what is in which column of the CSV files of this folder. */
export const MAPPING_FILE = 'mapping.json'

/** The bytes and, for CSV, the mapping that lies beside. Throws FileProblem for what cannot be a statement. */
export async function readWaitingFile(
  directory: string,
  { name, path }: SeenFile,
): Promise<{ readonly bytes: Buffer; readonly mapping: CsvMapping | undefined }> {
  const { size } = await lstat(path)
  if (size > FILE_BYTES_MAX) throw new FileProblem(`the file has ${size} bytes, more than ${FILE_BYTES_MAX}.`)
  const bytes = await readFile(path)
  if (!/\.csv$/i.test(name)) return { bytes, mapping: undefined }
  const text = await readFile(join(directory, MAPPING_FILE), 'utf8').catch(() => undefined)
  if (text === undefined)
    throw new FileProblem(`a CSV file needs its mapping: put it as ${MAPPING_FILE} into ${directory}.`)
  return { bytes, mapping: readCsvMapping(text) }
}
