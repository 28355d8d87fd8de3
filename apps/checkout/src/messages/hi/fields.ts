import type { fields as source } from '../en/fields.ts'
import type { Message } from '../message.ts'

/** What customers type in, in Hindi: labels, hints, and what can be wrong with it. */
export const fields = {
  'field.accountName': 'खाताधारक का नाम',
  'field.accountName.hint': 'जैसा आपके बैंक खाते में लिखा है।',
  'field.iban': 'IBAN',
  'field.iban.hint': 'यह आपके बैंकिंग ऐप में मिलेगा। यह दो अक्षरों से शुरू होता है, जैसे {example}।',
  'field.accountNumber': 'खाता संख्या',
  'field.accountNumber.hint': 'यह आपके बैंकिंग ऐप या खाता विवरण (स्टेटमेंट) में मिलेगी।',
  'field.bankCode': 'बैंक कोड',
  'field.bankCode.hint': 'आपके बैंक का BIC, IFSC या सॉर्ट कोड।',
  'field.emailAddress': 'ईमेल',
  'field.emailAddress.hint': 'हम इसका उपयोग केवल इस भुगतान के लिए करेंगे।',
  'field.vpa': 'UPI ID',
  'field.vpa.hint': 'यह {example} जैसी दिखती है।',
  'field.walletAccount': 'वॉलेट खाता',
  'field.walletAccount.hint': 'वह फ़ोन नंबर, ईमेल या नाम जिससे आप अपना वॉलेट इस्तेमाल करते हैं।',
  'field.address': 'आपके वॉलेट का पता',
  'field.address.hint': 'ज़रूरत पड़ने पर हम पैसे इसी पते पर वापस भेजेंगे।',
  'field.reference': 'भुगतान की संदर्भ संख्या',
  'field.reference.hint': 'यह आपके ऐप में भुगतान के विवरण में या रसीद पर मिलेगी।',
  'field.rrn': 'UPI लेन-देन ID (UTR)',
  'field.rrn.hint': '12 अंक, आपके ऐप में “UPI लेन-देन ID”, “UPI transaction ID” या “UTR” के नीचे।',
  'field.neftUtr': 'NEFT ट्रांसफ़र का UTR',
  'field.neftUtr.hint': '16 अक्षर और अंक, ट्रांसफ़र के विवरण में।',
  'field.rtgsUtr': 'RTGS ट्रांसफ़र का UTR',
  'field.rtgsUtr.hint': '22 अक्षर और अंक; पाँचवाँ अक्षर R होता है।',
  'field.endToEndId': 'Pix लेन-देन ID',
  'field.endToEndId.hint': 'E से शुरू होने वाले 32 वर्ण, रसीद (comprovante) पर।',
  'field.transactionId': 'लेन-देन ID',
  'field.transactionId.hint': 'भेजने के बाद आपका वॉलेट इसे दिखाता है।',

  'fault.required': 'यह ज़रूरी है: {label}।',
  'fault.tooLong': {
    one: 'अधिकतम {count} वर्ण की अनुमति है; आपने {typed} डाले हैं।',
    other: 'अधिकतम {count} वर्णों की अनुमति है; आपने {typed} डाले हैं।',
  },
  'fault.characters': 'इस वर्ण की यहाँ अनुमति नहीं है: {character}',
  'fault.pattern': 'यह सही नहीं लगता। कृपया मूल से मिलाकर देखें।',

  'fault.iban.country': 'IBAN दो अक्षरों के देश कोड से शुरू होता है; {country} देश कोड नहीं है।',
  'fault.iban.tooShort': {
    one: '{country} से शुरू होने वाले IBAN में {count} वर्ण होता है; आपने {typed} डाले हैं।',
    other: '{country} से शुरू होने वाले IBAN में {count} वर्ण होते हैं; आपने {typed} डाले हैं।',
  },
  'fault.iban.tooLong': {
    one: '{country} से शुरू होने वाले IBAN में केवल {count} वर्ण होता है; आपने {typed} डाले हैं।',
    other: '{country} से शुरू होने वाले IBAN में केवल {count} वर्ण होते हैं; आपने {typed} डाले हैं।',
  },
  'fault.iban.checkDigits': 'इस IBAN में टाइपिंग की गलती है। कृपया हर अक्षर और अंक जाँचें।',
  'fault.iban.character': 'IBAN में केवल अक्षर और अंक होते हैं, {character} नहीं।',

  'fault.vpa': 'UPI ID {example} जैसी दिखती है।',
  'fault.email': 'ईमेल पता {example} जैसा दिखता है।',
  'fault.reference.digits': {
    one: 'इस संदर्भ संख्या में {count} अंक होता है; आपने {typed} डाले हैं।',
    other: 'इस संदर्भ संख्या में {count} अंक होते हैं; आपने {typed} डाले हैं।',
  },
  'fault.reference.length': {
    one: 'इस संदर्भ संख्या में {count} वर्ण होता है; आपने {typed} डाले हैं।',
    other: 'इस संदर्भ संख्या में {count} वर्ण होते हैं; आपने {typed} डाले हैं।',
  },
  'fault.reference.digitsOnly': 'इस संदर्भ संख्या में केवल अंक होते हैं, {character} नहीं।',
  'fault.reference.characters': 'इस संदर्भ संख्या में केवल अक्षर और अंक होते हैं, {character} नहीं।',
  'fault.reference.rtgs': 'इस संदर्भ संख्या का पाँचवाँ अक्षर R होता है।',
  'fault.reference.start': 'यह संदर्भ संख्या {start} से शुरू होती है।',
  'fault.name': 'नाम में अक्षर होने चाहिए।',
} as const satisfies Readonly<Record<keyof typeof source, Message>>
