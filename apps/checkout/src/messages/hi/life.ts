import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** Hindi: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'आपका ब्राउज़र कुकी को रोक रहा है',
  'cookies.text': 'आपके भुगतान पर नज़र रखने के लिए इस पेज को एक कुकी चाहिए। इसका कोई और उपयोग नहीं होता।',
  'cookies.how': 'अपने ब्राउज़र की सेटिंग में इस पेज के लिए कुकी की अनुमति दें, या दूसरा ब्राउज़र इस्तेमाल करें।',
  'cookies.app': 'अगर आपने यह पेज किसी ऐप के अंदर खोला है, तो उसके मेन्यू में “ब्राउज़र में खोलें” चुनें।',
  'phone.minutes': { one: 'यह कोड {count} मिनट तक मान्य है।', other: 'यह कोड {count} मिनट तक मान्य है।' },
  'phone.over': 'इस कोड की अवधि समाप्त हो गई है',
  'phone.overText': 'कोड को दूसरे डिवाइस पर फिर से दिखाएँ और एक बार और स्कैन करें।',
  'unavailable.text': 'हम लगातार कोशिश कर रहे हैं। अगर आप वहाँ भुगतान को मंज़ूरी दे चुके हैं, तो आपको और कुछ नहीं करना है।',
  'unavailable.anyway': 'फिर भी {operator} पर जाएँ',
  'partial.overTitle': 'हमें माँगी गई राशि से ज़्यादा पैसे मिले हैं',
  'partial.other': 'हमें {amount} के बजाय {received} मिले।',
  'partial.nothingMore': 'आपको और कुछ नहीं चुकाना है।',
  'waiting.back': '{operator} से वापसी',
  'waiting.notAgain': 'दोबारा भुगतान न करें।',
  'waiting.checked': 'हमारी टीम जाँच कर रही है',
  'status.linkEnded': 'आपके लिंक की अवधि समाप्त हो गई है। आप यहाँ अब भी अपने भुगतान की स्थिति देख सकते हैं।',
} as const satisfies Record<keyof typeof source, Message>
