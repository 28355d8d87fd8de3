import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** Arabic: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'متصفحك يحظر ملفات تعريف الارتباط',
  'cookies.text': 'تحتاج هذه الصفحة إلى ملف تعريف ارتباط لمتابعة دفعتك، ولا يُستخدم لأي غرض آخر.',
  'cookies.how': 'اسمح بملفات تعريف الارتباط لهذه الصفحة في إعدادات متصفحك، أو استخدم متصفحًا آخر.',
  'cookies.app': 'إذا فتحت هذه الصفحة داخل تطبيق، فاختر «فتح في المتصفح» من قائمته.',
  'phone.minutes': {
    zero: 'الرمز صالح لمدة {count} دقيقة.',
    one: 'الرمز صالح لدقيقة واحدة.',
    two: 'الرمز صالح لدقيقتين.',
    few: 'الرمز صالح لمدة {count} دقائق.',
    many: 'الرمز صالح لمدة {count} دقيقة.',
    other: 'الرمز صالح لمدة {count} دقيقة.',
  },
  'phone.over': 'انتهت صلاحية هذا الرمز',
  'phone.overText': 'اعرض الرمز من جديد على الجهاز الآخر وامسحه مرة أخرى.',
  'unavailable.text': 'نواصل المحاولة. إذا كنت قد وافقت على الدفع هناك بالفعل، فلا حاجة إلى أي إجراء آخر.',
  'unavailable.anyway': 'المتابعة إلى {operator} على أي حال',
  'partial.overTitle': 'استلمنا أكثر من المبلغ المطلوب',
  'partial.other': 'استلمنا {received} بدلًا من {amount}.',
  'partial.nothingMore': 'لا حاجة إلى دفع أي مبلغ آخر.',
  'waiting.back': 'العودة من {operator}',
  'waiting.notAgain': 'لا تدفع مرة أخرى.',
  'waiting.checked': 'قيد المراجعة لدى فريقنا',
  'status.linkEnded': 'انتهت صلاحية رابطك. ما زال بإمكانك متابعة دفعتك هنا.',
} as const satisfies Record<keyof typeof source, Message>
