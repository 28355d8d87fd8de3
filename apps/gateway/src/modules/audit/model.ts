/** What is asked of the log. */
export interface AuditFilter {
  readonly operatorCode?: string | undefined
  readonly act?: string | undefined
  readonly subject?: string | undefined
  readonly merchantCode?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly isFailed: boolean
}

/** One thing that was done, with its answer and what it changed. */
export interface AuditAct {
  readonly recordNo: string
  readonly happenedAt: Date
  readonly kind: 'ACT' | 'READ' | 'LOCAL' | 'BEGAN'
  readonly operatorCode: string | undefined
  readonly operatorName: string | undefined
  readonly means: 'KEY' | 'SESSION' | 'PASSKEY' | 'OIDC' | 'INVITATION' | undefined
  readonly meansId: string | undefined
  readonly operation: string | undefined
  readonly path: string | undefined
  readonly merchantCode: string | undefined
  readonly subject: string | undefined
  readonly reason: string | undefined
  readonly requestId: string | undefined
  readonly status: number | undefined
  readonly program: string | undefined
  readonly databaseUser: string | undefined
  readonly changeCount: number
  readonly changes: readonly AuditChange[]
  /** Noted before there was this log. */
  readonly isFromBefore: boolean
  readonly chained: { readonly entryNo: number; readonly chainHash: Buffer } | undefined
}

/** A row that changed: the columns that did, as texts. */
export interface AuditChange {
  readonly section: string
  readonly item: string | null
  readonly merchantCode: string | null
  readonly verb: 'ADDED' | 'CHANGED' | 'REMOVED'
  readonly before: Readonly<Record<string, string>> | null
  readonly after: Readonly<Record<string, string>> | null
}

type Outcome = 'DONE' | 'FAILED' | 'NOT_KNOWN'

/** How it ended. What no request asked for is there because it was committed. */
export function outcomeOf({ kind, status }: Pick<AuditAct, 'kind' | 'status'>): Outcome {
  if (kind !== 'ACT') return 'DONE'
  if (status === undefined) return 'NOT_KNOWN'
  return status < 400 ? 'DONE' : 'FAILED'
}

/** The columns of a change with both ends, in the order of their names. */
export function fieldsOf({ before, after }: Pick<AuditChange, 'before' | 'after'>): readonly {
  readonly name: string
  readonly before?: string
  readonly after?: string
}[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort()
  return names.map((name) => {
    const [was, is] = [before?.[name], after?.[name]]
    return { name, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }
  })
}
