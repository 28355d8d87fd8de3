import { waitingBy } from '../../platform/waiting.ts'

/** Files of which nobody can tell whether the bank has them. */
export const findUnclearFiles = waitingBy('payout_files_count_unclear', {
  kind: 'PAYOUT_FILES_UNCLEAR',
  rows: `select u.changed_at as since, f.currency_code, f.control_sum as amount, f.file_id as about
    from payout_file_puts u join payout_files f using (file_id) where u.state = 'UNCLEAR'`,
})
