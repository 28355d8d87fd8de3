import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** Japanese: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'ブラウザでCookieがブロックされています',
  'cookies.text':
    'このページでは、お支払いの手続きを続けるためにCookieが必要です。それ以外の目的には使用しません。',
  'cookies.how': 'ブラウザの設定でこのページのCookieを許可するか、別のブラウザをご利用ください。',
  'cookies.app': 'アプリ内でこのページを開いている場合は、メニューから「ブラウザで開く」を選択してください。',
  'phone.minutes': { other: 'このコードは{count}分間有効です。' },
  'phone.over': 'このコードは有効期限が切れています',
  'phone.overText': 'もう一方の端末でコードを表示し直し、もう一度読み取ってください。',
  'unavailable.text':
    '引き続き接続を試みています。すでに支払いを承認された場合は、これ以上のお手続きは不要です。',
  'unavailable.anyway': 'このまま{operator}へ進む',
  'partial.overTitle': 'ご請求額を超える入金がありました',
  'partial.other': '{amount}ではなく{received}の入金を確認しました。',
  'partial.nothingMore': 'これ以上お支払いいただく必要はありません。',
  'waiting.back': '{operator}から戻りました',
  'waiting.notAgain': '二重に支払わないでください。',
  'waiting.checked': '担当者が確認しています',
  'status.linkEnded': 'リンクの有効期限は切れましたが、お支払いの状況は引き続きここで確認できます。',
} as const satisfies Record<keyof typeof source, Message>
