import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** Japanese: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'ブラウザが Cookie を保存していません',
  'cookies.text': 'このページは、お支払いを続けるために Cookie を使います。このお支払いだけに使われます。',
  'cookies.how': 'ブラウザの設定でこのページの Cookie を許可するか、別のブラウザをお使いください。',
  'cookies.app': 'アプリの中で開いている場合は、メニューの「ブラウザで開く」を選んでください。',
  'phone.minutes': {
    other: 'このコードは {count} 分間有効です。',
  },
  'phone.over': 'このコードは期限切れです',
  'phone.overText': 'もう一方の端末で表示し直し、もう一度読み取ってください。',
  'unavailable.text': '引き続き接続を試みています。すでにそこで承認された場合は、何もする必要はありません。',
  'unavailable.anyway': 'それでも {operator} に進む',
  'partial.overTitle': '金額より多く入金されました',
  'partial.other': '{amount} ではなく {received} を受け取りました。',
  'partial.nothingMore': 'これ以上お支払いいただく必要はありません。',
  'waiting.back': '{operator} から戻りました',
  'waiting.checked': '担当者に引き継ぎました',
  'status.linkEnded': 'リンクの期限は切れましたが、お支払いの状況は引き続きここでご覧いただけます。',
} as const satisfies Record<keyof typeof source, Message>
