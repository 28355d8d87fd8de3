import { createServer } from 'node:http'

/** The page that customers come back to: it completes the cart, and says what came of it. */
interface Storefront {
  readonly url: string
  close(): Promise<void>
}

const WORDS: Readonly<Record<string, string>> = {
  order: 'Thank you for your order',
  requires_more: 'Your payment is being processed',
}

export async function openStorefront(complete: (cart: string) => Promise<string>): Promise<Storefront> {
  const server = createServer((request, response) => {
    const cart = /^\/thanks\/(cart_\w+)/.exec(request.url ?? '')?.[1]
    const said = cart === undefined ? Promise.resolve('Nothing here') : complete(cart).catch(String)
    void said.then((outcome) => {
      const escaped = (WORDS[outcome] ?? `Not paid: ${outcome}`)
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
      response
        .setHeader('content-type', 'text/html')
        .end(`<title>Shop</title><link rel="icon" href="data:,"><h1>${escaped}</h1>`)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the storefront has no port')
  return {
    url: `http://localhost:${address.port}/thanks`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
