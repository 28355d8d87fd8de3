/** What a thread is told. */
export type ToThread =
  | { readonly kind: 'ORDER'; readonly module: string; readonly order: unknown }
  | { readonly kind: 'NEXT' }

/** What a thread tells. Each piece waits until it is asked for: nobody is flooded. */
export type FromThread<Piece> =
  | { readonly kind: 'PIECE'; readonly piece: Piece }
  | { readonly kind: 'DONE' }
  | { readonly kind: 'BROKEN'; readonly said: string }
