import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** Arabic: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'متصفحك لا يحفظ ملفات تعريف الارتباط',
  'cookies.text': 'تحتاج هذه الصفحة إلى ملف تعريف ارتباط لتتابع دفعتك. وهو لهذه الدفعة وحدها.',
  'cookies.how': 'اسمح بملفات تعريف الارتباط لهذه الصفحة في إعدادات متصفحك، أو استخدم متصفحًا آخر.',
  'cookies.app': 'إذا كنت داخل تطبيق، فاختر «فتح في المتصفح» من قائمته.',
  'phone.minutes': {
    zero: 'الرمز صالح لمدة {count} دقيقة.',
    one: 'الرمز صالح لدقيقة واحدة.',
    two: 'الرمز صالح لدقيقتين.',
    few: 'الرمز صالح لمدة {count} دقائق.',
    many: 'الرمز صالح لمدة {count} دقيقة.',
    other: 'الرمز صالح لمدة {count} دقيقة.',
  },
  'phone.over': 'انتهت صلاحية هذا الرمز',
  'phone.overText': 'اعرضه من جديد على الجهاز الآخر وامسحه مرة أخرى.',
  'unavailable.text': 'نواصل المحاولة. إذا كنت قد وافقت على الدفع هناك بالفعل، فلا يلزمك شيء آخر.',
  'unavailable.anyway': 'المتابعة إلى {operator} رغم ذلك',
  'partial.overTitle': 'وصل أكثر من المبلغ المطلوب',
  'partial.other': 'استلمنا {received} بدلًا من {amount}.',
  'partial.nothingMore': 'لا يلزمك دفع أي شيء آخر.',
  'waiting.back': 'العودة من {operator}',
  'waiting.checked': 'أُحيلت إلى شخص لمراجعتها',
  'status.linkEnded': 'انتهت صلاحية رابطك. ما زلت ترى هنا إلى أين وصلت دفعتك.',
} as const satisfies Record<keyof typeof source, Message>
