const GIB = 1024 ** 3
const SHARE = 10
const LOG_MIN_GIB = 2
const LOG_MAX_GIB = 8

/**
 * PostgreSQL's `max_wal_size`: a tenth of what is free where the data lie, within 2 and 8 GB. Payments come under random
 * ids: after each checkpoint the first entry on a page of an index writes the page as a whole, so a large installation
 * under load writes several times as much when the log makes it take checkpoints before their time.
 */
export function maxWalSize(freeBytes: number): string {
  const share = Math.floor(freeBytes / SHARE / GIB)
  return `${Math.min(Math.max(share, LOG_MIN_GIB), LOG_MAX_GIB)}GB`
}
