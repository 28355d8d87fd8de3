/** What one look found. WARN leaves the installation working, FAIL does not; each of the two has a fix. */
export interface Finding {
  readonly name: string
  readonly status: 'OK' | 'WARN' | 'FAIL' | 'SKIPPED'
  readonly message: string
  readonly fix?: string
}

export const ok = (name: string, message: string): Finding => ({ name, status: 'OK', message })

export const warn = (name: string, message: string, fix: string): Finding => ({
  name,
  status: 'WARN',
  message,
  fix,
})

export const fail = (name: string, message: string, fix: string): Finding => ({
  name,
  status: 'FAIL',
  message,
  fix,
})

export const skipped = (name: string, message: string): Finding => ({ name, status: 'SKIPPED', message })
