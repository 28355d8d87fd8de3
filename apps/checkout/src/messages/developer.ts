/**
 * What only developers of a shop see, in the sandbox: English in every language, as the documentation is.
 * Mark what shows it with `lang="en" dir="ltr"`.
 */
export const developer = {
  'developer.title': 'For developers (sandbox only)',
  'developer.parameter': 'Parameter',
  'developer.received': 'Received',
  'developer.rule': 'Rule',
  'developer.nothing': '(nothing)',
  'developer.methodsDropped': 'Why each method was left out',
  'panel.title': 'Test panel',
  'panel.text': 'What should the simulated bank do?',
  'panel.paid': 'Simulate: paid',
  'panel.rejected': 'Simulate: rejected',
  'panel.expires': 'Simulate: expires now',
  'panel.slow': 'Simulate: bank has no answer for 15 s',
  'panel.partial': 'Simulate: partial amount',
} as const
