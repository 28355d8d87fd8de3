import { Type } from 'typebox'
import { Compile } from 'typebox/schema'

// What comes with a backup. Compiling takes longer than most commands do, so it is loaded by those who have one in hand.

const Position = Type.Object({ rows: Type.Tuple([Type.Object({ recptr: Type.String() })]) })

/** One answer before the copy, one about tablespaces, one behind the copy, and the end of the command. */
export const copyAnswers = Compile(Type.Tuple([Position, Type.Unknown(), Position, Type.Unknown()]))

/** PostgreSQL's own list of the files of a backup. */
export const manifestShape = Compile(
  Type.Object({
    Files: Type.Array(
      Type.Object({
        Path: Type.String(),
        Size: Type.Integer({ minimum: 0 }),
        'Checksum-Algorithm': Type.Literal('SHA256'),
        Checksum: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      }),
    ),
  }),
)
