export { createReviewService, type ReviewDeps, type ReviewService } from './service.ts'
