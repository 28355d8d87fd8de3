import { isPlaceholderReference } from './placeholder-references.ts'

/** A reference that names something: undefined for what banks write where they have none. */
export function realReference(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === undefined || isPlaceholderReference(trimmed) ? undefined : trimmed
}

/** Those among the texts that name something. */
export function realReferences(texts: readonly (string | undefined)[]): readonly string[] {
  return texts.flatMap((text) => realReference(text) ?? [])
}
