const NAMES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

/** The text as it stands between tags or in an attribute. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (each) => `&${NAMES[each] ?? 'amp'};`)
