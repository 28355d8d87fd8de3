import { isInstitution } from '../modules/catalogue/index.ts'
import { createHealthService, type HealthService } from '../modules/health/index.ts'
import type { Parts } from './parts.ts'

/** The health of institutions for operators; which institutions there are, the catalogue knows. */
export const buildHealthService = ({ db }: Pick<Parts, 'db'>): HealthService =>
  createHealthService({ db, isKnown: isInstitution })
