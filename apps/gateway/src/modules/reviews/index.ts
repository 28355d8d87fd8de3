export { createReviewService, type ReviewDeps, type ReviewService, type ReviewView } from './service.ts'
