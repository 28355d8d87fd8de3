import type { ChildProcess } from 'node:child_process'

interface Message {
  readonly kind: string
}

/** The next message of the kind that a child sends; others pass. Rejects when the child ends, or could not be started. */
export function nextMessage<Sent extends Message, Kind extends Sent['kind']>(
  child: ChildProcess,
  kind: Kind,
  name: string,
): Promise<Extract<Sent, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const off = (): void => {
      child.off('message', onMessage)
      child.off('exit', onEnd)
      child.off('error', onEnd)
    }
    const onMessage = (message: Sent): void => {
      if (!isOf(message, kind)) return
      off()
      resolve(message)
    }
    const onEnd = (): void => {
      off()
      reject(new Error(`${name} ended, or could not be started`))
    }
    child.on('message', onMessage)
    child.once('exit', onEnd)
    child.once('error', onEnd)
  })
}

function isOf<Sent extends Message, Kind extends Sent['kind']>(
  message: Sent,
  kind: Kind,
): message is Extract<Sent, { kind: Kind }> {
  return message.kind === kind
}
