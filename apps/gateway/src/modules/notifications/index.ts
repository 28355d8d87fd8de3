export { createNotificationWorker, type NotificationWorker } from './jobs.ts'

export {
  createNotificationIntake,
  createNotificationService,
  type NotificationIntake,
  type NotificationService,
} from './service.ts'
export { findDueNotifications, findMessageTraces } from './store.ts'
