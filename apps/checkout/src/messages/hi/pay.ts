import type { pay as source } from '../en/pay.ts'
import type { Message } from '../message.ts'

/** The payment exists and waits, in Hindi. */
export const pay = {
  // On the way to the institution
  'redirect.title': '{operator} पर जारी रखें',
  'redirect.text': 'वहाँ {payee} को {amount} के भुगतान की मंज़ूरी दें। फिर आप अपने-आप यहाँ लौट आएँगे।',
  'redirect.textShop': 'वहाँ {amount} के भुगतान की मंज़ूरी दें। फिर आप अपने-आप यहाँ लौट आएँगे।',
  'redirect.go': '{operator} पर जाएँ',
  'redirect.opensApp': 'अगर ऐप इस फ़ोन में है, तो वह खुल जाएगा।',
  'redirect.phone': 'क्या ऐप आपके फ़ोन में है?',
  'redirect.phoneText': 'वहाँ जारी रखने के लिए अपने फ़ोन से यह कोड स्कैन करें।',
  'redirect.unavailable': '{operator} से इस समय जवाब नहीं मिल रहा है',
  'redirect.unavailableText': 'आपसे कोई राशि नहीं ली गई है।',

  'back.title': '{operator} पर आपका भुगतान पूरा नहीं हुआ है',
  'back.text': 'हमें अभी तक आपकी मंज़ूरी नहीं मिली है।',
  'back.approved': 'मैंने मंज़ूरी दे दी है',

  // Instructions
  'code.label': 'QR कोड: {payee} को {amount}, संदर्भ संख्या {reference}',
  'code.lead': 'अपने ऐप से कोड स्कैन करें।',
  'code.leadApp': 'अपना ऐप खोलें या किसी दूसरे फ़ोन से कोड स्कैन करें।',
  'code.leadWallet': 'अपना वॉलेट खोलें या उससे कोड स्कैन करें।',
  'code.enlarge': 'बड़ा करें',
  'code.otherPhone': 'किसी दूसरे फ़ोन से स्कैन करें',
  'code.copyCode': 'कोड कॉपी करें',
  'code.copyHint': 'कोड कॉपी करके अपने ऐप में पेस्ट करें।',
  'code.paymentCode': 'भुगतान कोड',
  'code.openApp': 'ऐप में खोलें',
  'code.noApp': 'कोई ऐप नहीं खुला? कोड कॉपी करके अपने ऐप में पेस्ट करें या किसी दूसरे फ़ोन से स्कैन करें।',

  'transfer.title': 'अपने बैंक से ट्रांसफ़र करें',
  'transfer.lead': 'ये विवरण अपने बैंक के ऐप में कॉपी करें।',
  'transfer.leadScan': 'अपने बैंक के ऐप से कोड स्कैन करें या विवरण डालें।',
  'transfer.leadApp': 'अपने बैंक का ऐप खोलें या ये विवरण उसमें कॉपी करें।',
  'transfer.details': 'भुगतान विवरण',
  'transfer.payee': 'प्राप्तकर्ता',
  'transfer.iban': 'IBAN',
  'transfer.accountNumber': 'खाता संख्या',
  'transfer.address': 'पता',
  'transfer.bank': 'बैंक',
  'transfer.bankCode': 'बैंक कोड',
  'transfer.bankTitle': 'बैंक और बैंक कोड',
  'transfer.amount': 'राशि',
  'transfer.reference': 'संदर्भ संख्या',
  'transfer.referenceRule': 'इसे हूबहू लिखें। इसके बिना आपका भुगतान ढूँढा नहीं जा सकता।',
  'transfer.late': 'इस समय के बाद आने वाला पैसा खोता नहीं है: स्टोर को सूचना दी जाती है।',
  'transfer.lateTitle': 'अगर मैं देर से भुगतान करूँ तो?',
  'transfer.save': 'यह विवरण सहेजें',

  'deadline.payBefore': '{moment} से पहले भुगतान करें',
  'countdown.minutes': { one: '{count} मिनट शेष', other: '{count} मिनट शेष' },
  'countdown.over': 'समय समाप्त हो गया है। हम जाँच रहे हैं कि आपका भुगतान पहुँचा है या नहीं।',

  'waitFor.title': 'आपके भुगतान की प्रतीक्षा है…',
  'waitFor.text': 'यह पेज अपने-आप अपडेट होता है। आप इसे बंद कर सकते हैं; स्टोर को सूचना मिल ही जाएगी।',
  'waitFor.textNoScript': 'यह पेज हर 20 सेकंड में फिर से लोड होता है।',
  'waitFor.paid': 'मैंने भुगतान कर दिया है',
  'waitFor.phone': 'अपने फ़ोन पर जारी रखें',
  'waitFor.phoneCode': 'QR कोड: यह पेज आपके फ़ोन पर',

  'partial.title': 'राशि का एक हिस्सा मिल गया है',
  'partial.text': 'हमें {amount} में से {received} मिले हैं।',
  'partial.rest': 'कृपया शेष {rest} उसी संदर्भ संख्या के साथ भेजें।',
  'partial.restLabel': 'शेष राशि',

  // External reference
  'reference.title': 'भुगतान की संदर्भ संख्या डालें',
  'reference.text': 'भुगतान के बाद आपका ऐप एक संदर्भ संख्या दिखाता है। इससे हमें आपका भुगतान ढूँढने में मदद मिलती है।',
  'reference.where': 'यह कहाँ मिलेगी?',
  'reference.whereApp': 'अपने ऐप में भुगतान खोलें। संदर्भ संख्या भुगतान के विवरण में होती है।',
  'reference.whereReceipt': 'अगर आपने काउंटर पर भुगतान किया है, तो यह आपकी रसीद पर होती है।',
  'reference.send': 'संदर्भ संख्या भेजें',
  'reference.cannotFind': 'मुझे यह नहीं मिल रही',
  'reference.thanks': 'धन्यवाद। हम आपका भुगतान ढूँढ रहे हैं।',
  'reference.correct': 'संदर्भ संख्या सुधारें',
  'reference.refused': 'यह संदर्भ संख्या स्वीकार नहीं हुई। कृपया इसे जाँचें।',

  // Waiting for a confirmation
  'waiting.title': 'आपके भुगतान की पुष्टि हो रही है',
  'waiting.timeline': 'अब तक की स्थिति',
  'waiting.sent': 'विवरण भेजा गया',
  'waiting.referenceSent': 'संदर्भ संख्या भेजी गई',
  'waiting.confirming': 'पुष्टि की प्रतीक्षा है',
  'waiting.usual': 'इसमें आमतौर पर 2 मिनट से कम लगते हैं। दोबारा भुगतान न करें।',
  'waiting.long': 'इसमें सामान्य से ज़्यादा समय लग रहा है। दोबारा भुगतान न करें।',
  'waiting.longText': 'आप जा सकते हैं: स्टोर को सूचना दी जाएगी और इस लिंक पर परिणाम दिखता रहेगा।',
  'waiting.review': 'हमारी टीम आपके भुगतान की जाँच कर रही है।',
  'waiting.copyLink': 'इस पेज का लिंक कॉपी करें',
  'waiting.link': 'इस पेज का लिंक',

  'live.changed': 'आपके भुगतान की स्थिति बदल गई है।',
  'live.show': 'नई स्थिति देखें',
  'offline.text': 'आप ऑफ़लाइन हैं। इंटरनेट वापस आते ही हम आगे बढ़ेंगे।',
  'offline.back': 'आप फिर से ऑनलाइन हैं।',
} as const satisfies Readonly<Record<keyof typeof source, Message>>
