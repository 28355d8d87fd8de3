import type { Finding, Tree } from './tree.ts'

const SOURCE = /[.](ts|js|mjs|cjs|sql|css|html|sh|ya?ml)$|^[.]ci\//
// Only in comments: the same letters are a currency code and a good part of a test's data elsewhere.
const WORDS = ['FIX' + 'ME', 'XX' + 'X', 'TO' + 'DO']
const LEFTOVER = new RegExp(`(?://|/[*]|^\\s*[*]|--|#|<!--).*\\b(${WORDS.join('|')})\\b`)

/** Work that was put off is written where work is planned, not where it was forgotten. */
export function findLeftovers(tree: Tree): Finding[] {
  return tree.files
    .filter((path) => SOURCE.test(path))
    .flatMap((path) =>
      tree
        .read(path)
        .split('\n')
        .flatMap((text, index) => {
          const word = LEFTOVER.exec(text)?.[1]
          if (word === undefined) return []
          return [
            {
              path,
              line: index + 1,
              message: `${word} left behind. Do it now, or describe it in an issue and delete the comment.`,
            },
          ]
        }),
    )
}
