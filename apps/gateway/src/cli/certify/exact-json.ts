/** JSON whose numbers keep their digits when it is written again: amounts never pass through a float. Throws SyntaxError. */
export const exactJson = (text: string): unknown =>
  JSON.parse(text, (_name, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
  )
