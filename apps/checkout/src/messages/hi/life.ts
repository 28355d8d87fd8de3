import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** Hindi: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'आपका ब्राउज़र कुकी नहीं रखता',
  'cookies.text': 'आपके भुगतान से जुड़े रहने के लिए इस पेज को एक कुकी चाहिए। यह केवल इसी भुगतान के लिए है।',
  'cookies.how': 'अपने ब्राउज़र की सेटिंग में इस पेज के लिए कुकी की अनुमति दें, या दूसरा ब्राउज़र इस्तेमाल करें।',
  'cookies.app': 'अगर आप किसी ऐप के अंदर हैं, तो उसके मेन्यू में “ब्राउज़र में खोलें” चुनें।',
  'phone.minutes': {
    one: 'यह कोड {count} मिनट तक चलता है।',
    other: 'यह कोड {count} मिनट तक चलता है।',
  },
  'phone.over': 'यह कोड पुराना हो गया है',
  'phone.overText': 'इसे दूसरे डिवाइस पर फिर से दिखाएँ और एक बार और स्कैन करें।',
  'unavailable.text': 'हम कोशिश कर रहे हैं। अगर आप वहाँ भुगतान को पहले ही मंज़ूरी दे चुके हैं, तो आपको और कुछ नहीं करना है।',
  'unavailable.anyway': 'फिर भी {operator} पर जाएँ',
  'partial.overTitle': 'राशि से ज़्यादा पैसा आया है',
  'partial.other': 'हमें {amount} की जगह {received} मिले।',
  'partial.nothingMore': 'आपको और कुछ नहीं चुकाना है।',
  'waiting.back': '{operator} से वापस',
  'waiting.checked': 'जाँच के लिए किसी व्यक्ति को दिया गया',
  'status.linkEnded': 'आपका लिंक समाप्त हो गया है। आप यहाँ अब भी देख सकते हैं कि आपके भुगतान का क्या हुआ।',
} as const satisfies Record<keyof typeof source, Message>
