import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** German: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'Ihr Browser speichert keine Cookies',
  'cookies.text':
    'Diese Seite braucht ein Cookie, um bei Ihrer Zahlung zu bleiben. Es gilt nur für diese Zahlung.',
  'cookies.how':
    'Erlauben Sie Cookies für diese Seite in den Einstellungen Ihres Browsers, oder nehmen Sie einen anderen Browser.',
  'cookies.app': 'Wenn Sie in einer App sind, wählen Sie in deren Menü „Im Browser öffnen“.',
  'phone.minutes': {
    one: 'Der Code gilt {count} Minute.',
    other: 'Der Code gilt {count} Minuten.',
  },
  'phone.over': 'Dieser Code ist abgelaufen',
  'phone.overText': 'Zeigen Sie ihn auf dem anderen Gerät neu an und scannen Sie ihn noch einmal.',
  'unavailable.text':
    'Wir versuchen es weiter. Wenn Sie die Zahlung dort schon freigegeben haben, müssen Sie nichts mehr tun.',
  'unavailable.anyway': 'Trotzdem weiter zu {operator}',
  'partial.overTitle': 'Es ist mehr als der Betrag angekommen',
  'partial.other': 'Wir haben {received} statt {amount} erhalten.',
  'partial.nothingMore': 'Sie müssen nichts mehr zahlen.',
  'waiting.back': 'Zurück von {operator}',
  'waiting.checked': 'An einen Menschen übergeben',
  'status.linkEnded':
    'Ihr Link ist abgelaufen. Wie es mit Ihrer Zahlung weitergeht, sehen Sie hier trotzdem.',
} as const satisfies Record<keyof typeof source, Message>
