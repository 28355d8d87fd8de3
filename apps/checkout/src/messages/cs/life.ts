import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** Czech: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'Váš prohlížeč neukládá cookies',
  'cookies.text':
    'Tato stránka potřebuje cookie, aby mohla sledovat vaši platbu. Slouží jen pro tuto platbu.',
  'cookies.how': 'Povolte cookies pro tuto stránku v nastavení prohlížeče, nebo použijte jiný prohlížeč.',
  'cookies.app': 'Pokud jste uvnitř aplikace, zvolte v její nabídce „Otevřít v prohlížeči“.',
  'phone.minutes': {
    one: 'Kód platí {count} minutu.',
    few: 'Kód platí {count} minuty.',
    many: 'Kód platí {count} minuty.',
    other: 'Kód platí {count} minut.',
  },
  'phone.over': 'Tento kód už neplatí',
  'phone.overText': 'Zobrazte ho na druhém zařízení znovu a naskenujte ještě jednou.',
  'unavailable.text': 'Zkoušíme to dál. Pokud jste tam platbu už potvrdili, nemusíte nic dělat.',
  'unavailable.anyway': 'Přesto pokračovat do {operator}',
  'partial.overTitle': 'Přišlo víc než požadovaná částka',
  'partial.other': 'Přijali jsme {received} místo {amount}.',
  'partial.nothingMore': 'Nemusíte už nic platit.',
  'waiting.back': 'Zpět z {operator}',
  'waiting.checked': 'Předáno ke kontrole člověkem',
  'status.linkEnded': 'Platnost vašeho odkazu skončila. Stav platby tu vidíte dál.',
} as const satisfies Record<keyof typeof source, Message>
