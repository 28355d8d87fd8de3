/** Without control characters: what others wrote must not move the cursor or colour the terminal. */
export function harmless(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}
