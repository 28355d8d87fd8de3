import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** German: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'Ihr Browser blockiert Cookies',
  'cookies.text': 'Diese Seite benötigt ein Cookie, um Ihre Zahlung zuzuordnen. Es wird nur dafür verwendet.',
  'cookies.how':
    'Erlauben Sie Cookies für diese Seite in den Einstellungen Ihres Browsers oder verwenden Sie einen anderen Browser.',
  'cookies.app':
    'Wenn Sie diese Seite in einer App geöffnet haben, wählen Sie in deren Menü „Im Browser öffnen“.',
  'phone.minutes': {
    one: 'Der Code ist {count} Minute gültig.',
    other: 'Der Code ist {count} Minuten gültig.',
  },
  'phone.over': 'Dieser Code ist abgelaufen',
  'phone.overText': 'Rufen Sie den Code auf dem anderen Gerät neu auf und scannen Sie ihn noch einmal.',
  'unavailable.text':
    'Wir versuchen es weiter. Wenn Sie die Zahlung dort bereits freigegeben haben, müssen Sie nichts mehr tun.',
  'unavailable.anyway': 'Trotzdem weiter zu {operator}',
  'partial.overTitle': 'Wir haben mehr als den geforderten Betrag erhalten',
  'partial.other': 'Wir haben {received} statt {amount} erhalten.',
  'partial.nothingMore': 'Sie müssen nichts mehr zahlen.',
  'waiting.back': 'Zurück von {operator}',
  'waiting.notAgain': 'Bitte zahlen Sie nicht noch einmal.',
  'waiting.checked': 'Unser Team prüft die Zahlung',
  'status.linkEnded': 'Ihr Link ist abgelaufen. Den Status Ihrer Zahlung sehen Sie hier weiterhin.',
} as const satisfies Record<keyof typeof source, Message>
