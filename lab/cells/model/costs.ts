import type { Figures, Measured } from '../figures.ts'

/** Processor time of a statement for several rows: once for the batch, and for each row. */
interface BatchCost {
  readonly batchMs: number
  readonly rowMs: number
}

/** What a payment costs a cell. PostgreSQL's part includes what it waits for. */
export interface Costs {
  readonly create: { readonly gateway: BatchCost; readonly postgres: BatchCost }
  /** All later steps of a payment: paid, booked, told to the merchant. They were measured in batches only. */
  readonly rest: { readonly gatewayMs: number; readonly postgresMs: number }
  /** How much longer a core of PostgreSQL takes than it computes. */
  readonly waiting: number
}

const MICROSECONDS = 1000

/**
 * A create alone costs a batch and a row; at saturation it shares the batch with as many as share an fsync. That gives both
 * costs. The rest of a life is the whole life without its create, with the batches that it had.
 *
 * The machine was idle to 13 % although enough payments waited: for the disk, and for each other. The model gives this share
 * to PostgreSQL, which is what limits a life. It is the only figure that is used to make the simulation's saturation right.
 */
export function costsOf(figures: Figures): Costs {
  const waiting = 1 / (1 - figures.life.idleShare)
  const gateway = createCost(figures, ({ gatewayMicroseconds }) => gatewayMicroseconds)
  const postgres = createCost(figures, ({ postgresMicroseconds }) => postgresMicroseconds)
  const restOf = (whole: number, { batchMs, rowMs }: BatchCost): number =>
    whole / MICROSECONDS - rowMs - batchMs * figures.createBatchesPerLife
  return {
    create: {
      gateway,
      postgres: { batchMs: postgres.batchMs * waiting, rowMs: postgres.rowMs * waiting },
    },
    rest: {
      gatewayMs: restOf(figures.life.gatewayMicroseconds, gateway),
      postgresMs: restOf(figures.life.postgresMicroseconds, postgres) * waiting,
    },
    waiting,
  }
}

function createCost({ create, createAlone }: Figures, of: (measured: Measured) => number): BatchCost {
  const batchesPerRow = create.fsyncsPerRequest
  const batch = (of(createAlone) - of(create)) / (1 - batchesPerRow)
  return { batchMs: batch / MICROSECONDS, rowMs: (of(createAlone) - batch) / MICROSECONDS }
}
