export type { ListedForgery } from './forgery-store.ts'
export { createNotificationWorker, type NotificationWorker } from './jobs.ts'
export { type ListedNotification, NOTIFICATION_STATES, type NotificationState } from './model.ts'
export {
  createNotificationIntake,
  createNotificationService,
  type NotificationIntake,
  type NotificationService,
} from './service.ts'
