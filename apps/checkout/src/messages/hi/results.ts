import type { results as source } from '../en/results.ts'
import type { Message } from '../message.ts'

/** The end of a payment, in Hindi: results, receipt, reasons; and the screens of errors. */
export const results = {
  'paid.title': 'भुगतान हो गया',
  'paid.text': 'धन्यवाद। स्टोर को सूचना दे दी गई है।',
  'paid.late': 'आपका पैसा भुगतान का समय समाप्त होने के बाद मिला। स्टोर को सूचना दे दी गई है।',
  'paid.different': 'हमें {amount} के बजाय {received} मिले। स्टोर को सूचना दे दी गई है।',
  'paid.contact': 'अगर आपका कोई सवाल है, तो कृपया स्टोर से संपर्क करें।',

  'receipt.title': 'रसीद',
  'receipt.payee': 'प्राप्तकर्ता',
  'receipt.amount': 'राशि',
  'receipt.moment': 'तारीख और समय',
  'receipt.method': 'भुगतान का तरीका',
  'receipt.reference': 'भुगतान की संदर्भ संख्या',
  'receipt.bankReference': 'बैंक की संदर्भ संख्या',
  'receipt.shareTitle': 'रसीद: {amount}',
  'receipt.shareText': '{amount} का भुगतान हुआ, ऑर्डर {order}',

  'notPaid.title': 'भुगतान पूरा नहीं हुआ',
  'notPaid.noMoney': 'कोई राशि नहीं काटी गई।',
  'notPaid.perhaps': {
    one: 'अगर आपके खाते से पैसा कट गया है, तो वह {count} दिन में वापस आ जाएगा। संदर्भ संख्या: {reference}',
    other: 'अगर आपके खाते से पैसा कट गया है, तो वह {count} दिनों में वापस आ जाएगा। संदर्भ संख्या: {reference}',
  },
  'notPaid.support': 'सहायता टीम के लिए विवरण',
  'notPaid.code': 'कोड',

  'cancelled.title': 'भुगतान रद्द कर दिया गया',

  'expired.title': 'भुगतान का समय समाप्त हो गया है',
  'expired.text': 'समय पर कुछ नहीं मिला। आप स्टोर पर फिर से शुरू कर सकते हैं।',
  'expired.paid': 'मैंने भुगतान कर दिया है',
  'expired.paidText': 'दोबारा भुगतान न करें। अपने भुगतान की संदर्भ संख्या डालें, ताकि हम उसे ढूँढ सकें।',
  'expired.paidWait': 'दोबारा भुगतान न करें। आपका पैसा मिलते ही स्टोर को सूचना दी जाएगी।',
  'expired.enterReference': 'संदर्भ संख्या डालें',

  'reversed.title': 'राशि वापस की गई',
  'reversed.text': '{amount} लौटा दिए गए हैं। आपके खाते में आने में कुछ दिन लग सकते हैं।',

  'status.newLink': 'स्टोर से नया लिंक माँगें।',

  // Why a payment failed
  'reason.funds': 'आपके बैंक के अनुसार इस खाते में पर्याप्त राशि नहीं है।',
  'reason.declined': 'आपके बैंक ने भुगतान को मंज़ूरी नहीं दी।',
  'reason.authentication': 'आपके ऐप में मंज़ूरी सफल नहीं हुई।',
  'reason.cancelled': 'आपके बैंक में भुगतान रद्द कर दिया गया।',
  'reason.bankDown': 'आपका बैंक इस समय उपलब्ध नहीं है। कोई और बैंक आज़माएँ।',
  'reason.limit': 'राशि आपके खाते की या भुगतान के इस तरीके की सीमा से ज़्यादा है।',
  'reason.account': 'इस खाते का उपयोग इस भुगतान के लिए नहीं किया जा सकता।',
  'reason.timeout': 'समय पर मंज़ूरी नहीं मिली।',
  'reason.returned': 'पैसा आपको वापस भेज दिया गया।',
  'reason.unknown': 'भुगतान पूरा नहीं हो सका।',
  'action.askBank': 'आपका बैंक इसका कारण बता सकता है।',

  // Screens of errors
  'error.code': 'त्रुटि कोड',
  'error.linkInvalid': 'यह भुगतान लिंक अब मान्य नहीं है',
  'error.linkInvalidText':
    'आपकी सुरक्षा के लिए भुगतान लिंक सीमित समय तक ही काम करते हैं। इसे खोलने पर कोई राशि नहीं ली गई।',
  'error.linkInvalidAction': 'अगर आपने अभी तक भुगतान नहीं किया है, तो स्टोर पर वापस जाकर भुगतान फिर से शुरू करें।',
  'error.linkIncomplete': 'यह भुगतान लिंक अधूरा है',
  'error.linkIncompleteText': 'कोई राशि नहीं ली गई। स्टोर पर वापस जाकर भुगतान फिर से शुरू करें।',
  'error.shopDetails': 'स्टोर ने अधूरा विवरण भेजा है',
  'error.shopDetailsText': 'कोई राशि नहीं ली गई। कृपया स्टोर से संपर्क करें।',
  'error.returnAddress': 'स्टोर का वापसी पता पंजीकृत नहीं है',
  'error.returnAddressText': 'आपकी सुरक्षा के लिए हम आगे नहीं बढ़ सकते। कोई राशि नहीं ली गई।',
  'error.unknownPayment': 'हमें यह भुगतान नहीं मिला',
  'error.unknownPaymentText': 'हो सकता है कि यह शुरू ही न हुआ हो।',
  'error.noOptions': 'इस राशि का भुगतान यहाँ नहीं किया जा सकता',
  'error.noOptionsText': 'इस स्टोर के तरीकों से {amount} का भुगतान नहीं किया जा सकता।',
  'error.unreachable': 'भुगतान सेवा से संपर्क नहीं हो पा रहा है',
  'error.unreachableText': 'आपसे कोई राशि नहीं ली गई है। हम आपका विवरण सुरक्षित रखकर फिर से कोशिश करेंगे।',
  'error.unreachableUnsure': 'दोबारा भुगतान न करें। हम आपका विवरण सुरक्षित रखकर आपके भुगतान की स्थिति पता कर रहे हैं।',
  'error.busy': 'इस समय बहुत लोग भुगतान कर रहे हैं',
  'error.busyText': 'आपसे कोई राशि नहीं ली गई है। हम कुछ ही पल में फिर से कोशिश करेंगे।',
  'error.limited': 'कृपया थोड़ा इंतज़ार करें',
  'error.limitedText': 'आपके कनेक्शन से बहुत ज़्यादा अनुरोध आए हैं। आपके भुगतान पर इसका कोई असर नहीं पड़ा है।',
  'error.unexpected': 'हमारी ओर से कोई गड़बड़ी हुई है',
  'error.unexpectedText': 'कृपया फिर से कोशिश करें। अगर ऐसा दोबारा हो, तो यह कोड स्टोर को बताएँ।',
  'error.forbidden': 'यह फ़ॉर्म हमारे पेज से नहीं भेजा गया',
  'error.forbiddenText': 'आपकी सुरक्षा के लिए हमने इसे स्वीकार नहीं किया। स्टोर से भुगतान फिर से खोलें।',
  'error.notFound': 'पेज नहीं मिला',
  'error.notFoundText': 'स्टोर से मिले लिंक का उपयोग करें।',
} as const satisfies Readonly<Record<keyof typeof source, Message>>
