import { killUploads } from '../kinds/kill-uploads.ts'
import type { Mutant } from './mutant.ts'

/** Gateways that let one person do what takes two. */
export const PEOPLE_MUTANTS: readonly Mutant[] = [
  {
    name: 'single-upload',
    title: 'a statement that one operator hands in is taken at once, without a second one',
    patches: [
      {
        file: 'apps/gateway/src/modules/confirmations/model.ts',
        find: 'if (!isPositive(amount)) return false',
        replace: 'if (isPositive(amount)) return false',
      },
    ],
    kind: killUploads,
    mustBreak: 'I19',
  },
]
