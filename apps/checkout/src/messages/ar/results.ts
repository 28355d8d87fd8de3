import type { results as source } from '../en/results.ts'
import type { Message } from '../message.ts'

/** The end of a payment, in Arabic: results, receipt, reasons; and the screens of errors. One and two are words. */
export const results = {
  'paid.title': 'تم الدفع',
  'paid.text': 'شكرًا لك. تم إبلاغ المتجر.',
  'paid.late': 'وصلت أموالك بعد انتهاء مهلة الدفع. تم إبلاغ المتجر.',
  'paid.different': 'استلمنا {received} بدلًا من {amount}. تم إبلاغ المتجر.',
  'paid.contact': 'إذا كانت لديك أسئلة، فيُرجى التواصل مع المتجر.',

  'receipt.title': 'إيصال الدفع',
  'receipt.payee': 'المستفيد',
  'receipt.amount': 'المبلغ',
  'receipt.moment': 'التاريخ والوقت',
  'receipt.method': 'طريقة الدفع',
  'receipt.reference': 'الرقم المرجعي للدفع',
  'receipt.bankReference': 'الرقم المرجعي لدى البنك',
  'receipt.shareTitle': 'إيصال: {amount}',
  'receipt.shareText': 'تم دفع {amount}، الطلب {order}',

  'notPaid.title': 'لم تكتمل عملية الدفع',
  'notPaid.noMoney': 'لم يُخصم أي مبلغ.',
  'notPaid.perhaps': {
    zero: 'إذا خُصم مبلغ من حسابك، فسيُعاد خلال {count} يوم. الرقم المرجعي: {reference}',
    one: 'إذا خُصم مبلغ من حسابك، فسيُعاد خلال يوم واحد. الرقم المرجعي: {reference}',
    two: 'إذا خُصم مبلغ من حسابك، فسيُعاد خلال يومين. الرقم المرجعي: {reference}',
    few: 'إذا خُصم مبلغ من حسابك، فسيُعاد خلال {count} أيام. الرقم المرجعي: {reference}',
    many: 'إذا خُصم مبلغ من حسابك، فسيُعاد خلال {count} يومًا. الرقم المرجعي: {reference}',
    other: 'إذا خُصم مبلغ من حسابك، فسيُعاد خلال {count} يوم. الرقم المرجعي: {reference}',
  },
  'notPaid.support': 'تفاصيل لفريق الدعم',
  'notPaid.code': 'الرمز',

  'cancelled.title': 'أُلغيت عملية الدفع',

  'expired.title': 'انتهت مهلة الدفع',
  'expired.text': 'لم يصل شيء في الوقت المحدد. يمكنك البدء من جديد في المتجر.',
  'expired.paid': 'لقد دفعت بالفعل',
  'expired.paidText': 'لا تدفع مرتين. أدخل الرقم المرجعي لدفعتك حتى نتمكن من العثور عليها.',
  'expired.paidWait': 'لا تدفع مرتين. سنبلغ المتجر فور وصول أموالك.',
  'expired.enterReference': 'إدخال الرقم المرجعي',

  'reversed.title': 'تم رد المبلغ',
  'reversed.text': 'تم رد {amount}. قد يستغرق وصوله إلى حسابك بضعة أيام.',

  'status.newLink': 'اطلب من المتجر رابطًا جديدًا.',

  // Why a payment failed
  'reason.funds': 'أفاد البنك بأن رصيد هذا الحساب غير كافٍ.',
  'reason.declined': 'لم يوافق البنك على عملية الدفع.',
  'reason.authentication': 'لم تنجح الموافقة في التطبيق.',
  'reason.cancelled': 'أُلغيت عملية الدفع لدى البنك.',
  'reason.bankDown': 'البنك غير متاح حاليًا. جرّب بنكًا آخر.',
  'reason.limit': 'يتجاوز المبلغ حد حسابك أو حد طريقة الدفع هذه.',
  'reason.account': 'لا يمكن استخدام هذا الحساب لعملية الدفع هذه.',
  'reason.timeout': 'لم تصل الموافقة في الوقت المحدد.',
  'reason.returned': 'أُعيدت الأموال إليك.',
  'reason.unknown': 'تعذّر إكمال عملية الدفع.',
  'action.askBank': 'يمكن للبنك أن يوضح لك السبب.',

  // Screens of errors
  'error.code': 'رمز الخطأ',
  'error.linkInvalid': 'لم يعد رابط الدفع هذا صالحًا',
  'error.linkInvalidText':
    'حفاظًا على أمانك، تعمل روابط الدفع لمدة محدودة فقط. لم يُخصم أي مبلغ عند فتح هذا الرابط.',
  'error.linkInvalidAction': 'إذا لم تدفع بعد، فعد إلى المتجر وابدأ الدفع من جديد.',
  'error.linkIncomplete': 'رابط الدفع هذا غير مكتمل',
  'error.linkIncompleteText': 'لم يُخصم أي مبلغ. عد إلى المتجر وابدأ الدفع من جديد.',
  'error.shopDetails': 'أرسل المتجر بيانات غير مكتملة',
  'error.shopDetailsText': 'لم يُخصم أي مبلغ. يُرجى التواصل مع المتجر.',
  'error.returnAddress': 'عنوان العودة الخاص بالمتجر غير مسجل',
  'error.returnAddressText': 'حفاظًا على أمانك، لا يمكننا المتابعة. لم يُخصم أي مبلغ.',
  'error.unknownPayment': 'لا يمكننا العثور على عملية الدفع هذه',
  'error.unknownPaymentText': 'ربما لم تبدأ بعد.',
  'error.noOptions': 'لا يمكن دفع هذا المبلغ هنا',
  'error.noOptionsText': 'لا يمكن دفع {amount} بطرق الدفع المتاحة في هذا المتجر.',
  'error.unreachable': 'تعذّر الوصول إلى خدمة الدفع',
  'error.unreachableText': 'لم يُخصم أي مبلغ. نحتفظ ببياناتك ونعيد المحاولة.',
  'error.unreachableUnsure': 'لا تدفع مرة أخرى. نحتفظ ببياناتك ونستعلم عن حالة دفعتك.',
  'error.busy': 'عدد عمليات الدفع كبير جدًا حاليًا',
  'error.busyText': 'لم يُخصم أي مبلغ. سنعيد المحاولة بعد لحظات.',
  'error.limited': 'يُرجى الانتظار لحظة',
  'error.limitedText': 'وصلت طلبات كثيرة جدًا من اتصالك. لا يؤثر ذلك في عملية الدفع.',
  'error.unexpected': 'حدث خطأ من جانبنا',
  'error.unexpectedText': 'يُرجى إعادة المحاولة. إذا تكرر الخطأ، فزوّد المتجر بهذا الرمز.',
  'error.forbidden': 'لم يُرسل هذا النموذج من صفحتنا',
  'error.forbiddenText': 'حفاظًا على أمانك، لم نعالجه. افتح عملية الدفع من المتجر من جديد.',
  'error.notFound': 'الصفحة غير موجودة',
  'error.notFoundText': 'استخدم الرابط الذي حصلت عليه من المتجر.',
} as const satisfies Readonly<Record<keyof typeof source, Message>>
