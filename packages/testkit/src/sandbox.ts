import pg from 'pg'

/** Lets the merchant send this many requests a second. The gateway learns of it by itself, within about a second. */
export async function setRateLimit(
  databaseUrl: string,
  merchantCode: string,
  perSecond: number,
): Promise<void> {
  await changeOneRow(
    databaseUrl,
    'update merchants set rate_limit_per_second = $2 where merchant_code = $1',
    [merchantCode, perSecond],
  )
}

/** Makes payins by the method need the customer's e-mail address; no method of the sandbox does. */
export async function requireEmailAddress(databaseUrl: string, methodCode: string): Promise<void> {
  await changeOneRow(
    databaseUrl,
    `update payment_method_fields set required = true
     where method_code = $1 and direction = 'PAYIN' and field_name = 'emailAddress'`,
    [methodCode],
  )
}

async function changeOneRow(databaseUrl: string, text: string, values: readonly unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'testkit' })
  await client.connect()
  try {
    const { rowCount } = await client.query(text, [...values])
    if (rowCount !== 1) throw new Error(`${rowCount} rows match ${values.join(', ')}, not one`)
  } finally {
    await client.end()
  }
}
