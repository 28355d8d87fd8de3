import type { start as source } from '../en/start.ts'
import type { Message } from '../message.ts'

/** The frame of every screen, and the screens before the payment exists, in Arabic. One and two are words, not digits. */
export const start = {
  // Frame
  'frame.skip': 'الانتقال إلى المحتوى',
  'frame.sandbox': 'بيئة تجريبية – بدون أموال حقيقية',
  'frame.orderNumber': 'رقم الطلب',
  'frame.changeLanguage': 'تغيير اللغة',
  'frame.support': 'التواصل مع {shop}',
  'frame.secured': 'دفع آمن عبر {operator}',
  'frame.trust': 'الاتصال مشفّر. يرى المتجر أنك دفعت، ولا يرى أبدًا بيانات دخولك إلى البنك.',

  // Titles of the browser's tab
  'title.withShop': '{title} – {shop}',
  'title.pay': 'دفع {amount}',
  'title.paid': 'تم دفع {amount}',
  'title.notPaid': 'لم يتم الدفع',
  'title.inProgress': 'الدفع قيد التنفيذ',
  'title.faulty': 'يُرجى التحقق: {title}',

  // Actions of many screens
  'common.change': 'تغيير',
  'common.close': 'إغلاق',
  'common.copyWhat': 'نسخ: {label}',
  'common.copied': 'تم النسخ: {label}',
  'common.copiedShort': 'تم النسخ',
  'common.copyFailed': 'اضغط مطولًا للنسخ',
  'common.optional': 'اختياري',
  'common.printOrSave': 'طباعة أو حفظ',
  'common.share': 'مشاركة',
  'common.sending': 'جارٍ الإرسال…',
  'common.stay': 'البقاء هنا',
  'common.stop': 'إيقاف',
  'common.tryAgain': 'إعادة المحاولة',
  'common.tryNow': 'المحاولة الآن',
  'common.returnTo': 'العودة إلى {host}',
  'common.cancelAndReturnTo': 'الإلغاء والعودة إلى {host}',

  // Going on without a click
  'proceed.continuing': {
    zero: 'ستتم المتابعة تلقائيًا خلال {count} ثانية.',
    one: 'ستتم المتابعة تلقائيًا خلال ثانية واحدة.',
    two: 'ستتم المتابعة تلقائيًا خلال ثانيتين.',
    few: 'ستتم المتابعة تلقائيًا خلال {count} ثوانٍ.',
    many: 'ستتم المتابعة تلقائيًا خلال {count} ثانية.',
    other: 'ستتم المتابعة تلقائيًا خلال {count} ثانية.',
  },
  'proceed.returning': {
    zero: 'ستعود إلى المتجر خلال {count} ثانية.',
    one: 'ستعود إلى المتجر خلال ثانية واحدة.',
    two: 'ستعود إلى المتجر خلال ثانيتين.',
    few: 'ستعود إلى المتجر خلال {count} ثوانٍ.',
    many: 'ستعود إلى المتجر خلال {count} ثانية.',
    other: 'ستعود إلى المتجر خلال {count} ثانية.',
  },
  'proceed.retrying': {
    zero: 'سنعيد المحاولة خلال {count} ثانية.',
    one: 'سنعيد المحاولة خلال ثانية واحدة.',
    two: 'سنعيد المحاولة خلال ثانيتين.',
    few: 'سنعيد المحاولة خلال {count} ثوانٍ.',
    many: 'سنعيد المحاولة خلال {count} ثانية.',
    other: 'سنعيد المحاولة خلال {count} ثانية.',
  },

  // Leaving
  'leave.title': 'لم تكتمل عملية الدفع بعد. هل تريد مغادرة هذه الصفحة؟',
  'leave.text': 'تبقى عملية الدفع مفتوحة حتى {moment}، ويمكنك العودة إلى هذه الصفحة حتى ذلك الحين.',
  'leave.paid': 'إذا كنت قد دفعت بالفعل فلا تدفع مرة أخرى: سنبلغ المتجر.',
  'leave.stay': 'البقاء في الصفحة',
  'leave.go': 'مغادرة الصفحة',

  // Methods and operators
  'choose.title': 'كيف تريد الدفع؟',
  'choose.bank': 'اختر البنك',
  'choose.wallet': 'اختر المحفظة',
  'choose.searchBank': 'البحث عن البنك',
  'choose.searchWallet': 'البحث عن المحفظة',
  'choose.searchHint': 'الاسم أو رمز BIC',
  'choose.popular': 'الأكثر استخدامًا',
  'choose.otherBanks': 'بنوك أخرى',
  'choose.otherWallets': 'محافظ أخرى',
  'choose.unavailable': 'غير متاح مؤقتًا',
  'choose.closed': 'غير متاح حاليًا',
  'choose.limitReached': 'تم بلوغ الحد اليومي',
  'choose.limitReachedOf': 'تم بلوغ الحد اليومي لطريقة الدفع هذه: {method}. يُرجى اختيار طريقة أخرى.',
  'choose.delayed': 'أبطأ من المعتاد حاليًا',
  'choose.bankNotListed': 'البنك الذي أتعامل معه غير مدرج',
  'choose.walletNotListed': 'المحفظة التي أستخدمها غير مدرجة',
  'choose.chooseAnotherWay': 'اختيار طريقة دفع أخرى',
  'choose.results': {
    zero: 'لا توجد نتائج',
    one: 'نتيجة واحدة',
    two: 'نتيجتان',
    few: '{count} نتائج',
    many: '{count} نتيجة',
    other: '{count} نتيجة',
  },
  'choose.noResults': 'لم يتم العثور على نتائج. تحقق من الكتابة أو اختر طريقة دفع أخرى.',
  'choose.suggestedUnavailable': 'طريقة الدفع المقترحة غير متاحة لهذا المبلغ. يُرجى اختيار طريقة أخرى.',

  'method.BANK_TRANSFER': 'تحويل بنكي',
  'method.ONLINE_BANKING': 'الخدمات المصرفية عبر الإنترنت',
  'method.WALLET': 'محفظة إلكترونية',
  'method.UPI': 'UPI',
  'method.PIX': 'Pix',
  'method.OFFLINE_TRANSFER': 'تحويل برقم مرجعي',
  'method.CRYPTO': 'عملة مشفرة',

  'flow.REDIRECT': 'وافق على عملية الدفع لدى البنك أو في المحفظة.',
  'flow.INSTRUCTIONS': 'انسخ البيانات إلى تطبيق البنك.',
  'flow.QR': 'امسح رمز QR أو ادفع عبر تطبيق.',
  'flow.REFERENCE': 'ادفع عبر تطبيق البنك ثم أدخل الرقم المرجعي هنا.',

  'speed.INSTANT': 'فوري',
  'speed.MINUTES': 'دقائق',
  'speed.HOURS': 'ساعات',
  'speed.DAYS': 'بضعة أيام',

  // Details
  'details.title': 'بياناتك',
  'details.providedBy': 'بيانات مقدمة من {shop}',
  'details.providedByShop': 'بيانات مقدمة من المتجر',
  'details.pay': 'دفع {amount}',
  'details.showCode': 'عرض رمز QR',
  'details.showInstructions': 'عرض بيانات الدفع',
  'details.continueTo': 'المتابعة إلى {operator}',
  'details.faults': {
    zero: 'يُرجى تصحيح {count} حقل',
    one: 'يُرجى تصحيح حقل واحد',
    two: 'يُرجى تصحيح حقلين',
    few: 'يُرجى تصحيح {count} حقول',
    many: 'يُرجى تصحيح {count} حقلًا',
    other: 'يُرجى تصحيح {count} حقل',
  },

  // Confirmation
  'confirm.title': 'دفع {amount} إلى {shop} عبر {method}',
  'confirm.titleShop': 'دفع {amount} عبر {method}',
  'confirm.with': 'الدفع عبر {method}',
  'confirm.text': 'لن يُخصم أي مبلغ قبل الضغط على الزر.',
} as const satisfies Readonly<Record<keyof typeof source, Message>>
