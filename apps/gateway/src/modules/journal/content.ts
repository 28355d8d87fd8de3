/**
 * The text of a transfer `t` whose SHA-256 is its content hash: a JSON array of texts without white space, of the version,
 * merchant, transfer, event, kind, payment, creation (seconds since 1970, exact), transaction, and the postings in their
 * order with number, account, currency and amount. JSON quotes what could be mistaken for structure, so no two contents
 * have one text; nothing in it depends on settings of the session. A column added to transfers or postings needs another
 * version, which only transfers after it may have.
 */
export const CONTENT_TEXT = `'["tollgate transfer 1","' || t.merchant_id || '","' || t.transfer_id || '",' || to_json(t.event)
    || ',' || to_json(t.kind) || ',' || to_json(t.id_payment) || ',"' || trim_scale(extract(epoch from t.created_at)) || '","' || t.xid
    || '",[' || coalesce((
      select string_agg('["' || p.posting_no || '",' || to_json(p.account) || ',' || to_json(p.currency_code)
        || ',"' || trim_scale(p.amount) || '"]', ',' order by p.posting_no)
      from ledger_postings p where p.merchant_id = t.merchant_id and p.transfer_id = t.transfer_id), '') || ']]'`

/** The content hash of a transfer `t`. */
export const CONTENT_HASH = `sha256(convert_to(${CONTENT_TEXT}, 'UTF8'))`
