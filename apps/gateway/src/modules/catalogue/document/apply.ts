import type { Database, Tx } from '../../../platform/database.ts'
import { isRateListInUse } from '../../rates/index.ts'
import type { RailDirections } from '../demands.ts'
import { CatalogueMoved, DocumentInvalid } from '../errors.ts'
import {
  type CatalogueExport,
  type Change,
  contentAfter,
  differenceOf,
  digestOf,
  documentOf,
} from './difference.ts'
import { readDocumentInThread } from './reading.ts'
import { faultsOf } from './rules.ts'
import {
  type Changer,
  findContent,
  listChanges,
  lockCatalogue,
  type NotedChange,
  writeChanges,
} from './store.ts'

interface DocumentDeps {
  readonly db: Database
  /** Those of this installation. */
  readonly rails: RailDirections
}

interface Order extends Changer {
  readonly bytes: Buffer
  /** Only says what would change. */
  readonly isDry: boolean
  /** Of the changes that were shown: others are not made. */
  readonly digest?: string | undefined
}

interface Applied {
  readonly changes: readonly Change[]
  readonly digest: string
}

/** The whole catalogue as one document. */
export interface CatalogueDocuments {
  /**
   * Makes the catalogue what the document says, in one transaction. Throws {@link DocumentInvalid} with every fault, and
   * {@link CatalogueMoved} for changes that are not those of the digest.
   */
  apply(order: Order): Promise<Applied>
  export(): Promise<CatalogueExport>
  /** What documents changed, the newest first. */
  changes(page: {
    readonly before: string | undefined
    readonly limit: number
  }): Promise<readonly NotedChange[]>
}

/** Catalogue documents for operators. */
export function createCatalogueDocuments({ db, rails }: DocumentDeps): CatalogueDocuments {
  return {
    apply: async (order) => {
      const document = await readDocumentInThread(order.bytes)
      return db.transaction(async (tx) => {
        if (!order.isDry) await lockCatalogue(tx)
        const content = await findContent(tx)
        const changes = differenceOf(content, document)
        const faults = faultsOf(document.rows, changes, {
          rails,
          after: contentAfter(content, changes),
          rateLists: await rateListsOf(tx, changes),
        })
        if (faults.length > 0) throw new DocumentInvalid(faults)
        const digest = digestOf(changes)
        if (order.digest !== undefined && order.digest !== digest) throw new CatalogueMoved()
        if (!order.isDry && changes.length > 0) await writeChanges(tx, changes, order)
        return { changes, digest }
      })
    },
    export: async () => documentOf(await findContent(db)),
    changes: (page) => listChanges(db, page),
  }
}

/** Those of the rate lists named by the changes that are in use. */
async function rateListsOf(tx: Tx, changes: readonly Change[]): Promise<ReadonlySet<string>> {
  const inUse = new Set<string>()
  const named = new Set(changes.map(({ after }) => after?.['rateListCode']))
  for (const code of named) if (typeof code === 'string' && (await isRateListInUse(tx, code))) inUse.add(code)
  return inUse
}
