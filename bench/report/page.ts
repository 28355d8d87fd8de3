/** The part of a page between its markers; what stands around it is written by hand. */
export function replaceSection(page: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}: figures of the last run -->`, `<!-- ${name}: end -->`]
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`the page has no section between ${start} and ${end}`)
  return `${page.slice(0, from + start.length)}\n\n${content.trim()}\n\n${page.slice(to)}`
}
