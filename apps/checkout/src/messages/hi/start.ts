import type { start as source } from '../en/start.ts'
import type { Message } from '../message.ts'

/** The frame of every screen, and the screens before the payment exists, in Hindi. */
export const start = {
  // Frame
  'frame.skip': 'मुख्य सामग्री पर जाएँ',
  'frame.sandbox': 'सैंडबॉक्स – असली पैसा नहीं',
  'frame.orderNumber': 'ऑर्डर नंबर',
  'frame.changeLanguage': 'भाषा बदलें',
  'frame.support': '{shop} से संपर्क करें',
  'frame.secured': '{operator} द्वारा सुरक्षित',
  'frame.trust': 'कनेक्शन एन्क्रिप्टेड है। स्टोर को सिर्फ़ यह दिखता है कि आपने भुगतान किया है, आपका बैंक लॉगिन कभी नहीं।',

  // Titles of the browser's tab
  'title.withShop': '{title} – {shop}',
  'title.pay': '{amount} का भुगतान करें',
  'title.paid': '{amount} का भुगतान हो गया',
  'title.notPaid': 'भुगतान नहीं हुआ',
  'title.inProgress': 'भुगतान जारी है',
  'title.faulty': 'कृपया जाँचें: {title}',

  // Actions of many screens
  'common.change': 'बदलें',
  'common.close': 'बंद करें',
  'common.copyWhat': 'कॉपी करें: {label}',
  'common.copied': 'कॉपी हो गया: {label}',
  'common.copiedShort': 'कॉपी हो गया',
  'common.copyFailed': 'कॉपी करने के लिए दबाकर रखें',
  'common.optional': 'वैकल्पिक',
  'common.printOrSave': 'प्रिंट करें या सहेजें',
  'common.share': 'शेयर करें',
  'common.sending': 'भेजा जा रहा है…',
  'common.stay': 'यहीं रहें',
  'common.stop': 'रोकें',
  'common.tryAgain': 'फिर से कोशिश करें',
  'common.tryNow': 'अभी कोशिश करें',
  'common.returnTo': '{host} पर लौटें',
  'common.cancelAndReturnTo': 'रद्द करके {host} पर लौटें',

  // Going on without a click
  'proceed.continuing': {
    one: '{count} सेकंड में अपने-आप आगे बढ़ेगा।',
    other: '{count} सेकंड में अपने-आप आगे बढ़ेगा।',
  },
  'proceed.returning': {
    one: 'आप {count} सेकंड में स्टोर पर लौट जाएँगे।',
    other: 'आप {count} सेकंड में स्टोर पर लौट जाएँगे।',
  },
  'proceed.retrying': {
    one: 'हम {count} सेकंड में फिर से कोशिश करेंगे।',
    other: 'हम {count} सेकंड में फिर से कोशिश करेंगे।',
  },

  // Leaving
  'leave.title': 'आपका भुगतान अभी पूरा नहीं हुआ है। क्या आप यह पेज छोड़ना चाहते हैं?',
  'leave.text': 'आपका भुगतान {moment} तक खुला रहेगा। तब तक आप इस पेज पर वापस आ सकते हैं।',
  'leave.paid': 'अगर आप भुगतान कर चुके हैं, तो दोबारा भुगतान न करें: हम स्टोर को सूचना देंगे।',
  'leave.stay': 'इसी पेज पर रहें',
  'leave.go': 'यह पेज छोड़ें',

  // Methods and operators
  'choose.title': 'आप भुगतान कैसे करना चाहेंगे?',
  'choose.bank': 'अपना बैंक चुनें',
  'choose.wallet': 'अपना वॉलेट चुनें',
  'choose.searchBank': 'अपना बैंक खोजें',
  'choose.searchWallet': 'अपना वॉलेट खोजें',
  'choose.searchHint': 'नाम या BIC',
  'choose.popular': 'सबसे ज़्यादा इस्तेमाल होने वाले',
  'choose.otherBanks': 'अन्य बैंक',
  'choose.otherWallets': 'अन्य वॉलेट',
  'choose.unavailable': 'अस्थायी रूप से उपलब्ध नहीं',
  'choose.closed': 'इस समय उपलब्ध नहीं',
  'choose.limitReached': 'आज की सीमा पूरी हो गई',
  'choose.limitReachedOf': '{method} की आज की सीमा पूरी हो गई है। कृपया भुगतान का कोई और तरीका चुनें।',
  'choose.delayed': 'इस समय सामान्य से धीमा',
  'choose.bankNotListed': 'मेरा बैंक सूची में नहीं है',
  'choose.walletNotListed': 'मेरा वॉलेट सूची में नहीं है',
  'choose.chooseAnotherWay': 'भुगतान का कोई और तरीका चुनें',
  'choose.results': { one: '{count} परिणाम', other: '{count} परिणाम' },
  'choose.noResults': 'कुछ नहीं मिला। वर्तनी जाँचें या भुगतान का कोई और तरीका चुनें।',
  'choose.suggestedUnavailable': 'भुगतान का सुझाया गया तरीका इस राशि के लिए उपलब्ध नहीं है। कृपया कोई और तरीका चुनें।',

  'method.BANK_TRANSFER': 'बैंक ट्रांसफ़र',
  'method.ONLINE_BANKING': 'नेट बैंकिंग',
  'method.WALLET': 'वॉलेट',
  'method.UPI': 'UPI',
  'method.PIX': 'Pix',
  'method.OFFLINE_TRANSFER': 'संदर्भ संख्या वाला ट्रांसफ़र',
  'method.CRYPTO': 'क्रिप्टोकरेंसी',

  'flow.REDIRECT': 'अपने बैंक या वॉलेट में भुगतान को मंज़ूरी दें।',
  'flow.INSTRUCTIONS': 'विवरण अपने बैंक के ऐप में कॉपी करें।',
  'flow.QR': 'कोड स्कैन करें या किसी ऐप में भुगतान करें।',
  'flow.REFERENCE': 'अपने बैंक के ऐप में भुगतान करें और संदर्भ संख्या यहाँ डालें।',

  'speed.INSTANT': 'तुरंत',
  'speed.MINUTES': 'कुछ मिनट',
  'speed.HOURS': 'कुछ घंटे',
  'speed.DAYS': 'कुछ दिन',

  // Details
  'details.title': 'आपका विवरण',
  'details.providedBy': '{shop} द्वारा दिया गया विवरण',
  'details.providedByShop': 'स्टोर द्वारा दिया गया विवरण',
  'details.pay': '{amount} का भुगतान करें',
  'details.showCode': 'QR कोड दिखाएँ',
  'details.showInstructions': 'भुगतान विवरण दिखाएँ',
  'details.continueTo': '{operator} पर जाएँ',
  'details.faults': {
    one: 'कृपया {count} प्रविष्टि सुधारें',
    other: 'कृपया {count} प्रविष्टियाँ सुधारें',
  },

  // Confirmation
  'confirm.title': '{shop} को {method} से {amount} का भुगतान करें',
  'confirm.titleShop': '{method} से {amount} का भुगतान करें',
  'confirm.with': '{method} से भुगतान करें',
  'confirm.text': 'जब तक आप बटन नहीं दबाते, कोई राशि नहीं ली जाएगी।',
} as const satisfies Readonly<Record<keyof typeof source, Message>>
