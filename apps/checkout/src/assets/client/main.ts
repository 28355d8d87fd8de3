/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import {
  enhanceAppLink,
  enhanceOffline,
  enhancePrint,
  enhanceProceed,
  enhanceShare,
  enhanceSingleSubmit,
  reloadWhenRestored,
} from './actions.ts'
import { enhanceCopy } from './copy.ts'
import { enhanceCountdown } from './countdown.ts'
import { enhanceFilter } from './filter.ts'
import { enhanceIban } from './iban-field.ts'
import { enhanceLive } from './live.ts'
import { enhanceLocalTime } from './local-time.ts'

const ENHANCEMENTS: ReadonlyMap<string, (element: Element) => void> = new Map([
  ['app-link', enhanceAppLink],
  ['copy', enhanceCopy],
  ['countdown', enhanceCountdown],
  ['filter', enhanceFilter],
  ['iban', enhanceIban],
  ['live', enhanceLive],
  ['local-time', enhanceLocalTime],
  ['offline', enhanceOffline],
  ['print', enhancePrint],
  ['proceed', enhanceProceed],
  ['share', enhanceShare],
  ['single-submit', enhanceSingleSubmit],
])

reloadWhenRestored()
for (const element of document.querySelectorAll('[data-enhance]')) {
  for (const name of (element.getAttribute('data-enhance') ?? '').split(' ')) {
    ENHANCEMENTS.get(name)?.(element)
  }
}
