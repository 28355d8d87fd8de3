import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** Czech: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'Váš prohlížeč blokuje cookies',
  'cookies.text':
    'Tato stránka potřebuje cookie, aby mohla sledovat vaši platbu. K\u00a0ničemu jinému neslouží.',
  'cookies.how':
    'Povolte cookies pro tuto stránku v\u00a0nastavení prohlížeče, nebo použijte jiný prohlížeč.',
  'cookies.app':
    'Pokud máte stránku otevřenou v\u00a0aplikaci, zvolte v\u00a0její nabídce „Otevřít v\u00a0prohlížeči“.',
  'phone.minutes': {
    one: 'Kód platí {count} minutu.',
    few: 'Kód platí {count} minuty.',
    many: 'Kód platí {count} minuty.',
    other: 'Kód platí {count} minut.',
  },
  'phone.over': 'Tento kód už neplatí',
  'phone.overText': 'Zobrazte kód na druhém zařízení znovu a\u00a0naskenujte ho ještě jednou.',
  'unavailable.text': 'Zkoušíme to dál. Pokud jste tam platbu už schválili, nemusíte dělat nic dalšího.',
  'unavailable.anyway': 'Přesto pokračovat na stránku {operator}',
  'partial.overTitle': 'Přišlo více, než je požadovaná částka',
  'partial.other': 'Přišlo {received} místo {amount}.',
  'partial.nothingMore': 'Nemusíte už nic platit.',
  'waiting.back': 'Návrat ze stránky {operator}',
  'waiting.notAgain': 'Neplaťte znovu.',
  'waiting.checked': 'Platbu ověřuje náš tým',
  'status.linkEnded': 'Platnost odkazu skončila. Stav platby zde ale můžete sledovat dál.',
} as const satisfies Record<keyof typeof source, Message>
